import Basics
import TestSupport
import Testing

@testable import Analysis

@Suite struct ToldOffsetsTests {
    @Test func `at any time the greatest offset told until then is known, in whatever order`() {
        var random = SeededRandom.fresh()
        for _ in 0..<200 {
            var told = ToldOffsets()
            var list: [(offset: UInt64, time: Instant)] = []
            #expect(told.isEmpty)
            for _ in 0..<12 {
                let offset = UInt64(random.below(9))
                let time = Instant(nanoseconds: Int64(random.below(9)))
                list.append((offset, time))
                told.insert(offset, at: time)
                #expect(!told.isEmpty)
                #expect(told.greatest == list.map(\.offset).max())
                for time in (0...9).map({ Instant(nanoseconds: $0) }) {
                    let greatest = list.filter { $0.time <= time }.map(\.offset).max() ?? 0
                    #expect(told.greatest(at: time) == greatest)
                }
            }
        }
    }
}
