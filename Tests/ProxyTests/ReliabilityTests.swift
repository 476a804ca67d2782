import Basics
import Journal
import SystemIO
import TestSupport
import Testing

@testable import Proxy

@Suite struct ReliabilityTests {
    @Test func `beyond the limit connections wait, none is closed, and the trouble is told`() throws
    {
        let rig = try Rig { $0.limits.connections = 4 }
        defer { rig.tearDown() }
        rig.onServe = { server in server.onEnd = { $0.close() } }
        for _ in 0..<12 { try rig.connect().send(1) }
        try rig.run("four are served") { rig.served.count == 4 }
        try rig.run(milliseconds: 50)
        #expect(rig.served.count == 4)
        #expect(rig.clients.allSatisfy { !$0.isOver })
        #expect(
            rig.records.contains {
                if case .trouble(.descriptorLimit, _) = $0 { true } else { false }
            }
        )
        var count = 4
        while count < 12 {
            let client = try #require(rig.clients.first { $0.isOpen })
            client.close()
            count += 1
            try rig.run("one more is served") { rig.served.count == count }
        }
        #expect(rig.clients.allSatisfy { $0.failure == nil })
    }

    @Test func `a peer that does not read does not make the proxy grow`() throws {
        let before = CurrentProcess.residentBytes
        let rig = try Rig(link: .fast(delayMilliseconds: 5))
        defer { rig.tearDown() }
        rig.onServe = { $0.send(100_000_000) }
        let readers = 20
        for _ in 0..<readers { try rig.connect().isPaused = true }
        try rig.run("all are served") { rig.served.count == readers }
        try rig.run(milliseconds: 700)
        // The link's send buffer is 4 MiB and its receive window 6 MiB for each stream.
        let growth = CurrentProcess.residentBytes - before
        #expect(growth < readers * 11 << 20)
        for server in rig.served { #expect(server.sentCount < 30_000_000) }
    }

    @Test func `a stall is told once, and is not made up for in one burst`() throws {
        let rig = try Rig(link: .slow(bitsPerSecond: 20_000_000))
        defer { rig.tearDown() }
        rig.onServe = { $0.send(1_000_000) }
        let client = try rig.connect()
        // Past slow start, so that packets wait for the rate all the time.
        try rig.run("the download is under way") { client.receivedCount > 300_000 }
        let driver = try #require(rig.proxy.link.driver)
        let (lag, begin, count) = (driver.lag, rig.loop.now, client.receivedCount)
        rig.stall(for: .milliseconds(30))
        let end = rig.loop.now
        try rig.run(milliseconds: 5)
        let passed = rig.loop.now - end
        // Beyond what the link makes up for step by step it catches up at once; on a busy machine it may
        // have been late before.
        if lag + (end + passed - begin) < LinkClock.lagLimit {
            let gained = passed / LinkClock.gainDivisor + LinkClock.stepLimit
            // At 20 Mbit/s a byte takes 400 ns.
            let most = Int((passed + gained).nanoseconds) / 400
            // Ten packets may have been between the link and the client.
            #expect(client.receivedCount - count <= most + 15_000)
        }
        try rig.run("the download is complete") { client.receivedCount == 1_000_000 }
        let told = rig.proxy.snapshot().lateness
        #expect((1...10).contains(told.count))
        #expect(told.worst >= .milliseconds(28))
    }

    @Test func `a longer stall right after another one makes it worse`() throws {
        let rig = try Rig(link: .slow(bitsPerSecond: 20_000_000))
        defer { rig.tearDown() }
        rig.onServe = { $0.send(1_000_000) }
        let client = try rig.connect()
        try rig.run("the download is under way") { client.receivedCount > 300_000 }
        // The link makes up for the first one in most of a second.
        for stall in [25, 35] as [Int64] {
            rig.stall(for: .milliseconds(stall))
            try rig.run(milliseconds: 2)
        }
        #expect(rig.proxy.snapshot().lateness.worst >= .milliseconds(33))
    }

    @Test func `connections that end leave no descriptor and no connection behind`() throws {
        let rig = try Rig(link: .fast(delayMilliseconds: 1), faults: ["c*/3:down+50..5000=rst"])
        defer { rig.tearDown() }
        rig.onServe = { server in
            server.send(10_000)
            server.onEnd = { $0.close() }
        }
        let before = rig.loop.watchedDescriptors
        for round in 0..<20 * testScale {
            let clients = try (0..<10).map { _ in try rig.connect() }
            for (index, client) in clients.enumerated() {
                client.onEnd = { $0.close() }
                if index.isMultiple(of: 2) { client.send(100, then: .reset) }
                if index % 4 == 1 { client.send(3, then: .finish) }
            }
            try rig.run(milliseconds: 10)
            for client in clients where client.isOpen { client.reset() }
            try rig.runUntilIdle((round + 1) * 10)
        }
        for peer in rig.served { peer.close() }
        #expect(rig.loop.watchedDescriptors == before)
        #expect(rig.ends.count == 200 * testScale)
    }

    @Test func `draining lets open connections finish and takes no new ones`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        var isDrained = false
        rig.proxy.drain(limitMilliseconds: 5_000) { isDrained = true }
        let late = try? rig.connect()
        server.send(1_000_000, then: .finish)
        client.end(.finish)
        try rig.run("the connection finishes") { isDrained }
        try rig.run("all bytes are there") { client.hasEnded }
        #expect(client.receivedCount == 1_000_000)
        try rig.run("the late client is refused") { late == nil || late?.isOver == true }
    }

    @Test func `draining ends what does not finish in time`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let (client, _) = try rig.connectThrough()
        var isDrained = false
        rig.proxy.drain(limitMilliseconds: 50) { isDrained = true }
        try rig.run("the time is over") { isDrained }
        try rig.run("the client is reset") { client.isOver }
        #expect(rig.ends.first?.by == .shutdown)
    }

    @Test func `one loop serves many connections at once`() throws {
        let rig = try Rig(link: .fast(delayMilliseconds: 2))
        defer { rig.tearDown() }
        rig.onServe = { server in
            server.onReceive = { server, count in server.send(count) }
        }
        // Each takes four descriptors in this process.
        let count = min(200 * testScale, 2_000)
        for _ in 0..<count { try rig.connect().send(2_000) }
        try rig.run("every echo is back", seconds: 20) {
            rig.clients.allSatisfy { $0.receivedCount == 2_000 }
        }
        #expect(rig.proxy.snapshot().openConnections == count)
    }
}
