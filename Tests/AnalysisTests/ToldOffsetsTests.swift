import TestSupport
import Testing

@testable import Analysis

@Suite struct ToldOffsetsTests {
    @Test func `at any time the greatest offset told until then is known, in whatever order`() {
        var random = SeededRandom.fresh()
        for _ in 0..<200 {
            var told = ToldOffsets()
            var list: [(offset: UInt64, time: UInt64)] = []
            #expect(told.isEmpty)
            for _ in 0..<12 {
                let (offset, time) = (UInt64(random.below(9)), UInt64(random.below(9)))
                list.append((offset, time))
                told.insert(offset, at: time)
                #expect(!told.isEmpty)
                #expect(told.greatest == list.map(\.offset).max())
                for time in 0...9 as ClosedRange<UInt64> {
                    let greatest = list.filter { $0.time <= time }.map(\.offset).max() ?? 0
                    #expect(told.greatest(at: time) == greatest)
                }
            }
        }
    }
}
