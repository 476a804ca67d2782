internal import Arguments
internal import SystemIO

/// A command that asks the name server of this run.
final class ResolvingCommand {
    private let resolver: PrivateResolver
    private let program: [String]
    private var child: ChildProcess?
    private var isTold = false

    /// Starts it.
    ///
    /// - Parameters:
    ///   - program: with its arguments.
    ///   - server: where queries are taken, on port 53.
    ///   - temporaryFolder: for the files that it sees.
    ///   - loop: where its end is heard of.
    ///   - onEnd: called when it has ended.
    /// - Throws: why it cannot be started.
    init(
        _ program: [String],
        asking server: SocketAddress,
        temporaryFolder: String,
        on loop: EventLoop,
        onEnd: @escaping () -> Void
    ) throws(Failure) {
        resolver = try PrivateResolver(server, temporaryFolder: temporaryFolder)
        self.program = program
        do throws(SystemError) {
            child = try ChildProcess(resolver.start(program), on: loop) { _ in onEnd() }
        } catch {
            resolver.remove()
            throw Failure(.ownFailure, "cannot start a shell: \(error)")
        }
    }

    var isRunning: Bool { child?.isRunning == true }

    /// Tells it to end; the second time, ends it.
    func end() {
        child?.send(isTold ? .kill : .terminate)
        isTold = true
    }

    /// - Returns: its exit code, or 128 and the number of the signal that ended it.
    /// - Throws: if the command was not started, because the system allows no private files.
    func exitCode() throws(Failure) -> Int32 {
        defer { resolver.remove() }
        guard resolver.wasEntered else {
            throw Failure(
                .ownFailure,
                "'\(program[0])' was not started: the system does not allow a private resolv.conf (see"
                    + " above); as root, or where user namespaces are allowed, it does"
            )
        }
        return switch child?.ending {
        case .exited(let code): Int32(clamping: code)
        case .killed(let signal): Int32(clamping: 128 + signal)
        case nil: ExitCode.terminated.rawValue
        }
    }

    func close() {
        if isRunning { child?.send(.kill) }
        child?.close()
    }
}
