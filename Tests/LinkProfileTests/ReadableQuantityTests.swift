import Basics
import LinkProfile
import Testing
import TestSupport

@Suite struct ReadableQuantityTests {
    @Test(
        arguments: [
            (27_100_000, "27.1Mbit/s"), (780_000, "780kbit/s"), (1, "1bit/s"), (999, "999bit/s"),
            (1_001, "1.001kbit/s"), (1_000_001, "1000.001kbit/s"), (50_000_000, "50Mbit/s"),
            (123_456_789, "123456.789kbit/s"), (1_000_000_000_000, "1Tbit/s"),
        ] as [(UInt64, String)]
    )
    func `a rate is exact and short`(bitsPerSecond: UInt64, text: String) throws {
        let rate = try #require(BitRate(bitsPerSecond: bitsPerSecond))
        #expect(Quantity.readable(rate) == text)
    }

    @Test(
        arguments: [
            (0, "0s"), (42_500_000, "42.5ms"), (1, "1ns"), (1_500, "1.5us"), (2_000_000_000, "2s"),
            (3_600_000_000_000, "1h"), (90_000_000_000, "90s"), (1_000_000_001, "1000000.001us"),
        ] as [(Int64, String)]
    )
    func `a time is exact and short`(nanoseconds: Int64, text: String) {
        #expect(Quantity.readable(Duration(nanoseconds: nanoseconds)) == text)
    }

    @Test func `what is written reads as the same amount`() throws {
        var generator = SeededRandom.fresh()
        for _ in 0..<2_000 {
            let magnitude = UInt64(1) << UInt64.random(in: 0..<39, using: &generator)
            let bits = UInt64.random(in: 1...magnitude, using: &generator)
            let rate = try #require(BitRate(bitsPerSecond: bits))
            #expect(try Quantity.bitRate(Quantity.readable(rate)) == rate)
            let time = Duration(nanoseconds: Int64(bits))
            #expect(try Quantity.duration(Quantity.readable(time)) == time)
        }
    }
}
