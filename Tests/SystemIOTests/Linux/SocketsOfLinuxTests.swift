import CLibrary
import TestSupport
import Testing

@testable import SystemIO

/// What only Linux offers for sockets.
@Suite struct SocketsOfLinuxTests {
    @Test func `the process at the other end of a Unix socket is known`() throws {
        let temporary = try TemporaryFolder()
        let address = SocketAddress.unix("\(temporary.path)/s")
        let listener = try ListeningSocket(on: address)
        let client = try Socket(like: address)
        _ = try client.connect(to: address)
        let server = try listener.accept()
        let credentials = server.peerCredentials
        #expect(credentials?.process == CurrentProcess.identifier)
    }

    @Test func `a pipe carries bytes between sockets and gives the rest back`() throws {
        let from = try SocketPair.make()
        let to = try SocketPair.make()
        let buffer = TransferBuffer(capacity: 4)
        buffer.fill([1, 2, 3, 4])
        _ = from.client.send(buffer, from: 0, count: 4)
        let pool = PipePool(maximumIdle: 1)
        let pipe = try #require(pool.take())
        let filled = pipe.fill(from: from.server, limit: 3)
        #expect(filled == .moved(3))
        #expect(pipe.count == 3)
        let drained = pipe.drain(into: to.client)
        #expect(drained == .moved(3))
        let received = to.server.receive(into: buffer, limit: 4)
        #expect(received == .moved(3))
        _ = pipe.fill(from: from.server, limit: 3)
        #expect(pipe.read(into: buffer) == .moved(1))
        #expect(buffer.bytes(0..<1) == [4])
        pool.give(back: pipe)
        #expect(pool.count == 1)
        pool.limit = 0
        #expect(pool.take() != nil)
        #expect(pool.take() == nil)
    }

    @Test func `who listens is one of those who may, or a stranger`() throws {
        var listener = try ListeningSocket(on: .loopback(port: 0))
        defer { listener.close() }
        let port = Int(try #require(listener.address?.port))
        let loop = try EventLoop()
        let child = try ChildProcess(ChildProcess.Settings("sleep", ["60"]), on: loop)
        defer {
            child.send(.kill)
            child.close()
        }
        let path = try #require(CurrentProcess.environment("PATH"))
        func stranger(_ group: Int, _ mark: String? = nil) -> Int? {
            ListeningPorts.stranger(on: port, group: group, mark: mark)?.number
        }
        let own = CurrentProcess.identifier
        #expect(stranger(own) == nil)
        #expect(stranger(Int(getpgrp())) == nil)
        #expect(stranger(Int(getppid())) == nil)
        #expect(stranger(child.number) == own)
        #expect(stranger(child.number, "PATH=\(path)") == nil)
        #expect(stranger(child.number, "NO=mark") == own)
        listener.close()
        #expect(stranger(child.number) == nil)
    }
}
