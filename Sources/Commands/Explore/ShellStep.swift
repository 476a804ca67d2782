internal import Arguments
internal import Exploration
internal import SystemIO
internal import Trials

/// A command of the user that stands before or after all runs, and is waited for.
struct ShellStep {
    /// The option that it comes from.
    let option: String
    let text: String

    /// Where its output goes while it is wanted.
    private static let outputName = "linkcond-list-"

    /// Runs it to its end.
    ///
    /// - Returns: the exit code of the signal that ended it; nil if it was successful.
    /// - Throws: `usage`, with its exit code, if it was not.
    func run() throws(Failure) -> ExitCode? { try run(output: .none) }

    /// Runs it to its end and reads what it writes.
    ///
    /// - Parameter folder: where a file can be made for a moment.
    /// - Returns: its output, or the exit code of the signal that ended it.
    /// - Throws: `usage`, with its exit code, if it was not successful.
    func read(in folder: String) throws(Failure) -> Result {
        let mark = SecureRandom.bytes(8).map { String($0, radix: 36) }.joined()
        let path = "\(folder)/\(Self.outputName)\(mark)"
        defer { FileSystem.remove(path) }
        if let code = try run(output: .file(path)) { return .ended(code) }
        do throws(SystemError) {
            return .output(try FileSystem.read(path, limit: TestSource.sizeLimit))
        } catch {
            throw Failure(.inputMissing, "\(option): cannot read what '\(text)' writes: \(error)")
        }
    }

    enum Result {
        case output([UInt8])
        case ended(ExitCode)
    }

    private func run(output: ChildProcess.Stream) throws(Failure) -> ExitCode? {
        let loop = try EventLoop.forRun()
        defer {
            loop.finishPendingWork()
            loop.finishClosing()
        }
        var signal: ExitCode?
        var problem: String??
        let watchers = [
            try loop.watch(.interrupt) { signal = .interrupted },
            try loop.watch(.terminate) { signal = .terminated },
        ]
        defer { for watcher in watchers { watcher.close() } }
        do throws(SandboxError) {
            let command = try HookCommand(
                ExplorePlan.shell(text),
                environment: CurrentProcess.wholeEnvironment,
                output: output,
                on: loop
            ) { problem = .some($0) }
            while problem == nil && signal == nil { loop.runOnce() }
            if problem == nil {
                command.kill()
                while problem == nil { loop.runOnce() }
            }
        } catch {
            throw Failure(error)
        }
        if let signal { return signal }
        if case .some(.some(let words)) = problem {
            throw Failure(.usage, "\(option): \(words)")
        }
        return nil
    }
}
