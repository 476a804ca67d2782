import Analysis
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
