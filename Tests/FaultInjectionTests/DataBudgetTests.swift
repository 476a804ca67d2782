import FaultInjection
import LinkEngine
import Testing

@Suite struct DataBudgetTests {
    private func meter(
        _ counted: DataBudget.Counted = .both,
        soft: UInt64?,
        hard: UInt64?
    ) throws -> DataBudgetMeter {
        let rate = try Quantity.bitRate("64kbit/s")
        let budget = DataBudget(
            counted: counted,
            soft: soft.map { DataBudget.SoftLimit(bytes: $0, rate: rate) },
            hardBytes: hard
        )
        return DataBudgetMeter(budget: try #require(budget))
    }

    @Test func `limits are met to the byte and reported once`() throws {
        var meter = try meter(soft: 10, hard: 25)
        #expect(meter.allowance(.down) == 10)
        #expect(meter.add(10, .down) == [.soft])
        #expect(meter.reducedRate?.bitsPerSecond == 64_000)
        #expect(meter.allowance(.up) == 15)
        #expect(meter.add(14, .up) == [])
        #expect(!meter.isExhausted)
        #expect(meter.add(1, .down) == [.hard])
        #expect(meter.isExhausted)
        #expect(meter.allowance(.down) == 0)
        #expect(meter.add(1, .down) == [])
    }

    @Test func `one step over both limits reports both`() throws {
        var meter = try meter(soft: 10, hard: 25)
        #expect(meter.add(.max, .down) == [.soft, .hard])
        #expect(meter.add(.max, .down) == [])
        #expect(meter.used == .max)
    }

    @Test func `a direction that does not count passes until the budget is gone`() throws {
        var meter = try meter(.down, soft: nil, hard: 5)
        #expect(meter.allowance(.up) == nil)
        #expect(meter.add(1_000, .up) == [])
        #expect(meter.used == 0)
        #expect(meter.add(5, .down) == [.hard])
        #expect(meter.allowance(.up) == 0)
    }

    @Test func `a soft limit alone ends nothing`() throws {
        var meter = try meter(soft: 5, hard: nil)
        #expect(meter.add(5, .up) == [.soft])
        #expect(meter.allowance(.up) == nil)
        #expect(!meter.isExhausted)
    }

    @Test func `a budget without sense is not made`() throws {
        let rate = try Quantity.bitRate("64kbit/s")
        #expect(DataBudget(soft: nil, hardBytes: nil) == nil)
        #expect(DataBudget(soft: .init(bytes: 5, rate: rate), hardBytes: 5) == nil)
        #expect(DataBudget(soft: .init(bytes: 0, rate: rate), hardBytes: nil) == nil)
        #expect(DataBudget(soft: nil, hardBytes: 0) == nil)
    }
}
