import SystemIO
import ResumableServer
import Testing

@testable import Origin

/// Offsets on their way to a disk that is done when the test says so.
@Suite struct OffsetCommitsTests {
    private final class Disk {
        var offsets: [UInt64] = []
        var done: [(SystemError?) -> Void] = []

        func finish(_ error: SystemError? = nil) { done.removeFirst()(error) }
    }

    private final class Log {
        var lines: [String] = []
    }

    private let disk = Disk()
    private let log = Log()
    private let commits: OffsetCommits

    init() throws {
        commits = OffsetCommits(try SampleRecord.at(0)) { [disk] record, done in
            disk.offsets.append(record.offset)
            disk.done.append(done)
        }
    }

    private func commit(_ offset: UInt64) throws {
        commits.commit(try SampleRecord.at(offset))
        commits.afterwards { [log] in log.lines.append("\(offset)") }
    }

    @Test func `nothing is under way at first, and what follows runs at once`() {
        #expect(commits.areSettled && commits.lag == nil)
        commits.afterwards { [log] in log.lines.append("now") }
        #expect(log.lines == ["now"])
    }

    @Test func `while one commit is under way all others become one`() throws {
        for offset in 1...5 { try commit(UInt64(offset)) }
        #expect(disk.offsets == [1] && log.lines.isEmpty && !commits.areSettled)
        disk.finish()
        #expect(disk.offsets == [1, 5] && log.lines == ["1"] && !commits.areSettled)
        #expect(commits.offsets == (last: 1, before: 0))
        disk.finish()
        #expect(disk.offsets == [1, 5] && log.lines == ["1", "2", "3", "4", "5"])
        #expect(commits.areSettled && commits.offsets == (last: 5, before: 1))
    }

    @Test func `what waits for a commit may ask for the next`() throws {
        commits.commit(try SampleRecord.at(1))
        let next = try SampleRecord.at(2)
        commits.afterwards { [commits, log] in
            log.lines.append("1")
            commits.commit(next)
            commits.afterwards { log.lines.append("2") }
        }
        disk.finish()
        #expect(disk.offsets == [1, 2] && log.lines == ["1"])
        disk.finish()
        #expect(log.lines == ["1", "2"] && commits.areSettled)
    }

    @Test func `a failure is known until a later commit succeeds`() throws {
        try commit(1)
        try commit(2)
        disk.finish(.invalidArgument)
        #expect(commits.lag == .invalidArgument && commits.offsets == (last: 0, before: 0))
        disk.finish()
        #expect(commits.lag == nil && commits.offsets == (last: 2, before: 0))
        #expect(log.lines == ["1", "2"])
    }

    @Test func `only an offset may be committed while bytes are written`() throws {
        #expect(commits.mayBeBehind(try SampleRecord.at(7)))
        // A file that is too short makes the upload invalid.
        let broken = UploadResource.restored(
            try SampleRecord.at(7),
            fileSize: 0,
            settings: UploadSettings(),
            at: 1
        )
        #expect(broken.resource.record.state == .invalid)
        #expect(!commits.mayBeBehind(broken.resource.record))
    }
}
