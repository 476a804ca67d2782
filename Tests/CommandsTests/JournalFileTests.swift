import Basics
import Glibc
import Journal
import SystemIO
import Testing

@testable import Arguments
@testable import Commands

@Suite struct JournalFileTests {
    @Test func `what is written reads back with the digest that was said`() throws {
        let path = "\(FileSystem.currentDirectory)/.build/journal-file-test.jsonl"
        let file = try JournalFile(path, startNanoseconds: 100)
        let start = RunStart(
            tool: "linkcond",
            command: "proxy",
            seed: 1,
            schedule: "lc1",
            profile: "none",
            profileDigest: "",
            environment: [:]
        )
        file.write(.start(start), nowNanoseconds: 150)
        file.write(.note(ConnectionID(ordinal: 1), text: "two"), nowNanoseconds: 250)
        let digest = try #require(file.digest)
        file.finish()
        let bytes = try FileSystem.read(path, limit: 10_000)
        FileSystem.remove(path)
        #expect(try CanonicalJournal(reading: bytes).digest(sha256: SHA256.digest) == digest)
        #expect(String(decoding: bytes, as: UTF8.self).contains("\"at_ns\":50"))
    }

    @Test func `a full device ends the journal and is named`() throws {
        let file = try JournalFile("/dev/full", startNanoseconds: 0)
        #expect(file.failure == nil)
        file.write(.note(nil, text: "one"), nowNanoseconds: 1)
        #expect(file.failure?.contains("no space left") == true)
        #expect(file.digest == nil)
    }

    @Test func `a pipe that nobody reads is waited for, aloud and not for ever`() throws {
        let path = "\(FileSystem.currentDirectory)/.build/journal-pipe-test"
        FileSystem.remove(path)
        #expect(unsafe mkfifo(path, 0o600) == 0)
        defer { FileSystem.remove(path) }
        var waits = 0
        let failure = try #require(throws: Failure.self) {
            try JournalFile(path, startNanoseconds: 0, waitMilliseconds: 200) { waits += 1 }
        }
        #expect(waits == 1)
        #expect(failure.code == .cannotCreate)
        #expect(failure.message.contains("no one reads this pipe; start its reader first"))
        let reader = unsafe open(path, O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        _ = try JournalFile(path, startNanoseconds: 0) { waits += 1 }
        #expect(waits == 1)
    }

    @Test func `a folder that is not there cannot hold a journal`() throws {
        let failure = try #require(throws: Failure.self) {
            try JournalFile("/nonexistent/a.jsonl", startNanoseconds: 0)
        }
        #expect(failure.code == .cannotCreate)
    }
}
