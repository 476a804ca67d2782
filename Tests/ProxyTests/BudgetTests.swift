import Faults
import Journal
import LinkEngine
import Basics
import LinkProfile
import SystemIO
import Testing

@testable import Proxy

@Suite struct BudgetTests {
    @Test func `beyond a hard limit no byte passes and connections are reset`() throws {
        let rig = try rig { $0.hardLimitBytes = 100_000 }
        defer { rig.tearDown() }
        rig.onServe = { $0.send(500_000) }
        let client = try rig.connect()
        try rig.run("the client is reset") { client.isOver }
        #expect(client.receivedCount == 100_000)
        #expect(client.failure == .connectionReset)
        let late = try rig.connect()
        try rig.run("a new client is refused") { late.isOver }
        #expect(rig.ends.map(\.how) == [.rst, .refused])
        #expect(rig.records.contains(.budget(.hard, bytes: 100_000, bitsPerSecond: nil)))
    }

    @Test func `a hard limit can leave connections open and dumb`() throws {
        let rig = try rig {
            $0.hardLimitBytes = 100_000
            $0.atHardLimit = .stall
        }
        defer { rig.tearDown() }
        rig.onServe = { $0.send(500_000) }
        let client = try rig.connect()
        try rig.run("the allowance arrives") { client.receivedCount == 100_000 }
        try rig.run(milliseconds: 100)
        #expect(client.receivedCount == 100_000)
        #expect(!client.isOver)
    }

    @Test(arguments: [false, true])
    func `every byte that a hard limit allows reaches a slow reader, and no other`(
        isShaped: Bool
    ) throws {
        let rig = try rig(link: isShaped ? .fast(delayMilliseconds: 1) : LinkSettings()) {
            $0.hardLimitBytes = 5_000_000
        }
        defer { rig.tearDown() }
        rig.onServe = { $0.send(9_000_000) }
        let client = try rig.connect()
        client.onReceive = { client, _ in client.isPaused = true }
        while !client.isOver {
            client.isPaused = false
            try rig.run(milliseconds: 1)
        }
        #expect(client.receivedCount == 5_000_000)
        #expect(client.failure == .connectionReset)
    }

    @Test func `at the hard limit connections that wait for their upstream are reset`() throws {
        let rig = try rig { $0.hardLimitBytes = 1_000 }
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        // The second one waits for its name from here on.
        var slow = Profile(name: "slow names")
        slow.budget = rig.proxy.profile.budget
        slow.nameLookupDelay = .seconds(3_600)
        try rig.proxy.link.apply(slow)
        let pending = try rig.connect()
        try rig.run("it is accepted") { rig.proxy.openConnections == 2 }
        server.send(2_000)
        try rig.run("both are reset", seconds: 2) { client.isOver && pending.isOver }
        #expect(client.receivedCount == 1_000)
        #expect(pending.failure == .connectionReset)
        try rig.runUntilIdle(2)
        #expect(rig.ends.map(\.by) == [.limit, .limit])
    }

    @Test func `connections that wait for a budget go on when the profile changes`() throws {
        let rig = try rig {
            $0.hardLimitBytes = 1_000
            $0.atHardLimit = .stall
        }
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        server.send(5_000, then: .finish)
        try rig.run("the budget is used") { client.receivedCount == 1_000 }
        try rig.run(milliseconds: 20)
        var larger = Profile(name: "larger")
        larger.budget = rig.proxy.profile.budget
        larger.budget?.hardLimitBytes = 3_000
        try rig.proxy.link.apply(larger)
        try rig.run("the larger budget is used", seconds: 1) { client.receivedCount == 3_000 }
        try rig.run(milliseconds: 20)
        #expect(client.receivedCount == 3_000)
        try rig.proxy.link.apply(Profile(name: "none"))
        try rig.run("the rest arrives", seconds: 1) { client.hasEnded }
        #expect(client.digest.value == Content.of(2).digest(5_000))
    }

