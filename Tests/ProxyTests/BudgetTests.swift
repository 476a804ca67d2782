import Journal
import LinkEngine
import LinkProfile
import Libuv
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

    @Test func `beyond a soft limit everything is slower`() throws {
        let rig = try rig {
            $0.softLimitBytes = 1_000_000
            $0.rateAfterSoftLimit = BitRate(bitsPerSecond: 80_000_000)
        }
        defer { rig.tearDown() }
        rig.onServe = { $0.send(9_000_000, then: .finish) }
        let client = try rig.connect()
        let start = rig.loop.nowNanoseconds
        try rig.run("all arrives") { client.hasEnded }
        #expect(client.receivedCount == 9_000_000)
        // What was on the link at the limit was still fast: its send buffer, 4 MiB. The rest, some
        // 3.8 MB, takes 0.38 s.
        #expect(rig.loop.nowNanoseconds - start > 300_000_000)
    }

    private func rig(_ configure: (inout DataBudget) -> Void) throws -> Rig {
        var budget = DataBudget()
        configure(&budget)
        return try Rig { $0.profile.budget = budget }
    }
}
