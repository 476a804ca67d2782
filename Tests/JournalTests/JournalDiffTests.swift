import Basics
import Journal
import Testing

@Suite struct JournalDiffTests {
    private func compare(
        _ first: [JournalRecord],
        _ second: [JournalRecord]
    ) throws -> (differences: [JournalDiff.Difference], further: Int) {
        JournalDiff.compare(
            try CanonicalJournal(reading: Samples.journal(first)),
            try CanonicalJournal(reading: Samples.journal(second))
        )
    }

    private func end(_ ordinal: UInt32, down: UInt64, isExact: Bool = true) -> JournalRecord {
        .connectionEnd(
            ConnectionEnd(
                connection: ConnectionID(ordinal: ordinal),
                by: .client,
                how: .fin,
                down: .init(bytes: down, isExact: isExact),
                up: .init(bytes: 1, isExact: true)
            )
        )
    }

    private func open(_ ordinal: UInt32) -> JournalRecord {
        .connection(ConnectionID(ordinal: ordinal), environment: [:])
    }

    @Test func `equal runs do not part`() throws {
        let result = try compare(Samples.records, Samples.records)
        #expect(result.differences.isEmpty)
        #expect(result.further == 0)
    }

    @Test func `a changed value is shown with both values and lines`() throws {
        let result = try compare(
            [Samples.start, open(1), end(1, down: 5)],
            [Samples.start, open(1), open(2), end(1, down: 6)]
        )
        #expect(result.differences.map(\.place) == ["connection 1", "connection 2"])
        let first = try #require(result.differences.first)
        #expect(first.record == 2)
        #expect(first.firstLine == 3)
        #expect(first.secondLine == 4)
        #expect(first.explanation == ["'down_bytes': 5, then 6"])
        let second = try #require(result.differences.last)
        #expect(second.firstLine == nil)
        #expect(second.explanation == ["the second has one more 'conn'"])
    }

    @Test func `keys on one side only and other types are told`() throws {
        let keys = try compare(
            [Samples.start, end(1, down: 5)],
            [Samples.start, end(1, down: 5, isExact: false)]
        )
        #expect(keys.differences.map(\.explanation) == [["'down_bytes': 5 in the first only"]])
        let back = try compare(
            [Samples.start, end(1, down: 5, isExact: false)],
            [Samples.start, end(1, down: 5)]
        )
        #expect(back.differences.map(\.explanation) == [["'down_bytes': 5 in the second only"]])
        let types = try compare([Samples.start, end(1, down: 5)], [Samples.start, open(1)])
        #expect(
            types.differences.map(\.explanation) == [["the first has 'connend', the second 'conn'"]]
        )
        let run = try compare(
            [Samples.start, .note(nil, text: "x"), open(1)],
            [Samples.start, open(1)]
        )
        #expect(run.differences.map(\.place) == ["'note' of the whole run"])
        #expect(run.differences.map(\.explanation) == [["the first has one more 'note'"]])
    }

    @Test func `only so many differences are described, the rest are counted`() throws {
        let result = try compare(
            [Samples.start] + (1...50).map { end($0, down: 5) },
            [Samples.start] + (1...50).map { end($0, down: 6) }
        )
        #expect(result.differences.count == JournalDiff.maximumDifferences)
        #expect(result.further == 30)
        #expect(result.differences.map(\.place).first == "connection 1")
    }
}
