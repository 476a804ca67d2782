import Basics
import CLibrary
import TestSupport
import Testing

@testable import SystemIO

@Suite struct FileTests {
    private let temporary: TemporaryFolder
    private let folder: Folder

    init() throws {
        temporary = try TemporaryFolder()
        folder = try Folder(temporary.path)
    }

    @Test func `bytes go to the place that is named, whatever was written before`() throws {
        let file = try folder.file("f", for: .readingAndWriting, creation: .mustNotExist)
        try file.write([4, 5, 6], at: 3)
        try file.write([1, 2, 3], at: 0)
        #expect(try file.read(at: 0, count: 100) == [1, 2, 3, 4, 5, 6])
        #expect(try file.read(at: 5, count: 1) == [6])
        try file.truncate(to: 4)
        #expect(try file.size() == 4)
        let buffer = TransferBuffer(capacity: 8)
        #expect(file.read(into: buffer, from: 2, limit: 6, at: 1) == .moved(3))
        #expect(buffer.bytes(2..<5) == [2, 3, 4])
        #expect(file.read(into: buffer, limit: 8, at: 4) == .ended)
        try file.write(buffer, from: 3, count: 2, at: 0)
        #expect(try file.read(at: 0, count: 4) == [3, 4, 3, 4])
    }

    @Test func `a file that must not exist is not taken over`() throws {
        let first = try folder.file("f", for: .writing, creation: .mustNotExist)
        #expect(throws: SystemError.alreadyExists) {
            try folder.file("f", for: .writing, creation: .mustNotExist)
        }
        #expect(throws: SystemError.noSuchFile) { try folder.file("g", for: .reading) }
        let again = try folder.file("f", for: .reading, creation: .ifMissing)
        #expect(try first.information().identity == again.information().identity)
    }

    @Test func `identity, size and time of change are those of the file`() throws {
        let file = try folder.file("f", for: .writing, creation: .ifMissing)
        try file.write([1], at: 9)
        try file.setModificationTime(.nanoseconds(-1_500_000_001))
        let before = try file.information()
        #expect(before.size == 10 && before.kind == .regular)
        #expect(before.modified == .nanoseconds(-1_500_000_001))
        let time = Duration.nanoseconds(1_700_000_000_123_456_789)
        try file.setModificationTime(time)
        #expect(try file.information().modified == time)
        let other = try folder.file("g", for: .writing, creation: .ifMissing)
        #expect(try other.information().identity != before.identity)
    }

    /// As `touch -d 2300-01-01` makes it, by anybody in a folder for temporary files.
    @Test func `a time that does not fit counts as the nearest that does`() throws {
        let file = try folder.file("f", for: .writing, creation: .ifMissing)
        let far = timespec(tv_sec: 10_413_792_000, tv_nsec: 5)
        #expect(unsafe futimens(file.descriptor, [far, far]) == 0)
        #expect(try file.information().modified == .nanoseconds(.max))
        #expect(try folder.entries().map(\.information.modified) == [.nanoseconds(.max)])
    }

    @Test func `one of two open files has the lock, until it is closed`() throws {
        var first: File? = try folder.file("f", for: .writing, creation: .ifMissing)
        let second = try folder.file("f", for: .writing)
        #expect(try first?.lock() == true)
        #expect(try second.lock() == false)
        first = nil
        #expect(try second.lock() == true)
    }

    @Test func `a lock goes with its file though a program that is starting has a copy`() throws {
        var first: File? = try folder.file("f", for: .writing, creation: .ifMissing)
        #expect(try first?.lock() == true)
        // What a child process has between fork(2) and exec(2).
        let copy = dup(try #require(first).descriptor)
        defer { close(copy) }
        first = nil
        #expect(try folder.file("f", for: .writing).lock() == true)
    }

    @Test func `only regular files are opened, and nothing stays open after a refusal`() throws {
        unsafe #expect(mkfifo("\(temporary.path)/pipe", 0o600) == 0)
        let before = FileSystem.names(in: "/proc/self/fd").count
        for _ in 0..<50 {
            #expect(throws: SystemError.notRegularFile) {
                try folder.file("pipe", for: .reading)
            }
            #expect(throws: SystemError.notRegularFile) { try File("/dev/null", for: .reading) }
            #expect(throws: SystemError.isFolder) { try folder.file(".", for: .reading) }
        }
        // Other tests open and close descriptors at the same time.
        #expect(FileSystem.names(in: "/proc/self/fd").count < before + 100)
    }

    @Test func `a path with a zero byte names nothing`() throws {
        try folder.replace("f", with: [1], durably: false)
        #expect(throws: SystemError.noSuchFile) { try folder.file("f\0.txt", for: .reading) }
        #expect(throws: SystemError.noSuchFile) {
            try File("\(temporary.path)/f\0.txt", for: .reading)
        }
    }

    @Test func `a full disk is told from other errors`() throws {
        // Writing to it always fails so: full(4). It is no regular file, so it is opened here.
        let full = unsafe open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(full >= 0)
        defer { close(full) }
        let (written, failure) = unsafe [UInt8](repeating: 0, count: 10).withUnsafeBytes {
            unsafe File.put($0, to: full, at: 0)
        }
        #expect(written == 0 && failure == .noSpace)
        #expect(failure?.isOutOfSpace == true && SystemError.quotaExceeded.isOutOfSpace)
        #expect(!SystemError.inputOutput.isOutOfSpace)
        let file = try folder.file("f", for: .writing, creation: .ifMissing)
        try file.reserve(from: 0, count: 1_000_000)
        #expect(try file.size() == 0)
        #expect(throws: SystemError.self) { try file.reserve(from: 0, count: 1 << 60) }
    }
}

