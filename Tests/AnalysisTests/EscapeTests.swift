import Analysis
import Basics
import Journal
import Testing

@Suite struct EscapeTests {
    private static func escapes(
        _ change: (inout Evidence) -> Void = { _ in },
        _ tell: (inout Story) -> Void
    ) -> [String] {
        var story = Story()
        tell(&story)
        return story.report(change).findings.filter { $0.kind == .escaped }.map(\.words)
    }

    @Test func `success without a byte through the proxy proves nothing`() {
        #expect(Self.escapes({ $0.exitCode = 0 }) { _ in }.count == 1)
        #expect(Self.escapes({ $0.exitCode = 1 }) { _ in }.isEmpty)
        let idle = Self.escapes({ $0.exitCode = 0 }) {
            $0.connect(1, at: 0)
            $0.end(1, down: 0, up: 0, at: 1)
        }
        #expect(idle.count == 1)
    }

    @Test func `an object that is there although not all came is from elsewhere`() {
        let escapes = Self.escapes({
            $0.exitCode = 0; $0.oracle = .matches
        }) {
            $0.get(1, delivered: 400, .cut("rst"), at: 0)
        }
        #expect(escapes == ["/big is there, but not all of it came through the proxy"])
    }

    @Test(arguments: [("v1", 0), ("v2", 1)])
    func `an untrue length of the same version says nothing of what came`(tag: String, count: Int) {
        let escapes = Self.escapes({
            $0.exitCode = 0; $0.oracle = .matches
        }) {
            let answer = [("ETag", "\"\(tag)\"")]
            $0.get(1, answer: answer, size: 600, delivered: 400, .cut("rst"), at: 0)
            $0.get(2, from: 400, size: 1_000, delivered: 200, .cut("rst"), at: 100)
        }
        #expect(escapes.count == count)
    }

    @Test func `a redirect to elsewhere behind which nothing is seen`() {
        func escapes(_ location: String) -> [String] {
            Self.escapes({ $0.exitCode = 0 }) { story in
                story.connect(1, at: 0)
                story.request(1, "GET", "/x", at: 1)
                story.respond(1, 302, [("Location", location)], at: 2)
                story.end(1, at: 3)
            }
        }
        #expect(escapes("http://cdn:80/x") == ["/x was sent on to cdn:80, past the proxy"])
        #expect(escapes("http://h:1/x").isEmpty)
        #expect(escapes("/y").isEmpty)
    }

    @Test func `a redirect certainly led past the proxy to a right result or to its upstream`() {
        func detour(_ location: String, _ change: (inout Evidence) -> Void) -> String? {
            var story = Story(upstream: "h:2")
            story.connect(1, at: 0)
            story.request(1, "GET", "/x", at: 1)
            story.respond(1, 302, [("Location", location)], at: 2)
            story.end(1, at: 3)
            return story.report(change).certainDetour
        }
        let right: (inout Evidence) -> Void = { ($0.exitCode, $0.oracle) = (0, .matches) }
        #expect(detour("http://cdn/x", right) == "/x was sent on to cdn, past the proxy")
        #expect(detour("http://h:1/y", right) == nil)
        #expect(detour("http://cdn/x") { $0.exitCode = 0 } == nil)
        #expect(detour("http://h:2/x") { $0.exitCode = 0 } != nil)
        #expect(detour("http://h:2/x") { $0.exitCode = 1 } == nil)
    }

    /// A client has followed a redirect.
    ///
    /// - Parameters:
    ///   - location: where to.
    ///   - upstream: as it was named to linkcond.
    ///   - server: the address that the connection went to.
    ///   - names: what the client was told that names mean.
    /// - Returns: whether that is known to be the upstream.
    private static func leadsPast(
        _ location: String,
        upstream: String,
        server: String?,
        names: [(name: String, answer: String)] = []
    ) -> Bool {
        var story = Story(upstream: upstream)
        for name in names {
            let report = DNSReport(
                transport: "udp",
                name: name.name,
                type: "A",
                number: 1,
                source: "name",
                answer: name.answer
            )
            story.add(.dns(report, environment: [:]), at: 0)
        }
        story.connect(1, at: 0)
        story.request(1, "GET", "/x", at: 1)
        story.respond(1, 302, [("Location", location)], at: 2)
        story.end(1, server: server, at: 3)
        return story.report { $0.exitCode = 0 }.certainDetour != nil
    }

