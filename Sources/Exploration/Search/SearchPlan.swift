internal import Analysis
internal import Basics
internal import Faults

/// What a shard searches, from the baseline's map.
struct SearchPlan {
    typealias Planned = (entry: PointQueue.Entry, urgency: PointQueue.Urgency)

    let positions: ProtocolPositions
    let random: RandomSchedules
    let ignoredChecks: Set<String>
    /// What each run has to make, if no oracle says so.
    let expected: RunResult?
    private(set) var firstEntries: [Planned] = []

    private var edges: EdgeSearch
    private let recovery: RecoveryFaults?
    /// Of the rest of the budget; nil without one.
    private var deepening: Deepening?
    private let followUps: FollowUps
    private let changes: ObjectChanges
    private var cuts: ResumedCuts
    private let shard: Shard

    init(
        _ map: BoundaryMap,
        _ summary: BaselineSummary,
        _ settings: CampaignSettings,
        expected: RunResult?
    ) {
        self.expected = expected
        positions = ProtocolPositions(map)
        random = RandomSchedules(of: map, effects: settings.effects, seed: settings.seed)
        ignoredChecks = Set(summary.ignoredChecks)
        let possible = settings.effects.filter { $0.isPossible(with: settings.server) }
        let pairs = RecoveryFaults(effects: possible, patterns: map.exchanges.map(\.pattern))
        recovery = settings.depth > 1 ? pairs : nil
        deepening = settings.usesRest ? Deepening(pairs) : nil
        followUps = FollowUps(
            possible,
            positions,
            usualMilliseconds: summary.milliseconds,
            isFast: settings.warp > 1
        )
        shard = settings.shard
        changes = ObjectChanges(summary.object == nil ? [] : possible, positions)
        cuts = ResumedCuts(possible)
        let enumeration = Enumeration(
            of: map,
            effects: settings.effects,
            isStable: summary.isStable,
            server: settings.server
        )
        edges = EdgeSearch(enumeration.series, shard: settings.shard)
        let landmarks = enumeration.series.map { Set($0.series.axis.landmarks) }
        for (series, position) in edges.firstPoints {
            let entry = PointQueue.Entry(
                point: edges.point(series, at: position),
                purpose: .boundary
            )
            let isLandmark = landmarks[series].contains(position)
            firstEntries.append((entry, isLandmark ? .landmark : .boundary))
        }
        for point in enumeration.singles where settings.shard.owns(point) {
            // What lasts takes longest.
            let urgency: PointQueue.Urgency = point.isPermanent ? .landmark : .boundary
            firstEntries.append((.init(point: point, purpose: .boundary), urgency))
        }
    }

    /// How many points the baseline gave at each place of the protocol.
    var traffic: [String: UInt64] {
        firstEntries.reduce(into: [:]) { counts, planned in
            let place = positions.names(of: planned.entry.point).joined(separator: " + ")
            counts[place, default: 0] += 1
        }
    }

    func record(
        _ point: Point,
        _ purpose: PointRecord.Purpose,
        _ judgement: PointJudgement,
        _ outcome: PointOutcome
    ) -> PointRecord {
        var record = PointRecord(
            point: point,
            purpose: purpose,
            judgement: judgement,
            signature: Signature(judgement, outcome),
            positions: positions.names(of: point)
        )
        record.triesAgain = outcome.map.map { positions.triesAgain(point, $0) } ?? false
        if let (series, position) = edges.spot(of: point) {
            record.series = edges.name(series)
            record.at = position
        }
        record.advice = outcome.advice.filter { !ignoredChecks.contains($0.check.rawValue) }
        record.evidence = outcome.evidence
        // What it says when it fails is there already, and of no interest when it does well.
        if outcome.ending.isSuccess, judgement.failure != nil, let words = outcome.lastWords {
            record.evidence.append("it said: \(words)")
        }
        record.milliseconds = outcome.milliseconds
        record.trace = outcome.trace
        return record
    }

    /// Whether a fault failed a POST with a status, or cut its connection or its head, of which the client
    /// had sent who knows how much, and it was not sent again.
    func mayHaveActed(_ point: Point, _ outcome: PointOutcome) -> Bool {
        point.faults.contains { fault in
            guard let meant = positions.request(of: fault), meant.method == "POST" else {
                return false
            }
            if fault.effect.kind.family == .answer { return true }
            let seen = outcome.map?.exchanges ?? []
            return !seen.contains { $0.method == meant.method && $0.path == meant.path }
        }
    }

    /// So many untried places are run before anything else is thought of.
    private static let placesAtOnce = 16

    /// What is to be run now that everything else has been; empty once there is nothing.
    mutating func rest() -> [PointQueue.Entry] {
        guard var deepening else { return [] }
        let points = deepening.next {
            edges.untried(Self.placesAtOnce).map { edges.point($0.series, at: $0.position) }
        }
        self.deepening = deepening
        return points.map { .init(point: $0, purpose: $0.faults.count > 1 ? .pair : .edge) }
    }

    /// What is to be run because of what one run showed.
    mutating func consequences(
        of record: PointRecord,
        _ outcome: PointOutcome
    ) -> [Planned] {
        var planned: [Planned] = []
        if record.purpose != .verify, let (series, position) = edges.spot(of: record.point) {
            planned += edges.note(record.signature, series: series, at: position).map {
                (.init(point: edges.point(series, at: $0), purpose: .edge), .edge)
            }
        }
        deepening?.note(record, outcome)
        planned += nextRequests(after: record, outcome)
        let isFirst = record.purpose == .boundary && shard.owns(record.point)
        if isFirst {
            planned += followUps.lateContent(after: record.point, outcome).map {
                (PointQueue.Entry(point: $0, purpose: .pair), .landmark)
            }
            planned += followUps.points(after: record.point, outcome).map {
                let purpose: PointRecord.Purpose = $0.faults.count > 1 ? .pair : .boundary
                return (PointQueue.Entry(point: $0, purpose: purpose), .boundary)
            }
        }
        if isFirst, record.judgement == .pass, let recovery, let map = outcome.map {
            planned += recovery.pairs(after: record.point, map).map {
                (PointQueue.Entry(point: $0, purpose: .pair), .pair)
            }
        }
        return planned
    }

    /// What a server can do wrong when it is asked for the rest, after a cut that a client resumes after.
    private mutating func nextRequests(
        after record: PointRecord,
        _ outcome: PointOutcome
    ) -> [Planned] {
        guard record.purpose == .boundary, changes.concern(record.point) else { return [] }
        switch cuts.note(record.point, outcome, isOwn: shard.owns(record.point)) {
        case .use(let cut, let outcome):
            let refusals = changes.isMiddle(cut) ? followUps.refusals(after: cut, outcome) : []
            return (changes.points(after: cut, outcome) + refusals).map {
                (.init(point: $0, purpose: .pair), .landmark)
            }
        case .run(let cut): return [(.init(point: cut, purpose: .boundary), .boundary)]
        case .nothing: return []
        }
    }
}
