import Basics
import SystemIO
import Testing

@Suite struct LoopClockTests {
    private static func at(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

    @Test func `it is the monotonic clock until it is told to run faster`() {
        let clock = LoopClock()
        #expect(clock.time(atReal: Self.at(12_345)) == Self.at(12_345))
        #expect(clock.real(at: Self.at(12_345)) == Self.at(12_345))
    }

    @Test func `it makes no step, and is waited for until it shows a time`() {
        var clock = LoopClock()
        clock.setSpeed(10, atReal: Self.at(1_000))
        #expect(clock.time(atReal: Self.at(1_000)) == Self.at(1_000))
        #expect(clock.time(atReal: Self.at(1_003)) == Self.at(1_030))
        let waits = [1_021, 1_030, 1_031].map { clock.real(at: Self.at($0)).nanoseconds }
        #expect(waits == [1_003, 1_003, 1_004])
        clock.setSpeed(1, atReal: Self.at(1_100))
        #expect(clock.time(atReal: Self.at(1_100)) == Self.at(2_000))
        #expect(clock.time(atReal: Self.at(1_101)) == Self.at(2_001))
        #expect(clock.real(at: Self.at(2_005)) == Self.at(1_105))
        #expect(clock.real(at: Self.at(5)) == Self.at(1_100))
    }

    @Test(arguments: [1, 10, 5_000] as [UInt64])
    func `it may be waited for until a time that never comes`(speed: UInt64) {
        var clock = LoopClock()
        #expect(clock.real(at: .never) == .never)
        clock.setSpeed(speed, atReal: Self.at(1_000))
        #expect(clock.real(at: .never) > Self.at(.max / 10_000))
        clock.setSpeed(1, atReal: Self.at(2_000))
        #expect(clock.real(at: .never) > Self.at(.max / 10_000))
    }

    @Test func `what waits for a time of a fast loop waits less`() throws {
        let loop = try EventLoop()
        let alarms = try TimerQueue(loop: loop)
        loop.setSpeed(50)
        let (own, real) = (loop.now, loop.realNow)
        _ = alarms.set(after: .milliseconds(500)) { loop.stop() }
        loop.run()
        #expect(loop.now - own >= .milliseconds(500))
        #expect(loop.realNow - real >= .milliseconds(10))
        #expect((loop.now - own) / (loop.realNow - real) >= 49)
        alarms.close()
        loop.finishClosing()
    }
}
