import Basics
import Journal
import SystemIO
import Testing

@testable import Proxy

@Suite struct ClockCheckTests {
    private static let second: Int64 = 1_000_000_000
    private static let hour = 3_600 * second

    private func step(wall: Int64, after passed: Int64) -> Int64? {
        let begin = 1_800_000_000 * Self.second
        let check = ClockCheck(wallNanoseconds: begin, loopNanoseconds: 77)
        return check.stepNanoseconds(
            wallNanoseconds: begin + wall,
            loopNanoseconds: UInt64(77 + passed)
        )
    }

    @Test func `clocks that go on together, and one that is slewed, are right`() {
        #expect(step(wall: Self.hour, after: Self.hour) == nil)
        #expect(step(wall: Self.second, after: 0) == nil)
        // 500 parts in a million, for ten hours.
        #expect(step(wall: 10 * Self.hour + 18 * Self.second, after: 10 * Self.hour) == nil)
        #expect(step(wall: 10 * Self.hour - 18 * Self.second, after: 10 * Self.hour) == nil)
    }

    @Test(arguments: [3_600, -3_600, 2, -2] as [Int64])
    func `a clock that is set is told by how much`(seconds: Int64) {
        #expect(
            step(wall: (5 + seconds) * Self.second, after: 5 * Self.second) == seconds * Self.second
        )
    }

    @Test(arguments: [
        (-3_600, "back by 3600 s"), (3_600, "forward by 3600 s, or the machine slept"),
    ])
    func `a run says at its end that the clock was set`(seconds: Int64, words: String) throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        rig.proxy.clockCheck = ClockCheck(
            wallNanoseconds: WallClock.timeSince1970.nanoseconds - seconds * Self.second,
            loopNanoseconds: rig.loop.nowNanoseconds
        )
        rig.proxy.stop()
        let troubles = rig.records.compactMap {
            if case .trouble(.clockStep, let text) = $0 { text } else { nil }
        }
        #expect(troubles.count == 1 && troubles.first?.contains(words) == true, "\(troubles)")
    }

    @Test func `a run without that says nothing of it`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        rig.proxy.stop()
        #expect(!rig.records.contains { if case .trouble = $0 { true } else { false } })
    }
}
