internal import Analysis

/// The findings of a set of records: one for each cause.
///
/// A function of the records as a set, so that the records of all shards together give what one
/// run over everything gives.
struct FindingReading {
    private struct Group {
        /// In order of simplicity.
        var records: [PointRecord]
        /// Schedules that failed and are explained by this one.
        var others = 0
        var places: Set<[String]> { Set(records.map(\.positions)) }
    }

    private var groups: [FindingCause: Group] = [:]
    /// Under which cause each schedule that failed is told.
    private(set) var causes: [PointIdentity: FindingCause] = [:]
    /// The command's words.
    private let command: [String]
    /// Whether the command was seen to retry.
    private let retries: Bool
    private let intervals: IntervalReading
    private let survivals: SurvivalReading
    private let confirmations: [PointIdentity: [PointRecord]]
    /// Whether a finding counts only once it was confirmed.
    private let needsConfirmation: Bool

    init(
        _ records: [PointRecord],
        _ minima: [Minimum],
        command: [String],
        needsConfirmation: Bool = false
    ) {
        self.command = command
        self.needsConfirmation = needsConfirmation
        retries = records.contains(where: \.triesAgain)
        intervals = IntervalReading(records)
        survivals = SurvivalReading(records)
        var confirmations: [PointIdentity: [PointRecord]] = [:]
        for record in records where record.purpose == .verify {
            confirmations[record.point.identity, default: []].append(record)
        }
        self.confirmations = confirmations
        let distinct = Self.distinct(records)
        for record in distinct where record.isSingle { add(record) }
        addMultiple(distinct.filter { !$0.isSingle }, minima)
    }

    /// In the order of their worth to a reader.
    var findings: [Finding] {
        groups.map(finding).filter { !needsConfirmation || $0.confirmations.of > 0 }
            .sorted { FindingOrder($0) < FindingOrder($1) }
    }

