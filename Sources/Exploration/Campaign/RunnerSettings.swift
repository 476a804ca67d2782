/// How a campaign is run.
package struct RunnerSettings: Sendable {
    /// Runs at once that need the processor.
    package var jobs = 4
    /// Runs at once that mostly wait.
    package var idleJobs = 16
    /// For how long nothing happens in a run before it counts as one that waits; nil: it never does.
    package var quietMilliseconds: UInt64? = 50
    /// For how long nothing happens in a run of a program before it is suspected to hang, at least, and
    /// ended; nil: never before its deadline.
    package var silenceMilliseconds: UInt64?
    /// The least deadline of a run with faults, where it may be derived from those without; nil: the
    /// trial's own.
    package var derivedDeadlineMilliseconds: UInt64?
    /// Whether the client is known to wake up repeatedly without ever giving up, so that this is no sign
    /// of a timeout.
    package var pollsForever = false
    /// After which everything ends; nil for as long as it takes.
    package var searchMilliseconds: UInt64?
    /// How much of that may be used to confirm what was found, a fifth of it at most.
    package var confirmationMilliseconds: UInt64 = 10_000
    /// An absolute path of the folder below which runs have their folders.
    package var temporaryFolder: String
    /// An absolute path of a folder in which those of failed runs are kept.
    package var traceFolder: String?
    package var hooks = RunHooks()
    package var checks = CountedChecks()
    /// Whether a client that must fail runs beside the search.
    package var hasCanary = true
    /// Who has to see that it fails.
    package var canaryJudge = Judge()

    package init(temporaryFolder: String) { self.temporaryFolder = temporaryFolder }

    /// Whether the folder of a run tells something afterwards.
    func isWorthKeeping(_ run: SearchRun, _ outcome: PointOutcome) -> Bool {
        traceFolder != nil && Judge().judge(run.point, outcome).failure != nil
    }
}

/// Commands of the user around each run; words for a shell are one element each.
package struct RunHooks: Hashable, Sendable {
    /// Before each run, such as to set a server back; the run waits for its end.
    package var reset: [String]?
    /// After each run, with its folder still there.
    package var collect: [String]?
    /// `NAME=VALUE` each.
    package var environment: [String] = []

    package init() {}
}
