import Basics
import CLibrary
import Journal
import SystemIO
import TestSupport
import Testing

@testable import Arguments
@testable import Commands

@Suite struct JournalFileTests {
    @Test func `what is written reads back with the digest that was said`() throws {
        let path = "\(FileSystem.currentDirectory)/.build/journal-file-test.jsonl"
        let file = try JournalFile(path, on: EventLoop(), startedAt: Instant(nanoseconds: 100))
        let start = RunStart(
            tool: "linkcond",
            command: "proxy",
            seed: 1,
            schedule: "lc1",
            profile: "none",
            profileDigest: "",
            environment: [:]
        )
        file.write(.start(start), now: Instant(nanoseconds: 150))
        file.write(.note(ConnectionID(ordinal: 1), text: "two"), now: Instant(nanoseconds: 250))
        let digest = try #require(file.digest)
        file.finish()
        let bytes = try FileSystem.read(path, limit: 10_000)
        FileSystem.remove(path)
        #expect(try CanonicalJournal(reading: bytes).digest(sha256: SHA256.digest) == digest)
        #expect(String(decoding: bytes, as: UTF8.self).contains("\"at_ns\":50"))
    }

    @Test func `a compressed one can be read a second after a line, without its end`() throws {
        let path = "\(FileSystem.currentDirectory)/.build/journal-file-test.jsonl.zst"
        defer { FileSystem.remove(path) }
        let loop = try EventLoop()
        let file = try JournalFile(path, on: loop, startedAt: .start)
        file.write(.note(nil, text: "one"), now: Instant(nanoseconds: 1))
        #expect(try FileSystem.read(path, limit: 10_000).isEmpty)
        try loop.run("the frame ends", seconds: 60) {
            (try? FileSystem.read(path, limit: 10_000).isEmpty) == false
        }
        let frame = try FileSystem.read(path, limit: 10_000)
        #expect(try Unpacked(frame).lines == 1)
        file.finish()
        #expect(try FileSystem.read(path, limit: 10_000) == frame, "no frame without a line")
    }

    @Test func `a compressed one has every line once its run goes without finishing it`() throws {
        let path = "\(FileSystem.currentDirectory)/.build/journal-left-test.jsonl.zst"
        defer { FileSystem.remove(path) }
        do {
            let file = try JournalFile(path, on: EventLoop(), startedAt: .start)
            for text in ["one", "two"] {
                file.write(.note(nil, text: text), now: Instant(nanoseconds: 1))
            }
        }
        let unpacked = try Unpacked(FileSystem.read(path, limit: 10_000))
        #expect(unpacked.lines == 2)
        #expect(unpacked.unfinishedBytes == 0)
    }

    @Test func `a full device ends the journal and is named`() throws {
        let file = try JournalFile("/dev/full", on: EventLoop(), startedAt: .start)
        #expect(file.failure == nil)
        file.write(.note(nil, text: "one"), now: Instant(nanoseconds: 1))
        #expect(file.digest == nil)
        #expect(file.failure?.contains("no space left") == true)
    }

    @Test func `a pipe that nobody reads is waited for, aloud and not for ever`() throws {
        let path = "\(FileSystem.currentDirectory)/.build/journal-pipe-test"
        FileSystem.remove(path)
        #expect(unsafe mkfifo(path, 0o600) == 0)
        defer { FileSystem.remove(path) }
        let loop = try EventLoop()
        var waits: [String] = []
        let failure = try #require(throws: Failure.self) {
            try JournalFile(path, on: loop, startedAt: .start, waitMilliseconds: 200) {
                waits.append($0)
            }
        }
        #expect(waits == ["waiting for a reader of the pipe '\(path)'"])
        #expect(failure.code == .cannotCreate)
        #expect(failure.message.contains("no one reads this pipe; start its reader first"))
        let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        _ = try JournalFile(path, on: loop, startedAt: .start) { waits.append($0) }
        #expect(waits.count == 1)
    }

    @Test func `lines of one turn of the loop are written together, after it`() throws {
        let path = "\(FileSystem.currentDirectory)/.build/journal-turn-test.jsonl"
        defer { FileSystem.remove(path) }
        let loop = try EventLoop()
        let file = try JournalFile(path, on: loop, startedAt: .start)
        for text in ["one", "two"] {
            file.write(.note(nil, text: text), now: Instant(nanoseconds: 1))
        }
        #expect(try FileSystem.read(path, limit: 10_000).isEmpty)
        try loop.run("both are there", seconds: 60) {
            (try? FileSystem.read(path, limit: 10_000))?.count { $0 == UInt8(ascii: "\n") } == 2
        }
        file.write(.note(nil, text: "three"), now: Instant(nanoseconds: 1))
        file.finish()
        #expect(try FileSystem.read(path, limit: 10_000).count { $0 == UInt8(ascii: "\n") } == 3)
    }

    @Test func `a folder that is not there cannot hold a journal`() throws {
        let failure = try #require(throws: Failure.self) {
            try JournalFile("/nonexistent/a.jsonl", on: EventLoop(), startedAt: .start)
        }
        #expect(failure.code == .cannotCreate)
    }
}
