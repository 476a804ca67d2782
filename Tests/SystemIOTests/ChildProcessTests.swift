import Basics
import CLibrary
import SystemIO
import Testing
import TestSupport

@Suite struct ChildProcessTests {
    private func run(_ settings: ChildProcess.Settings) throws -> ChildProcess.Ending? {
        let loop = try EventLoop()
        let child = try ChildProcess(settings, on: loop) { _ in loop.stop() }
        #expect(child.isRunning && child.number > 0)
        loop.run()
        child.close()
        return child.ending
    }

    private func shell(_ script: String) -> ChildProcess.Settings {
        ChildProcess.Settings("/bin/sh", ["-c", script])
    }

    @Test func `a program's exit status is known`() throws {
        #expect(try run(shell("exit 7")) == .exited(7))
        #expect(try run(ChildProcess.Settings("true")) == .exited(0))
        #expect(try run(shell("kill -9 $$")) == .killed(signal: 9))
    }

    @Test func `a program that is not there is an error, and leaves nothing open`() throws {
        let loop = try EventLoop()
        #expect(throws: SystemError.noSuchFile) {
            try ChildProcess(ChildProcess.Settings("/nonexistent/program"), on: loop)
        }
        #expect(throws: SystemError.noSuchFile) {
            try ChildProcess(ChildProcess.Settings("true\0"), on: loop)
        }
        #expect(throws: SystemError.noSuchFile) {
            var settings = shell("true")
            settings.output = .file("/nonexistent/file")
            _ = try ChildProcess(settings, on: loop)
        }
    }

    @Test func `environment, folder and streams are those that were asked for`() throws {
        let temporary = try TemporaryFolder()
        let folder = try Folder(temporary.path)
        try folder.replace("in", with: Array("text\n".utf8))
        var settings = shell("pwd; echo $NAME; cat; echo error >&2")
        settings.environment = ["NAME=value", "PATH=/usr/bin:/bin"]
        settings.folder = temporary.path
        settings.input = .file("\(temporary.path)/in")
        settings.output = .file("\(temporary.path)/out")
        settings.error = .file("\(temporary.path)/out")
        #expect(try run(settings) == .exited(0))
        #expect(try run(settings) == .exited(0))
        let output = try FileSystem.read("\(temporary.path)/out", limit: 10_000)
        let once = "\(temporary.path)\nvalue\ntext\nerror\n"
        #expect(String(decoding: output, as: UTF8.self) == once + once)
    }

    @Test func `a child has no descriptor but the standard ones, not even one without the mark`()
        throws
    {
        let leak = unsafe open("/dev/null", O_RDONLY)
        defer { close(leak) }
        // A second mark would be seen: libuv itself leaves this descriptor open.
        #expect(try run(shell("[ ! -e /proc/$$/fd/\(leak) ]")) == .exited(0))
    }

    @Test func `a detached process is in a session of its own and can be ended`() throws {
        let loop = try EventLoop()
        var settings = ChildProcess.Settings("sleep", ["60"])
        settings.isDetached = true
        (settings.input, settings.output, settings.error) = (.none, .none, .none)
        let child = try ChildProcess(settings, on: loop) { _ in loop.stop() }
        #expect(getsid(pid_t(child.number)) == pid_t(child.number))
        let identity = try #require(ProcessIdentity(of: child.number))
        #expect(identity.isAlive)
        child.send(.terminate)
        loop.run()
        #expect(child.ending == .killed(signal: 15))
        #expect(!identity.isAlive)
        child.send(.kill)
        child.close()
    }
}

@Suite struct ClosedChildTests {
    /// A zombie would make whoever waits for any child of this process look at it for ever.
    @Test func `a child that is not heard of any more leaves nothing when it ends`() throws {
        let loop = try EventLoop()
        var settings = ChildProcess.Settings("sleep", ["60"])
        settings.isDetached = true
        let child = try ChildProcess(settings, on: loop)
        let place = "/proc/\(child.number)/stat"
        let isThere = { unsafe access(place, F_OK) == 0 }
        child.close()
        child.close()
        #expect(isThere())
        #expect(child.sendToGroup(.kill))
        for _ in 0..<1_000 where isThere() { CurrentProcess.sleep(milliseconds: 10) }
        #expect(!isThere())
    }
}

@Suite struct ProcessGroupTests {
    @Test func `a signal reaches all processes of a group, also when its leader is gone`() throws {
        let loop = try EventLoop()
        var settings = ChildProcess.Settings("/bin/sh", ["-c", "sleep 60 & sleep 61 & exit 0"])
        settings.isDetached = true
        (settings.input, settings.output, settings.error) = (.none, .none, .none)
        let child = try ChildProcess(settings, on: loop) { _ in loop.stop() }
        loop.run()
        #expect(child.ending == .exited(0) && child.isGroupAlive)
        #expect(child.sendToGroup(.kill))
        for _ in 0..<200 where child.isGroupAlive { CurrentProcess.sleep(milliseconds: 10) }
        #expect(!child.isGroupAlive && !child.sendToGroup(.terminate))
        child.close()
    }

