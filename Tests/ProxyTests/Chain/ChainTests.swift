import Basics
import Faults
import Journal
import LinkEngine
import SystemIO
import Testing

@testable import Proxy

/// Servers that are reached through another proxy; the server of the rig is that proxy.
@Suite struct ChainTests {
    /// How a client says where it goes.
    enum Way: CaseIterable {
        case tunnel, url, socks, upstream

        func say(_ client: TestPeer) {
            let name = "far.test:8080"
            switch self {
            case .tunnel: client.say("CONNECT \(name) HTTP/1.1\r\nHost: \(name)\r\n\r\n")
            case .url: client.say("GET http://\(name)/x HTTP/1.1\r\nHost: \(name)\r\n\r\n")
            case .socks:
                let host: [UInt8] = [8] + Array("far.test".utf8)
                client.say(bytes: [5, 1, 0] + [5, 1, 0, 3] + host + [31, 144])
            case .upstream: break
            }
        }
    }

    private static func rig(
        _ way: Way = .tunnel,
        scheme: String = "http://me:secret@",
        transport: Rig.Transport = .ipv4,
        link: LinkSettings = LinkSettings(),
        faults: [String] = [],
        listens: Bool = true,
        change: (inout ProxyConfiguration) -> Void = { _ in }
    ) throws -> Rig {
        try Rig(link: link, faults: faults, transport: transport, listensForUpstream: listens) {
            let listen = $0.routes[0].listen
            $0.via = try? NextProxy(parsing: "\(scheme)\($0.routes[0].upstream)")
            if way == .upstream {
                $0.routes = [.init(listen: listen, upstream: .tcp(host: "far.test", port: 8_080))]
            } else {
                var forward = ForwardSettings()
                forward.rules.patterns = ["*.test", "*"].compactMap(DestinationRules.Pattern.init)
                $0.routes = [.init(listen: listen, forward: forward)]
            }
            change(&$0)
        }
    }

    /// A client that has said where it goes, and the proxy that was asked.
    private static func ask(_ rig: Rig, _ way: Way) throws -> (client: TestPeer, proxy: TestPeer) {
        rig.onServe = { $0.keepsReceived = true }
        let client = try rig.connect()
        client.keepsReceived = true
        way.say(client)
        try rig.run("the proxy is asked") { rig.served.first?.receivedCount ?? 0 > 2 }
        return (client, rig.served[0])
    }

    private static func troubles(_ rig: Rig) -> [String] {
        rig.records.compactMap {
            if case .upstream(_, .proxy, let words) = $0 { words } else { nil }
        }
    }

    private static let granted = "HTTP/1.1 200 Connection established\r\n\r\n"

    @Test(arguments: Way.allCases, [Rig.Transport.ipv4, .ipv6])
    func `a server is reached by CONNECT, and what is behind the answer is its`(
        way: Way,
        transport: Rig.Transport
    ) throws {
        let rig = try Self.rig(way, transport: transport)
        defer { rig.tearDown() }
        let (client, proxy) = try Self.ask(rig, way)
        #expect(proxy.text.hasPrefix("CONNECT far.test:8080 HTTP/1.1\r\n"))
        #expect(proxy.text.contains("Basic bWU6c2VjcmV0\r\n"))
        let asked = proxy.receivedCount
        proxy.say(Self.granted + "hello")
        if way != .url { client.say("up") }
        try rig.run("both are there") {
            client.text.hasSuffix("hello") && proxy.receivedCount > asked
        }
        #expect(!client.text.contains("hellohello"))
        if way == .url {
            try rig.run("the request follows") { proxy.text.contains("GET /x HTTP/1.1\r\n") }
        } else {
            #expect(proxy.text.hasSuffix("up"))
            #expect(rig.proxy.connections.inOrder.first is SplicedConnection)
        }
    }

