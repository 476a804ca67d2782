import Basics
import Faults
import Testing

@Suite struct DataBudgetMeterTests {
    private func meter(soft: UInt64?, hard: UInt64?) throws -> DataBudgetMeter {
        let rate = try Quantity.bitRate("64kbit/s")
        return DataBudgetMeter(soft: soft.map { ($0, rate) }, hardBytes: hard)
    }

    @Test func `limits are met to the byte and reported once`() throws {
        var meter = try meter(soft: 10, hard: 25)
        #expect(meter.allowance == 10)
        #expect(meter.add(9) == [])
        #expect(meter.reducedRate == nil)
        #expect(meter.add(1) == [.soft])
        #expect(meter.reducedRate?.bitsPerSecond == 64_000)
        #expect(meter.allowance == 15)
        #expect(meter.add(14) == [])
        #expect(!meter.isExhausted)
        #expect(meter.add(1) == [.hard])
        #expect(meter.isExhausted)
        #expect(meter.allowance == 0)
        #expect(meter.add(1) == [])
    }

    @Test func `one step over both limits reports both, and never overflows`() throws {
        var meter = try meter(soft: 10, hard: 25)
        #expect(meter.add(.max) == [.soft, .hard])
        #expect(meter.add(.max) == [])
        #expect(meter.used == .max)
        #expect(meter.allowance == 0)
    }

    @Test func `a soft limit alone ends nothing`() throws {
        var meter = try meter(soft: 5, hard: nil)
        #expect(meter.add(5) == [.soft])
        #expect(meter.allowance == nil)
        #expect(!meter.isExhausted)
    }

    @Test func `equal limits and limits of nothing are reached at once`() throws {
        var equal = try meter(soft: 5, hard: 5)
        #expect(equal.allowance == 5)
        #expect(equal.add(5) == [.soft, .hard])
        var none = try meter(soft: 0, hard: 0)
        #expect(none.allowance == 0)
        #expect(none.add(0) == [.soft, .hard])
        var free = try meter(soft: nil, hard: nil)
        #expect(free.allowance == nil)
        #expect(free.add(.max) == [])
    }
}
