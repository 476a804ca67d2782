internal import Analysis
internal import Arguments
internal import Exploration
internal import Faults
internal import LinkEngine
internal import Trials

/// The options of `explore`, understood and checked as far as that goes without a socket.
struct ExploreOptions {
    var campaign = CampaignSettings()
    var checks = CountedChecks()
    /// Of each run.
    var server: ServerOptions
    /// That act in every run, beside those that are tried.
    var faults: [Fault]
    /// The name server beside each run's proxy; nil for none.
    var lookups: LookupSettings?
    var oracles: [Oracle]
    var deadlineMilliseconds: UInt64
    /// Whether nobody gave it, so that it may be derived from what is seen.
    var derivesDeadline: Bool
    var searchMilliseconds: UInt64?
    /// Nil: by the number of processors.
    var jobs: Int?
    /// Bytes that may wait in all connections together; nil for the default.
    var maximumMemoryBytes: UInt64?
    var setup: String?
    var reset: String?
    var collect: String?
    var teardown: String?
    /// Absolute.
    var traces: String?
    /// Absolute; nil if nothing is remembered.
    var failures: String?
    var output: ExploreOutput
    var allowedUnreached: Int
    var requiresComplete: Bool
    var hasCanary: Bool
    /// Where the names of tests come from; nil for a single command.
    var tests: TestSource?
    /// With `{test}` in it if there are tests.
    var program: [String]
    /// An earlier report, whose findings are no reason to fail.
    var baselineReport: String?
    /// How a check of the server is repeated; nil if it is not checked.
    var reviewsServer: (@Sendable (String, ServerReview.Target) -> String)?
    /// Of the command, if it runs faster.
    var clock: WarpedClock?

    /// The longest that `--deadline` is if it is not given: longer than the timeouts that many clients
    /// have, of a minute, and the try after that.
    static let deadlineMilliseconds: UInt64 = 75_000

    /// - Parameters:
    ///   - invocation: of `explore`.
    ///   - currentDirectory: what relative paths are relative to.
    ///   - environment: for `--shard env`.
    /// - Throws: the first value that makes no sense.
    init(
        _ invocation: Invocation,
        currentDirectory: String,
        environment: (String) -> String?
    ) throws(Failure) {
        (tests, program) = try TestSource.read(invocation)
        baselineReport = invocation.value("baseline-report")
        server = try ServerOptions(invocation)
        faults = try invocation.faults()
        lookups = try LookupOptions.settings(invocation, program: program)
        lookups?.proxied = [server.upstream?.serverName].compactMap(\.self)
        // The profile is loaded later; what can be known at once is told at once.
        _ = try invocation.profileSettings()
        oracles = try OracleOptions.oracles(invocation)
        let deadline = try invocation.milliseconds("deadline")
        derivesDeadline = deadline == nil
        deadlineMilliseconds = deadline ?? Self.deadlineMilliseconds
        searchMilliseconds = try invocation.milliseconds("time")
        jobs = try invocation.count("jobs", in: 1...1_000)
        maximumMemoryBytes = try invocation.maximumMemoryBytes()
        setup = invocation.value("setup")
        reset = invocation.value("reset")
        collect = invocation.value("collect")
        teardown = invocation.value("teardown")
        traces = invocation.value("traces").map { Self.absolute($0, in: currentDirectory) }
        failures = Self.failures(invocation, currentDirectory)
        output = ExploreOutput(invocation)
        allowedUnreached = try invocation.count("allow-unreached", in: 0...1_000_000) ?? 0
        requiresComplete = invocation.has("require-complete")
        hasCanary = !invocation.has("no-canary")
        checks.expectation = try Self.expectation(invocation)
        checks.isStrict = invocation.has("strict")
        checks.accepted = try Self.accepted(invocation).checks
        campaign = try Self.campaign(invocation, environment)
        campaign.server = server.kind
        if invocation.has("probe-server") { reviewsServer = ServerReview.repetition(invocation) }
        clock = try clock(invocation, environment)
        campaign.warp = clock?.factor ?? 1
        if clock != nil { campaign.confirmations = 1 }
        try checkEffects(invocation)
        if lookups == nil { campaign.effects.removeAll { $0 == .query } }
        try check(invocation)
    }

    private static func absolute(_ path: String, in folder: String) -> String {
        path.hasPrefix("/") ? path : "\(folder)/\(path)"
    }

    private static func failures(_ invocation: Invocation, _ folder: String) -> String? {
        if invocation.has("forget") { return nil }
        if let path = invocation.value("failures") { return absolute(path, in: folder) }
        return "\(ConfigurationFiles.projectFolder(from: folder) ?? folder)/.linkcond/failures"
    }

    private func check(_ invocation: Invocation) throws(Failure) {
        guard let first = program.first else {
            throw Failure(
                .usage,
                "explore needs a command to run: linkcond explore [options] -- CMD {url} {out}"
            )
        }
        if first.isEmpty { throw Failure(.usage, "the command after -- is empty; name a program") }
    }
}

