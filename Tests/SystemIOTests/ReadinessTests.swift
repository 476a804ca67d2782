import Basics
import TestSupport
import Testing

@testable import SystemIO

/// What a loop reports of a watched socket, by whatever means of the system: each change once.
@Suite struct ReadinessTests {
    private let buffer = TransferBuffer(capacity: 65_536)

    /// Runs a loop long enough for reports on loopback; answers those.
    private func settle(_ loop: EventLoop, _ reports: Reports) throws -> [Readiness] {
        reports.clear()
        let alarms = try TimerQueue(loop: loop)
        _ = alarms.set(after: .milliseconds(5)) { loop.stop() }
        loop.run()
        alarms.close()
        return reports.all
    }

    @Test func `a socket that may be written is reported once, and again after it was full`() throws
    {
        let loop = try EventLoop()
        let pair = try SocketPair.make()
        let reports = Reports()
        let token = try loop.watch(pair.client, handler: reports)
        #expect(try settle(loop, reports).count { $0.isWritable } == 1)
        #expect(try settle(loop, reports).isEmpty)
        while case .moved(let count) = pair.client.send(buffer, from: 0, count: buffer.capacity) {
            if count < buffer.capacity { break }
        }
        #expect(try settle(loop, reports).isEmpty)
        _ = pair.server.discardReceived(using: buffer)
        try loop.run("it may be written again") { reports.all.contains { $0.isWritable } }
        loop.unwatch(token)
    }

    @Test func `what has come is reported once, and more of it after a short read`() throws {
        let loop = try EventLoop()
        let pair = try SocketPair.make()
        let reports = Reports()
        let token = try loop.watch(pair.server, handler: reports)
        _ = try settle(loop, reports)
        _ = pair.client.send(buffer, from: 0, count: 10)
        #expect(try settle(loop, reports).count { $0.isReadable } == 1)
        // Nobody has read it, and nothing more has come.
        #expect(try settle(loop, reports).isEmpty)
        let part = pair.server.receive(into: buffer, limit: 4)
        #expect(part == .moved(4))
        #expect(try settle(loop, reports).isEmpty)
        let rest = pair.server.receive(into: buffer, limit: 100)
        #expect(rest == .moved(6))
        _ = pair.client.send(buffer, from: 0, count: 1)
        #expect(try settle(loop, reports).count { $0.isReadable } == 1)
        loop.unwatch(token)
    }

    @Test func `more of what was only looked at is reported, without many reports of the same`()
        throws
    {
        let loop = try EventLoop()
        let pair = try SocketPair.make()
        let reports = Reports()
        let token = try loop.watch(pair.server, handler: reports)
        _ = pair.client.send(buffer, from: 0, count: 10)
        _ = try settle(loop, reports)
        let seen = pair.server.peek(into: buffer, limit: 100)
        #expect(seen == .moved(10))
        #expect(try settle(loop, reports).count <= 1)
        _ = pair.server.peek(into: buffer, limit: 100)
        reports.clear()
        _ = pair.client.send(buffer, from: 0, count: 1)
        try loop.run("the rest comes") { reports.all.contains { $0.isReadable } }
        let all = pair.server.peek(into: buffer, limit: 100)
        #expect(all == .moved(11))
        loop.unwatch(token)
    }

    @Test func `an end is reported while nobody reads, and a reset after it`() throws {
        let loop = try EventLoop()
        var pair = try SocketPair.make()
        let reports = Reports()
        let token = try loop.watch(pair.server, handler: reports)
        _ = pair.client.send(buffer, from: 0, count: 10)
        _ = try settle(loop, reports)
        pair.client.shutdownWriting()
        let atEnd = try settle(loop, reports)
        #expect(atEnd.contains { $0.hasEnding } && !atEnd.contains { $0.isFailure })
        #expect(try settle(loop, reports).isEmpty)
        pair.client.reset()
        let afterReset = try settle(loop, reports)
        #expect(afterReset.contains { $0.isFailure && $0.isHangUp })
        #expect(try settle(loop, reports).isEmpty)
        loop.unwatch(token)
    }

    @Test func `both halves that are shut down are reported as such`() throws {
        let loop = try EventLoop()
        let pair = try SocketPair.make()
        let reports = Reports()
        let token = try loop.watch(pair.server, handler: reports)
        pair.client.shutdownWriting()
        #expect(try settle(loop, reports).allSatisfy { !$0.isHangUp })
        pair.server.shutdownWriting()
        #expect(try settle(loop, reports).contains { $0.isHangUp && !$0.isFailure })
        #expect(try settle(loop, reports).isEmpty)
        loop.unwatch(token)
    }

    @Test func `a connect that fails is reported once`() throws {
        let loop = try EventLoop()
        let address = SocketAddress.loopback(port: try freePort())
        let socket = try Socket(like: address)
        let reports = Reports()
        let token = try loop.watch(socket, handler: reports)
        _ = try? socket.connect(to: address)
        #expect(try settle(loop, reports).contains { $0.isFailure })
        #expect(try settle(loop, reports).isEmpty)
        loop.unwatch(token)
    }

    @Test func `another handler gets later reports, and none comes after the watch has ended`()
        throws
    {
        let loop = try EventLoop()
        let pair = try SocketPair.make()
        let (first, second) = (Reports(), Reports())
        let token = try loop.watch(pair.server, handler: first)
        _ = try settle(loop, first)
        first.clear()
        loop.rewatch(token, handler: second, tag: 7)
        _ = pair.client.send(buffer, from: 0, count: 1)
        #expect(try settle(loop, second).contains { $0.isReadable })
        #expect(first.all.isEmpty)
        loop.unwatch(pair.server, token)
        _ = pair.client.send(buffer, from: 0, count: 1)
        #expect(try settle(loop, second).isEmpty)
        // It may be watched again, from the beginning.
        let again = try loop.watch(pair.server, handler: first)
        #expect(try settle(loop, first).contains { $0.isReadable })
        loop.unwatch(again)
    }

    @Test func `a listener is reported until its connections are taken`() throws {
        let loop = try EventLoop()
        let listener = try ListeningSocket(on: .loopback(port: 0))
        let reports = Reports()
        let token = try listener.watch(on: loop, handler: reports)
        let bound = listener.address
        let address = try #require(bound)
        let client = try Socket(like: address)
        _ = try client.connect(to: address)
        #expect(try settle(loop, reports).count > 1)
        let server = try listener.accept()
        let isOpen = server.isOpen
        #expect(isOpen)
        #expect(try settle(loop, reports).isEmpty)
        listener.unwatch(token, on: loop)
    }

    @Test func `a socket that is closed without notice leaves its number to the next`() throws {
        let loop = try EventLoop()
        for _ in 0..<3 {
            var pair = try SocketPair.make()
            let token = try loop.watch(pair.server, handler: Reports())
            pair.server.close()
            loop.unwatch(token)
        }
        #expect(loop.watchedDescriptors == 2)
    }
}