    @Test(
        arguments: [
            // The loopback has many names.
            ("http://127.0.0.1:8/x", "localhost:8", "127.0.0.1:8", true),
            ("http://localhost:8/x", "127.0.0.1:8", "127.0.0.1:8", true),
            ("http://[::1]:8/x", "localhost:8", "127.0.0.1:8", true),
            ("http://127.0.0.1:8/x", "[::1]:8", "[::1]:8", true),
            ("http://[::ffff:127.0.0.1]:8/x", "localhost:8", nil, true),
            ("http://0.0.0.0:8/x", "localhost:8", nil, true),
            ("http://[::]:8/x", "localhost:8", nil, true),
            ("http://app.localhost:8/x", "localhost:8", nil, true),
            ("http://127.0.0.1:9/x", "localhost:8", "127.0.0.1:8", false),
            ("http://notlocalhost:8/x", "localhost:8", "127.0.0.1:8", false),
            // So has any other place.
            ("http://EXAMPLE.Test.:8/x", "example.test:8", nil, true),
            ("http://me:word@example.test:8?x", "example.test:8", nil, true),
            ("http://example.test/x", "example.test:80", nil, true),
            ("https://example.test/x", "https://example.test:443", nil, true),
            ("https://example.test/x", "example.test:80", nil, false),
            ("//example.test:8/x", "example.test:8", nil, true),
            ("http://[2001:DB8:0::1]:8/x", "[2001:db8::1]:8", nil, true),
            ("http://[::ffff:192.0.2.1]:8/x", "192.0.2.1:8", nil, true),
            // What the name led to is known from the connection.
            ("http://192.0.2.1:8/x", "example.test:8", "192.0.2.1:8", true),
            ("http://192.0.2.2:8/x", "example.test:8", "192.0.2.1:8", false),
            ("http://127.0.0.1:8/x", "embedded", "127.0.0.1:8", true),
            ("http://127.0.0.1:8/x", "unix:/run/app.sock", "unix:/run/app.sock", false),
            ("http://embedded/x", "embedded", "127.0.0.1:8", false),
        ] as [(String, String, String?, Bool)]
    )
    func `a redirect to the upstream is known by its address, however that is written`(
        location: String,
        upstream: String,
        server: String?,
        leads: Bool
    ) {
        #expect(Self.leadsPast(location, upstream: upstream, server: server) == leads)
    }

    @Test func `a name leads to the upstream if the client was told so`() {
        let names = [
            (name: "app.test", answer: "NOERROR 198.51.100.9 192.0.2.1"),
            (name: "cdn.test", answer: "NOERROR 192.0.2.2"), (name: "no.test", answer: "NXDOMAIN"),
        ]
        func leads(_ host: String) -> Bool {
            Self.leadsPast(
                "http://\(host)/x",
                upstream: "192.0.2.1:8",
                server: "192.0.2.1:8",
                names: names
            )
        }
        #expect(leads("app.test:8") && leads("APP.test.:8"))
        #expect(!leads("app.test:9") && !leads("cdn.test:8") && !leads("no.test:8"))
    }

    @Test func `another way to write the host that was asked is nowhere else`() {
        let right: (inout Evidence) -> Void = { ($0.exitCode, $0.oracle) = (0, .matches) }
        func detour(_ location: String) -> String? {
            var story = Story()
            story.connect(1, at: 0)
            story.request(1, "GET", "/x", at: 1)
            story.respond(1, 302, [("Location", location)], at: 2)
            story.end(1, at: 3)
            return story.report(right).certainDetour
        }
        #expect(detour("http://H.:1/y") == nil)
        #expect(detour("http://h:2/y") != nil && detour("https://h/y") != nil)
    }

    @Test func `the origin tells of connections that are not ours`() {
        let escapes = Self.escapes({ $0.foreignConnections = 2 }) { $0.get(1, at: 0) }
        #expect(escapes == ["the origin got 2 connections past the proxy"])
        var story = Story()
        story.get(1, at: 0)
        let report = story.report {
            $0.foreignConnections = 1
            $0.oracle = .matches
            $0.exitCode = 0
        }
        #expect(report.verdict == .inconclusive)
    }
}
