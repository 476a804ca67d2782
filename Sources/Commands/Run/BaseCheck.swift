internal import Exploration
internal import Faults
internal import Proxy
internal import SystemIO
internal import Trials

/// Whether the messages of a command are those that a schedule was made for, by running it without
/// faults.
///
/// The places of a schedule are offsets in messages; in other messages they mean something else.
final class BaseCheck {
    private let trial: Trial
    private let base: UInt64
    private let sandbox: Sandbox
    private let done: (_ warning: String?) -> Void
    private var maps: [BoundaryMap] = []
    private var running: RunningTrial?

    /// A server that names things anew in every run makes equal messages with different paths, which
    /// two runs show.
    private static let runs = 2

    /// Nil if the schedule does not say what it was made for, or there is no command to run.
    ///
    /// - Parameters:
    ///   - trial: of the schedule.
    ///   - sandbox: where it runs.
    ///   - done: called once, on the loop, with what a person should know.
    init?(_ trial: Trial, in sandbox: Sandbox, done: @escaping (_ warning: String?) -> Void) {
        guard let base = trial.schedule.base, case .command(var command) = trial.client else {
            return nil
        }
        self.base = base
        self.sandbox = sandbox
        self.done = done
        command.input = .none
        command.output = .dropped
        command.error = .dropped
        var quiet = trial
        quiet.client = .command(command)
        quiet.schedule.faults = []
        quiet.oracles = []
        quiet.folder = nil
        // The address of the run itself may be wanted for it alone.
        if case .tcp(let host, port: _) = trial.listen { quiet.listen = .tcp(host: host, port: 0) }
        self.trial = quiet
    }

    func start() throws(SandboxError) {
        running = try sandbox.start(trial) { [weak self] in self?.receive($0) }
    }

    private func receive(_ outcome: TrialOutcome) {
        guard !outcome.isInterrupted else { return done(nil) }
        maps.append(BoundaryMap(outcome.records.lazy.map(\.record)))
        if BoundaryMap.base(of: maps) == base { return done(nil) }
        guard maps.count < Self.runs else {
            return done(
                "without faults the messages are not those that the schedule was made for (its base"
                    + " is another one), so its places may mean something else here"
            )
        }
        do throws(SandboxError) {
            try start()
        } catch {
            done("the messages of the schedule could not be compared: \(error.description)")
        }
    }
}
