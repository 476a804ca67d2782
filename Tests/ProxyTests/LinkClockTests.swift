import Basics
import Testing

@testable import Proxy

@Suite struct LinkClockTests {
    private static let packet = Duration.microseconds(12)

    private static func at(_ nanoseconds: Int64) -> Instant { Instant(nanoseconds: nanoseconds) }

    @Test func `while no packet waits the time is real`() {
        var clock = LinkClock(now: Self.at(1_000))
        for time in [1_000, 5_000, 90_000_005_000, 90_000_005_001] as [Int64] {
            let now = clock.read(Self.at(time), nextDeparture: nil)
            #expect(now.nanoseconds == time - 1_000)
            #expect(clock.lag == .zero)
        }
        #expect(clock.read(Self.at(7_000), nextDeparture: nil).nanoseconds == 90_000_004_001)
    }

    @Test func `to wait for a slow packet is to miss nothing`() {
        var clock = LinkClock(now: .start)
        let departure = Instant.start + .milliseconds(214)
        let late = clock.read(Self.at(214_100_000), nextDeparture: departure)
        #expect(late.nanoseconds == 214_100_000)
    }

    @Test func `a stall is made up for step by step`() {
        var clock = LinkClock(now: .start)
        let first = clock.read(Self.at(40_000_000), nextDeparture: .start + Self.packet)
        #expect(first == .start + Self.packet + LinkClock.stepLimit)
        #expect(clock.lag == .milliseconds(38) - Self.packet)
        var real: Int64 = 40_000_000
        while clock.lag > .zero {
            real += 200_000
            _ = clock.read(Self.at(real), nextDeparture: clock.now + Self.packet)
        }
        // 38 ms at one part in 32.
        #expect((1_250_000_000...1_260_000_000).contains(real))
    }

    @Test func `once no packet waits the rest is made up for at once`() {
        var clock = LinkClock(now: .start)
        _ = clock.read(Self.at(40_000_000), nextDeparture: .start + Self.packet)
        #expect(clock.read(Self.at(41_000_000), nextDeparture: nil).nanoseconds == 41_000_000)
        #expect(clock.lag == .zero)
    }

    @Test func `a long stop is not made up for step by step`() {
        var clock = LinkClock(now: .start)
        _ = clock.read(Self.at(10_000_000_000), nextDeparture: .start + Self.packet)
        #expect(clock.lag == LinkClock.lagLimit)
    }

    @Test func `a time of the loop has one on the link, and the other way round`() {
        var clock = LinkClock(now: Self.at(500))
        _ = clock.read(Self.at(40_000_500), nextDeparture: .start + Self.packet)
        let later = clock.now + .milliseconds(1)
        #expect(clock.loopTime(of: later) == Self.at(41_000_500))
        #expect(clock.instant(at: Self.at(100)) == .start)
        #expect(clock.instant(at: Self.at(700)).nanoseconds == 200)
    }

    @Test(arguments: 0..<40 as Range<UInt64>)
    func `whatever the stalls, no stretch carries a part in 32 and a step more than its time`(
        seed: UInt64
    ) {
        let random = AddressedRandom(seed: seed).series(key: 0, direction: .up, stage: .jitter)
        var clock = LinkClock(now: .start)
        var real: Int64 = 0
        var reads: [(real: Int64, before: Int64, after: Int64)] = []
        for index in 0..<400 as Range<UInt64> {
            let isStall = random.integer(below: 100, at: 2 * index) == 0
            real += Int64(random.integer(below: isStall ? 8_000_000 : 400_000, at: 2 * index + 1))
            let before = clock.now
            let after = clock.read(Self.at(real), nextDeparture: before + Self.packet)
            reads.append((real, before.nanoseconds, after.nanoseconds))
            #expect(clock.lag >= .zero && clock.lag < LinkClock.lagLimit)
        }
        // What happens at a reading happens in no time.
        let step = (LinkClock.stepLimit + Self.packet).nanoseconds
        for (index, begin) in reads.enumerated() {
            let isKept = reads[index...].allSatisfy { end in
                let passed = end.real - begin.real
                let most = passed + passed / LinkClock.gainDivisor + step
                return (0...most).contains(end.after - begin.before)
            }
            #expect(isKept)
        }
    }
}
