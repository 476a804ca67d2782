import Basics
import Faults
import Journal
import LinkEngine
import SystemIO
import TestSupport
import Testing

@testable import Proxy

/// TLS that ends at the proxy.
@Suite struct TLSTests {
    private let folder: TemporaryFolder
    private let identity: ServerIdentity
    private var authorities: String { "\(folder.path)/ca.pem" }

    init() throws {
        folder = try TemporaryFolder()
        let authority = try CertificateAuthority.make(name: "test", lifetime: .seconds(3_600))
        let pem = authority.keyPEM + authority.certificatePEM
        identity = .made(authority: Array(pem.utf8), hosts: ["localhost"])
        try FileSystem.replace(
            "\(folder.path)/ca.pem",
            with: Array(authority.certificatePEM.utf8)
        )
    }

    private func configuration(takesPlain: Bool = false) -> TLSConfiguration {
        var clients = TLSConfiguration.Clients(TLSServerSettings(identity: identity))
        clients.takesPlain = takesPlain
        var configuration = TLSConfiguration()
        configuration.clients = clients
        return configuration
    }

    private func rig(
        link: LinkSettings = LinkSettings(),
        faults: [String] = [],
        takesPlain: Bool = false,
        configure: (inout ProxyConfiguration) -> Void = { _ in }
    ) throws -> Rig {
        let rig = try Rig(link: link, faults: faults) { settings in
            settings.tls = configuration(takesPlain: takesPlain)
            settings.observesRequests = true
            configure(&settings)
        }
        rig.onServe = { $0.onEnd = { $0.end(.finish) } }
        return rig
    }

    private func client(_ rig: Rig) throws -> SecurePeer {
        try SecurePeer(to: rig.addresses[0], on: rig.loop, authorities: authorities)
    }

    private func slow(_ delay: Duration) -> LinkSettings {
        var link = LinkSettings()
        link.down.delay = delay
        link.up.delay = delay
        return link
    }

