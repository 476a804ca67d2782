package import Faults

/// What an exploration is asked to do.
package struct CampaignSettings: Hashable, Sendable {
    package var effects = Effect.Kind.standard
    /// 1: single faults; 2: also a second one inside each recovery.
    package var depth = 1
    package var seed: UInt64 = 1
    /// Whether what is left of a limit is used for what else is likely to show something new.
    package var usesRest = false
    /// How many random schedules follow; nil for as many as the budget allows.
    package var randomSchedules: UInt64? = 0
    /// The most runs of the search; what confirms a finding is not counted.
    package var runLimit: Int?
    package var shard = Shard.whole
    /// Whether objects change while they are fetched, so that another version may be right, too.
    package var objectsChange = false
    /// Who answers behind the proxy.
    package var server = Server.embedded
    package var judge = Judge()
    /// How often the smallest schedule of a finding is run again.
    package var confirmations = 3
    /// Whether the second run without faults is made only if the first one shows something to explore.
    package var looksFirst = false
    /// How many times as fast as others the clocks of client and network run during the search; what it
    /// finds is confirmed at real speed.
    package var warp: UInt64 = 1
    /// Every so many of the baseline's points are run twice and their journals compared; nil for none.
    package var repeatsEvery: Int?

    package init() {}

    /// Who answers, which decides on what can go wrong with it.
    package enum Server: Hashable, Sendable {
        case embedded
        /// A program that each run starts; whether a crash can lose what it has stored.
        case started(losesState: Bool)
        /// One that is there already.
        case other
    }
}

/// A run that a campaign asks for.
package struct SearchRun: Hashable, Sendable {
    /// What it is for; nil for a baseline.
    package let purpose: PointRecord.Purpose?
    package let point: Point
    /// From 1, in the order in which they were asked for.
    package internal(set) var number: Int
    /// Index of the test that it runs, among those of a suite.
    package internal(set) var test = 0
    /// Whether it mostly waits.
    package let isIdle: Bool
    /// Whether no clock may run faster than others.
    package var isAtRealSpeed = true
    /// Whether its client may be silent until the deadline.
    package var isPatient = false
    /// Whether its outcome has to hold its journal.
    package var keepsJournal = false

    /// Whether it is to show that silence lasts up to the deadline.
    var isWitness: Bool { isPatient && purpose?.isSearch == true }
}

/// Why there is nothing to explore.
package enum BaselineProblem: Hashable, Sendable {
    /// Without any fault the command does not do what it should.
    case failed(reason: String)
    /// The machine was too busy in each of several tries.
    case disturbed(reason: String)
    case noTraffic
    /// The server behind the proxy could not be reached.
    case unreachable(reason: String)

    /// In one line for people.
    package var words: String {
        switch self {
        case .failed(let reason): "without any fault: \(reason)"
        case .disturbed(let reason): "no run without faults was undisturbed: \(reason)"
        case .noTraffic:
            "nothing came through linkcond; does the command use {url} or LINKCOND_URL?"
        case .unreachable(let reason): "the upstream server is not available: \(reason)"
        }
    }
}

/// What happened since it was last asked.
package enum CampaignNews: Hashable, Sendable {
    case baseline(BaselineSummary)
    case run(PointRecord)
    /// A failure of a cause that was not known yet, with the id of its finding.
    case found(FindingClass, id: String, position: String, Point, reason: String)
    case minimum(Minimum)
}

/// How far a campaign is.
package struct CampaignProgress: Hashable, Sendable {
    /// Runs that ended, baselines included.
    package var done = 0
    package var running = 0
    /// Of those, the ones that mostly wait: they last as long as the client has patience.
    package var silent = 0
    /// Of those that run, the ones that are silent and wait for the deadline, to be certain that they hang.
    package var confirmingHangs = 0
    /// Runs that are known to follow.
    package var waiting = 0
    package var findings = 0
    package var unreached = 0

    package init() {}
}

/// What the fault-free runs showed.
package struct BaselineSummary: Hashable, Sendable {
    /// What says whether a result is right.
    package enum Oracle: String, Hashable, Sendable {
        /// The user's options do.
        case given
        /// It has to be the file that the baselines made.
        case file
        /// It has to be the uploads that the baselines made.
        case uploads
        /// Nothing does: only exit codes are judged.
        case none
    }

    /// Digest of the boundary map, 16 hexadecimal digits.
    package var base: String
    /// Whether both runs exchanged the same messages.
    package var isStable: Bool
    /// One line for each exchange: method, path, sizes.
    package var exchanges: [String]
    /// What says whether a result is right.
    package var oracle: Oracle
    /// SHA-256 of the one right result, if there is one and the baselines made it.
    package var digest: String?
    /// The object of the server that the result has to be a version of, if it changes.
    package var object: String?
    /// SHA-256 of each upload that the server has to have, if the baselines made it.
    package var uploads: [String]
    /// Checks that fail even without faults, which say nothing about faults.
    package var ignoredChecks: [String]
    package var milliseconds: UInt64
    /// The error with which the server answered the last request, as in `404 for GET /nope`; nil for none.
    package var refusal: String?
    /// How the result differs in size from the one answer that the command got; nil if it does not, or there
    /// were several.
    package var alteration: String?

    package init(
        base: String,
        isStable: Bool,
        exchanges: [String],
        ignoredChecks: [String],
        oracle: Oracle = .given,
        digest: String? = nil,
        object: String? = nil,
        uploads: [String] = [],
        milliseconds: UInt64
    ) {
        self.base = base
        self.isStable = isStable
        self.exchanges = exchanges
        self.ignoredChecks = ignoredChecks
        self.oracle = oracle
        self.digest = digest
        self.object = object
        self.uploads = uploads
        self.milliseconds = milliseconds
    }
}
