internal import Exploration
internal import Faults
internal import LinkProfile
internal import SystemIO
internal import Trials

/// How each run of an exploration is made.
struct ExplorePlan {
    private let options: ExploreOptions
    private let profile: Profile
    /// Nil for each command without a test.
    private let tests: [String?]
    private let environment = CurrentProcess.wholeEnvironment
    /// Runs at once.
    let jobs: Int
    private let idleJobs: Int
    private let descriptors: Int

    /// For how long nothing happens before a client is suspected to hang, at least.
    private static let silenceMilliseconds: UInt64 = 3_000

    /// A run may have so many connections, each with a socket on three sides.
    private static let descriptorsPerJob = 8
    private static let reservedDescriptors = 64

    init(_ options: ExploreOptions, _ profile: Profile, tests: [String?], descriptors: Int) {
        self.options = options
        self.tests = tests
        self.profile = profile
        self.descriptors = descriptors
        let room = max(1, (descriptors - Self.reservedDescriptors) / Self.descriptorsPerJob)
        let wanted = options.jobs ?? (options.reset == nil ? 2 * CurrentProcess.processors : 1)
        jobs = min(wanted, room)
        // A server that is set back between runs serves one at a time, whether it waits or not.
        idleJobs = options.reset == nil ? min(8 * jobs, max(1, room - jobs)) : 1
    }

    func sandbox(tool: String, temporaryFolder: String) -> SandboxSettings {
        var settings = SandboxSettings(tool: tool, temporaryFolder: temporaryFolder)
        // Ours and the machine's work takes as long at any speed of clocks.
        let warp = options.campaign.warp
        settings.graceMilliseconds = 500 * warp
        settings.drainMilliseconds = 1_000 * warp
        settings.oracleMilliseconds *= warp
        settings.serverMilliseconds *= warp
        let each = (descriptors - Self.reservedDescriptors) / (3 * (jobs + idleJobs))
        settings.connectionsPerTrial = max(2, each)
        return settings
    }

    func runner(temporaryFolder: String) -> RunnerSettings {
        var settings = RunnerSettings(temporaryFolder: temporaryFolder)
        settings.jobs = jobs
        settings.idleJobs = idleJobs
        if options.reset != nil { settings.quietMilliseconds = nil }
        if Self.silenceMilliseconds * 2 <= options.deadlineMilliseconds {
            settings.silenceMilliseconds = Self.silenceMilliseconds
        }
        if options.derivesDeadline {
            settings.derivedDeadlineMilliseconds = OwnLimit.deadlineMilliseconds(options.program)
            settings.pollsForever = OwnLimit.pollsForever(options.program)
        }
        settings.searchMilliseconds = options.searchMilliseconds
        if tests.count > 1, let limit = options.searchMilliseconds {
            // Each test may have findings of its own.
            settings.confirmationMilliseconds = max(settings.confirmationMilliseconds, limit / 4)
        }
        settings.traceFolder = options.traces
        settings.checks = options.checks
        settings.hasCanary = options.hasCanary
        settings.hooks.environment = environment
        settings.hooks.reset = options.reset.map(Self.shell)
        settings.hooks.collect = options.collect.map(Self.shell)
        return settings
    }

    /// A text as a shell runs it.
    static func shell(_ text: String) -> [String] { ["/bin/sh", "-c", text] }

    func trial(_ run: SearchRun) -> Trial {
        let clock = run.isAtRealSpeed ? nil : options.clock
        var trial = trial(clock?.environment(over: environment) ?? environment)
        trial.test = tests[run.test]
        return trial
    }

    /// One without faults, by everybody's clock.
    var quietTrial: Trial { trial(environment) }

    private func trial(_ environment: [String]) -> Trial {
        let command = TrialCommand(options.program, environment: environment)
        var trial = Trial(
            schedule: FaultSchedule(faults: options.faults),
            client: .command(command)
        )
        trial.profile = profile
        trial.secondPath = options.server.secondPath
        trial.server = options.server.server
        trial.transport = options.server.transport
        trial.requestHost = options.server.requestHost
        trial.tls = options.server.tls
        trial.forward = options.server.forward
        trial.via = options.server.via
        trial.lookups = options.lookups
        trial.oracles = options.oracles
        trial.deadlineMilliseconds =
            options.derivesDeadline
            ? max(options.deadlineMilliseconds, OwnLimit.deadlineMilliseconds(options.program))
            : options.deadlineMilliseconds
        trial.purpose = "explore"
        return trial
    }
}
