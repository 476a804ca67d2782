import Basics
import Faults
import CLibrary
import Journal
import Origin
import Proxy
import SystemIO
import TestSupport
import Testing
import TrialSupport
@testable import Trials

@Suite struct SandboxTests {
    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `a program downloads from an origin of its own, and everything goes with it`() throws
    {
        let rig = try SandboxRig()
        let outcome = try rig.run(
            shell("curl -sS -o {out} {url}/bytes/100000 && wc -c < $LINKCOND_OUT; echo x >&2")
        )
        #expect(outcome.ending == .exited(0))
        #expect(text(outcome.output) == "100000\n" && text(outcome.errorOutput) == "x\n")
        #expect(outcome.connections == 1 && outcome.downBytes > 100_000)
        #expect(outcome.troubles.isEmpty && outcome.escapes.isEmpty && !outcome.isTimedOut)
        #expect(!outcome.leftProcesses)
        #expect(outcome.origin?.objects.map(\.path) == ["/bytes/100000"])
        #expect(FileSystem.names(in: outcome.place.folder).isEmpty)
        guard case .start(let start) = outcome.records.first?.record else {
            Issue.record("the first record is the start")
            return
        }
        #expect(start.schedule == "lc1;seed=1" && start.tool == "linkcond test")
        #expect(
            outcome.records.contains { if case .connectionEnd = $0.record { true } else { false } }
        )
        rig.sandbox.close()
        #expect(rig.leftovers.isEmpty)
    }

    @Test func `of long outputs the end is kept`() throws {
        let rig = try SandboxRig { $0.outputLimit = 9 }
        let outcome = try rig.run(
            shell("echo beginning and end; echo beginning and close >&2; curl -sS {url}/bytes/0")
        )
        #expect(text(outcome.output) == " and end\n")
        #expect(text(outcome.errorOutput) == "nd close\n")
    }

    @Test func `a fault fires at its byte, and one that never does is told`() throws {
        let rig = try SandboxRig()
        let script = "curl -sS -o {out} {url}/bytes/100000; echo $?; wc -c < {out}"
        let outcome = try rig.run(shell(script, "lc1;seed=1;c1:down+5000=fin;c2:down+1=rst"))
        let lines = text(outcome.output).split(separator: "\n")
        #expect(lines.first == "18")
        #expect(lines.last.flatMap { Int($0) }.map { (4_000...5_000).contains($0) } == true)
        #expect(outcome.faults.map(\.fired) == [1, 0])
        #expect(outcome.silentFaults.map(\.id) == ["c2:down+1=rst"])
    }

    @Test func `files of the client are purged before it comes back, and only those named`() throws
    {
        let rig = try SandboxRig()
        let script = """
            mkdir sub; echo a > sub/x.part; echo b > y.part; echo c > whole; ln -s whole z.part
            for name in one two; do curl -sS {url}/bytes/9 -o $name; echo $name * sub/*; done
            """
        let schedule = "lc1;seed=1;c2:up+0=purge(*.part);c2:up+1=purge(none*)"
        let outcome = try rig.run(shell("cd {dir}; " + script, schedule))
        let lines = text(outcome.output).split(separator: "\n")
        #expect(
            lines.count == 2 && lines.first?.hasSuffix("whole y.part z.part sub/x.part") == true
        )
        #expect(lines.last?.hasSuffix("two whole z.part sub/*") == true)
        #expect(outcome.faults.map(\.fired) == [1, 0])
        #expect(outcome.silentFaults.map(\.reason) == [.noFile])
    }

    @Test(arguments: [
        ("exit 7", ClientEnding.exited(7), 7), ("kill -9 $$", .killed(signal: 9), 137),
        ("kill -15 $$", .killed(signal: 15), 143),
    ])
    func `how a program ends is known`(script: String, ending: ClientEnding, code: Int) throws {
        let rig = try SandboxRig()
        let outcome = try rig.run(shell(script))
        #expect(outcome.ending == ending && outcome.ending.exitCode == code)
        #expect(outcome.hasNoTraffic)
    }

    @Test func `a program that cannot be started is an outcome, not an error`() throws {
        let rig = try SandboxRig()
        func run(_ word: String) throws -> TrialOutcome {
            let command = TrialCommand([word], environment: ["PATH=/usr/bin:/bin"])
            return try rig.run(Trial(schedule: .init(faults: []), client: .command(command)))
        }
        let missing = try run("nonexistent-program")
        #expect(missing.ending.exitCode == 127)
        guard case .notFound(let words) = missing.ending else {
            Issue.record("expected 'not found'")
            return
        }
        #expect(words == "'nonexistent-program': no such file or directory")
        #expect(try run("/etc/passwd").ending.exitCode == 126)
        #expect(try run("/").ending.exitCode == 126)
    }

    @Test(.onLinux("whether a process has ended that was not waited for"))
    func `the deadline ends a program with all that it started`() throws {
        let rig = try SandboxRig()
        var trial = try shell("sleep 60 & (trap '' TERM; sleep 60) & echo $!; sleep 60")
        // Until then a busy machine must have started the shell.
        trial.deadlineMilliseconds = 2_000
        let outcome = try rig.run(trial)
        #expect(outcome.isTimedOut && outcome.ending == .killed(signal: 15))
        #expect(!outcome.isInterrupted && !outcome.leftProcesses)
        let stubborn = try #require(Int(text(outcome.output).filter(\.isNumber)))
        #expect(ProcessIdentity(of: stubborn) == nil, "killed, though it takes no SIGTERM")
        #expect(outcome.elapsed < .seconds(7))
    }

    @Test func `what a program leaves behind is ended and told of`() throws {
        let rig = try SandboxRig()
        let outcome = try rig.run(shell("sleep 60 & echo $!"))
        #expect(outcome.ending == .exited(0) && outcome.leftProcesses)
        let left = try #require(Int(text(outcome.output).filter(\.isNumber)))
        // One that no one has waited for has its number still, and POSIX tells no more.
        #expect(Platform.isPortable || ProcessIdentity(of: left) == nil)
    }

    @Test func `a signal is passed on to the whole group, and the trial ends as usual`() throws {
        let rig = try SandboxRig()
        let script = "trap 'echo got; exit 3' INT; sleep 60 & wait"
        let outcome = try rig.run(shell(script)) { trial in
            try? rig.after(200) { trial.interrupt(.interrupt) }
        }
        #expect(outcome.isInterrupted && outcome.ending == .exited(3))
        #expect(text(outcome.output) == "got\n")
    }

    @Test func `an abandoned trial ends at once`() throws {
        let rig = try SandboxRig { $0.graceMilliseconds = 60_000 }
        let outcome = try rig.run(shell("trap '' TERM INT; sleep 60; sleep 60")) { trial in
            try? rig.after(100) {
                trial.interrupt(.interrupt)
                trial.abandon()
            }
        }
        #expect(outcome.ending == .killed(signal: 9) && outcome.isInterrupted)
        #expect(outcome.elapsed < .seconds(5))
    }

    /// A reset leaves only with the last reference to its socket, so a child must hold none.
    @Test func `a program inherits no socket of ours`() throws {
        let rig = try SandboxRig()
        let script = "curl -s {url}/bytes/1; echo; for f in /proc/$$/fd/*; do readlink $f; done"
        let other = try shell("curl -s --limit-rate 20k -o /dev/null {url}/bytes/20000")
        let outcomes = try rig.run([other, shell(script)])
        let seen = text(outcomes[1].output).split(separator: "\n").dropFirst()
        #expect(
            seen.contains { $0.hasSuffix("/stdout") } && seen.contains { $0.hasSuffix("/stderr") }
        )
        #expect(
            !seen.contains { $0.hasPrefix("socket:") || $0.hasPrefix("anon_inode:") },
            "\(seen)"
        )
    }

    @Test func `many trials at once do not see each other`() throws {
        let rig = try SandboxRig()
        let trials = try (1...12).map { ordinal in
            var trial = try shell("curl -s -o {out} {url}/bytes/{run}0000; wc -c < {out}")
            trial.ordinal = ordinal
            return trial
        }
        let outcomes = try rig.run(trials)
        #expect(outcomes.map { text($0.output) } == (1...12).map { "\($0)0000\n" })
        #expect(outcomes.allSatisfy { $0.connections == 1 && $0.origin?.requests == 1 })
        #expect(Set(outcomes.map(\.place.listen)).count == 12)
    }

    @Test func `requests around the proxy are an escape, but for the control resources`() throws {
        let rig = try SandboxRig()
        let script = "curl -s -o /dev/null {control}/state {url}/bytes/5"
        #expect(try rig.run(shell(script)).escapes.isEmpty)
        let around = "curl -s -o /dev/null ${{LINKCOND_CONTROL%/.linkcond}/bytes/5"
            .replacing("${{", with: "${")
        let outcome = try rig.run(shell(around))
        #expect(outcome.escapes == [.foreignRequests(count: 1, first: "GET /bytes/5")])
        #expect(outcome.hasNoTraffic)
    }

    @Test func `a server that is given is used, and shared`() throws {
        let rig = try SandboxRig()
        var outer = try shell("sleep 1")
        outer.deadlineMilliseconds = 5_000
        var inner: TrialOutcome?
        var trial = try shell("curl -s {url}/bytes/3 | wc -c; echo \"[{control}]\"")
        let outcome = try rig.run(outer) { running in
            let address = running.outcome.place.origin?.dropFirst("http://".count) ?? ""
            guard let upstream = try? Endpoint(parsing: String(address)) else { return }
            trial.server = .upstream(upstream)
            _ = try? rig.sandbox.start(trial) { inner = $0 }
        }
        #expect(inner.map { text($0.output) } == "3\n[]\n")
        #expect(inner?.origin == nil && inner?.connections == 1)
        // For the origin of the outer trial the inner one's proxy is a stranger.
        #expect(outcome.escapes.count == 1)
    }

    @Test func `what cannot begin leaves nothing behind`() throws {
        let rig = try SandboxRig()
        var trial = try shell("true")
        trial.listen = .tcp(host: "192.0.2.1", port: 0)
        #expect(throws: SandboxError.self) { try rig.sandbox.start(trial) { _ in } }
        #expect(rig.sandbox.runningTrials == 0)
        let before = rig.loop.watchedDescriptors
        for _ in 0..<20 { _ = try? rig.sandbox.start(trial) { _ in } }
        #expect(rig.loop.watchedDescriptors == before)
    }

    @Test func `a trial that nobody can announce does not start its client`() throws {
        let rig = try SandboxRig()
        let before = rig.loop.watchedDescriptors
        let error = SandboxError(.internal, "no")
        #expect(throws: error) {
            try rig.sandbox.start(
                shell("touch {dir}/../started"),
                onReady: { _ throws(SandboxError) in throw error },
                completion: { _ in }
            )
        }
        #expect(rig.loop.watchedDescriptors == before && rig.sandbox.runningTrials == 0)
    }

    @Test func `trials leave no descriptor watched`() throws {
        let rig = try SandboxRig()
        let before = rig.loop.watchedDescriptors
        for _ in 0..<3 {
            _ = try rig.run([shell("curl -s -o /dev/null {url}/bytes/9"), shell("true")])
        }
        #expect(rig.loop.watchedDescriptors == before)
    }
}
