internal import Faults
package import SystemIO
internal import Testing
package import Trials

/// A sandbox on a loop of its own, in a folder of its own.
package final class SandboxRig {
    package let loop: EventLoop
    package let sandbox: Sandbox
    package let folder: String

    package init(configure: (inout SandboxSettings) -> Void = { _ in }) throws {
        loop = try EventLoop()
        let mark = SecureRandom.bytes(6).map { String($0, radix: 36) }.joined()
        folder = "/tmp/linkcond-test-\(mark)"
        _ = try Folder.make(folder)
        var settings = SandboxSettings(tool: "linkcond test", temporaryFolder: folder)
        settings.graceMilliseconds = 300
        settings.drainMilliseconds = 1_000
        configure(&settings)
        sandbox = try Sandbox(loop: loop, settings: settings)
    }

    deinit {
        sandbox.close()
        loop.finishPendingWork()
        loop.stop()
        for _ in 0..<4 { loop.runOnce() }
        try? Folder("/tmp").removeTree(String(folder.dropFirst("/tmp/".count)))
    }

    /// Runs trials at the same time; their outcomes in the order in which they were given.
    package func run(
        _ trials: [Trial],
        meanwhile: @escaping ([RunningTrial]) -> Void = { _ in }
    ) throws -> [TrialOutcome] {
        var outcomes = [TrialOutcome?](repeating: nil, count: trials.count)
        var left = trials.count
        var running: [RunningTrial] = []
        for (index, trial) in trials.enumerated() {
            running.append(
                try sandbox.start(trial) { [loop] outcome in
                    #expect(outcomes[index] == nil, "an outcome comes once")
                    outcomes[index] = outcome
                    left -= 1
                    if left == 0 { loop.stop() }
                }
            )
        }
        let expiry = try Timer(loop: loop) { [loop] in
            Issue.record("the trials took too long")
            loop.stop()
        }
        expiry.start(afterMilliseconds: 20_000)
        meanwhile(running)
        if left > 0 { loop.run() }
        expiry.close()
        return outcomes.compactMap { $0 }
    }

    package func run(
        _ trial: Trial,
        meanwhile: @escaping (RunningTrial) -> Void = { _ in }
    ) throws -> TrialOutcome {
        try #require(run([trial]) { if let first = $0.first { meanwhile(first) } }.first)
    }

    /// Runs an action after so many milliseconds.
    package func after(_ milliseconds: UInt64, _ action: @escaping () -> Void) throws {
        let holder = Holder()
        holder.timer = try Timer(loop: loop) {
            holder.timer?.close()
            holder.timer = nil
            action()
        }
        holder.timer?.start(afterMilliseconds: milliseconds)
    }

    private final class Holder { var timer: Timer? }

    /// Names of what is in the sandbox's temporary folder.
    package var leftovers: [String] { FileSystem.names(in: folder) }
}

/// A trial of a shell script.
package func shell(_ script: String, _ schedule: String = "lc1;seed=1") throws -> Trial {
    let command = TrialCommand(
        ["/bin/sh", "-c", script],
        environment: CurrentProcess.wholeEnvironment
    )
    return Trial(schedule: try FaultSchedule(parsing: schedule), client: .command(command))
}
