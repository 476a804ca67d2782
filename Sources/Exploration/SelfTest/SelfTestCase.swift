internal import Analysis
internal import Faults
internal import HTTPTransport
internal import Origin
internal import Proxy
internal import SystemIO
internal import Trials

/// A client to explore, and what the exploration has to say of it.
package struct SelfTestCase: Hashable, Sendable {
    /// Nil: the client makes no mistake.
    package var bug: PlantedBug?
    /// What a client without mistakes does.
    package var conduct = RightConduct.persistent
    package var isUpload: Bool
    /// Whether it listens to a stream of events.
    package var isOfEvents = false
    /// Whether it speaks HTTP/2.
    package var isOfStreams = false
    /// Whether it is under TLS.
    package var isSecure = false
    /// Whether the end of the connection alone tells the end of the object.
    package var endsWithConnection = false
    /// As which the mistake is to be found; one of these is enough.
    package var classes: Set<FindingClass> = []
    /// What a client without mistakes is told of by right.
    package var accepted: Set<FindingClass> = []
    /// How many faults the smallest schedule has.
    package var faultCount = 1
    package var campaign = CampaignSettings()
    package var checks = CountedChecks()
    /// The origin's own mistakes, which a good client gets by with.
    package var misbehaviour = ""
    package var deadlineMilliseconds: UInt64 = 20_000
    /// Whether it is about milliseconds, so that nothing else may run beside it.
    package var isTimed = false

    /// For people and records: `P3`, `good download`.
    package var name: String {
        bug?.rawValue
            ?? "good \(isSecure ? "https " : "")"
            + (isOfStreams
                ? "HTTP/2" : isOfEvents ? "events" : isUpload ? "upload" : "download")
    }

    /// For people: what the client does.
    package var meaning: String { bug?.meaning ?? conduct.meaning }

    /// Bytes of the object or of the upload.
    static let size: UInt64 = 20_000
    static let seed: UInt64 = 0x5E1F
    private static let eventCount = 5
    /// So much longer than a client waits by itself that a busy machine makes no difference.
    private static let retryMilliseconds = 600
    /// How often the smallest schedule has to lead to the mistake again, each time.
    static let confirmations = 10
    static var content: [UInt8] { KnownContent(seed: seed).bytes(0..<size) }

    /// Where the origin has the object, or gets it.
    private var target: String {
        if isOfEvents { return "/events/\(Self.eventCount)?retry=\(Self.retryMilliseconds)" }
        return isUpload ? "/files/planted" : "/bytes/\(Self.size)?seed=\(Self.seed)"
    }

    /// A client for one trial.
    func client(on loop: EventLoop, seed: UInt64) throws(SystemError) -> SmallClient {
        let habits = bug.map(ClientHabits.init) ?? ClientHabits(conduct)
        if isOfStreams { return try StreamingClient(habits, loop: loop, seed: seed) }
        guard !isOfEvents else {
            return try ListeningClient(
                habits,
                count: Self.eventCount,
                of: target,
                loop: loop,
                seed: seed
            )
        }
        return isUpload
            ? try UploadingClient(habits, of: Self.content, to: target, loop: loop, seed: seed)
            : try DownloadingClient(habits, of: target, loop: loop, seed: seed)
    }

    /// The trial of one run.
    ///
    /// - Parameters:
    ///   - loop: where its client works.
    ///   - reference: path of a file with the content.
    ///   - seed: of the client's waits.
    ///   - streams: the server of those that speak HTTP/2.
    /// - Returns: everything but faults and folder.
    func trial(
        on loop: EventLoop,
        reference: String,
        seed: UInt64,
        streams: Endpoint? = nil
    ) -> Trial {
        let client = PlantedClient(self, on: loop, seed: seed)
        var trial = Trial(schedule: FaultSchedule(faults: []), client: .code(client))
        var origin = OriginConfiguration()
        origin.misbehaviour = misbehaviour
        if endsWithConnection { origin.objects.framing = .close }
        trial.tls.opensClients = isSecure
        trial.server = streams.map { .upstream($0) } ?? .embedded(origin)
        trial.deadlineMilliseconds = deadlineMilliseconds
        trial.oracles =
            isOfEvents
            ? []
            : isUpload
                ? [.fetch(url: target, reference: reference)]
                // Of what changes, the version that it ends as is right, too.
                : campaign.objectsChange ? [] : [.same(reference: reference, result: "{out}")]
        return trial
    }
}

extension SelfTestCase {
    /// All planted mistakes, and the good clients; those that try again have so many runs together.
    package static func all(goodRuns: Int = 1_000) -> [SelfTestCase] {
        PlantedBug.allCases.filter { $0 != .canary }.map(SelfTestCase.init)
            + [false, true].map { good(isUpload: $0, runs: goodRuns / 2) }
            + [
                goodSecure(runs: goodRuns / 10), goodListener(runs: goodRuns / 20),
                goodStreams(runs: goodRuns / 10),
            ]
            + [.singleAttempt, .singleCreation].map { restrained($0, runs: goodRuns / 10) }
    }

    /// A client that gives up where it may.
    private static func restrained(_ conduct: RightConduct, runs: Int) -> SelfTestCase {
        var good = good(isUpload: conduct == .singleCreation, runs: runs)
        good.conduct = conduct
        // One that never retries is to be told so, and of nothing else.
        if conduct == .singleAttempt { good.accepted = [.giveup] }
        return good
    }

