import SystemIO
import Testing

@Suite struct LoopClockTests {
    @Test func `it is the monotonic clock until it is told to run faster`() {
        let clock = LoopClock()
        #expect(clock.time(atReal: 12_345) == 12_345)
        #expect(clock.real(at: 12_345) == 12_345)
    }

    @Test func `it makes no step, and is waited for until it shows a time`() {
        var clock = LoopClock()
        clock.setSpeed(10, atReal: 1_000)
        #expect(clock.time(atReal: 1_000) == 1_000)
        #expect(clock.time(atReal: 1_003) == 1_030)
        #expect([1_021, 1_030, 1_031].map(clock.real) == [1_003, 1_003, 1_004])
        clock.setSpeed(1, atReal: 1_100)
        #expect(clock.time(atReal: 1_100) == 2_000)
        #expect(clock.time(atReal: 1_101) == 2_001)
        #expect(clock.real(at: 2_005) == 1_105)
        #expect(clock.real(at: 5) == 1_100)
    }

    @Test func `what waits for a time of a fast loop waits less`() throws {
        let loop = try EventLoop()
        let alarms = try TimerQueue(loop: loop)
        loop.setSpeed(50)
        let (own, real) = (loop.nowNanoseconds, loop.realNanoseconds)
        _ = alarms.set(afterNanoseconds: 500_000_000) { loop.stop() }
        loop.run()
        #expect(loop.nowNanoseconds - own >= 500_000_000)
        #expect(loop.realNanoseconds - real >= 10_000_000)
        #expect((loop.nowNanoseconds - own) / (loop.realNanoseconds - real) >= 49)
        alarms.close()
        loop.finishClosing()
    }
}
