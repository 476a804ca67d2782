import SystemIO
import Testing
import TestSupport

@Suite struct TLSSessionTests {
    private let files: TestCertificates

    init() throws { files = try TestCertificates() }

    /// Carries ciphertext from one end to the other; false if there was none.
    private func carry(_ from: TLSSession, _ to: TLSSession, pieces: Int = 65_536) -> Bool {
        let buffer = TransferBuffer(capacity: pieces)
        var carried = false
        while case let count = from.drain(into: buffer), count > 0 {
            to.feed(buffer, count: count)
            carried = true
        }
        return carried
    }

    private func shake(_ client: TLSSession, _ server: TLSSession) throws(TLSError) {
        while true {
            let done = (try client.handshake(), try server.handshake())
            let moved = (carry(client, server, pieces: 7), carry(server, client, pieces: 7))
            if done == (true, true), moved == (false, false) { return }
        }
    }

    private func pair(
        host: String = "localhost",
        trusting: Bool = true,
        verifies: Bool = true
    ) throws -> (client: TLSSession, server: TLSSession) {
        let client = try TLSContext.client(
            authorities: trusting ? files.authority : nil,
            verifiesPeer: verifies
        )
        let server = try TLSContext.server(files.serverSettings)
        return (try TLSSession(client, host: host), try TLSSession(server))
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `plaintext crosses in both directions`(host: String) throws {
        let (client, server) = try pair(host: host)
        try shake(client, server)
        let (sent, received) = (
            TransferBuffer(capacity: 100_000), TransferBuffer(capacity: 100_000)
        )
        let content = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        sent.store(content, at: 0)
        for (from, to) in [(client, server), (server, client)] {
            var (written, read) = (0, 0)
            while read < content.count {
                written += try from.write(sent, from: written, count: content.count - written)
                _ = carry(from, to)
                while case .bytes(let count) = try to.read(
                    into: received,
                    from: read,
                    limit: max(1, content.count - read)
                ) {
                    read += count
                    if read == content.count { break }
                }
            }
            #expect(received.bytes(0..<read) == content)
        }
    }

    @Test func `an end that is said is told from one that is not`() throws {
        let (client, server) = try pair()
        try shake(client, server)
        let buffer = TransferBuffer(capacity: 100)
        #expect(try client.read(into: buffer, limit: 100) == .needsInput)
        #expect(try server.write(buffer, count: 5) == 5)
        server.close()
        _ = carry(server, client)
        #expect(try client.read(into: buffer, limit: 100) == .bytes(5))
        #expect(try client.read(into: buffer, limit: 100) == .closed)
        #expect(try client.read(into: buffer, limit: 100) == .closed)
    }

    @Test func `a certificate for another name is refused`() throws {
        for host in ["example.org", "127.0.0.2"] {
            let (client, server) = try pair(host: host)
            let error = try #require(throws: TLSError.self) { try shake(client, server) }
            #expect(error.kind == .certificate)
            #expect(error.description.contains(host) && error.description.contains("mismatch"))
        }
    }

    @Test func `a certificate of an unknown authority is refused, unless nobody asks`() throws {
        let (client, server) = try pair(trusting: false)
        let error = try #require(throws: TLSError.self) { try shake(client, server) }
        #expect(error.kind == .certificate)
        let (careless, other) = try pair(host: "example.org", trusting: false, verifies: false)
        try shake(careless, other)
    }

    @Test func `what is not TLS is an error, and so is a changed byte`() throws {
        let (client, server) = try pair()
        let buffer = TransferBuffer(capacity: 64)
        buffer.store(Array("GET / HTTP/1.1\r\n\r\n".utf8), at: 0)
        server.feed(buffer, count: 18)
        #expect(try #require(throws: TLSError.self) { try server.handshake() }.kind == .protocol)
        _ = try? client.handshake()
        client.feed(buffer, count: 18)
        #expect(throws: TLSError.self) { try client.handshake() }

        let (sender, receiver) = try pair()
        try shake(sender, receiver)
        _ = try sender.write(buffer, count: 10)
        let count = sender.drain(into: buffer)
        buffer.flip(1, at: count - 1)
        receiver.feed(buffer, count: count)
        #expect(throws: TLSError.self) { try receiver.read(into: buffer, limit: 10) }
    }

    @Test func `files that cannot be used are named`() throws {
        let missing = try #require(throws: TLSError.self) {
            try TLSContext.server(
                TLSServerSettings(
                    identity: .files(certificates: "/nonexistent.pem", key: files.key)
                )
            )
        }
        #expect(missing.kind == .settings && missing.description.contains("/nonexistent.pem"))
        #expect(throws: TLSError.self) {
            try TLSContext.server(
                TLSServerSettings(
                    identity: .files(certificates: files.certificate, key: files.authority)
                )
            )
        }
        #expect(throws: TLSError.self) { try TLSContext.client(authorities: "/nonexistent.pem") }
        #expect(throws: TLSError.self) { try TLSSession(try TLSContext.client(), host: "a\0b") }
    }
}
