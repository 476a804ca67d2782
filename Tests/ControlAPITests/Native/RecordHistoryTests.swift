import ControlAPI
import Journal
import Testing

@Suite struct RecordHistoryTests {
    private func history(_ count: Int, lines: Int = 100, bytes: Int = .max) -> RecordHistory {
        var history = RecordHistory(lineLimit: lines, byteLimit: bytes)
        for number in 0..<count {
            history.add(.note(nil, text: "\(number)"), elapsedNanoseconds: UInt64(number))
        }
        return history
    }

    @Test func `records have the numbers and the form of a journal`() {
        let history = history(3)
        let expected = JournalRecord.note(nil, text: "1").line(sequence: 1, elapsedNanoseconds: 1)
        #expect(history.lines(from: 1).map(\.number) == [1, 2])
        #expect(history.lines(from: 1).first?.bytes == expected)
        #expect(history.lines(from: 3).isEmpty)
        #expect(history.lines(from: .max).isEmpty)
        #expect(history.nextNumber == 3)
    }

    @Test func `the oldest records are forgotten first`() {
        let history = history(1_000, lines: 7)
        #expect(history.firstNumber == 993)
        #expect(history.lines(from: 0).map(\.number) == Array(993...999))
        #expect(history.lines(from: 998).map(\.number) == [998, 999])
    }

    @Test func `bytes are limited, of what is kept and of an answer`() {
        let length = self.history(1).lines(from: 0).first?.bytes.count ?? 0
        let history = history(10, bytes: length * 4 + 1)
        #expect(history.lines(from: 0).map(\.number) == Array(6...9))
        #expect(history.lines(from: 6, byteLimit: length * 2).map(\.number) == [6, 7])
        // One at least, or nobody would come on.
        #expect(history.lines(from: 7, byteLimit: 1).map(\.number) == [7])
    }

    @Test func `an empty history answers with nothing`() {
        let history = RecordHistory()
        #expect(history.lines(from: 0).isEmpty)
        #expect(history.firstNumber == 0)
    }

    @Test func `a journal begins with the start, however much is forgotten`() {
        var history = RecordHistory(lineLimit: 2)
        let start = RunStart(
            tool: "linkcond 9.9",
            command: "proxy",
            seed: 7,
            schedule: "lc1;seed=7",
            profile: "none",
            profileDigest: "",
            environment: [:]
        )
        history.add(.start(start), elapsedNanoseconds: 0)
        let first = JournalRecord.start(start).line(sequence: 0, elapsedNanoseconds: 0)
        #expect(history.journal == first)
        for number in 0..<5 {
            history.add(.note(nil, text: "\(number)"), elapsedNanoseconds: UInt64(number))
        }
        #expect(history.journal == first + history.lines(from: 0).flatMap(\.bytes))
        #expect(history.journal.count { $0 == UInt8(ascii: "\n") } == 3)
    }
}