    @Test func `a limit that is set below what is used is reached at once`() throws {
        let rig = try rig { $0.hardLimitBytes = 1_000_000 }
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        server.send(5_000)
        try rig.run("what was sent arrives") { client.receivedCount == 5_000 }
        var smaller = Profile(name: "smaller")
        smaller.budget = rig.proxy.profile.budget
        smaller.budget?.hardLimitBytes = 4_000
        try rig.proxy.link.apply(smaller)
        try rig.run("the client is reset", seconds: 1) { client.isOver }
        #expect(client.receivedCount == 5_000 && client.failure == .connectionReset)
        #expect(rig.records.contains(.budget(.hard, bytes: 4_000, bitsPerSecond: nil)))
        #expect(rig.proxy.link.budgetStatus?.usedBytes == 5_000)
    }

    @Test func `from the byte at the soft limit on nothing is faster than the reduced rate`() throws
    {
        let rig = try rig {
            $0.softLimitBytes = 1_000_000
            $0.rateAfterSoftLimit = BitRate(bitsPerSecond: 8_000_000)
        }
        defer { rig.tearDown() }
        // All of it fits into the link's send buffer before the limit is noticed.
        rig.onServe = { $0.send(1_500_000, then: .finish) }
        let client = try rig.connect()
        let start = rig.loop.now
        var excess = Int.min
        client.onReceive = { client, _ in
            // One byte each microsecond, at the most since the start.
            let earned = Int((client.loop.now - start).wholeMicroseconds)
            excess = max(excess, client.receivedCount - 1_000_000 - earned)
        }
        try rig.run("all arrives") { client.hasEnded }
        #expect(client.receivedCount == 1_500_000)
        // A pause of the receiver may be made up for, up to 20 ms of it.
        #expect(excess <= 20_000)
        #expect(rig.loop.now - start >= .milliseconds(500))
    }

    @Test func `connections that have much on the link take turns beyond the soft limit`() throws {
        let rig = try rig {
            $0.softLimitBytes = 2_000_000
            $0.rateAfterSoftLimit = BitRate(bitsPerSecond: 4_000_000)
        }
        defer { rig.tearDown() }
        rig.onServe = { $0.send(2_000_000) }
        let clients = try (0..<5).map { _ in try rig.connect() }
        let sum = { clients.map(\.receivedCount).reduce(0, +) }
        try rig.run("the limit is reached") { sum() >= 2_000_000 }
        // On a slow machine this may be seen when more than the limit is there already.
        let (before, reached) = (clients.map(\.receivedCount), sum())
        try rig.run("as much again as a second allows") { sum() >= reached + 500_000 }
        let shares = zip(clients, before).map { $0.receivedCount - $1 }
        // A fifth of half a megabyte is 100 kB.
        #expect(shares.allSatisfy { (50_000...200_000).contains($0) }, "\(shares)")
    }

    @Test func `each direction has the reduced rate for itself`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        var budget = DataBudget()
        budget.softLimitBytes = 1
        budget.rateAfterSoftLimit = BitRate(bitsPerSecond: 8_000_000)
        for direction in Direction.allCases {
            let timers = try TimerQueue(loop: rig.loop)
            defer { timers.close() }
            let keeper = try #require(
                BudgetKeeper(budget, used: 0, loop: rig.loop, timers: timers)
            )
            #expect(keeper.spend(1, direction) == [.soft])
            _ = keeper.spend(1_000_000_000, direction)
            try rig.run(milliseconds: 5)
            #expect(keeper.allowance(1_000, direction) == 0)
            #expect(keeper.allowance(1_000, direction.opposite) == 1_000)
        }
    }

    @Test func `beyond a soft and a hard limit connections wait and the proxy goes on`() throws {
        let rig = try rig {
            $0.softLimitBytes = 50_000
            $0.rateAfterSoftLimit = BitRate(bitsPerSecond: 80_000_000)
            $0.hardLimitBytes = 100_000
            $0.atHardLimit = .stall
        }
        defer { rig.tearDown() }
        rig.onServe = { $0.send(500_000) }
        let clients = try (0..<2).map { _ in try rig.connect() }
        try rig.run("the budget is used") {
            clients.map(\.receivedCount).reduce(0, +) == 100_000
        }
        try rig.run(milliseconds: 50)
        #expect(clients.map(\.receivedCount).reduce(0, +) == 100_000)
        #expect(clients.allSatisfy { !$0.isOver })
    }

    private func rig(
        link: LinkSettings = LinkSettings(),
        _ configure: (inout DataBudget) -> Void
    ) throws -> Rig {
        var budget = DataBudget()
        configure(&budget)
        return try Rig(link: link) { $0.profile.budget = budget }
    }
}