// A faster clock.
extension ExploreOptions {
    private func clock(
        _ invocation: Invocation,
        _ environment: (String) -> String?
    ) throws(Failure) -> WarpedClock? {
        guard let factor = try invocation.count("warp", in: 2...100) else { return nil }
        guard let clock = WarpedClock(factor: UInt64(factor)) else {
            throw invocation.failure(
                "warp",
                "libfaketime is not installed; on Debian: apt-get install libfaketime"
            )
        }
        let searchPath = environment("PATH") ?? ""
        if let name = program.first,
            let objection = WarpedClock.objection(to: name, searchPath: searchPath)
        {
            throw invocation.failure("warp", "\(objection); leave --warp out")
        }
        return clock
    }
}

// What the server can do wrong.
extension ExploreOptions {
    /// An effect that was asked for by its name has to be possible; of `all` the others are left out.
    private func checkEffects(_ invocation: Invocation) throws(Failure) {
        if let fault = faults.first(where: { $0.effect.kind != .query }) {
            throw invocation.failure(
                "fault",
                "'\(fault.canonicalText)' is what explore tries by itself; only faults of name"
                    + " lookups, such as 'A(api.test)#1=servfail', can act in every run"
            )
        }
        let words = invocation.value("effects")?.split(separator: ",") ?? []
        if words.contains("dns"), lookups == nil {
            throw invocation.failure("effects", "'dns' is of name lookups; give --dns, too")
        }
        for effect in words.compactMap({ Effect.Kind(named: $0) })
        where !effect.isPossible(with: campaign.server) {
            let other = server.upstream == nil ? "origin-cmd" : "upstream"
            throw invocation.failure(
                "effects",
                effect == .crash
                    ? "'crash' needs a server that linkcond starts: the test server, or yours by"
                        + " --origin-cmd"
                    : "'\(effect.name)' is of the test server; leave it or --\(other) out"
            )
        }
    }
}

// The search and what it demands.
extension ExploreOptions {
    private static func campaign(
        _ invocation: Invocation,
        _ environment: (String) -> String?
    ) throws(Failure) -> CampaignSettings {
        var settings = CampaignSettings()
        if let text = invocation.value("effects") {
            do throws(UnknownEffect) {
                settings.effects = try Effect.Kind.list(parsing: text)
            } catch {
                let known = Effect.Kind.searched.map(\.name) + ["standard", "all"]
                throw invocation.failure(
                    "effects",
                    "unknown effect '\(error.word)'\(Suggestion.hint(for: error.word, in: known))"
                        + " (known: \(known.joined(separator: ", ")))"
                )
            }
        }
        settings.depth = try invocation.count("depth", in: 1...2) ?? 1
        // A short number is easy to type again.
        settings.seed = try invocation.seed() ?? 1
        settings.runLimit = try invocation.count("runs", in: 1...100_000_000)
        settings.usesRest = settings.runLimit != nil || invocation.has("time")
        settings.randomSchedules = UInt64(try invocation.count("random", in: 0...100_000_000) ?? 0)
        settings.shard = try shard(invocation, environment)
        settings.objectsChange =
            !invocation.has("upstream") && !invocation.has("origin-cmd")
            && (invocation.has("misbehave")
                || settings.effects.contains { $0 == .mutate || $0 == .range })
        if invocation.has("check-determinism") { settings.repeatsEvery = Self.repeatsEvery }
        settings.judge = Judge(accepted: try accepted(invocation).classes)
        return settings
    }

    /// Of how many points `--check-determinism` runs one twice.
    private static let repeatsEvery = 10

    private static func shard(
        _ invocation: Invocation,
        _ environment: (String) -> String?
    ) throws(Failure) -> Shard {
        guard let text = invocation.value("shard") else { return .whole }
        guard text == "env" else {
            guard let shard = Shard(parsing: text) else {
                throw invocation.failure(
                    "shard",
                    "'\(text)': write I/N with I from 1 to N, such as 2/4, or env"
                )
            }
            return shard
        }
        do throws(Shard.EnvironmentError) {
            return try Shard(environment: environment)
        } catch {
            throw invocation.failure("shard", "env: \(error.words)")
        }
    }

    private static func accepted(
        _ invocation: Invocation
    ) throws(Failure) -> (classes: Set<FindingClass>, checks: Set<Check>) {
        var classes: Set<FindingClass> = []
        var checks: Set<Check> = []
        for text in invocation.values("accept") {
            for word in text.split(separator: ",", omittingEmptySubsequences: false) {
                if let check = Check(rawValue: String(word)) {
                    checks.insert(check)
                    continue
                }
                guard let kind = FindingClass(rawValue: String(word)), kind.isFailure else {
                    let known =
                        FindingClass.allCases.filter(\.isFailure).map(\.rawValue)
                        + Check.allCases.map(\.rawValue)
                    throw invocation.failure(
                        "accept",
                        "unknown kind '\(word)'\(Suggestion.hint(for: String(word), in: known))"
                            + " (known: \(known.joined(separator: ", ")))"
                    )
                }
                classes.insert(kind)
            }
        }
        return (classes, checks)
    }

    private static func expectation(_ invocation: Invocation) throws(Failure) -> Expectation? {
        var items = invocation.values("expect")
        if invocation.has("require-resume") { items.append("R1") }
        if let ratio = try invocation.ratio("max-wire") { items.append("wire<=\(ratio)") }
        guard !items.isEmpty else { return nil }
        let text = items.joined(separator: ",")
        do throws(ExpectationError) {
            return try Expectation(parsing: text, nearest: Suggestion.nearest)
        } catch {
            throw invocation.failure("expect", "'\(text)': \(error.description)")
        }
    }
}
