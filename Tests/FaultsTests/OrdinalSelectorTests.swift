import Faults
import Testing

@Suite struct OrdinalSelectorTests {
    private func named(_ selector: OrdinalSelector, _ times: FaultTimes?) -> [UInt32] {
        (1...12 as ClosedRange<UInt32>).filter { selector.names($0, times: times) }
    }

    @Test func `one ordinal is itself, and those behind it if times says so`() {
        let second = OrdinalSelector(.one(2))
        #expect(named(second, nil) == [2])
        #expect(named(second, .count(1)) == [2])
        #expect(named(second, .count(3)) == [2, 3, 4])
        #expect(named(second, .all) == Array(2...12))
    }

    @Test func `a period is all that it names, or the first so many`() {
        let third = OrdinalSelector(.periodic(first: 2, period: 3))
        #expect(named(third, nil) == [2, 5, 8, 11])
        #expect(named(third, .all) == [2, 5, 8, 11])
        #expect(named(third, .count(2)) == [2, 5])
        #expect(named(.every, .count(3)) == [1, 2, 3])
    }

    @Test func `the largest ordinals do not overflow`() {
        #expect(OrdinalSelector(.one(.max)).names(.max, times: .count(.max)))
        #expect(OrdinalSelector(.periodic(first: 1, period: .max)).names(1, times: .count(1)))
    }
}