    /// One record of each schedule, in order of simplicity; of several, the worst.
    private static func distinct(_ records: [PointRecord]) -> [PointRecord] {
        var chosen: [PointIdentity: PointRecord] = [:]
        for record in records where record.purpose.isOfItself {
            let identity = record.point.identity
            if let other = chosen[identity], !record.isWorse(than: other) { continue }
            chosen[identity] = record
        }
        return chosen.values.map { (Simplicity($0.point), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private mutating func add(_ record: PointRecord) {
        guard let cause = FindingCause(record) else { return }
        causes[record.point.identity] = cause
        groups[cause, default: Group(records: [])].records.append(record)
    }

    /// Schedules of several faults: part of something simpler that fails in the same way, or alone.
    private mutating func addMultiple(_ records: [PointRecord], _ minima: [Minimum]) {
        var smaller: [PointIdentity: PointIdentity] = [:]
        for minimum in minima where minimum.point != minimum.of {
            smaller[minimum.of.identity] = minimum.point.identity
        }
        var larger: [PointRecord] = []
        for record in records {
            guard let cause = FindingCause(record) else { continue }
            if let explanation = explanation(cause, record.positions) {
                tell(record, under: explanation)
            } else if smaller[record.point.identity] != nil {
                larger.append(record)
            } else {
                add(record)
            }
        }
        // Once it is known under what the smaller ones are told.
        for record in larger {
            if let cause = smaller[record.point.identity].flatMap({ causes[$0] }) {
                tell(record, under: cause)
            } else {
                add(record)
            }
        }
    }

    private mutating func tell(_ record: PointRecord, under cause: FindingCause) {
        groups[cause]?.others += 1
        causes[record.point.identity] = cause
    }

    /// The group of something simpler that fails like this, at a part of these places or for the same
    /// cause.
    private func explanation(_ cause: FindingCause, _ positions: [String]) -> FindingCause? {
        if let same = groups[cause], same.records.contains(where: \.isSingle) { return cause }
        return groups.filter { known, group in
            known.explains(nextStart: cause)
                || known.sign == cause.sign && group.places.contains { $0.isPart(of: positions) }
        }
        .keys.min { $0.text < $1.text }
    }

    private func finding(_ cause: FindingCause, _ group: Group) -> Finding {
        let simplest = group.records.first
        let minimal = simplest?.point ?? .quiet
        let confirmed = confirmations(of: minimal, cause.sign.kind)
        let manner: Finding.Manner = simplest.map { self.manner(cause, $0) } ?? .plain
        return Finding(
            id: Finding.id(cause),
            kind: confirmed.equal < confirmed.of ? .flaky : cause.sign.kind,
            failure: cause.sign.kind,
            outcome: cause.sign.outcome,
            places: places(cause, group),
            minimal: minimal,
            reason: simplest?.judgement.reason ?? "",
            remedy: ClientAdvice.remedy(
                cause,
                manner,
                after: group.records.map(\.point),
                command,
                retriesElsewhere: retries
            ),
            schedules: group.records.count + group.others,
            confirmations: confirmed,
            others: others(minimal, cause.sign.kind),
            manner: manner,
            deadlines: simplest.map { deadlines(cause, $0) } ?? 0,
            evidence: simplest?.evidence ?? [],
            trace: simplest?.trace
        )
    }

    private func manner(_ cause: FindingCause, _ simplest: PointRecord) -> Finding.Manner {
        if cause.sign.isOfLaterRun { return .later(simplest.point.laterWords) }
        guard cause.sign.kind == .giveup, let count = survivals.repeats(of: simplest) else {
            return .plain
        }
        return .repeated(count)
    }

    private func deadlines(_ cause: FindingCause, _ simplest: PointRecord) -> UInt64 {
        let isFirst = simplest.signature.ending == PointOutcome.Ending.deadline.text
        guard cause.sign.isOfLaterRun else {
            return isFirst && (cause.sign.kind == .hang || cause.sign.outcome == Check.b5.rawValue)
                ? 1 : 0
        }
        return (isFirst ? 1 : 0) + (cause.sign.kind == .hang ? 1 : 0)
    }

    private func places(_ cause: FindingCause, _ group: Group) -> [FindingPlace] {
        var order: [[String]] = []
        var seen: Set<[String]> = []
        for record in group.records where seen.insert(record.positions).inserted {
            order.append(record.positions)
        }
        return order.map { positions in
            let records = group.records.filter { $0.positions == positions }
            let deeds = records.filter { $0.series == nil }
                .map { $0.point.faults.map(\.deed).joined(separator: " + ") }
            return FindingPlace(
                positions: positions,
                deeds: Set(deeds).sorted(),
                intervals: intervals.intervals(cause, positions)
            )
        }
    }

    /// Several shards may have run the same schedule again; the doubts of all of them count.
    private func confirmations(of point: Point, _ kind: FindingClass) -> Finding.Confirmations {
        let runs = confirmations[point.identity] ?? []
        let different = runs.count { $0.judgement.word != kind.rawValue }
        let count = min(runs.count, Self.confirmations)
        return Finding.Confirmations(equal: max(0, count - different), of: count)
    }

    /// The runs again that came out otherwise, those of one kind as one.
    private func others(_ point: Point, _ kind: FindingClass) -> [String] {
        let different = (confirmations[point.identity] ?? []).filter {
            $0.judgement.word != kind.rawValue
        }
        let counts = different.reduce(into: [:]) { $0[$1.ending, default: 0] += 1 }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($1) \($0)" }
    }

    /// How many runs a finding is confirmed by.
    private static let confirmations = 3
}

extension PointRecord {
    /// What the judge says of it, and how the command ended: `passed (exit 0)`.
    fileprivate var ending: String {
        let word =
            switch judgement {
            case .pass: "passed"
            case .honest: "failed honestly"
            case .failure(let kind, _): kind.rawValue
            case .inconclusive: "proving nothing"
            case .unreached: "without its faults"
            }
        return "\(word) (\(judgement.reason.isEmpty ? signature.ending : judgement.reason))"
    }

    /// Whether this record says more against the client than another one of the same schedule.
    fileprivate func isWorse(than other: PointRecord) -> Bool {
        switch (judgement, other.judgement) {
        case (.failure(let a, _), .failure(let b, _)): a < b
        case (.failure, _): true
        default: false
        }
    }
}
