import Basics
import ControlAPI
import Journal
import Testing

@Suite struct RecordHistoryTests {
    private func history(_ count: Int, lines: Int = 100, bytes: Int = .max) -> RecordHistory {
        var history = RecordHistory(lineLimit: lines, byteLimit: bytes)
        for number in 0..<count {
            history.add(.note(nil, text: "\(number)"), at: Instant(nanoseconds: Int64(number)))
        }
        return history
    }

    @Test func `records have the numbers and the form of a journal`() {
        let history = history(3)
        let expected = JournalRecord.note(nil, text: "1").line(
            sequence: 1,
            at: Instant(nanoseconds: 1)
        )
        #expect(history.excerpt(from: 1).lines.map(\.number) == [1, 2])
        #expect(history.excerpt(from: 1).lines.first?.bytes == expected)
        #expect(history.excerpt(from: 3).lines.isEmpty)
        #expect(history.excerpt(from: .max).lines.isEmpty)
        #expect(history.nextNumber == 3)
    }

    @Test func `the oldest records are forgotten first`() {
        let history = history(1_000, lines: 7)
        #expect(history.firstNumber == 993)
        #expect(history.excerpt(from: 0).lines.map(\.number) == Array(993...999))
        #expect(history.excerpt(from: 998).lines.map(\.number) == [998, 999])
    }

    @Test func `bytes are limited, of what is kept and of an answer`() {
        let length = self.history(1).excerpt(from: 0).lines.first?.bytes.count ?? 0
        let history = history(10, bytes: length * 4 + 1)
        #expect(history.excerpt(from: 0).lines.map(\.number) == Array(6...9))
        #expect(history.excerpt(from: 6, byteLimit: length * 2).lines.map(\.number) == [6, 7])
        // One at least, or nobody would come on.
        #expect(history.excerpt(from: 7, byteLimit: 1).lines.map(\.number) == [7])
    }

    @Test func `an excerpt of one proxy has what is of it and of the run`() {
        var history = RecordHistory(lineLimit: 6)
        for (number, proxy) in [1, 2, nil, 2, 1, 2, 1, 2].enumerated() {
            history.add(
                .note(nil, text: "\(number)"),
                at: .start,
                of: proxy.map { UInt32($0) }
            )
        }
        let first = history.excerpt(from: 0, of: 1)
        #expect(first.lines.map(\.number) == [2, 4, 6] && first.next == 8)
        #expect(history.excerpt(from: 0, of: 2).lines.map(\.number) == [2, 3, 5, 7])
        #expect(history.excerpt(from: 0, of: 3).lines.map(\.number) == [2])
        // What is left out by the limit comes next, whatever lies between.
        let part = history.excerpt(from: 0, byteLimit: 1, of: 1)
        #expect(part.lines.map(\.number) == [2] && part.next == 4)
        for number in [7, 8, 9] as [UInt64] {
            let none = history.excerpt(from: number, of: 1)
            #expect(none.lines.isEmpty && none.next == max(number, 8))
        }
    }

    @Test func `an empty history answers with nothing`() {
        let history = RecordHistory()
        #expect(history.excerpt(from: 0).lines.isEmpty)
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
        history.add(.start(start), at: .start)
        let first = JournalRecord.start(start).line(sequence: 0, at: .start)
        #expect(history.journal == first)
        for number in 0..<5 {
            history.add(.note(nil, text: "\(number)"), at: Instant(nanoseconds: Int64(number)))
        }
        #expect(history.journal == first + history.excerpt(from: 0).lines.flatMap(\.bytes))
        #expect(history.journal.count { $0 == UInt8(ascii: "\n") } == 3)
    }
}