    @Test(arguments: Way.allCases)
    func `a server is reached by SOCKS`(way: Way) throws {
        let rig = try Self.rig(way, scheme: "socks5://me:secret@")
        defer { rig.tearDown() }
        let (client, proxy) = try Self.ask(rig, way)
        #expect(proxy.received == [5, 2, 0, 2])
        proxy.say(bytes: [5, 2])
        try rig.run("the login comes") { proxy.receivedCount >= 4 + 11 }
        proxy.say(bytes: [1, 0])
        try rig.run("the request comes") { proxy.receivedCount >= 15 + 15 }
        #expect(Array(proxy.received[15..<18]) == [5, 1, 0])
        proxy.say(bytes: [5, 0, 0, 1, 0, 0, 0, 0, 0, 0] + Array("hello".utf8))
        try rig.run("the client is told") { client.text.hasSuffix("hello") }
    }

    @Test(arguments: ["http://", "socks5://"])
    func `an answer may come byte by byte`(scheme: String) throws {
        let rig = try Self.rig(scheme: scheme)
        defer { rig.tearDown() }
        let (client, proxy) = try Self.ask(rig, .tunnel)
        let answer =
            scheme == "http://" ? Array(Self.granted.utf8) : [5, 0, 5, 0, 0, 3, 1, 0x61, 0, 1]
        for byte in answer + Array("hello".utf8) {
            proxy.say(bytes: [byte])
            try rig.run(milliseconds: 1)
        }
        try rig.run("the client is told") { client.text.hasSuffix("\r\n\r\nhello") }
    }

    @Test(arguments: [LinkSettings(), .fast(delayMilliseconds: 5)])
    func `faults count from the first byte of the tunnel`(link: LinkSettings) throws {
        let rig = try Self.rig(link: link, faults: ["c1:down+3=fin", "c1:up+1=hole"])
        defer { rig.tearDown() }
        let (client, proxy) = try Self.ask(rig, .tunnel)
        let asked = proxy.receivedCount
        client.say("up")
        proxy.say(Self.granted + "hello")
        try rig.run("it ends") { client.hasEnded }
        #expect(client.text == Self.granted + "hel")
        #expect(proxy.receivedCount <= asked + 1)
    }

    @Test(
        arguments: [
            ("HTTP/1.1 407 x\r\n\r\n", "502", 1, "does not take this user and password"),
            ("HTTP/1.1 403 Forbidden\r\n\r\n", "502", 2, "far.test:8080: 403 Forbidden; it has to"),
            ("HTTP/1.1 504 Slow\r\n\r\n", "502", 6, "no tunnel to far.test:8080: 504 Slow"),
            ("\u{5}\u{0}", "502", 1, "socks5://"), ("", "502", 1, "closed without an answer"),
        ] as [(String, String, UInt8, String)],
        Way.allCases
    )
    func `a refusal is told to the client, and once to the journal`(
        answer: (says: String, status: String, code: UInt8, words: String),
        way: Way
    ) throws {
        let rig = try Self.rig(way)
        defer { rig.tearDown() }
        let (client, proxy) = try Self.ask(rig, way)
        proxy.say(answer.says, then: .finish)
        try rig.run("it ends") { client.isOver }
        try rig.runUntilIdle(1)
        let troubles = Self.troubles(rig)
        #expect(troubles.count == 1 && troubles[0].contains(answer.words), "\(troubles)")
        #expect(!"\(rig.records)\(client.text)".contains("secret"))
        switch way {
        case .tunnel, .url:
            #expect(client.text.hasPrefix("HTTP/1.1 \(answer.status) "))
            #expect(client.text.contains("linkcond: \(troubles[0]).\n"))
        case .socks: #expect(client.received[2...] == [5, answer.code, 0, 1, 0, 0, 0, 0, 0, 0])
        case .upstream: #expect(client.receivedCount == 0 && client.failure == .connectionReset)
        }
    }

    @Test(arguments: [true, false])
    func `a proxy that resets is told by what it said`(hasAnswered: Bool) throws {
        let rig = try Self.rig()
        defer { rig.tearDown() }
        let (client, proxy) = try Self.ask(rig, .tunnel)
        if hasAnswered {
            proxy.say("HTTP/1.1 403 No\r\n\r\n", then: .reset)
        } else {
            proxy.reset()
        }
        try rig.run("it ends") { client.isOver }
        let words = hasAnswered ? "403 No" : "closed without an answer"
        #expect(Self.troubles(rig).first?.contains(words) == true, "\(Self.troubles(rig))")
    }

