import Basics
import Journal
import Testing
import TestSupport

@Suite struct JournalReaderTests {
    private func entries(_ bytes: [UInt8], step: Int) throws -> [JournalEntry] {
        var reader = JournalReader()
        var entries: [JournalEntry] = []
        for start in stride(from: 0, to: bytes.count, by: step) {
            reader.append(bytes[start..<min(start + step, bytes.count)])
            while let entry = try reader.next() { entries.append(entry) }
        }
        return entries
    }

    @Test func `a journal reads the same in pieces of any size`() throws {
        let bytes = Samples.journal()
        let whole = try entries(bytes, step: bytes.count)
        #expect(whole.count == Samples.records.count)
        #expect(whole.map(\.line) == Array(1...Samples.records.count))
        for step in 1...70 { #expect(try entries(bytes, step: step) == whole) }
    }

    @Test func `a journal cut anywhere is valid up to its last complete line`() throws {
        let bytes = Samples.journal()
        for length in 0..<bytes.count {
            let journal = try CanonicalJournal(reading: bytes[..<length])
            let complete = bytes[..<length].count { $0 == UInt8(ascii: "\n") }
            let rest = bytes[..<length].split(
                separator: UInt8(ascii: "\n"),
                omittingEmptySubsequences: false
            ).last?.count
            #expect(journal.recordCount == complete)
            #expect(journal.truncatedBytes == rest)
            #expect(!journal.isComplete)
        }
    }

    @Test(
        arguments: [
            ("{\"v\":1,\"t\":\"conn\"}\n", 1, 1, "expected \"start\" first, found \"conn\""),
            ("\n", 1, 1, "expected a value, found the end"),
            ("[]\n", 1, 1, "expected an object in braces"),
            ("{}\n", 1, 1, "expected the journal's version"),
            ("{\"v\":2,\"t\":\"start\"}\n", 1, 1, "version 2 of the journal"),
            ("{\"v\":1}\n", 1, 1, "expected the record's type"),
            ("{\"v\":1,\"t\":\"start\",\"command\":[]}\n", 1, 1, "the report of an exploration"),
            ("{\"v\":1,\"t\":\"start\"}\n{\"v\":1,\"t\":\"start\"}\n", 2, 1, "a second \"start\""),
            ("{\"v\":1,\"t\":\"start\"}\n{\"v\":1,\n", 2, 8, "expected a key in quotes"),
            ("{\"v\":1,\"t\":\"start\",\"c\":1}\n", 1, 1, "about the whole run"),
            ("{\"v\":1,\"t\":\"start\",\"c\":0}\n", 1, 1, "'c' counts from 1"),
            ("{\"v\":1,\"t\":\"start\",\"c\":\"1\"}\n", 1, 1, "'c' counts from 1"),
            ("{\"v\":1,\"t\":\"start\",\"c\":1,\"l\":4294967296}\n", 1, 1, "'l' counts from 1"),
        ])
    func `a mistake is named with its line and column`(
        text: String,
        line: Int,
        column: Int,
        words: String
    ) {
        #expect {
            try CanonicalJournal(reading: text.utf8)
        } throws: { error in
            guard let error = error as? JournalError else { return false }
            return error.line == line && error.column == column && error.description.contains(words)
        }
    }

    @Test func `an endless line is refused`() throws {
        let bytes = Array(repeating: UInt8(ascii: " "), count: JSONParser.maximumLength)
        #expect(try CanonicalJournal(reading: bytes).truncatedBytes == bytes.count)
        #expect(throws: JournalError.self) { try CanonicalJournal(reading: bytes + [0x20]) }
    }

    @Test func `a diagnostic leads with file, line and column`() {
        #expect {
            try CanonicalJournal(reading: "{\"v\":1,\"t\":\"start\"}\n{\"v\":}\n".utf8)
        } throws: { error in
            (error as? JournalError)?.diagnostic(label: "a.jsonl")
                == "a.jsonl:2:6: error: expected a value, found \"}\""
        }
    }

    @Test func `a record that comes alone is read as in its file`() throws {
        for entry in try entries(Samples.journal(), step: 1_000) {
            let alone = try #require(JournalEntry(alone: entry.text.object()))
            #expect(alone.type == entry.type && alone.connection == entry.connection)
            #expect(JournalRecord(alone) == JournalRecord(entry))
        }
        let refused: [JSONObject] = [
            [:], ["t": "conn"], ["v": 2, "t": "conn"], ["v": 1], ["v": 1, "t": "conn", "c": 0],
            ["v": 1, "t": "conn", "c": "1"], ["v": 1, "t": "conn", "c": 1, "l": 0],
        ]
        for object in refused { #expect(JournalEntry(alone: object) == nil) }
    }

    @Test func `a mutated journal is read or refused, never more`() {
        var numbers = SeededRandom(seed: 9)
        for _ in 0..<500 {
            var bytes = Samples.journal()
            for _ in 0..<3 { bytes.mutate(using: &numbers) }
            guard let journal = try? CanonicalJournal(reading: bytes) else { continue }
            #expect((try? CanonicalJournal(reading: journal.text))?.text == journal.text)
        }
    }
}
