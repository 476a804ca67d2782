import Basics
import Journal
import SystemIO
import TestSupport
import Testing

@testable import Arguments
@testable import Commands

@Suite struct JournalPartsTests {
    private let folder: TemporaryFolder
    private let loop: EventLoop

    init() throws {
        folder = try TemporaryFolder()
        loop = try EventLoop()
    }

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

    /// - Returns: the digest that was said at the end.
    @discardableResult
    private func write(
        _ name: String,
        _ parts: JournalParts?,
        records: Int = 100,
        seed: UInt64 = 1
    ) throws -> String? {
        let file = try JournalFile(path(name), in: parts, on: loop, startedAt: .start)
        let start = RunStart(
            tool: "linkcond",
            command: "proxy",
            seed: seed,
            schedule: "lc1",
            profile: "none",
            profileDigest: "",
            environment: ["pid": 7]
        )
        file.write(.start(start), now: Instant(nanoseconds: 5))
        for number in 1..<max(records, 1) {
            file.write(
                .note(nil, text: "number \(number)"),
                now: Instant(nanoseconds: Int64(number) * 10)
            )
        }
        file.finish()
        #expect(file.failure == nil)
        return file.digest
    }

    private func lines(_ name: String) throws -> [Substring] {
        let bytes = try FileSystem.read(path(name), limit: 1 << 20)
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    private func entries(_ name: String) throws -> [JournalEntry] {
        var entries: [JournalEntry] = []
        #expect(try JournalInput.read(path(name)) { entries.append($0) } == 0)
        return entries
    }

    @Test(arguments: [
        ("run.jsonl", "run.3.jsonl"), ("a/b.c/run", "a/b.c/run.3"), ("run.zst", "run.3.zst"),
        ("/x/2026.11.run.jsonl.zst", "/x/2026.11.run.3.jsonl.zst"), (".run", ".run.3"),
    ])
    func `the number stands before the suffix`(path: String, part: String) {
        #expect(JournalName(path).path(part: 3) == part)
    }

    @Test func `nothing is lost between two parts, and each begins with the start`() throws {
        let digest = try write("one.jsonl", nil)
        #expect(try write("run.jsonl", JournalParts(limit: 1_000)) == digest)
        let numbers = JournalName(path("run.jsonl")).parts
        #expect(numbers == Array(1...numbers.count) && numbers.count > 3)
        let whole = try lines("one.jsonl")
        var joined = [whole[0]]
        for number in numbers {
            let part = try lines("run.\(number).jsonl")
            let env = #""env":{"pid":7,"part":\#(number)},"n_approx":0,"at_ns":5}"#
            #expect(part[0].hasSuffix(env))
            let size = part.reduce(0) { $0 + $1.utf8.count + 1 }
            #expect(size < 1_100 && (size >= 1_000 || number == numbers.last))
            joined += part.dropFirst()
        }
        #expect(joined == whole)
    }

    @Test(arguments: ["run.jsonl", "run.jsonl.zst"])
    func `parts are read as the one file that they are not`(name: String) throws {
        try write("one.jsonl", nil, records: 3_000)
        try write(name, JournalParts(limit: 1_000), records: 3_000)
        #expect(JournalFiles(path(name)).paths.count > 2)
        #expect(JournalFiles(path(name)).note == nil)
        let (whole, joined) = (try entries("one.jsonl"), try entries(name))
        #expect(joined.map(\.line) == Array(1...3_000))
        #expect(joined.dropFirst() == whole.dropFirst())
        var form: [UInt8] = []
        _ = try JournalInput.canonical(path(name)) {
            form = []
        } _: {
            form += $0
        }
        #expect(try form == JournalInput.canonical(path("one.jsonl")).text)
    }

    @Test func `only the latest parts are kept, and what is missing is named`() throws {
        try write("run.jsonl", JournalParts(limit: 1_000, kept: 2))
        let numbers = JournalName(path("run.jsonl")).parts
        let last = try #require(numbers.last)
        #expect(numbers == [last - 1, last])
        let files = JournalFiles(path("run.jsonl"))
        #expect(files.note == "lacks parts 1-\(last - 2), which were removed or lost")
        #expect(try entries("run.jsonl").last?.type == "note")
        let alone = JournalFiles(path("run.\(last).jsonl"))
        #expect(alone.note == "is part \(last) of a journal, read alone")
    }

    @Test func `a run replaces the parts of an earlier one, and nothing else`() throws {
        try write("run.jsonl", nil)
        try write("run.2026.jsonl", nil)
        try write("run.jsonl", JournalParts(limit: 1_000))
        #expect(FileSystem.isFile(path("run.3.jsonl")))
        #expect(!FileSystem.isFile(path("run.jsonl")))
        try write("run.jsonl", JournalParts(limit: 1_000), records: 2)
        #expect(JournalName(path("run.jsonl")).parts == [1])
        #expect(try lines("run.2026.jsonl").count == 100)
    }

    @Test func `parts of different runs are refused`() throws {
        try write("run.jsonl", JournalParts(limit: 1_000))
        try write("other.jsonl", JournalParts(limit: 1_000), seed: 2)
        let foreign = try FileSystem.read(path("other.2.jsonl"), limit: 10_000)
        try FileSystem.replace(path("run.2.jsonl"), with: foreign)
        let failure = try #require(throws: Failure.self) { try entries("run.jsonl") }
        #expect(failure.message.contains("are of different runs"))
    }

    @Test(arguments: [1, 2, 3])
    func `a part whose first record is damaged is refused, not left out`(part: Int) throws {
        try write("run.jsonl", JournalParts(limit: 1_000))
        let damaged = path("run.\(part).jsonl")
        var bytes = try FileSystem.read(damaged, limit: 10_000)
        bytes[0] = 0
        try FileSystem.replace(damaged, with: bytes)
        let failure = try #require(throws: Failure.self) { try entries("run.jsonl") }
        #expect(failure.message.hasPrefix("\(damaged):1:1: error: "))
    }

    @Test func `an empty last part is where the run was cut off`() throws {
        try write("run.jsonl", JournalParts(limit: 1_000), records: 20)
        let last = try #require(JournalName(path("run.jsonl")).parts.last)
        try FileSystem.replace(path("run.\(last).jsonl"), with: [])
        #expect(try entries("run.jsonl").last?.type == "note")
        let words = "ends with part \(last), which is empty: the run was cut off"
        #expect(JournalFiles(path("run.jsonl")).note == words)
    }

    @Test func `a part far away costs nothing`() throws {
        try write("run.jsonl", JournalParts(limit: 1_000), records: 2)
        let far = 1_000_000_000_000_000
        let text = String(
            decoding: try FileSystem.read(path("run.1.jsonl"), limit: 10_000),
            as: UTF8.self
        )
        let bytes = Array(text.replacing("\"part\":1}", with: "\"part\":\(far)}").utf8)
        try FileSystem.replace(path("run.\(far).jsonl"), with: bytes)
        #expect(
            JournalFiles(path("run.jsonl")).note
                == "lacks parts 2-\(far - 1), which were removed or lost"
        )
    }

    @Test func `a mistake has the place in its own file`() throws {
        try write("run.jsonl", JournalParts(limit: 1_000))
        let bytes = try FileSystem.read(path("run.2.jsonl"), limit: 10_000)
        try FileSystem.replace(path("run.2.jsonl"), with: bytes + Array("{}\n".utf8))
        let line = try lines("run.2.jsonl").count
        let failure = try #require(throws: Failure.self) { try entries("run.jsonl") }
        #expect(failure.message.hasPrefix("\(path("run.2.jsonl")):\(line):1: error: "))
    }

    @Test func `a part that cannot be made ends the journal, not the run`() throws {
        _ = try Folder.make(path("run.2.jsonl"))
        let file = try JournalFile(
            path("run.jsonl"),
            in: JournalParts(limit: 1_000),
            on: loop,
            startedAt: .start
        )
        for number in 1...40 {
            file.write(.note(nil, text: "\(number)"), now: Instant(nanoseconds: 1))
        }
        let failure = try #require(file.failure)
        #expect(failure.hasPrefix("cannot create '\(path("run.2.jsonl"))'"))
        #expect(file.digest == nil)
    }
}
