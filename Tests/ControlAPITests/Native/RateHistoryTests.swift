import Basics
import ControlAPI
import Testing

@Suite struct RateHistoryTests {
    private func point(_ second: UInt64, down: UInt64, queued: Int = 0) -> RateHistory.Point {
        RateHistory.Point(
            elapsedMilliseconds: second * 1_000,
            bytesUp: 0,
            bytesDown: down,
            queuedBytesUp: 0,
            queuedBytesDown: queued
        )
    }

    /// The rows of the document: elapsed, up, down, queued up, queued down.
    private func rows(_ history: RateHistory) -> [[JSONValue]] {
        guard case .array(let rows)? = history.document["points"] else { return [] }
        return rows.compactMap { if case .array(let row) = $0 { row } else { nil } }
    }

    @Test func `each look is a point as long as bytes move`() {
        var history = RateHistory()
        for second in 0..<10 as Range<UInt64> { history.take(point(second, down: second * 100)) }
        #expect(rows(history).count == 10)
        #expect(rows(history).last?[2] == 900)
    }

    @Test func `a pause has a beginning and an end, and nothing between`() {
        var history = RateHistory()
        history.take(point(0, down: 0))
        history.take(point(1, down: 500))
        for second in 2..<100 as Range<UInt64> { history.take(point(second, down: 500)) }
        #expect(rows(history).map { $0[0] } == [0, 1_000, 99_000])
        history.take(point(100, down: 700))
        #expect(rows(history).map { $0[0] } == [0, 1_000, 99_000, 100_000])
    }

    @Test func `ceilings are steps, and the same ones again are none`() {
        var history = RateHistory()
        let steps: [(UInt64, UInt64?)] = [(0, 50), (1, 50), (4, 40), (9, nil)]
        for (second, down) in steps {
            history.take(.init(down: down, up: 10), elapsedMilliseconds: second * 1_000)
        }
        let expected: JSONValue = [[0, 50, 10], [4_000, 40, 10], [9_000, .null, 10]]
        #expect(history.document["ceilings"] == expected)
        for second in 10..<3_000 as Range<UInt64> {
            history.take(.init(down: second, up: nil), elapsedMilliseconds: second * 1_000)
        }
        guard case .array(let kept)? = history.document["ceilings"] else {
            Issue.record("no steps")
            return
        }
        #expect(kept.count <= RateHistory.limit && kept.last == [2_999_000, 2_999, .null])
    }

    @Test func `bytes that wait in the queue are no pause`() {
        var history = RateHistory()
        for second in 0..<5 as Range<UInt64> { history.take(point(second, down: 9, queued: 100)) }
        #expect(rows(history).count == 5)
    }

    @Test(arguments: [1_000, 5_000, 100_000] as [UInt64])
    func `points stay few, and their totals are those that were seen`(count: UInt64) {
        var history = RateHistory()
        for second in 0..<count { history.take(point(second, down: second * 7)) }
        let rows = rows(history)
        #expect(rows.count <= RateHistory.limit + 1)
        #expect(rows.count >= min(Int(count), RateHistory.limit / 2))
        #expect(rows.first?[0] == 0)
        for row in rows {
            guard case .integer(let elapsed) = row[0], case .integer(let down) = row[2] else {
                Issue.record("\(row)")
                continue
            }
            #expect(down == elapsed / 1_000 * 7)
        }
    }
}
