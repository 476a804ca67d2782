import HTTPTransport
import HTTPWire
import SystemIO
import Testing
import TestSupport

/// Client and server with TLS between them.
@Suite struct SecureTransportTests {
    private let files: TestCertificates

    init() throws { files = try TestCertificates() }

    private func serverContext() throws -> TLSContext {
        try TLSContext.server(files.serverSettings)
    }

    private func client(_ rig: Rig, trusting: Bool = true) throws -> HTTPClient {
        var settings = HTTPClientSettings()
        settings.tls = try TLSContext.client(authorities: trusting ? files.authority : nil)
        return try HTTPClient(loop: rig.loop, settings: settings)
    }

    @Test func `content crosses in both directions, and the connection is used again`() throws {
        let temporary = try TemporaryFolder()
        let folder = try Folder(temporary.path)
        try folder.replace("f", with: content(0..<900_000), durably: false)
        var received: [[UInt8]] = []
        let rig = try Rig(tls: try serverContext()) { exchange in
            #expect(exchange.isSecure)
            let reader = Reader(exchange)
            reader.onEnd = { reader in
                received.append(reader.bytes)
                _ = try? exchange.sendInterim(ResponseHead(103))
                guard let file = try? folder.file("f", for: .reading) else { return }
                let body = MessageBody([
                    .bytes([1]), .file(file, 0..<900_000),
                    .generated(length: nil, contentSource(400_000)), .bytes(content(0..<40_000)),
                ])
                try? exchange.respond(ResponseHead(200), body)
            }
            reader.goOn()
        }
        let client = try client(rig)
        let url = try HTTPURL("https://localhost:\(rig.address.port ?? 0)/")
        let expected =
            [1] + content(0..<900_000) + content(0..<400_000) + content(0..<40_000)
        for number in 1...2 {
            let body = MessageBody.generated(length: 700_000, contentSource(700_000))
            let outcome = Outcome(client.start(ClientRequest("PUT", url, body: body)))
            rig.run { outcome.isOver && rig.reports.count == number }
            #expect(outcome.failure == nil && outcome.bytes == expected)
            #expect(outcome.interims.count == 1)
        }
        #expect(received == [content(0..<700_000), content(0..<700_000)])
        #expect(client.connectionCount == 1)
        client.close()
        rig.run { rig.server?.openConnections == 0 }
    }

    @Test func `a certificate that is not trusted fails the request before it leaves`() throws {
        let rig = try Rig(tls: try serverContext()) { try? $0.respond(ResponseHead(200)) }
        let port = rig.address.port ?? 0
        for (host, trusting) in [("localhost", false), ("127.0.0.2", true)] {
            let client = try client(rig, trusting: trusting)
            let address = host == "localhost" ? host : "127.0.0.1"
            var request = ClientRequest("GET", try HTTPURL("https://\(address):\(port)/"))
            if host != address {
                let listener = try #require(SocketAddress(numericHost: host, port: 0))
                let bound = try #require(
                    try rig.server?.listen(on: listener, tls: try serverContext())
                )
                request = ClientRequest("GET", try HTTPURL("https://\(host):\(bound.port ?? 0)/"))
            }
            let outcome = Outcome(client.start(request))
            rig.run { outcome.isOver }
            guard case .tls(let error) = outcome.failure?.reason else {
                Issue.record("\(String(describing: outcome.failure))")
                return
            }
            #expect(error.kind == .certificate && outcome.failure?.didRequestLeave == false)
            client.close()
        }
        rig.run { rig.server?.openConnections == 0 }
        #expect(rig.reports.isEmpty)
    }

    @Test func `a stream that is cut is no complete response`() throws {
        let rig = try Rig { _ in }
        let client = try client(rig)
        let listener = try ListeningSocket(on: .loopback(port: 0))
        let bound = listener.address
        let port = try #require(bound?.port)
        for (isSaid, framing) in [
            (true, ""), (false, ""), (false, "Content-Length: 9\r\n"),
            (true, "Content-Length: 9\r\n"),
        ] {
            let url = try HTTPURL("https://localhost:\(port)/")
            let outcome = Outcome(client.start(ClientRequest("GET", url)))
            var socket = Socket()
            while !socket.isOpen {
                rig.run(milliseconds: 1)
                socket = try listener.accept()
            }
            let session = try TLSSession(serverContext())
            let answer = Array("HTTP/1.1 200 OK\r\n\(framing)\r\nhalf".utf8)
            let buffer = TransferBuffer(capacity: 20_000)
            var isAnswered = false
            while !outcome.isOver {
                if case .moved(let count) = socket.receive(into: buffer, limit: 20_000) {
                    session.feed(buffer, count: count)
                }
                if try session.handshake(), !isAnswered,
                    case .bytes = try session.read(into: buffer, limit: 20_000)
                {
                    buffer.store(answer, at: 0)
                    _ = try session.write(buffer, count: answer.count)
                    if isSaid { session.close() }
                    isAnswered = true
                }
                let count = session.drain(into: buffer)
                _ = socket.send(buffer, from: 0, count: count)
                if isAnswered { socket.shutdownWriting() }
                rig.run(milliseconds: 1)
            }
            let isWhole = isSaid && framing.isEmpty
            #expect(outcome.text == "half" && (outcome.trailers != nil) == isWhole)
            #expect(outcome.failure?.reason == (isWhole ? nil : .truncatedBody))
            #expect(!isWhole || !outcome.exchange.isLengthProven)
        }
        client.close()
    }

    @Test func `plain bytes at a TLS port, and TLS at a plain one, fail in time`() throws {
        let secure = try Rig(tls: try serverContext()) { _ in }
        let peer = try secure.connect()
        peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        secure.run { peer.isOver && secure.server?.openConnections == 0 }

        let plain = try Rig { _ in }
        let client = try client(plain)
        let url = try HTTPURL("https://localhost:\(plain.address.port ?? 0)/")
        let outcome = Outcome(client.start(ClientRequest("GET", url)))
        plain.run { outcome.isOver }
        guard case .tls = outcome.failure?.reason else {
            Issue.record("\(String(describing: outcome.failure))")
            return
        }
        client.close()
    }
}
