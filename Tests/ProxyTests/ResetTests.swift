import Basics
import Journal
import LinkEngine
import LinkProfile
import SystemIO
import TestSupport
import Testing

@testable import Proxy

/// A reset on one side becomes a reset on the other.
@Suite struct ResetTests {
    @Test(arguments: [Side.client, .upstream])
    func `every reset arrives as a reset`(side: Side) throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        for _ in 0..<50 * testScale {
            let (client, server) = try rig.connectThrough()
            client.send(100)
            server.send(100)
            try rig.run("bytes arrive") {
                client.receivedCount == 100 && server.receivedCount == 100
            }
            let (from, to) = side == .client ? (client, server) : (server, client)
            from.reset()
            try rig.run("the reset arrives") { to.isOver }
            #expect(to.failure == .connectionReset)
        }
        #expect(rig.ends.allSatisfy { $0.by == side.party && $0.how == .rst })
    }

    @Test(arguments: [Side.client, .upstream], [false, true])
    func `a reset arrives at once while nobody reads the side that it came from`(
        side: Side,
        isShaped: Bool
    ) throws {
        let rig = try Rig(link: isShaped ? .slow(bitsPerSecond: 4_000_000) : LinkSettings())
        defer { rig.tearDown() }
        for _ in 0..<5 * testScale {
            let (client, server) = try rig.connectThrough()
            let (from, to) = side == .client ? (client, server) : (server, client)
            to.isPaused = true
            from.send(50_000_000)
            try rig.run(milliseconds: 100)
            #expect(from.sentCount < 50_000_000)
            to.isPaused = false
            to.onReceive = { peer, _ in peer.isPaused = true }
            let start = rig.loop.now
            from.reset()
            // The receiver does not read, so it is asked by its own kernel.
            to.onReceive = nil
            try rig.run("the reset arrives", seconds: 2) { to.isOver }
            #expect(to.failure == .connectionReset)
            #expect(rig.loop.now - start < .milliseconds(250))
        }
    }

    @Test(arguments: [Side.client, .upstream])
    func `a reset does not wait behind what its connection has on a slow link`(side: Side) throws {
        let rig = try Rig(link: .slow(bitsPerSecond: 64_000))
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        let (from, to) = side == .client ? (client, server) : (server, client)
        from.send(1_000_000)
        to.send(1_000_000)
        try rig.run(milliseconds: 800)
        let start = rig.loop.now
        from.reset()
        try rig.run("the reset arrives", seconds: 5) { to.isOver }
        #expect(to.failure == .connectionReset)
        #expect(rig.loop.now - start < .milliseconds(250))
    }

    @Test(arguments: [Side.client, .upstream])
    func `a reset does not get through a link that loses all`(side: Side) throws {
        let rig = try Rig(link: .fast(delayMilliseconds: 1))
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        client.send(100)
        server.send(100)
        try rig.run("bytes arrive") { client.receivedCount == 100 && server.receivedCount == 100 }
        var deaf = Profile(name: "deaf")
        deaf.link.down.loss = .bernoulli(.one)
        deaf.link.up.loss = .bernoulli(.one)
        try rig.proxy.link.apply(deaf)
        let (from, to) = side == .client ? (client, server) : (server, client)
        from.reset()
        try rig.run(milliseconds: 300)
        #expect(!to.isOver)
        #expect(rig.proxy.openConnections == 1)
        // Nobody waits for it when the run ends.
        var isDrained = false
        rig.proxy.drain(limitMilliseconds: 5_000) { isDrained = true }
        try rig.run("draining ends", seconds: 1) { isDrained }
        try rig.runUntilIdle(1)
        #expect(rig.ends.map(\.by) == [side.party])
    }

    @Test func `a reset after an end arrives as a reset`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        client.end(.finish)
        try rig.run("the end arrives") { server.hasEnded }
        server.reset()
        try rig.run("the reset arrives") { client.isOver }
        #expect(client.failure == .connectionReset)
    }

    @Test func `an upstream that refuses resets the client and is told in words`() throws {
        let rig = try Rig(listensForUpstream: false)
        defer { rig.tearDown() }
        let client = try rig.connect()
        try rig.run("the reset arrives") { client.isOver }
        #expect(client.failure == .connectionReset)
        try rig.runUntilIdle(1)
        let trouble = rig.records.compactMap {
            if case .upstream(_, let trouble, let words) = $0 { (trouble, words) } else { nil }
        }
        #expect(trouble.first?.0 == .refused)
        #expect(trouble.first?.1.contains("connection refused") == true)
    }

    @Test func `a server on a Unix socket that has closed already has not refused`() throws {
        let rig = try Rig(transport: .unix, listensForUpstream: false)
        defer { rig.tearDown() }
        guard case .unix(let path)? = rig.upstreamAddress else {
            Issue.record("no Unix socket")
            return
        }
        SocketFile.remove(path)
        var isServed = false
        // On a thread of its own, so that it closes before the proxy looks at its connect.
        BackgroundWork.run(
            on: rig.loop,
            {
                guard let listener = try? ListeningSocket(on: .unix(path)) else { return }
                let buffer = TransferBuffer(capacity: 50)
                while FileSystem.isFile(path) {
                    guard let socket = try? listener.accept(), socket.isOpen else { continue }
                    _ = socket.send(buffer, from: 0, count: 50)
                }
            },
            done: { _ in isServed = true }
        )
        try rig.run("it listens") { (try? SocketFile.state(at: path)) == .live || isServed }
        for _ in 0..<40 {
            let client = try rig.connect()
            try rig.run("the end arrives") { client.isOver }
            #expect(client.receivedCount == 50 && client.hasEnded)
        }
        SocketFile.remove(path)
        try rig.run("the thread ends") { isServed }
    }

    @Test func `a refusal crosses the link before it resets the client`() throws {
        let rig = try Rig(link: .fast(delayMilliseconds: 50), listensForUpstream: false)
        defer { rig.tearDown() }
        let start = rig.loop.now
        let client = try rig.connect()
        try rig.run("the reset arrives") { client.isOver }
        #expect(client.failure == .connectionReset)
        #expect(rig.loop.now - start >= .milliseconds(50))
    }

    @Test func `an upstream that was restarted is reached again`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let (first, server) = try rig.connectThrough()
        let address = try #require(rig.upstreamAddress)
        rig.stopServing()
        server.reset()
        try rig.run("the reset arrives") { first.isOver }
        let second = try rig.connect()
        try rig.run("the second client is refused") { second.isOver }
        try rig.serveAgain(at: address)
        let (third, again) = try rig.connectThrough()
        again.send(5)
        try rig.run("bytes arrive") { third.receivedCount == 5 }
    }

    @Test func `an upstream that does not answer is given up in time`() throws {
        // A listener whose backlog is full drops further SYNs.
        let deaf = try ListeningSocket(on: .loopback(port: 0), backlog: 0)
        let bound = deaf.address
        let address = try #require(bound)
        let rig = try Rig {
            $0.routes[0].upstream = Endpoint(address)
            $0.limits.connectTimeoutMilliseconds = 100
        }
        defer { rig.tearDown() }
        let fillers = try (0..<4).map { _ in try TestPeer.connect(to: address, on: rig.loop) }
        try rig.run(milliseconds: 20)
        let client = try rig.connect()
        try rig.run("the client is reset", seconds: 3) { client.isOver }
        #expect(client.failure == .connectionReset)
        try rig.runUntilIdle(1)
        let troubles = rig.records.compactMap {
            if case .upstream(_, let trouble, _) = $0 { trouble } else { nil }
        }
        #expect(troubles == [.timeout])
        for filler in fillers { filler.close() }
    }

    @Test func `a client that is gone before the upstream answers leaves nothing behind`() throws {
        // A profile whose name lookup takes time keeps connections waiting.
        let rig = try Rig { $0.profile.nameLookupDelay = .milliseconds(200) }
        defer { rig.tearDown() }
        let client = try rig.connect()
        try rig.run("it is accepted") { rig.proxy.snapshot().openConnections == 1 }
        client.reset()
        try rig.run("it is forgotten", seconds: 0.15) {
            rig.proxy.snapshot().openConnections == 0
        }
        #expect(rig.served.isEmpty)
    }
}
