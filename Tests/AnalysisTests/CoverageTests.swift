import Analysis
import Testing
import TestSupport

@Suite struct CoverageTests {
    /// Against a list of flags, one a byte.
    @Test func `it is what a list of all bytes would be`() {
        var numbers = SeededRandom(seed: 3)
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
