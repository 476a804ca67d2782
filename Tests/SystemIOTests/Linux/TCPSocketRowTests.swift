import Testing

@testable import SystemIO

/// What the system tells of TCP sockets.
@Suite struct TCPSocketRowTests {
    private func rows(_ port: UInt16?) throws -> [TCPSocketRow] {
        TCPSocketRow.all(withLocalPort: Int(try #require(port)))
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.3.2.1", true), ("0.0.0.0", true), ("::", true), ("::1", false),
    ])
    func `a listener is known, and whether connects to 127_0_0_1 reach it`(
        host: String,
        reaches: Bool
    ) throws {
        var listener = try ListeningSocket(
            on: try #require(SocketAddress(numericHost: host, port: 0))
        )
        defer { listener.close() }
        // Ended connections of others may have the same port of another address.
        let rows = try rows(listener.address?.port).filter(\.isListening)
        #expect(rows.contains { $0.servesLoopback == reaches && $0.inode > 0 })
    }

    @Test func `bytes that nobody has read are counted`() throws {
        let listener = try ListeningSocket(on: .loopback(port: 0))
        let bound = listener.address
        let address = try #require(bound)
        var client = try Socket(like: address)
        _ = try client.connect(to: address)
        var server = Socket()
        for _ in 0..<1_000 where !server.isOpen { server = try listener.accept() }
        let local = client.localAddress
        let port = Int(try #require(local?.port))
        func unread() throws -> Int? {
            try rows(address.port).first { $0.remotePort == port }?.unreadBytes
        }
        #expect(try unread() == 0)
        let buffer = TransferBuffer(capacity: 16)
        buffer.store([1, 2, 3, 4, 5], at: 0)
        guard case .moved(5) = client.send(buffer, from: 0, count: 5) else {
            Issue.record("five bytes could not be sent")
            return
        }
        for _ in 0..<1_000 where client.unacknowledgedBytes > 0 {}
        #expect(try unread() == 5)
        _ = server.receive(into: buffer, limit: 3)
        #expect(try unread() == 2)
        _ = server.receive(into: buffer, limit: 3)
        #expect(try unread() == 0)
        client.close()
        server.close()
    }
}
