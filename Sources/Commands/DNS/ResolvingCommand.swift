internal import Arguments
internal import Basics
internal import NameService
internal import SystemIO

/// A command that asks the name server of this run.
final class ResolvingCommand {
    private let resolver: PrivateResolver
    /// Where the files that it sees are.
    private let parent: Folder
    private let name: String
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
        self.program = program
        name = "linkcond-dns-\(HexadecimalText.encode(SecureRandom.bytes(8)))"
        do throws(SystemError) {
            parent = try Folder(temporaryFolder)
            _ = try parent.makeFolder(name, permissions: 0o755)
            resolver = try PrivateResolver(server, in: "\(temporaryFolder)/\(name)")
        } catch {
            throw Failure(.cannotCreate, "cannot write to '\(temporaryFolder)/\(name)': \(error)")
        }
        do throws(SystemError) {
            child = try ChildProcess(resolver.start(program), on: loop) { _ in onEnd() }
        } catch {
            removeFiles()
            throw Failure(.ownFailure, "cannot start a shell: \(error)")
        }
    }

    private func removeFiles() { try? parent.removeTree(name) }

    var isRunning: Bool { child?.isRunning == true }

    /// Tells it to end; the second time, ends it.
    func end() {
        child?.send(isTold ? .kill : .terminate)
        isTold = true
    }

    /// - Returns: its exit code, or 128 and the number of the signal that ended it.
    /// - Throws: if the command was not started, because the system allows no private files.
    func exitCode() throws(Failure) -> Int32 {
        defer { removeFiles() }
        if let objection = resolver.objection(to: program[0]) {
            throw Failure(objection.isMissing ? .notFound : .ownFailure, objection.words)
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