    @Test func `a process that leads no group takes nobody with it`() throws {
        let loop = try EventLoop()
        let child = try ChildProcess(ChildProcess.Settings("true"), on: loop) { _ in loop.stop() }
        #expect(!child.isGroupAlive && !child.sendToGroup(.kill))
        loop.run()
        child.close()
    }
}

@Suite struct SessionActivityTests {
    private func activity(_ script: String) throws -> [SessionActivity] {
        let loop = try EventLoop()
        var settings = ChildProcess.Settings("/bin/sh", ["-c", script])
        settings.isDetached = true
        (settings.input, settings.output, settings.error) = (.none, .none, .none)
        let child = try ChildProcess(settings, on: loop) { _ in loop.stop() }
        CurrentProcess.sleep(milliseconds: 300)
        var looks: [SessionActivity] = []
        for _ in 0..<5 {
            looks.append(try #require(SessionActivity.all(of: [child.number])[child.number]))
            CurrentProcess.sleep(milliseconds: 50)
        }
        let left = { SessionActivity.all(of: [child.number])[child.number]?.processes ?? [] }
        // Others than the group's, too, and those that come in between.
        for _ in 0..<200 where !left().isEmpty {
            for process in left() { kill(pid_t(process), SIGKILL) }
            CurrentProcess.sleep(milliseconds: 10)
        }
        loop.run()
        child.close()
        #expect(left().isEmpty)
        return looks
    }

    @Test(.onLinux("how busy a session is"))
    func `a session that sleeps is quiet, with all that it started`() throws {
        let looks = try activity("sleep 60 & sleep 61; exit 0")
        #expect(looks.allSatisfy { $0.processes.count == 3 && !$0.isBusy })
        #expect(looks[1].isQuiet(since: looks[0]) && looks[4].isQuiet(since: looks[0]))
    }

    @Test(.onLinux("how busy a session is"))
    func `a session of which any process works is not quiet`() throws {
        for script in [
            "timeout 60 sh -c 'while :; do :; done'", "while :; do :; done & wait",
            "while :; do sleep 0.01; done",
        ] {
            let looks = try activity(script)
            #expect(!looks[4].isQuiet(since: looks[0]), "\(script)")
        }
    }

    @Test func `of a session that is not there nothing is known`() {
        #expect(SessionActivity.all(of: [1 << 30]).isEmpty)
    }
}

@Suite struct ProcessIdentityTests {
    @Test func `a process is told from another with its number`() throws {
        let own = try #require(ProcessIdentity.current)
        #expect(own.number == Int(getpid()) && own.isAlive)
        let later = ProcessIdentity(
            number: own.number,
            startTicks: own.startTicks + 1,
            boot: own.boot
        )
        let elsewhere = ProcessIdentity(
            number: own.number,
            startTicks: own.startTicks,
            boot: "another"
        )
        #expect(!later.isAlive && !elsewhere.isAlive)
        #expect(ProcessIdentity(of: 1 << 30) == nil)
    }

    @Test(.onLinux("the timers of a process"))
    func `a timer that goes off once is seen, one that repeats is not`() throws {
        let loop = try EventLoop()
        let timer = try PreciseTimer(loop: loop) {}
        let own = Int(getpid())
        // Other tests of this process have timers, too, but none that is due then.
        let due: ClosedRange<UInt64> = 7_600_000_000_000...7_777_000_000_000
        #expect(!WaitingCall.timers(of: own).contains { due.contains($0) })
        timer.fire(at: loop.now + .nanoseconds(clamping: due.upperBound))
        #expect(WaitingCall.timers(of: own).contains { due.contains($0) })
        timer.close()
    }

    @Test(.onLinux("the calls in which processes wait"))
    func `a program is seen to wait for a time`() throws {
        let loop = try EventLoop()
        var settings = ChildProcess.Settings("/bin/sh", ["-c", "sleep 30; true"])
        settings.isDetached = true
        let child = try ChildProcess(settings, on: loop) { _ in loop.stop() }
        let watch = try Timer(loop: loop) { loop.stop() }
        var seen: [UInt64] = []
        // It takes a moment to begin.
        for _ in 0..<500 where seen.isEmpty {
            watch.start(afterMilliseconds: 10)
            loop.run()
            seen = WaitingCall.timeouts(of: child.number)
        }
        #expect(seen == [30_000_000_000])
        watch.close()
        child.sendToGroup(.kill)
        child.close()
    }
}