    private static func goodSecure(runs: Int) -> SelfTestCase {
        var good = good(isUpload: false, runs: runs)
        good.isSecure = true
        good.campaign.effects = Effect.Kind.standard + [.corrupt]
        return good
    }

    private static func goodListener(runs: Int) -> SelfTestCase {
        var good = good(isUpload: false, runs: runs)
        good.isOfEvents = true
        good.campaign.objectsChange = false
        return good
    }

    private static func goodStreams(runs: Int) -> SelfTestCase {
        var good = good(isUpload: false, runs: runs)
        good.isOfStreams = true
        good.campaign.objectsChange = false
        good.campaign.effects = [
            .reset, .finish, .hole, .stall, .swallow, .status, .inject, .resetStream, .goAway,
        ]
        return good
    }

    private static func good(isUpload: Bool, runs: Int) -> SelfTestCase {
        var good = SelfTestCase(bug: nil, isUpload: isUpload)
        good.campaign.effects = Effect.Kind.standard + [.silent]
        good.campaign.objectsChange = !isUpload
        good.campaign.randomSchedules = nil
        good.campaign.runLimit = runs
        return good
    }

    init(_ bug: PlantedBug) {
        self.init(bug: bug, isUpload: bug.isInUpload, isSecure: bug.isInTLS)
        isOfEvents = bug.isInEvents
        isOfStreams = bug.isInStreams
        // Clients of events wait for longer than others.
        campaign.runLimit = isOfEvents ? 60 : 120
        campaign.effects = [.finish]
        campaign.confirmations = Self.confirmations
        switch bug {
        case .noValidator:
            classes = [.protocol]
            checks.expectation = try? Expectation(parsing: "R5")
        case .appendsWhole:
            classes = [.corrupt]
            misbehaviour = "object:ignore-range"
        case .ignoresContentRange:
            classes = [.corrupt]
            misbehaviour = "object:shift-range=-1000"
        case .givesUpAfterConflict: classes = [.giveup]
        case .drainedSource: classes = [.lost]
        case .noInterval:
            classes = [.protocol]
            checks.expectation = try? Expectation(parsing: "B1,B2")
            isTimed = true
        case .unboundedTries:
            classes = [.hang]
            deadlineMilliseconds = 4_000
        case .createsTwice: classes = [.duplicate]
        case .neverResumes:
            classes = [.waste]
            checks.expectation = try? Expectation(parsing: "R1")
            checks.maximumResentBytes = 1_000
        case .missesEarlyAnswer:
            classes = [.giveup]
            faultCount = 2
            campaign.effects = [.finish, .early]
            campaign.depth = 2
            campaign.runLimit = 400
        case .twoAtOnce:
            classes = [.protocol]
            campaign.effects = [.hole]
        case .hangs:
            classes = [.hang]
            campaign.effects = [.hole]
            deadlineMilliseconds = 4_000
        case .trustsAnyone:
            classes = [.protocol]
            campaign.effects = [.certificate]
        case .trustsEnds:
            classes = [.dishonest]
            campaign.effects = [.truncate]
            endsWithConnection = true
        case .joinsVersions:
            classes = [.corrupt]
            faultCount = 2
            campaign.effects = [.finish, .mutate]
            campaign.objectsChange = true
        case .keepsErrorPage:
            classes = [.dishonest]
            campaign.effects = [.status]
        case .needsSeconds:
            classes = [.giveup]
            campaign.effects = [.status]
        case .takesHalfHeads: classes = [.dishonest]
        case .continuesAnyPart, .keepsTails, .continuesUnknownPart:
            classes = [.corrupt]
            faultCount = 2
            campaign.effects = [.finish, .mutate]
            campaign.objectsChange = true
        case .mixesAnswers:
            classes = [.corrupt]
            faultCount = 2
            campaign.effects = [.hole, .stall]
        case .takesInterims:
            classes = [.giveup]
            campaign.effects = [.inject]
        case .trustsBrokenStreams: classes = [.dishonest]
        case .forgetsLastEvent:
            classes = [.protocol]
            checks.expectation = try? Expectation(parsing: "M2")
        case .staysAway:
            classes = [.giveup]
            checks.expectation = try? Expectation(parsing: "M3")
        case .ignoresRetryTime:
            classes = [.protocol]
            checks.expectation = try? Expectation(parsing: "M4")
        case .abandonsRefused:
            classes = [.giveup]
            checks.expectation = try? Expectation(parsing: "H1")
            campaign.effects = [.resetStream]
        case .repeatsBlindly:
            classes = [.duplicate]
            checks.expectation = try? Expectation(parsing: "H2")
            campaign.effects = [.reset]
        case .staysAfterGoAway:
            classes = [.protocol]
            checks.expectation = try? Expectation(parsing: "H3")
            campaign.effects = [.goAway]
        case .trustsCutStreams:
            classes = [.dishonest]
            campaign.effects = [.reset]
        case .hammersRefusals:
            classes = [.waste]
            checks.expectation = try? Expectation(parsing: "H5")
            campaign.effects = [.resetStream]
        case .canary:
            classes = [.dishonest]
            deadlineMilliseconds = 120_000
        }
    }
}
