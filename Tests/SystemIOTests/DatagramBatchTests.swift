import TestSupport
import Testing

@testable import SystemIO

/// Several datagrams of one call, whether the system takes them together or they leave one by one.
@Suite struct DatagramBatchTests {
    private static let bytes = Array("onetwothird".utf8)

    @Test(arguments: [SocketAddress.loopback(port: 0), .ipv6Loopback])
    func `datagrams that are sent together all carry their ECN field`(address: SocketAddress) throws
    {
        let loop = try EventLoop()
        let server = try TestDatagramPeer.server(at: address, on: loop)
        defer { server.close() }
        let client = try TestDatagramPeer.client(of: #require(server.address), on: loop)
        defer { client.close() }
        for ecn in 0...3 as ClosedRange<UInt8> {
            let count = server.received.count
            #expect(client.sendTogether(Self.bytes, segment: 3, ecn: ecn))
            try loop.run("all have come") { server.received.count == count + 4 }
            #expect(server.texts.suffix(4) == ["one", "two", "thi", "rd"])
            #expect(server.received.suffix(4).map(\.ecn) == [ecn, ecn, ecn, ecn])
        }
    }

    @Test func `what came back of an earlier datagram does not keep later ones from being sent`()
        throws
    {
        let loop = try EventLoop()
        let first = try TestDatagramPeer.server(at: .loopback(port: 0), on: loop)
        let address = try #require(first.address)
        first.close()
        let client = try TestDatagramPeer.client(of: address, on: loop)
        defer { client.close() }
        client.pause()
        // Nothing takes it, which the socket hears of at once on loopback.
        #expect(client.sendTogether([1], segment: 1))
        let second = try TestDatagramPeer.server(at: address, on: loop)
        defer { second.close() }
        #expect(client.sendTogether(Self.bytes, segment: 3))
        try loop.run("all have come") { second.received.count == 4 }
    }
}

extension SocketAddress {
    fileprivate static let ipv6Loopback = SocketAddress.ipv6(
        [UInt8](repeating: 0, count: 15) + [1],
        port: 0,
        scope: 0
    )
}
