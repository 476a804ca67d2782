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

    private func withBytes<Result>(
        _ name: String,
        _ bytes: [UInt8],
        _ body: (String) throws -> Result
    ) throws -> Result {
        let path = "\(FileSystem.currentDirectory)/.build/\(name).jsonl.zst"
        try FileSystem.replace(path, with: bytes)
        defer { FileSystem.remove(path) }
        return try body(path)
    }

    /// One frame for each `count` lines.
    private static func packed(_ lines: [String], framesOf count: Int) -> [UInt8] {
        var (packed, result) = (CompressedLines(), [UInt8]())
        for (place, line) in lines.enumerated() {
            result += packed.add(Array(line.utf8) + [10])
            if place % count == count - 1 { result += packed.endFrame() }
        }
        return result + packed.endFrame()
    }

    @Test func `a compressed journal has the form and the digest of the plain one`() throws {
        let lines = [Self.start] + Self.connections
        let plain = try withFile("journal-input-plain", lines) {
            try JournalInput.canonical($0).text
        }
        let bytes = Self.packed(lines, framesOf: 1_000)
        try withBytes("journal-input-packed", bytes) { path in
            #expect(try JournalInput.canonical(path).text == plain)
            var form: [UInt8] = []
            _ = try JournalInput.canonical(path) {
                form = []
            } _: {
                form += $0
            }
            #expect(form == plain)
        }
    }

    @Test func `every cut of a compressed journal reads up to a line, and tells the cut`() throws {
        let lines = [Self.start] + Self.connections.prefix(8)
        let bytes = Self.packed(lines, framesOf: 3)
        var longest = 0
        for cut in 1..<bytes.count {
            try withBytes("journal-input-cut", Array(bytes[..<cut])) { path in
                var count = 0
                do throws(Failure) {
                    let rest = try JournalInput.read(path) { _ in count += 1 }
                    #expect(rest > 0 || count.isMultiple(of: 3))
                } catch {
                    #expect(count == 0)
                    #expect(error.diagnostics.first?.contains("ends within its first line") == true)
                }
                #expect(count >= longest)
                longest = count
            }
        }
        // Without its checksum the last frame still has its lines.
        #expect(longest == lines.count)
    }

    @Test func `a damaged journal is refused at its frame, with what is whole`() throws {
        let lines = [Self.start] + Self.connections.prefix(8)
        let whole = Self.packed(Array(lines.prefix(3)), framesOf: 3)
        var bytes = Self.packed(lines, framesOf: 3)
        bytes[whole.count + 12] ^= 0x55
        try withBytes("journal-input-damage", bytes) { path in
            let failure = try #require(throws: Failure.self) {
                _ = try JournalInput.read(path) { _ in }
            }
            #expect(failure.code == .configuration)
            let words = failure.diagnostics.joined()
            let place = "the compressed frame at byte \(whole.count), after 3 records,"
            #expect(words.hasPrefix("\(path): error: \(place) is damaged ("))
            #expect(words.contains("or what is whole of it: head -c \(whole.count) "))
        }
    }

    @Test func `a small file that unpacks to one endless line is refused`() throws {
        let compressor = ZstandardCompressor(level: 3, windowBits: 18)
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: 64 << 20)
        try withBytes("journal-input-bomb", compressor.compress(zeros, reach: .frame)) { path in
            let failure = try #require(throws: Failure.self) {
                _ = try JournalInput.read(path) { _ in }
            }
            #expect(failure.diagnostics.joined().contains("a line longer than 1048576 bytes"))
        }
    }
}