    private static let body = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) }
    private static let head = "HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\n\r\n"

    /// Lets the server answer the first request with `body`.
    private func serveBody(_ rig: Rig) {
        rig.onServe = { peer in
            peer.keepsReceived = true
            peer.onEnd = { $0.end(.finish) }
            peer.onReceive = { peer, _ in
                guard peer.text.hasSuffix("\r\n\r\n"), peer.toSend == 0 else { return }
                peer.say(bytes: Array(Self.head.utf8) + Self.body)
            }
        }
    }

    private func notes(_ rig: Rig) -> [String] {
        rig.records.compactMap { if case .note(_, let text) = $0 { text } else { nil } }
    }

    @Test(arguments: [Duration.zero, .milliseconds(3)])
    func `what both sides say passes, and ends in order`(delay: Duration) throws {
        let rig = try rig(link: delay == .zero ? LinkSettings() : slow(delay))
        defer { rig.tearDown() }
        serveBody(rig)
        let client = try client(rig)
        client.say(Self.request)
        try rig.run("the body arrives") {
            client.received.count == Self.head.utf8.count + Self.body.count
        }
        #expect(client.received == Array(Self.head.utf8) + Self.body)
        client.finish()
        try rig.run("the server sees the end") { rig.served[0].hasEnded }
        try rig.run("the client is told of the end") { client.isOver }
        #expect(client.isClosed)
        try rig.runUntilIdle(1)
        let end = try #require(rig.ends.first)
        #expect(end.down.bytes == UInt64(client.received.count) && end.down.isExact)
        #expect(end.up.bytes == 28 && end.up.isExact)
        client.close()
    }

    @Test(arguments: [1, 16_384, 50_000], ["rst", "fin"])
    func `a stream ends at exactly the byte that a fault names`(
        count: Int,
        effect: String
    ) throws {
        let rig = try rig(
            link: slow(.milliseconds(2)),
            faults: ["c1/r1:resp.body+\(count)=\(effect)"]
        )
        defer { rig.tearDown() }
        serveBody(rig)
        let client = try client(rig)
        client.say(Self.request)
        try rig.run("the client sees an end") { client.isOver }
        #expect(client.received == Array(Self.head.utf8) + Self.body.prefix(count))
        #expect(effect == "rst" ? client.isReset : client.isTruncated)
        try rig.runUntilIdle(1)
        #expect(rig.faultReports.map(\.state) == [.fired])
        client.close()
    }

    @Test func `ciphertext in pieces of one byte opens to the same`() throws {
        let rig = try rig(faults: ["c1/r1:req.head=status(418)"])
        defer { rig.tearDown() }
        let client = try client(rig)
        client.writeLimit = 1
        client.say(Self.request)
        try rig.run("the answer arrives") { client.text.hasPrefix("HTTP/1.1 418 ") }
        client.close()
        try rig.runUntilIdle(1)
    }

    @Test func `a handshake takes its round trip over the link`() throws {
        let rig = try rig(link: slow(.milliseconds(20)))
        defer { rig.tearDown() }
        let begin = rig.loop.now
        let client = try client(rig)
        try rig.run("the handshake is done") { client.isEstablished }
        let took = try #require(client.establishedAt) - begin
        // One for the connection, one for the handshake (RFC 8446 §2); two would be 120 ms.
        #expect(took >= .milliseconds(80))
        client.close()
        try rig.runUntilIdle(1)
    }

    @Test func `a client without TLS is told apart, and served if that is wanted`() throws {
        for takesPlain in [false, true] {
            let rig = try rig(takesPlain: takesPlain)
            defer { rig.tearDown() }
            serveBody(rig)
            let client = try rig.connect()
            client.say(Self.request)
            try rig.run("an answer or an end") {
                client.isOver || client.receivedCount == Self.head.utf8.count + Self.body.count
            }
            #expect(client.isOver == !takesPlain)
            #expect(notes(rig).contains { $0.contains("does not speak TLS") } == !takesPlain)
            client.close()
            try rig.runUntilIdle(1)
        }
    }

    @Test func `a client that does not trust the proxy is told of`() throws {
        let rig = try rig()
        defer { rig.tearDown() }
        let others = try TestCertificates()
        let client = try SecurePeer(
            to: rig.addresses[0],
            on: rig.loop,
            authorities: others.authority
        )
        try rig.run("the client refuses") { client.failure != nil }
        try rig.run("the proxy hears of it") { !notes(rig).isEmpty }
        #expect(notes(rig)[0].contains("unknown ca"))
        client.close()
        try rig.runUntilIdle(1)
    }

    @Test func `a handshake that does not go on is ended`() throws {
        let rig = try rig { $0.limits.connectTimeoutMilliseconds = 30 }
        defer { rig.tearDown() }
        let client = try rig.connect()
        client.say("\u{16}\u{3}\u{1}")
        try rig.run("the proxy gives up") { client.isOver }
        #expect(notes(rig) == ["the client does not go on with the TLS handshake"])
        client.close()
        try rig.runUntilIdle(1)
    }

    @Test func `what only looks like TLS is refused`() throws {
        let rig = try rig()
        defer { rig.tearDown() }
        let client = try rig.connect()
        client.say("\u{16}" + String(repeating: "x", count: 500))
        try rig.run("the proxy refuses") { client.isOver }
        #expect(notes(rig).count == 1)
        client.close()
        try rig.runUntilIdle(1)
    }

    /// A proxy on the rig's loop whose upstream is the rig's proxy, by TLS.
    private func secondProxy(
        to rig: Rig,
        isTrusted: Bool,
        opensClients: Bool = true,
        onNote: @escaping (String) -> Void
    ) throws -> (proxy: ProxyServer, address: SocketAddress) {
        let route = ProxyConfiguration.Route(
            listen: Endpoint(.loopback(port: 0)),
            upstream: Endpoint(rig.addresses[0]),
            upstreamName: "localhost"
        )
        var settings = ProxyConfiguration(routes: [route])
        settings.tls = configuration(takesPlain: true)
        if !opensClients { settings.tls?.clients = nil }
        settings.tls?.upstream.authorities = isTrusted ? authorities : nil
        let proxy = try ProxyServer(loop: rig.loop, configuration: settings) { record, _ in
            if case .note(_, let text) = record { onNote(text) }
        }
        return (proxy, try #require(try proxy.start().first?.numericAddress))
    }

    private static let request = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n"
    private static let answer = Array(head.utf8) + body

    @Test func `an upstream under TLS that is trusted answers clients with TLS and without`() throws
    {
        let behind = try rig()
        defer { behind.tearDown() }
        serveBody(behind)
        let (proxy, address) = try secondProxy(to: behind, isTrusted: true) { _ in }
        let secure = try SecurePeer(to: address, on: behind.loop, authorities: authorities)
        secure.say(Self.request)
        let plain = try TestPeer.connect(to: address, on: behind.loop)
        plain.keepsReceived = true
        plain.say(Self.request)
        try behind.run("both are answered") {
            secure.received.count == Self.answer.count && plain.receivedCount == Self.answer.count
        }
        #expect(secure.received == Self.answer && plain.received == Self.answer)
        secure.close()
        plain.close()
        try behind.run("all connections end") { proxy.openConnections == 0 }
        proxy.stop()
        try behind.runUntilIdle(2)
    }

    @Test func `TLS within TLS is told of, not tried`() throws {
        let behind = try rig()
        defer { behind.tearDown() }
        var notes: [String] = []
        let (proxy, address) = try secondProxy(to: behind, isTrusted: true, opensClients: false) {
            notes.append($0)
        }
        let client = try SecurePeer(to: address, on: behind.loop, authorities: authorities)
        try behind.run("the client is told") { client.isOver }
        #expect(notes.count == 1 && notes[0].contains("--tls terminate"), "\(notes)")
        client.close()
        try behind.run("all connections end") { proxy.openConnections == 0 }
        proxy.stop()
        try behind.runUntilIdle()
    }

    @Test func `an upstream that is not trusted gets no request, and that is said`() throws {
        let behind = try rig()
        defer { behind.tearDown() }
        var notes: [String] = []
        let (proxy, address) = try secondProxy(to: behind, isTrusted: false) { notes.append($0) }
        let client = try SecurePeer(to: address, on: behind.loop, authorities: authorities)
        client.say(Self.request)
        try behind.run("the client is told") { client.isOver }
        #expect(client.received.isEmpty)
        let words = "TLS with the upstream failed: the certificate of localhost was refused"
        #expect(notes.count == 1 && notes[0].hasPrefix(words), "\(notes)")
        client.close()
        try behind.run("all connections end") { proxy.openConnections == 0 }
        proxy.stop()
        try behind.runUntilIdle(1)
        #expect(behind.served.allSatisfy { $0.receivedCount == 0 })
    }
}
