import Basics
import SystemIO
import ResumableClient
import TestSupport
import Testing

@testable import Transfers
@testable import Basics

/// A path's status in words, told and followed over a socket.
@Suite struct PathWatcherTests {
    @Test func `S19 a status has one written form, and is read back`() throws {
        let status = PathStatus(
            isSatisfied: true,
            isConstrained: false,
            isExpensive: true,
            interface: .cellular,
            hasPower: true,
            sequence: 1
        )
        let line = PathStatusText.line(status)
        #expect(
            String(decoding: line, as: UTF8.self)
                == #"{"status":"satisfied","isConstrained":false,"isExpensive":true,"#
                + #""interface":"cellular","power":true,"seq":1}"# + "\n"
        )
        #expect(try PathStatusText.parse(line.dropLast()) == status)
        #expect(try PathStatusText.parse(Array("data: ".utf8) + line.dropLast()) == status)
    }

    @Test func `a better path is told, and otherwise left out`() throws {
        let status = PathStatus(interface: .wifi, hasBetterPath: true, sequence: 3)
        let line = PathStatusText.line(status)
        #expect(String(decoding: line, as: UTF8.self).contains(#""betterPath":true,"seq":3}"#))
        #expect(try PathStatusText.parse(line.dropLast()) == status)
    }

    @Test func `unknown keys are passed over and missing ones have defaults`() throws {
        let text = #"{"status":"unsatisfied","ect":"3g","interface":"satellite"}"#
        let status = try PathStatusText.parse(Array(text.utf8)[...])
        #expect(status == PathStatus(isSatisfied: false))
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"status":"up"}"#, #"{"status":"satisfied","power":1}"#,
        #"{"status":"satisfied","seq":-1}"#, #"{"status":"satisfied","betterPath":"yes"}"#,
    ])
    func `what is no status is refused in words`(text: String) {
        #expect(throws: PathStatusError.self) {
            try PathStatusText.parse(Array(text.utf8)[...])
        }
    }

    @Test func `lines come out of any pieces, and endless ones are left out`() {
        var splitter = LineSplitter(limit: 4)
        #expect(splitter.append(Array("ab".utf8)).isEmpty)
        let lines = splitter.append(Array("c\n\ntoo long\nd\n".utf8))
        #expect(lines.map { String(decoding: $0, as: UTF8.self) } == ["abc", "", "d"])
        let longest = splitter.append(Array("abcd\nabcde\n".utf8))
        #expect(longest.map { String(decoding: $0, as: UTF8.self) } == ["abcd"])
    }

    /// Runs a loop until something holds.
    private func run(_ loop: EventLoop, until isDone: () -> Bool) throws {
        let end = loop.now + .seconds(10)
        let timer = try Timer(loop: loop) {}
        timer.start(afterMilliseconds: 5, repeatMilliseconds: 5)
        while !isDone(), loop.now < end { loop.runOnce() }
        timer.close()
        loop.runOnce()
        #expect(isDone())
    }

    @Test func `S19 S20 each change is seen, and a publisher that comes back is found`() throws {
        let loop = try EventLoop()
        let folder = try TemporaryFolder()
        // The path of a socket is short.
        let path = "/tmp/linkcond-\(HexadecimalText.encode(SecureRandom.bytes(6)))"
        var seen: [PathStatus] = []
        var troubles: [String] = []
        let watcher = try PathWatcher(path, on: loop) {
            seen.append($0)
        } onTrouble: {
            troubles.append($0)
        }
        watcher.start()
        #expect(troubles.count == 1)
        var publisher = try PathPublisher(at: path, PathStatus(interface: .wifi), on: loop)
        try run(loop) { seen.count == 1 }
        publisher.publish(PathStatus(interface: .wifi))
        publisher.publish(PathStatus(isExpensive: true, interface: .cellular))
        try run(loop) { seen.count == 2 }
        #expect(seen[1].isExpensive && seen[1].sequence > seen[0].sequence)
        #expect(publisher.status.sequence == 2)
        publisher.close()
        publisher = try PathPublisher(at: path, PathStatus(isSatisfied: false), on: loop)
        try run(loop) { seen.count == 3 }
        #expect(seen[2].sequence > seen[1].sequence && !seen[2].isSatisfied)
        #expect(throws: SystemError.addressInUse) {
            _ = try PathPublisher(at: path, PathStatus(), on: loop)
        }
        watcher.close()
        publisher.close()
        loop.stop()
        for _ in 0..<4 { loop.runOnce() }
        withExtendedLifetime(folder) {}
    }

    @Test func `a file is looked at now and then, and each change and trouble is told once`() throws
    {
        let loop = try EventLoop()
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/path"
        var seen: [PathStatus] = []
        var troubles: [String] = []
        let watcher = try PathWatcher(path, on: loop) {
            seen.append($0)
        } onTrouble: {
            troubles.append($0)
        }
        watcher.start()
        loop.run(milliseconds: 250)
        #expect(troubles.count == 1 && seen.isEmpty)
        try FileSystem.replace(path, with: PathStatusText.line(PathStatus(interface: .wifi)))
        try run(loop) { !seen.isEmpty }
        loop.run(milliseconds: 250)
        #expect(troubles.count == 1 && seen.map(\.interface) == [.wifi])
        FileSystem.remove(path)
        try run(loop) { troubles.count == 2 }
        watcher.close()
        loop.stop()
        for _ in 0..<4 { loop.runOnce() }
    }

    @Test func `a source that can say nothing is known at once`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/path"
        func problem() -> PathSourceError.Kind? {
            do throws(PathSourceError) {
                try PathWatcher.check(path)
                return nil
            } catch {
                return error.kind
            }
        }
        #expect(problem() == .missing)
        for text in ["", "{}", "[1]", "status"] {
            try FileSystem.replace(path, with: Array(text.utf8))
            #expect(problem() == .malformed, "\(text)")
        }
        try FileSystem.replace(path, with: PathStatusText.line(PathStatus()))
        #expect(problem() == nil)
        FileSystem.remove(path)
        var listener = try ListeningSocket(on: .unix(path))
        #expect(problem() == nil)
        listener.close()
        #expect(problem() == .silent)
        #expect(throws: PathSourceError.self) { try PathWatcher.check(folder.path) }
    }

    @Test func `a file is read again and again`() throws {
        let loop = try EventLoop()
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/path.json"
        var seen: [PathStatus] = []
        try FileSystem.replace(path, with: PathStatusText.line(PathStatus()))
        let watcher = try PathWatcher(path, on: loop) { seen.append($0) }
        watcher.start()
        #expect(seen.count == 1)
        try FileSystem.replace(path, with: PathStatusText.line(PathStatus(isConstrained: true)))
        try run(loop) { seen.count == 2 }
        watcher.close()
        loop.stop()
        for _ in 0..<4 { loop.runOnce() }
    }
}
