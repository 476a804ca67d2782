import Basics
import Journal
import SystemIO
import Testing

@testable import Arguments
@testable import Commands

@Suite struct JournalInputTests {
    private func withFile<Result>(
        _ name: String,
        _ lines: [String],
        _ body: (String) throws -> Result
    ) throws -> Result {
        let path = "\(FileSystem.currentDirectory)/.build/\(name).jsonl"
        try FileSystem.replace(path, with: Array(lines.joined(separator: "\n").utf8) + [10])
        defer { FileSystem.remove(path) }
        return try body(path)
    }

    /// More than is read at a time: requests, one a connection.
    private static let connections: [String] = (1...2_000).flatMap { ordinal in
        let note = String(repeating: "x", count: 400)
        return [
            #"{"v":1,"t":"conn","c":\#(ordinal)}"#,
            #"{"v":1,"t":"req","c":\#(ordinal),"r":1,"method":"GET","target":"/u/1","fields":{}}"#,
            #"{"v":1,"t":"note","c":\#(ordinal),"text":"\#(note)"}"#,
            #"{"v":1,"t":"connend","c":\#(ordinal),"by":"client","how":"fin"}"#,
        ]
    }

    private static let start = #"{"v":1,"t":"start","tool":"linkcond","command":"proxy"}"#

    @Test(arguments: [false, true])
    func `a long journal is given as it is read, and anew if its end contradicts`(
        isContradicted: Bool
    ) throws {
        let last =
            #"{"v":1,"t":"resp","c":2000,"r":1,"status":201,"fields":{"location":"/u/1"}}"#
        let lines = [Self.start] + Self.connections + (isContradicted ? [last] : [])
        try withFile("journal-input-\(isContradicted)", lines) { path in
            var (restarts, pieces) = (0, 0)
            var form: [UInt8] = []
            let journal = try JournalInput.canonical(path) {
                restarts += 1
                form = []
            } _: {
                pieces += 1
                form += $0
            }
            #expect(restarts == (isContradicted ? 1 : 0))
            #expect(pieces > 1)
            #expect(journal.recordCount == lines.count)
            #expect(try form == JournalInput.canonical(path).text)
            let text = String(decoding: form, as: UTF8.self)
            #expect(text.contains("{u1}") == isContradicted)
        }
    }

    @Test func `nothing is read behind a mistake`() throws {
        try withFile("journal-input-mistake", [Self.start, "{}"] + Self.connections) { path in
            var count = 0
            let failure = try #require(throws: Failure.self) {
                _ = try JournalInput.read(path) { _ in count += 1 }
            }
            #expect(failure.code == .configuration)
            #expect(count == 1)
        }
    }
}