@Suite struct FileInBackgroundTests {
    private let temporary: TemporaryFolder
    private let folder: Folder

    init() throws {
        temporary = try TemporaryFolder()
        folder = try Folder(temporary.path)
    }

    @Test func `a thousand files are written while the loop goes on`() throws {
        let loop = try EventLoop()
        let buffer = TransferBuffer(capacity: 4_096)
        buffer.store(Array(repeating: 7, count: 4_096), at: 0)
        var finished = 0
        for number in 0..<1_000 {
            let file = try folder.file("\(number)", for: .writing, creation: .mustNotExist)
            file.write([(buffer, 96..<4_096)], at: 10, on: loop) { written, failure in
                #expect(written == 4_000 && failure == nil)
                finished += 1
            }
        }
        let begin = loop.now
        loop.runOnce()
        // The loop itself waits for none of them.
        #expect(loop.now - begin < .seconds(1))
        loop.finishPendingWork()
        #expect(finished == 1_000 && loop.pendingWork == 0)
        let entries = try folder.entries()
        #expect(entries.count == 1_000)
        #expect(entries.allSatisfy { $0.information.size == 4_010 })
    }

    @Test func `a file that is committed has its final name and its content`() throws {
        let loop = try EventLoop()
        try folder.replace("final", with: [9], durably: false)
        let file = try folder.file("part", for: .writing, creation: .mustNotExist)
        try file.write([1, 2], at: 0)
        var results: [Result<Void, SystemError>] = []
        folder.commit(file, named: "part", as: "final", on: loop) { results.append($0) }
        loop.finishPendingWork()
        folder.commit(file, named: "part", as: "other", on: loop) { results.append($0) }
        loop.finishPendingWork()
        #expect(throws: Never.self) { try results[0].get() }
        #expect(throws: SystemError.noSuchFile) { try results[1].get() }
        #expect(try folder.entries().map(\.name) == ["final"])
        #expect(try folder.file("final", for: .reading).read(at: 0, count: 9) == [1, 2])
    }

    @Test func `files are replaced in the background, durably and whole`() throws {
        let loop = try EventLoop()
        var count = 0
        for number in 0..<200 {
            folder.replace("\(number % 20)", with: [UInt8(number)], on: loop) { result in
                #expect(throws: Never.self) { try result.get() }
                count += 1
            }
        }
        loop.finishPendingWork()
        #expect(count == 200)
        // No temporary file is left, and each has the content of one of its writers.
        let entries = try folder.entries()
        #expect(entries.count == 20 && entries.allSatisfy { $0.information.size == 1 })
        for entry in entries {
            let bytes = try folder.file(entry.name, for: .reading).read(at: 0, count: 9)
            #expect(bytes.first.map { "\($0 % 20)" } == entry.name)
        }
    }

    @Test func `pieces are written one behind the other`() throws {
        let loop = try EventLoop()
        let file = try folder.file("f", for: .writing, creation: .mustNotExist)
        let buffers = (0..<3).map { number in
            let buffer = TransferBuffer(capacity: 4)
            buffer.store((0..<4).map { UInt8(10 * number + $0) }, at: 0)
            return buffer
        }
        var result: (written: Int, failure: SystemError?)?
        file.write(
            [(buffers[2], 1..<4), (buffers[0], 2..<2), (buffers[0], 0..<4), (buffers[1], 3..<4)],
            at: 2,
            on: loop
        ) { result = ($0, $1) }
        loop.finishPendingWork()
        #expect(result?.written == 8 && result?.failure == nil)
        #expect(
            try FileSystem.read("\(temporary.path)/f", limit: 100) == [
                0, 0, 21, 22, 23, 0, 1, 2, 3, 13,
            ]
        )
    }

    @Test func `an error in the background is handed over`() throws {
        let loop = try EventLoop()
        try folder.replace("f", with: [], durably: true)
        let file = try folder.file("f", for: .reading)
        var result: Result<Void, SystemError>?
        var failure: SystemError?
        let buffer = TransferBuffer(capacity: 1)
        file.write([(buffer, 0..<1)], at: 0, on: loop) { failure = $1 }
        loop.finishPendingWork()
        #expect(failure == SystemError(code: EBADF))
        file.synchronize(on: loop) { result = $0 }
        loop.finishPendingWork()
        #expect(throws: Never.self) { try result?.get() }
    }

    @Test func `work runs on another thread and answers on the loop's`() throws {
        let loop = try EventLoop()
        let here = pthread_self()
        var workers: [pthread_t] = []
        for _ in 0..<10 {
            BackgroundWork.run(on: loop) {
                pthread_self()
            } done: {
                #expect(pthread_equal(pthread_self(), here) != 0)
                workers.append($0)
            }
        }
        loop.finishPendingWork()
        #expect(workers.count == 10)
        #expect(workers.allSatisfy { pthread_equal($0, here) == 0 })
    }
}
