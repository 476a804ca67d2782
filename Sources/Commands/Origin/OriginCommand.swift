internal import Arguments
internal import Origin
internal import SystemIO

/// `linkcond origin`: from options to a run.
struct OriginCommand {
    let console: Console

    func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        var options = try OriginOptions(invocation, temporaryFolder: Self.temporaryFolder)
        try options.makeIdentity(console)
        return try OriginRun(options: options, console: console).runToEnd()
    }

    /// The origin that answers behind a proxy without an upstream.
    ///
    /// - Parameters:
    ///   - loop: where everything happens.
    ///   - seed: of the run; uploads get their names from it, so that equal runs have equal answers.
    ///   - faults: what goes wrong at it.
    /// - Returns: it listens already.
    /// - Throws: why it cannot start.
    static func embedded(
        on loop: EventLoop,
        seed: UInt64,
        faults: [OriginFault] = []
    ) throws(Failure) -> OriginServer {
        var configuration = OriginConfiguration()
        configuration.naming = .seeded(seed)
        configuration.faults = faults
        configuration.temporaryFolder = temporaryFolder
        do throws(OriginError) {
            return try OriginServer(loop: loop, configuration: configuration)
        } catch {
            throw Failure(error)
        }
    }

    static var temporaryFolder: String {
        CurrentProcess.environment("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    }
}

extension Failure {
    /// Why an origin cannot start.
    init(_ error: OriginError) {
        let code: ExitCode =
            switch error.kind {
            case .folderMissing: .inputMissing
            case .folderUnusable: .cannotCreate
            case .addressUnavailable: .unavailable
            case .refused: .usage
            case .internal: .internalError
            }
        self.init(code, error.description)
    }
}
