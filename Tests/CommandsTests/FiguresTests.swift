import Basics
import Testing

@testable import Commands

@Suite struct FiguresTests {
    @Test(
        arguments: [
            (0, "0 bit/s"), (999, "999 bit/s"), (1_000, "1.00 kbit/s"), (12_345_678, "12.3 Mbit/s"),
            (999_999, "1.00 Mbit/s"), (999_600, "1.00 Mbit/s"), (50_000_000, "50.0 Mbit/s"),
            (123_456_789_012, "123 Gbit/s"),
        ] as [(UInt64, String)]
    )
    func `a rate has three digits and a unit`(rate: UInt64, text: String) {
        #expect(Figures.rate(bitsPerSecond: rate) == text)
    }

    @Test(
        arguments: [
            (0, "0 ns"), (65_000_000, "65.0 ms"), (2_330_000_000, "2.33 s"),
            (59_999_000_000, "60.0 s"),
            (200_000_000_000, "3 min 20 s"), (3_720_000_000_000, "1 h 2 min"),
        ] as [(Int64, String)]
    )
    func `a time has the unit people use`(nanoseconds: Int64, text: String) {
        #expect(Figures.time(.nanoseconds(nanoseconds)) == text)
    }

    @Test func `digits are grouped and clocks padded`() {
        #expect(Figures.grouped(7) == "7")
        #expect(Figures.grouped(1_048_576) == "1,048,576")
        #expect(Figures.clock(.milliseconds(7_900)) == "0:07")
        #expect(Figures.clock(.seconds(3_753)) == "1:02:33")
        #expect(Figures.fixed(1_999, scale: 1_000, decimals: 2) == "2.00")
        #expect(Figures.fixed(12_345, scale: 1_000, decimals: 2) == "12.35")
    }
}
