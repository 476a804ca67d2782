package import Faults

/// Everything that an exploration found out, in a form that does not depend on how it was run.
package struct CampaignReport: Hashable, Sendable {
    package var settings: ReportSettings
    package var baseline: BaselineSummary?
    /// Why nothing was explored, or not in every shard.
    package var problem: BaselineProblem?
    package var records: [PointRecord]
    package var minima: [Minimum]
    /// The shards that are in it; missing ones make it incomplete.
    package var shards: [Shard]
    /// Whether every shard came to the end of its search.
    package var isComplete: Bool
    /// How many points are known to be left of searches that were cut short.
    package var remainingPoints = 0
    /// Whether a limit ended what was tried beyond that search.
    package var hasMore = false
    /// How long the exploration took; nil if that is not known, as of several.
    package var elapsedMilliseconds: UInt64?

    package init(
        settings: ReportSettings,
        baseline: BaselineSummary?,
        problem: BaselineProblem? = nil,
        records: [PointRecord],
        minima: [Minimum],
        shards: [Shard],
        isComplete: Bool
    ) {
        self.settings = settings
        self.baseline = baseline
        self.problem = problem
        self.records = records
        self.minima = minima
        self.shards = shards
        self.isComplete = isComplete
    }

    package init(_ campaign: Campaign, settings: ReportSettings) {
        self.init(
            settings: settings,
            baseline: campaign.baseline,
            problem: campaign.problem,
            records: campaign.records,
            minima: campaign.minima,
            shards: [campaign.settings.shard],
            isComplete: !campaign.isCutShort
        )
        remainingPoints = campaign.remainingPoints
        hasMore = campaign.hasMore
    }

    package var findings: [Finding] {
        FindingReading(
            records,
            minima,
            command: settings.command,
            needsConfirmation: settings.warp > 1
        ).findings
    }

    /// Passes that were run again at real speed, and those of them that did not pass.
    package var speedChecks: (all: Int, different: [PointRecord]) {
        let checks = records.filter { $0.purpose == .speed }
        return (checks.count, checks.filter { $0.judgement != .pass })
    }

    /// The findings that failing schedules are part of, by their ids.
    var findingIDs: [PointIdentity: String] {
        FindingReading(records, minima, command: settings.command).causes
            .mapValues { Finding.id($0) }
    }

    /// Runs by what they say; what was run to confirm or to shrink is not counted.
    package var counts: Counts {
        var counts = Counts()
        var seen: Set<PointIdentity> = []
        for record in records where record.isCounted && seen.insert(record.point.identity).inserted
        {
            counts.add(record)
        }
        return counts
    }

    /// Points that were run twice to compare every message, and those of them that differed.
    package var repetitions: (all: Int, different: [PointRecord]) {
        let repeated = records.filter { $0.purpose == .repetition }
        return (repeated.count, repeated.filter { $0.judgement != .pass })
    }

    /// How many schedules came to what.
    package struct Counts: Hashable, Sendable {
        package var passed = 0
        package var honest = 0
        package var failed = 0
        package var inconclusive = 0
        /// Of the points that the baseline's own messages gave.
        package var unreached = 0
        /// Of pairs and random schedules, which are a guess.
        package var idle = 0
        /// Of those that prove nothing: whose clients were still retrying against a fault that
        /// lasts, or waiting.
        package var tireless = 0

        package var total: Int { passed + honest + failed + inconclusive + unreached + idle }

        mutating func add(_ other: Counts) {
            passed += other.passed
            honest += other.honest
            failed += other.failed
            inconclusive += other.inconclusive
            unreached += other.unreached
            idle += other.idle
            tireless += other.tireless
        }

        fileprivate mutating func add(_ record: PointRecord) {
            switch record.judgement.letter {
            case ".": passed += 1
            case "h": honest += 1
            case "X": failed += 1
            case "-": if record.isGuess { idle += 1 } else { unreached += 1 }
            default:
                inconclusive += 1
                if record.isTireless { tireless += 1 }
            }
        }
    }
}

/// What the report says about the exploration itself.
package struct ReportSettings: Hashable, Sendable {
    /// `linkcond 0.1.0`.
    package var tool: String
    /// The test of a list that it is about; nil for a single command.
    package var test: String?
    /// The command's words.
    package var command: [String]
    package var seed: UInt64
    package var effects: [Effect.Kind]
    package var depth: Int
    /// The command line that repeats a schedule, which takes the place of `{}`.
    package var replay: String
    /// How long each run may take; nil if nothing ends it.
    package var deadlineMilliseconds: UInt64?
    /// Points that may stay unreached.
    package var allowedUnreached: Int
    package var requiresComplete: Bool
    /// How many times as fast as others the clocks of client and network ran.
    package var warp: UInt64 = 1

    package init(
        tool: String,
        test: String? = nil,
        command: [String],
        seed: UInt64,
        effects: [Effect.Kind],
        depth: Int,
        replay: String,
        deadlineMilliseconds: UInt64? = nil,
        allowedUnreached: Int = 0,
        requiresComplete: Bool = false
    ) {
        self.tool = tool
        self.test = test
        self.command = command
        self.seed = seed
        self.effects = effects
        self.depth = depth
        self.replay = replay
        self.deadlineMilliseconds = deadlineMilliseconds
        self.allowedUnreached = allowedUnreached
        self.requiresComplete = requiresComplete
    }
}

extension ReportSettings {
    /// Whether two reports can be of shards of the same exploration.
    package func isComparable(with other: ReportSettings) -> Bool {
        command == other.command && seed == other.seed && effects == other.effects
            && depth == other.depth
    }
}

extension PointRecord {
    /// Whether it is part of the search and not of what follows a finding.
    package var isCounted: Bool { purpose.isSearch }

    /// Whether the client was between two tries, against a fault that lasts, or waited for the end of a long
    /// time when its run was ended.
    package var isTireless: Bool {
        guard case .inconclusive(let reason) = judgement else { return false }
        return point.isPermanent && reason.hasPrefix(Judge.stillRetrying)
            || reason.hasPrefix(Judge.stillWaiting)
    }

    /// Whether it was unknown that its faults could be reached.
    package var isGuess: Bool { purpose == .pair || purpose == .random }
}
