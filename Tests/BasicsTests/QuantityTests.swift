import Basics
import Testing

@Suite struct QuantityTests {
    @Test func `durations are exact in every unit`() throws {
        let cases: [(String, Int64)] = [
            ("0s", 0), ("80ms", 80_000_000), ("1.5ms", 1_500_000), ("0.000001ms", 1),
            ("2 s", 2_000_000_000), ("3us", 3_000), ("3\u{B5}s", 3_000), ("1min", 60_000_000_000),
            ("1.25h", 4_500_000_000_000), ("3153599999999999999ns", 3_153_599_999_999_999_999),
        ]
        for (text, nanoseconds) in cases {
            #expect(try Quantity.duration(text).nanoseconds == nanoseconds, "\(text)")
        }
    }

    @Test func `a duration may have several units, the largest first`() throws {
        let seconds: [(String, Int64)] = [
            ("3min30s", 210), ("1m30s", 90), ("2min5s", 125), ("1h5m", 3_900), ("1h5min", 3_900),
            ("1h 1min 1 s", 3_661), ("0h0m5s", 5),
        ]
        for (text, seconds) in seconds {
            #expect(try Quantity.duration(text) == .seconds(seconds), "\(text)")
        }
        #expect(try Quantity.duration("1s1.5ms").nanoseconds == 1_001_500_000)
        #expect(try Quantity.duration("876000h") == .century)
        for (text, problem) in [
            ("5m", QuantityError.Problem.unknownUnit("m", meant: "min")),
            ("1h5", .missingUnit), ("1min30", .missingUnit),
            ("1h5x", .unknownUnit("x", meant: nil)), ("1hx5s", .unknownUnit("hx", meant: nil)),
            ("5s1min", .disorder), ("1s1s", .disorder), ("1min1m", .disorder),
            ("1.5h30min", .disorder), ("876000h1ns", .tooLarge), ("9999999h", .tooLarge),
            ("1h.5s", .unknownUnit("h.", meant: nil)),
        ] {
            #expect(throws: QuantityError(text, kind: .duration, problem), "\(text)") {
                try Quantity.duration(text)
            }
        }
    }

    @Test func `rates are exact in bits and bytes per second`() throws {
        let cases: [(String, UInt64)] = [
            ("1bit/s", 1), ("64kbit/s", 64_000), ("1.5Mbit/s", 1_500_000), ("1MiB/s", 8_388_608),
            ("100kB/s", 800_000), ("1Tbit/s", 1_000_000_000_000),
        ]
        for (text, bits) in cases {
            #expect(try Quantity.bitRate(text).bitsPerSecond == bits, "\(text)")
        }
    }

    @Test func `byte counts may go without a unit`() throws {
        #expect(try Quantity.byteCount("1048576") == 1_048_576)
        #expect(try Quantity.byteCount("1.5MiB") == 1_572_864)
        #expect(try Quantity.byteCount("1MB") == 1_000_000)
        #expect(try Quantity.byteCount("18446744073709551615") == .max)
    }

    @Test func `a percentage is the exact ratio`() throws {
        #expect(try Quantity.probability("4.77%") == Probability(477, outOf: 10_000))
        #expect(try Quantity.probability("100%") == .one)
        #expect(try Quantity.probability("0%") == .zero)
    }

    @Test func `what is wrong is named with what was expected`() {
        func problem(_ text: String, _ read: (String) throws(QuantityError) -> some Any) -> String {
            do throws(QuantityError) {
                _ = try read(text)
                return "accepted"
            } catch {
                return error.description
            }
        }
        let duration = { (text: String) throws(QuantityError) in try Quantity.duration(text) }
        let rate = { (text: String) throws(QuantityError) in try Quantity.bitRate(text) }
        let bytes = { (text: String) throws(QuantityError) in try Quantity.byteCount(text) }
        let chance = { (text: String) throws(QuantityError) in try Quantity.probability(text) }
        #expect(
            problem("80", duration)
                == "'80' has no unit; expected one of ns, us, ms, s, min, h, like 80ms"
        )
        #expect(problem("5msec", duration) == "unknown unit 'msec' in '5msec'; did you mean 'ms'?")
        #expect(
            problem("5Mbps", rate) == "unknown unit 'Mbps' in '5Mbps'; did you mean 'Mbit/s'?"
        )
        for (unit, meant) in [
            ("Mb/s", "Mbit/s"), ("mb/s", "Mbit/s"), ("kb/s", "kbit/s"), ("b/s", "bit/s"),
            ("mB/s", "MB/s"), ("KB/s", "kB/s"), ("Mbit/S", "Mbit/s"),
        ] {
            #expect(problem("5\(unit)", rate).hasSuffix("did you mean '\(meant)'?"))
        }
        #expect(problem("1m", bytes) == "unknown unit 'm' in '1m'; did you mean 'MiB'?")
        #expect(problem("-5ms", duration).contains("is not a duration"))
        #expect(problem(".5ms", duration).contains("is not a duration"))
        #expect(problem("5.ms", duration).contains("is not a duration"))
        #expect(problem("", duration).contains("is not a duration"))
        #expect(problem("0.5ns", duration).contains("too fine"))
        #expect(problem("0.3KiB", bytes).contains("too fine"))
        #expect(problem("9223372036854775808ns", duration).contains("too large"))
        #expect(problem("18446744073709551615h", duration).contains("too large"))
        #expect(problem("18446744073709551616", bytes).contains("too large"))
        #expect(problem("1001Gbit/s", rate).contains("too large"))
        #expect(problem("0kbit/s", rate).contains("more than 0"))
        #expect(problem("100.1%", chance).contains("too large"))
        #expect(problem("5", chance).contains("has no unit"))
        #expect(problem("\u{0665}ms", duration).contains("is not a duration"))
        #expect(problem("0.00000000000000000001%", chance).contains("too fine"))
    }

    @Test func `the canonical form reads back as the same value`() throws {
        let random = AddressedRandom(seed: 1)
        for index in 0..<2_000 as Range<UInt64> {
            let bits = random.bits(key: 0, direction: .up, stage: .jitter, index: index)
            let value = bits >> (bits & 63)
            let duration = Duration.nanoseconds(clamping: value)
            #expect(try Quantity.duration(Quantity.text(duration)) == duration)
            let rate = try #require(BitRate(bitsPerSecond: value % 1_000_000_000_000 + 1))
            #expect(try Quantity.bitRate(Quantity.text(rate)) == rate)
            #expect(try Quantity.byteCount(Quantity.text(byteCount: value)) == value)
            let chance = try #require(Probability(value % (1 << 53), outOf: 1 << 53))
            #expect(try Quantity.probability(Quantity.text(chance)) == chance)
        }
        #expect(Quantity.text(.milliseconds(1_500)) == "1500ms")
        #expect(Quantity.text(Duration.zero) == "0s")
        #expect(try Quantity.text(Quantity.bitRate("1.5Mbit/s")) == "1500kbit/s")
        #expect(try Quantity.text(Quantity.probability("4.770%")) == "4.77%")
        #expect(Quantity.text(Probability.one) == "100%")
        #expect(Quantity.text(Probability.zero) == "0%")
    }
}
