import Basics
import CLibrary
import TestSupport
import Testing

@testable import SystemIO

@Suite struct SocketAddressTests {
    @Test(arguments: [
        ("127.0.0.1", "127.0.0.1:80"), ("0.0.0.0", "0.0.0.0:80"), ("::1", "[::1]:80"),
        ("2001:db8::5", "[2001:db8::5]:80"),
    ])
    func `a numeric address reads and prints`(host: String, text: String) throws {
        let address = try #require(SocketAddress(numericHost: host, port: 80))
        #expect(address.description == text)
        #expect(address.port == 80)
    }

    @Test func `a name is no numeric address`() {
        #expect(SocketAddress(numericHost: "localhost", port: 80) == nil)
        #expect(SocketAddress(numericHost: "1.2.3", port: 80) == nil)
    }

    @Test func `loopback and wildcard addresses are known as such`() throws {
        let texts = ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "10.0.0.1", "::2"]
        let loopbacks = try texts.map {
            try #require(SocketAddress(numericHost: $0, port: 1)).isLoopback
        }
        #expect(loopbacks == [true, true, true, true, false, false])
        #expect(SocketAddress.ipv4(0, port: 1).isWildcard)
        #expect(!SocketAddress.loopback(port: 1).isWildcard)
    }
}

@Suite struct SocketTests {
    @Test func `arrivals go unreported while muted, the end does not, and no byte is lost`() throws
    {
        let loop = try EventLoop()
        let pair = try SocketPair.make()
        let reports = Reports()
        let token = try loop.watch(pair.server, handler: reports)
        let alarms = try TimerQueue(loop: loop)
        /// Runs the loop long enough for a report on loopback.
        func settle() {
            reports.clear()
            _ = alarms.set(after: .milliseconds(2)) { loop.stop() }
            loop.run()
        }
        let buffer = TransferBuffer(capacity: 16)
        loop.reportArrivals(false, at: pair.server, token)
        settle()
        _ = pair.client.send(buffer, from: 0, count: 4)
        settle()
        #expect(reports.all.isEmpty)
        loop.reportArrivals(true, at: pair.server, token)
        settle()
        #expect(reports.all.contains { $0.isReadable })
        loop.reportArrivals(false, at: pair.server, token)
        settle()
        pair.client.shutdownWriting()
        settle()
        #expect(reports.all.contains { $0.hasEnding })
        let received = pair.server.receive(into: buffer, limit: 16)
        #expect(received == .moved(4))
        loop.unwatch(token)
        alarms.close()
    }

    @Test func `bytes, an end and addresses cross a connection`() throws {
        let pair = try SocketPair.make()
        let buffer = TransferBuffer(capacity: 16)
        let before = pair.server.receive(into: buffer, limit: 16)
        #expect(before == .wouldBlock)
        buffer.fill([1, 2, 3])
        let sent = pair.client.send(buffer, from: 1, count: 2)
        #expect(sent == .moved(2))
        let received = pair.server.receive(into: buffer, limit: 16)
        #expect(received == .moved(2))
        #expect(buffer.bytes(0..<2) == [2, 3])
        pair.client.shutdownWriting()
        let ended = pair.server.receive(into: buffer, limit: 16)
        #expect(ended == .ended)
        let addresses = (pair.client.localAddress, pair.server.peerAddress)
        #expect(addresses.0 == addresses.1)
    }

    @Test func `a reset is a reset`() throws {
        var pair = try SocketPair.make()
        pair.client.reset()
        let buffer = TransferBuffer(capacity: 16)
        let result = pair.server.receive(into: buffer, limit: 16)
        #expect(result == .failed(.connectionReset))
    }

    /// Says whether a socket may be closed without a word to its peer; Linux: `TCP_REPAIR`.
    private static func mayVanish() -> Bool {
        guard let socket = try? Socket(like: .loopback(port: 0)) else { return false }
        return vanishes(socket)
    }

    private static func vanishes(_ socket: borrowing Socket) -> Bool {
        var isOn: CInt = 1
        let size = socklen_t(MemoryLayout<CInt>.size)
        let result = unsafe setsockopt(socket.descriptor, CInt(IPPROTO_TCP), 19, &isOn, size)
        return result == 0
    }

    @Test(.enabled(if: mayVanish()))
    func `a peer that vanished without a word is found out by probes`() throws {
        var pair = try SocketPair.make()
        let vanishes = Self.vanishes(pair.client)
        try #require(vanishes)
        pair.client.close()
        let buffer = TransferBuffer(capacity: 16)
        let before = pair.server.receive(into: buffer, limit: 16)
        #expect(before == .wouldBlock)
        pair.server.probeWhenIdle(seconds: 1)
        var entry = pollfd(fd: pair.server.descriptor, events: Int16(POLLIN), revents: 0)
        let count = unsafe poll(&entry, 1, 10_000)
        #expect(count == 1)
        let after = pair.server.receive(into: buffer, limit: 16)
        #expect(after == .failed(.connectionReset))
    }

