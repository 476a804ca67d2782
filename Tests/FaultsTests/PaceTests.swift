import Basics
import Faults
import Testing

@Suite struct PaceTests {
    @Test(arguments: [1, 1_000, 56_000, 8_000_000, 10_000_000_000] as [UInt64])
    func `what passes never exceeds the rate and comes within a step of it`(
        bitsPerSecond: UInt64
    ) throws {
        let rate = try #require(BitRate(bitsPerSecond: bitsPerSecond))
        let start = Instant.start + .milliseconds(1)
        var pace = Pace(rate: rate, now: start)
        var now = start
        var passed: UInt64 = 0
        for _ in 0..<200 {
            let allowed = pace.allowance(100_000, now: now)
            if allowed == 0 {
                let next = pace.nextTime(100_000)
                #expect(next > now)
                now = next
            } else {
                pace.spend(allowed)
                passed += UInt64(allowed)
            }
            let earned = Double((now - start).nanoseconds) * Double(bitsPerSecond) / 8e9
            #expect(Double(passed) <= earned + 1)
            #expect(Double(passed) >= earned - 1_449)
        }
        #expect(passed > 0)
    }

    @Test(arguments: [64_000, 8_000_000, 10_000_000_000] as [UInt64])
    func `time in which nothing was wanted earns 20 ms at most`(bitsPerSecond: UInt64) throws {
        let rate = try #require(BitRate(bitsPerSecond: bitsPerSecond))
        var pace = Pace(rate: rate, now: .start)
        let burst = max(1_448, bitsPerSecond / 8 / 50)
        let later = Instant.start + .seconds(3_600)
        let allowed = pace.allowance(.max, now: later)
        #expect(allowed == Int(burst))
        pace.spend(allowed)
        #expect(pace.allowance(.max, now: later) == 0)
        // What the rate earns from there on is all.
        let second = pace.allowance(.max, now: later + .milliseconds(10))
        #expect(second <= Int(bitsPerSecond / 800) + 1)
    }

    @Test func `a time before the beginning earns nothing`() throws {
        let rate = try #require(BitRate(bitsPerSecond: 8_000_000))
        var pace = Pace(rate: rate, now: .start + .milliseconds(2))
        #expect(pace.allowance(.max, now: .start + .milliseconds(1)) == 0)
    }

    @Test(arguments: [1, 56_000, 10_000_000_000] as [UInt64])
    func `what never comes is waited for without an end`(bitsPerSecond: UInt64) throws {
        let rate = try #require(BitRate(bitsPerSecond: bitsPerSecond))
        var pace = Pace(rate: rate, now: .never)
        pace.spend(.max)
        #expect(pace.nextTime(.max) == .never)
    }
}
