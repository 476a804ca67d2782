import Analysis
import Testing

@Suite struct CoverageTests {
    /// Against a list of flags, one a byte.
    @Test func `it is what a list of all bytes would be`() {
        var numbers = SplitMix(state: 3)
        for _ in 0..<200 {
            var coverage = Coverage()
            var flags = [Bool](repeating: false, count: 40)
            for _ in 0..<8 {
                let low = Int.random(in: 0..<40, using: &numbers)
                let high = Int.random(in: low..<41, using: &numbers)
                coverage.insert(UInt64(low)..<UInt64(high))
                for place in low..<high { flags[place] = true }
                #expect(coverage.count == UInt64(flags.count { $0 }))
                #expect(coverage.prefixEnd == UInt64(flags.prefix { $0 }.count))
                let part = Int.random(in: 0..<20, using: &numbers)..<30
                #expect(
                    coverage.count(in: UInt64(part.lowerBound)..<30)
                        == UInt64(flags[part].count { $0 })
                )
                #expect(
                    coverage.contains(UInt64(part.lowerBound)..<30)
                        == flags[part].allSatisfy { $0 }
                )
                #expect(
                    zip(coverage.ranges, coverage.ranges.dropFirst()).allSatisfy {
                        $0.upperBound < $1.lowerBound
                    }
                )
            }
        }
    }
}

/// Numbers that are the same in each run (splitmix64).
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// From 0 to below 1.
    mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
}
