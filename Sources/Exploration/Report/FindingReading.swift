internal import Analysis

/// The findings of a set of records: one for each class at each place of the protocol.
///
/// A function of the records as a set, so that the records of all shards together give what one
/// run over everything gives.
struct FindingReading {
    private struct Group {
        var kind: FindingClass
        var positions: [String]
        var records: [PointRecord]
        /// Schedules that failed and are explained by this one.
        var others = 0
        /// The simplest schedule, if no record of this group is it.
        var minimum: Point?
    }

    private var groups: [[String]: Group] = [:]
    private let intervals: IntervalReading
    private let confirmations: [PointIdentity: [PointRecord]]

    init(_ records: [PointRecord], _ minima: [Minimum]) {
        intervals = IntervalReading(records)
        var confirmations: [PointIdentity: [PointRecord]] = [:]
        for record in records where record.purpose == .verify {
            confirmations[record.point.identity, default: []].append(record)
        }
        self.confirmations = confirmations
        let distinct = Self.distinct(records)
        for record in distinct where record.isSingle { add(record) }
        addMultiple(distinct.filter { !$0.isSingle }, minima)
    }

    /// The worst first, then by place.
    var findings: [Finding] {
        groups.values.map(finding).sorted {
            ($0.kind.rank, $0.position, $0.id) < ($1.kind.rank, $1.position, $1.id)
        }
    }

    /// One record of each schedule, in order of simplicity; of several, the worst.
    private static func distinct(_ records: [PointRecord]) -> [PointRecord] {
        var chosen: [PointIdentity: PointRecord] = [:]
        for record in records where record.purpose != .verify && record.purpose != .repetition {
            let identity = record.point.identity
            if let other = chosen[identity], !record.isWorse(than: other) { continue }
            chosen[identity] = record
        }
        return chosen.values.map { (Simplicity($0.point), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private mutating func add(_ record: PointRecord) {
        guard case .failure(let kind, _) = record.judgement else { return }
        let positions = record.positions.sorted()
        groups[
            Self.key(kind, positions),
            default: Group(kind: kind, positions: positions, records: [])
        ].records.append(record)
    }

    private static func key(_ kind: FindingClass, _ positions: [String]) -> [String] {
        [kind.rawValue] + positions
    }

    /// Schedules of several faults: part of something simpler that fails in the same way, or alone.
    private mutating func addMultiple(_ records: [PointRecord], _ minima: [Minimum]) {
        var shrunk: [PointIdentity: Minimum] = [:]
        for minimum in minima { shrunk[minimum.of.identity] = minimum }
        for record in records {
            guard case .failure(let kind, _) = record.judgement else { continue }
            if let explanation = explanation(kind, record.positions) {
                groups[explanation]?.others += 1
            } else if let minimum = shrunk[record.point.identity], minimum.kind == kind,
                minimum.point != record.point
            {
                // The smaller one has a record of its own, or is the start of a group.
                let positions = minimum.positions.sorted()
                let key = Self.key(kind, positions)
                groups[
                    key,
                    default: Group(
                        kind: kind,
                        positions: positions,
                        records: [],
                        minimum: minimum.point
                    )
                ].others += 1
            } else {
                add(record)
            }
        }
    }

    /// The group of something smaller that fails like this at a part of these places.
    private func explanation(_ kind: FindingClass, _ positions: [String]) -> [String]? {
        groups.filter { $0.value.kind == kind && $0.value.positions.isPart(of: positions) }
            .map(\.key)
            .min { ($0.count, $0.joined()) < ($1.count, $1.joined()) }
    }

    private func finding(_ group: Group) -> Finding {
        let simplest = group.records.first
        let minimal = simplest?.point ?? group.minimum ?? .quiet
        let confirmed = confirmations(of: minimal, group.kind)
        return Finding(
            id: Finding.id(group.kind, group.positions),
            kind: confirmed.equal < confirmed.of ? .flaky : group.kind,
            failure: group.kind,
            positions: group.positions,
            minimal: minimal,
            reason: simplest?.judgement.reason ?? "",
            intervals: intervals.intervals(group.kind, group.positions),
            schedules: group.records.count + group.others,
            confirmations: confirmed,
            evidence: simplest?.evidence ?? [],
            trace: simplest?.trace
        )
    }

    /// Several shards may have run the same schedule again; the doubts of all of them count.
    private func confirmations(of point: Point, _ kind: FindingClass) -> Finding.Confirmations {
        let runs = confirmations[point.identity] ?? []
        let different = runs.count { $0.judgement.word != kind.rawValue }
        let count = min(runs.count, Self.confirmations)
        return Finding.Confirmations(equal: max(0, count - different), of: count)
    }

    /// How many runs a finding is confirmed by.
    private static let confirmations = 3
}

extension PointRecord {
    /// Whether this record says more against the client than another one of the same schedule.
    fileprivate func isWorse(than other: PointRecord) -> Bool {
        switch (judgement, other.judgement) {
        case (.failure(let a, _), .failure(let b, _)): a < b
        case (.failure, _): true
        default: false
        }
    }
}
