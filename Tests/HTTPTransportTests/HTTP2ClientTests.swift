import Basics
import HTTP2
import HTTPTransport
import HTTPWire
import SystemIO
import Testing
import TestSupport

/// The client of HTTP/2 with servers that do what others seldom do.
@Suite struct HTTP2ClientTests {
    private let files: TestCertificates
    private let loop: EventLoop

    init() throws {
        files = try TestCertificates()
        loop = try EventLoop()
    }

    private func server(
        _ onEvent: @escaping (HTTP2Session, SessionEvent) -> Void
    ) throws -> SecureServer {
        let tls = try TLSContext.server(files.serverSettings)
        return try SecureServer(on: loop, tls: tls, onEvent: onEvent)
    }

    private func client(
        _ change: (inout HTTPClientSettings) -> Void = { _ in }
    ) throws -> HTTPClient {
        var settings = HTTPClientSettings()
        settings.tls = try TLSContext.client(authorities: files.authority)
        settings.offersHTTP2 = true
        change(&settings)
        return try HTTPClient(loop: loop, settings: settings)
    }

    private func start(_ client: HTTPClient, _ address: SocketAddress) throws -> Outcome {
        let url = try HTTPURL("https://localhost:\(address.port ?? 0)/")
        return Outcome(client.start(ClientRequest("GET", url)))
    }

    @Test func `a server that asks for HTTP1 gets it from the next request on`() throws {
        let server = try server { session, event in
            guard case .fields(let stream, _, _, _) = event else { return }
            session.reset(stream, .http11Required)
        }
        let client = try client()
        let refused = try start(client, server.address)
        loop.run(until: { refused.isOver }, seconds: 20)
        #expect(refused.failure?.reason == .notProcessed && refused.facts?.isHTTP2 == true)
        let next = try start(client, server.address)
        loop.run(until: { next.isOver }, seconds: 20)
        #expect(next.text == "old" && next.facts?.isHTTP2 == false)
        #expect(server.peers.count == 2)
        client.close()
        loop.finishPendingWork()
        server.close()
    }

    @Test func `trailers that are too large end the response behind its content`() throws {
        let server = try server { session, event in
            guard case .fields(let stream, _, _, _) = event else { return }
            session.respond([BlockField(":status", "200")], hasContent: true, on: stream)
        }
        let client = try client()
        let outcome = try start(client, server.address)
        loop.run(until: { outcome.isOver }, seconds: 20)
        #expect(outcome.failure?.reason == .malformed(.headTooLarge))
        #expect(outcome.bytes.count == 100 && outcome.failure?.hasResponse == true)
        client.close()
        loop.finishPendingWork()
        server.close()
    }

    @Test func `those that wait for a connection fail with it`() throws {
        var listener = try ListeningSocket(on: .loopback(port: 0))
        let address = listener.address ?? .loopback(port: 0)
        let client = try client { $0.connectTime = .milliseconds(300) }
        let outcomes = try (0..<10).map { _ in try start(client, address) }
        loop.run(until: { outcomes.allSatisfy(\.isOver) }, seconds: 20)
        #expect(outcomes.allSatisfy { $0.failure?.reason == .connectTimeout })
        var count = 0
        while true {
            var socket = try listener.accept()
            guard socket.isOpen else { break }
            count += 1
            socket.close()
        }
        #expect(count == 1)
        client.close()
        loop.finishPendingWork()
        listener.close()
    }
}
