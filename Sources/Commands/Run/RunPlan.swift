internal import Basics
internal import Faults
internal import Journal
internal import LinkProfile
internal import Proxy
internal import SystemIO
internal import Trials

/// All that is known of a run before anything is opened.
struct RunPlan {
    var options: RunOptions
    var trial: Trial
    var description: RunDescription
    /// The journal of the run that this one repeats.
    var recorded: CanonicalJournal?
    /// Identities of the faults that come from the profile alone: as a part of the network they need not
    /// act.
    let optionalFaults: Set<String>
    /// What a person should know at the start.
    var notes: [String] = []

    /// - Parameters:
    ///   - options: as they were given.
    ///   - profile: with the settings of the options.
    ///   - schedule: the faults of the options, and a seed.
    ///   - environment: what the command inherits.
    ///   - reproduction: a command line that does the same again.
    init(
        _ options: RunOptions,
        profile: Profile,
        schedule: FaultSchedule,
        environment: [String],
        reproduction: String
    ) {
        self.options = options
        var whole = schedule
        // A schedule that was recorded has the profile's faults already.
        whole.faults += profile.faults.filter { !schedule.faults.contains($0) }
        optionalFaults = Set(
            profile.faults.lazy.filter { !options.faults.contains($0) }.map(\.canonicalText)
        )
        description = RunDescription(
            profile: profile,
            seed: schedule.seed ?? 0,
            faults: whole.faults,
            routes: [
                .init(
                    listen: options.listen,
                    upstream: options.server.upstream,
                    upstreamName: options.server.tls.upstreamName
                )
            ],
            reproduction: reproduction
        )
        description.networks = options.server.forward?.networks ?? []
        description.secondPath = options.server.secondPath
        description.isSecure = options.server.tls.opensClients
        description.lookups = options.lookups.map { .init($0) }
        trial = Trial(schedule: whole, client: Self.client(options, environment))
        trial.profile = profile
        trial.secondPath = options.server.secondPath
        trial.server = options.server.server
        trial.listen = options.listen
        trial.allowsRemote = options.allowsRemote
        trial.transport = options.server.transport
        trial.requestHost = options.server.requestHost
        trial.tls = options.server.tls
        trial.forward = options.server.forward
        trial.via = options.server.via
        trial.lookups = options.lookups
        trial.oracles = options.oracles
        trial.deadlineMilliseconds = options.deadlineMilliseconds
        trial.folder = options.folder
        trial.uploadFolder = options.uploadFolder
        trial.journalPath = options.journalPath
        trial.datagrams = options.datagrams
        if let note = LookupOptions.note(options.lookups, program: options.program) {
            notes.append(note)
        }
        trial.notes = [
            "repeat": .string(reproduction),
            "settings": .array(options.settings.map { .string("\($0.key)=\($0.value)") }),
        ]
    }

    private static func client(_ options: RunOptions, _ environment: [String]) -> TrialClient {
        guard !options.program.isEmpty else { return .code(OutsideClient()) }
        var command = TrialCommand(options.program, environment: environment)
        command.input = .inherited
        command.output = .inherited
        command.error = .inherited
        return .command(command)
    }
}

/// A client that somebody else starts: it has ended when the run is told to end.
final class OutsideClient: ClientCode {
    private var done: ((Int) -> Void)?

    func start(_ place: TrialPlace, done: @escaping (Int) -> Void) { self.done = done }

    func cancel() { done?(0) }
}
