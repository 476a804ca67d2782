import Analysis
import Basics
import ControlAPI
import Journal
import Testing

@Suite struct TransferBookTests {
    /// A download that is cut after 233 of 1,000 bytes, on connection N.
    private static func lines(_ number: Int) -> String {
        let at = number * 1_000_000
        return """
            {"v":1,"t":"conn","c":\(number),"env":{},"at_ns":\(at)}
            {"v":1,"t":"req","c":\(number),"r":1,"method":"GET","target":"/x","framing":"none","head_bytes":89,"fields":{},"at_ns":\(at + 1)}
            {"v":1,"t":"resp","c":\(number),"r":1,"status":200,"framing":"length","length":1000,"head_bytes":267,"fields":{},"at_ns":\(at + 2)}
            {"v":1,"t":"note","c":\(number),"text":"half-closed","at_ns":\(at + 3)}
            {"v":1,"t":"body","c":\(number),"r":1,"dir":"resp","bytes":233,"complete":false,"at_ns":\(at + 4)}
            {"v":1,"t":"connend","c":\(number),"by":"fault","how":"rst","down_bytes":500,"up_bytes":89,"at_ns":\(at + 5)}

            """
    }

    /// Without the start that a journal has.
    private static func records(_ numbers: Range<Int>) throws -> [Timed<JournalRecord>] {
        let start = """
            {"v":1,"t":"start","tool":"t","command":"proxy","seed":1,"schedule":"lc1","profile":"none","profile_sha256":"","env":{},"at_ns":0}

            """
        let text = start + numbers.map(lines).joined()
        return Array(try Timed<JournalRecord>.reading(Array(text.utf8)).dropFirst())
    }

    private static func take(_ book: inout TransferBook, _ numbers: Range<Int>) throws {
        for record in try records(numbers) {
            book.take(record.value, at: record.at)
        }
    }

    private static func count(_ key: String, _ value: JSONValue) -> Int? {
        guard case .object(let object) = value, case .array(let items) = object[key] else {
            return nil
        }
        return items.count
    }

    @Test func `transfers, checks and findings are those of a report on the journal`() throws {
        var book = TransferBook()
        #expect(Self.count("transfers", book.read()) == 0)
        try Self.take(&book, 1..<3)
        let read = book.read()
        #expect(book.read() == read)
        let report = RunReport(
            try Self.records(1..<3)
                .filter { if case .note = $0.value { false } else { true } }
                .enumerated().map {
                    Timed($1.value, line: $0 + 1, at: $1.at)
                }
        )
        let object = try #require(read.object)
        #expect(object["transfers"] == .array(report.transfers.map(\.document)))
        #expect(object["checks"] == .array(report.checks.map(\.document)))
        #expect(object["findings"] == .array(report.findings.map(\.document)))
        #expect(report.transfers.count == 1 && report.transfers[0].attempts.count == 2)
    }

    @Test func `the oldest records go when there are too many, and that is said`() throws {
        var book = TransferBook()
        try Self.take(&book, 1..<2_101)
        let object = try #require(book.read().object)
        #expect(object["forgottenRecords"] == .number(2_500))
    }
}

extension JSONValue {
    fileprivate var object: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }
}