    @Test func `half an answer is none`() throws {
        let rig = try Self.rig(scheme: "socks5://")
        defer { rig.tearDown() }
        let (client, proxy) = try Self.ask(rig, .tunnel)
        proxy.say(bytes: [5, 0, 5, 0, 0], then: .close)
        try rig.run("it ends") { client.isOver }
        #expect(client.text.contains("answered what is no answer to SOCKS5"))
    }

    @Test func `a proxy that says nothing is not waited for without end`() throws {
        let rig = try Self.rig { $0.limits.tunnelTimeoutMilliseconds = 50 }
        defer { rig.tearDown() }
        let (client, proxy) = try Self.ask(rig, .tunnel)
        proxy.say("HTTP/1.1 2")
        try rig.run("it ends") { client.isOver }
        #expect(client.text.hasPrefix("HTTP/1.1 504 "))
        #expect(client.text.contains("gave no answer for far.test:8080 in time"))
        #expect(Self.troubles(rig).count == 1)
    }

    @Test(arguments: Way.allCases)
    func `a proxy that is not there is named`(way: Way) throws {
        let rig = try Self.rig(way, listens: false)
        defer { rig.tearDown() }
        let client = try rig.connect()
        client.keepsReceived = true
        way.say(client)
        try rig.run("it ends") { client.isOver }
        let port = rig.upstreamAddress.map { "\($0)" } ?? ""
        let words = "the proxy http://\(port) cannot be reached: connection refused"
        #expect(Self.troubles(rig).first?.hasPrefix(words) == true, "\(Self.troubles(rig))")
        #expect(way == .upstream || way == .socks || client.text.contains(words))
    }

    @Test func `a client that leaves meanwhile ends it`() throws {
        let rig = try Self.rig()
        defer { rig.tearDown() }
        let (client, proxy) = try Self.ask(rig, .tunnel)
        client.reset()
        try rig.run("the proxy sees an end") { proxy.isOver }
        #expect(Self.troubles(rig).isEmpty)
    }

    @Test func `what is open when the run ends goes with it`() throws {
        let rig = try Self.rig(.upstream)
        defer { rig.tearDown() }
        let (client, proxy) = try Self.ask(rig, .upstream)
        rig.proxy.finishConnections()
        try rig.run("both see an end") { client.isOver && proxy.isOver }
        #expect(client.receivedCount == 0 && rig.ends.map(\.by) == [.shutdown])
    }

    @Test func `exceptions are reached directly, by their own addresses`() throws {
        let rig = try Self.rig { configuration in
            configuration.via = try? NextProxy(parsing: "http://127.0.0.1:1")
            configuration.via?.exceptions = ProxyExceptions("127.0.0.0/8")
        }
        defer { rig.tearDown() }
        let client = try rig.connect()
        client.keepsReceived = true
        let server = try #require(rig.upstreamAddress)
        client.say("CONNECT \(server) HTTP/1.1\r\nHost: x\r\n\r\n")
        try rig.run("it is there") { client.text.contains("200") }
        #expect(rig.served[0].receivedCount == 0)
    }

    @Test(arguments: [
        "169.254.169.254:80", "[fd00:ec2::254]:80", "0.0.0.0:80", "0x7f.1:80", "[::ffff:a9fe:1]:80",
    ])
    func `an address that has to be named is judged as it is written`(target: String) throws {
        let rig = try Self.rig()
        defer { rig.tearDown() }
        let client = try rig.connect()
        client.keepsReceived = true
        client.say("CONNECT \(target) HTTP/1.1\r\nHost: x\r\n\r\n")
        try rig.run("it ends") { client.isOver }
        #expect(client.text.hasPrefix("HTTP/1.1 403 ") && rig.served.isEmpty, "\(client.text)")
    }

    @Test func `the proxy is not asked to lead back here`() throws {
        let rig = try Self.rig()
        defer { rig.tearDown() }
        let client = try rig.connect()
        client.keepsReceived = true
        client.say("CONNECT \(rig.addresses[0]) HTTP/1.1\r\nHost: x\r\n\r\n")
        try rig.run("it ends") { client.isOver }
        #expect(client.text.contains("refused the connection") && rig.served.isEmpty)
    }
}
