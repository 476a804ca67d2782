package import SystemIO
package import Trials

/// A command of the user that prepares or collects something, and has to succeed.
package final class HookCommand {
    private var child: ChildProcess?

    /// - Parameters:
    ///   - words: the program and its arguments.
    ///   - environment: `NAME=VALUE` each.
    ///   - output: where its standard output goes.
    ///   - loop: where `done` is called.
    ///   - done: called once, with why it did not succeed, in words, or nil.
    /// - Throws: `refused` if it cannot be started.
    package init(
        _ words: [String],
        environment: [String],
        output: ChildProcess.Stream = .none,
        on loop: EventLoop,
        done: @escaping (String?) -> Void
    ) throws(SandboxError) {
        var settings = ChildProcess.Settings(words[0], Array(words.dropFirst()))
        settings.environment = environment
        settings.isDetached = true
        settings.output = output
        settings.error = .inherited
        do throws(SystemError) {
            child = try ChildProcess(settings, on: loop) { [weak self] ending in
                self?.child?.close()
                self?.child = nil
                switch ending {
                case .exited(0): done(nil)
                case .exited(let code): done("exit code \(code)")
                case .killed(let signal): done("killed by signal \(signal)")
                }
            }
        } catch {
            throw SandboxError(.refused, "cannot start '\(words[0])': \(error)")
        }
    }

    /// Kills it with all its processes; `done` is still called.
    package func kill() { child?.sendToGroup(.kill) }
}