    @Test func `a file goes out without a copy, as far as it goes`() throws {
        let temporary = try TemporaryFolder()
        let folder = try Folder(temporary.path)
        try folder.replace("f", with: [1, 2, 3, 4, 5], durably: false)
        let file = try folder.file("f", for: .reading)
        let pair = try SocketPair.make()
        let buffer = TransferBuffer(capacity: 16)
        buffer.fill([8, 9])
        let first = pair.client.sendFirst(buffer, from: 1, count: 1)
        let middle = pair.client.send(file, from: 2, limit: 2)
        let last = pair.client.send(file, from: 4, limit: 100)
        let after = pair.client.send(file, from: 5, limit: 100)
        #expect([first, middle, last, after] == [.moved(1), .moved(2), .moved(1), .ended])
        let list = pair.client.send([6, 7, 8], from: 1)
        #expect(list == .moved(2))
        let unread = pair.server.unreadBytes
        #expect(unread == 6)
        let received = pair.server.receive(into: buffer, from: 3, limit: 10)
        #expect(received == .moved(6))
        #expect(buffer.bytes(3..<9) == [9, 3, 4, 5, 7, 8])
        let credentials = pair.server.peerCredentials
        #expect(credentials == nil)
    }

}

@Suite struct ByteQueueTests {
    @Test func `bytes leave in the order in which they came, whatever the sizes`() {
        var queue = ByteQueue(pool: ChunkPool())
        let buffer = TransferBuffer(capacity: 10_000)
        var next = (put: 0, taken: 0)
        for size in [1, 4_088, 4_089, 9_999, 3, 5_000, 1, 1] {
            buffer.fill((0..<size).map { UInt8(truncatingIfNeeded: (next.put + $0) / 7) })
            queue.append(buffer, from: 0, count: size)
            next.put += size
            while queue.count > 4_000 {
                let small = TransferBuffer(capacity: 777)
                let count = queue.read(into: small)
                let expected = (0..<count).map {
                    UInt8(truncatingIfNeeded: (next.taken + $0) / 7)
                }
                #expect(small.bytes(0..<count) == expected)
                next.taken += count
            }
        }
        let left = queue.count
        #expect(left == next.put - next.taken)
        queue.drop(.max)
        let isEmpty = queue.isEmpty
        #expect(isEmpty)
    }

    @Test func `one bit of the first byte can be flipped`() {
        var queue = ByteQueue(pool: ChunkPool())
        let buffer = TransferBuffer(capacity: 4)
        buffer.fill([1, 2, 3, 4])
        queue.append(buffer, from: 0, count: 4)
        queue.drop(1)
        queue.flipFirst(0x80)
        let count = queue.read(into: buffer)
        #expect(buffer.bytes(0..<count) == [0x82, 3, 4])
    }

    @Test func `bytes move and change within a buffer`() {
        let buffer = TransferBuffer(capacity: 6)
        buffer.fill([1, 2, 3, 4, 5, 6])
        buffer.move(1..<5, to: 0)
        #expect(buffer.bytes(0..<6) == [2, 3, 4, 5, 5, 6])
        buffer.move(0..<4, to: 2)
        #expect(buffer.bytes(0..<6) == [2, 3, 2, 3, 4, 5])
        buffer.withMutableBytes(1..<3) { $0[1] = 9 }
        #expect(buffer.withBytes(2..<4) { [$0[0], $0[1]] } == [9, 3])
        buffer.store([7], at: 5)
        #expect(buffer.bytes(5..<6) == [7])
    }

    @Test func `the digest of pieces is the digest of the whole`() {
        let stream = Digest(.sha256)
        let buffer = TransferBuffer(capacity: 4)
        buffer.fill([1, 2, 3])
        stream.update(buffer, count: 3)
        stream.update(buffer, count: 1)
        #expect(stream.value == SHA256.digest([1, 2, 3, 1]))
    }
}

@Suite struct ListeningPortsTests {
    @Test func `a port is listened on as long as a socket does`() throws {
        var listener = try ListeningSocket(on: .loopback(port: 0))
        let port = Int(try #require(listener.address?.port))
        #expect(ListeningPorts.contain(port))
        listener.close()
        #expect(!ListeningPorts.contain(port))
    }

    @Test func `an address is free at once though a program that is starting has a copy`() throws {
        var listener = try ListeningSocket(on: .loopback(port: 0))
        let bound = listener.address
        let address = try #require(bound)
        // What a child process has between fork(2) and exec(2).
        let copy = dup(listener.socket.descriptor)
        defer { CLibrary.close(copy) }
        listener.close()
        _ = try ListeningSocket(on: address)
    }

    @Test func `ports for servers are free, and none comes twice`() throws {
        // Half the range away from where other tests of this process take theirs.
        var ports = ServerPorts(of: CurrentProcess.identifier + 81)
        var taken: Set<Int> = []
        for _ in 0..<50 {
            let port = try ports.take()
            #expect(taken.insert(port).inserted && !ListeningPorts.contain(port))
        }
        // What somebody has is left out.
        let next = try #require(taken.max()) + 1
        var listener = try ListeningSocket(on: .loopback(port: UInt16(clamping: next)))
        #expect(try ports.take() != next)
        listener.close()
    }
}
