internal import Analysis
internal import Basics
internal import Faults
internal import HTTPTransport
internal import Origin
internal import Proxy
internal import SystemIO
internal import Trials

/// A client to explore, and what the exploration has to say of it.
package struct SelfTestCase: Hashable, Sendable {
    package enum Work: String, Hashable, Sendable {
        case download, upload
        /// Listens to a stream of events.
        case events
        /// Receives the messages of a WebSocket.
        case messages = "WebSocket"
        /// Sends messages to a WebSocket that sends them back.
        case sending = "sending WebSocket"
        /// Speaks HTTP/2.
        case streams = "HTTP/2"
        /// Makes a gRPC call.
        case call = "gRPC"
    }

    /// Nil: the client makes no mistake.
    package var bug: PlantedBug?
    /// What a client without mistakes does.
    package var conduct = RightConduct.persistent
    package var work: Work
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
        bug?.rawValue ?? "good \(isSecure ? "https " : "")\(work.rawValue)"
    }

    /// For people: what the client does.
    package var meaning: String { bug?.meaning ?? conduct.meaning }

    /// Bytes of the object or of the upload.
    static let size: UInt64 = 20_000
    static let seed: UInt64 = 0x5E1F
    /// Of events, of messages of a WebSocket, and of those of a call.
    private static let messageCount = 5
    /// So much longer than a client waits by itself that a busy machine makes no difference.
    private static let retryMilliseconds = 600
    /// How often the smallest schedule has to lead to the mistake again, each time.
    static let confirmations = 10
    static var content: [UInt8] { KnownContent(seed: seed).bytes(0..<size) }
    /// The messages of a call, each with its length before it.
    static var callContent: [UInt8] {
        (1...messageCount).flatMap { [0, 0, 0, 0, 9] + Array("message \($0)".utf8) }
    }
    /// Whether it speaks HTTP/2.
    package var isOfStreams: Bool { work == .streams || work == .call }

    /// Where the origin has the object, or gets it.
    private var target: String {
        switch work {
        case .events: "/events/\(Self.messageCount)?retry=\(Self.retryMilliseconds)"
        case .upload: "/files/planted"
        default: "/bytes/\(Self.size)?seed=\(Self.seed)"
        }
    }

    /// A client for one trial.
    func client(on loop: EventLoop, seed: UInt64) throws(SystemError) -> SmallClient {
        let habits = bug.map(ClientHabits.init) ?? ClientHabits(conduct)
        switch work {
        case .streams, .call:
            return try StreamingClient(
                habits,
                isCall: work == .call,
                loop: loop,
                seed: seed
            )
        case .messages, .sending:
            return try MessagingClient(
                habits,
                count: Self.messageCount,
                isSender: work == .sending,
                loop: loop,
                seed: seed
            )
        case .events:
            return try ListeningClient(
                habits,
                count: Self.messageCount,
                of: target,
                loop: loop,
                seed: seed
            )
        case .upload:
            return try UploadingClient(
                habits,
                of: Self.content,
                to: target,
                loop: loop,
                seed: seed
            )
        case .download:
            return try DownloadingClient(habits, of: target, loop: loop, seed: seed)
        }
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
        trial.oracles = oracles(reference)
        return trial
    }

    private func oracles(_ reference: String) -> [Oracle] {
        switch work {
        case .events: []
        case .upload: [.fetch(url: target, reference: reference)]
        // For an object that changes, its last version is right, too.
        case .download, .streams:
            campaign.objectsChange ? [] : [.same(reference: reference, result: "{out}")]
        case .messages, .sending: [Self.whole(MessagingClient.result(of: 1...Self.messageCount))]
        case .call: [Self.whole(Self.callContent)]
        }
    }

    private static func whole(_ content: [UInt8]) -> Oracle {
        .sha256(
            digest: HexadecimalText.encode(SHA256.digest(content)),
            result: "{out}"
        )
    }
}

extension SelfTestCase {
    /// All planted mistakes, and the good clients; those that try again have so many runs together.
    package static func all(goodRuns: Int = 1_000) -> [SelfTestCase] {
        var cases = PlantedBug.allCases.filter { $0 != .canary }.map { SelfTestCase($0) }
        cases += [good(.download, runs: goodRuns / 2), good(.upload, runs: goodRuns / 2)]
        cases.append(goodSecure(runs: goodRuns / 10))
        for work in [Work.events, .messages, .sending] {
            cases.append(goodListener(work, runs: goodRuns / 20))
        }
        for work in [Work.streams, .call] { cases.append(goodStreams(work, runs: goodRuns / 10)) }
        for conduct in [RightConduct.singleAttempt, .singleCreation] {
            cases.append(restrained(conduct, runs: goodRuns / 10))
        }
        return cases
    }

    /// A client that gives up where it may.
    private static func restrained(_ conduct: RightConduct, runs: Int) -> SelfTestCase {
        var good = good(conduct == .singleCreation ? .upload : .download, runs: runs)
        good.conduct = conduct
        // One that never retries is to be told so, and of nothing else.
        if conduct == .singleAttempt { good.accepted = [.giveup] }
        return good
    }

    private static func goodSecure(runs: Int) -> SelfTestCase {
        var good = good(.download, runs: runs)
        good.isSecure = true
        good.campaign.effects = Effect.Kind.standard + [.corrupt]
        return good
    }

    private static func goodListener(_ work: Work, runs: Int) -> SelfTestCase {
        var good = good(work, runs: runs)
        good.campaign.objectsChange = false
        if work != .events { good.campaign.effects.append(.closeFrame) }
        return good
    }

    private static func goodStreams(_ work: Work, runs: Int) -> SelfTestCase {
        var good = good(work, runs: runs)
        good.campaign.objectsChange = false
        good.campaign.effects = [
            .reset, .finish, .hole, .stall, .swallow, .status, .inject, .resetStream, .goAway,
        ]
        return good
    }

    private static func good(_ work: Work, runs: Int) -> SelfTestCase {
        var good = SelfTestCase(bug: nil, work: work)
        good.campaign.effects = Effect.Kind.standard + [.silent]
        good.campaign.objectsChange = work == .download
        good.campaign.randomSchedules = nil
        good.campaign.runLimit = runs
        return good
    }
}
