import Basics
import Journal
import SystemIO
import Testing

@testable import Proxy

@Suite struct ClockCheckTests {
    private static let hour = Duration.seconds(3_600)

    private func step(wall: Duration, after passed: Duration) -> Duration? {
        let (begin, loop) = (Duration.seconds(1_800_000_000), Instant(nanoseconds: 77))
        let check = ClockCheck(wall: begin, loop: loop)
        return check.step(wall: begin + wall, loop: loop + passed)
    }

    @Test func `clocks that go on together, and one that is slewed, are right`() {
        #expect(step(wall: Self.hour, after: Self.hour) == nil)
        #expect(step(wall: .seconds(1), after: .zero) == nil)
        // 500 parts in a million, for ten hours.
        #expect(step(wall: Self.hour * 10 + .seconds(18), after: Self.hour * 10) == nil)
        #expect(step(wall: Self.hour * 10 - .seconds(18), after: Self.hour * 10) == nil)
    }

    @Test(arguments: [3_600, -3_600, 2, -2] as [Int64])
    func `a clock that is set is told by how much`(seconds: Int64) {
        #expect(step(wall: .seconds(5 + seconds), after: .seconds(5)) == .seconds(seconds))
    }

    @Test(arguments: [
        (-3_600, "back by 3600 s"), (3_600, "forward by 3600 s, or the machine slept"),
    ])
    func `a run says at its end that the clock was set`(seconds: Int64, words: String) throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        rig.proxy.clockCheck = ClockCheck(
            wall: WallClock.timeSince1970 - .seconds(seconds),
            loop: rig.loop.realNow
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
