internal import Faults

/// Runs that were ended early because nothing happened in them any more: what they say waits until one of
/// their kind has been silent up to the deadline.
struct Suspicions {
    /// Faults alike at the same places: who waits without end after one of them does so after all.
    struct Kind: Hashable {
        let positions: [String]
        let deeds: [String]
        /// Whether a part of the message came: who has that may be told something later.
        let comeToNothing: [Bool]

        init(_ point: Point, _ positions: [String]) {
            self.positions = positions
            comeToNothing = point.faults.map(\.address.anchor.isBeforeAll)
            deeds = Self.deeds(point)
        }

        /// What its faults do, wherever.
        static func deeds(_ point: Point) -> [String] {
            point.faults.map {
                "\($0.address.target.isEvery) \($0.effect.canonicalText)\($0.options.canonicalText)"
            }
        }
    }

    /// A run that was ended early, and what came of it so far.
    struct Suspect {
        let record: PointRecord
        let outcome: PointOutcome

        fileprivate var simplicity: Simplicity { Simplicity(record.point) }
    }

    /// What is known of a kind once one of it was waited for up to the deadline.
    enum Finding {
        case hangs
        case goesOn
    }

    private var suspects: [Kind: [Suspect]] = [:]
    /// Of those kinds of which a run is under way without an early end.
    private var witnesses: [Kind: PointIdentity] = [:]
    private var findings: [Kind: Finding] = [:]

    /// Whether nothing is suspected.
    var isEmpty: Bool { suspects.isEmpty }

    mutating func add(_ suspect: Suspect) {
        suspects[Kind(suspect.record), default: []].append(suspect)
    }

    /// What a witness has told of runs like this one; nil if there was none.
    func finding(of record: PointRecord) -> Finding? { findings[Kind(record)] }

    /// Chooses the witnesses of the kinds that have none yet.
    ///
    /// - Parameter isOpen: whether a run of a kind is still to end, which may be a simpler one.
    /// - Returns: the simplest of each kind, which are to be run up to the deadline.
    mutating func takeWitnesses(_ isOpen: (Kind) -> Bool) -> [PointRecord] {
        let due = suspects.filter { witnesses[$0.key] == nil && !isOpen($0.key) }
        let chosen = due.compactMap { kind, suspects in
            suspects.min { $0.simplicity < $1.simplicity }.map { (kind, $0.record) }
        }
        for (kind, record) in chosen { witnesses[kind] = record.point.identity }
        return chosen.map(\.1).sorted { Simplicity($0.point) < Simplicity($1.point) }
    }

    func isWitness(_ record: PointRecord) -> Bool {
        witnesses[Kind(record)] == record.point.identity
    }

    /// Takes what a witness shows.
    ///
    /// - Returns: the runs of its kind, simplest first, which are suspicions no more.
    mutating func take(witness: PointRecord) -> (finding: Finding, suspects: [Suspect]) {
        let kind = Kind(witness)
        witnesses[kind] = nil
        let released = (suspects.removeValue(forKey: kind) ?? [])
            .sorted { $0.simplicity < $1.simplicity }
        let isAlike = released.first?.record.judgement.word == witness.judgement.word
        let finding: Finding = isAlike ? .hangs : .goesOn
        findings[kind] = finding
        return (finding, released)
    }

    /// All that were never confirmed.
    mutating func releaseAll() -> [PointRecord] {
        defer { suspects = [:] }
        return suspects.values.joined().map(\.record)
            .sorted { Simplicity($0.point) < Simplicity($1.point) }
    }
}

extension Suspicions.Kind {
    fileprivate init(_ record: PointRecord) { self.init(record.point, record.positions) }
}

extension Anchor {
    /// Whether it is before the first byte of a message.
    fileprivate var isBeforeAll: Bool {
        if case .message(_, .head, .fromStart(.at(0))) = self { true } else { false }
    }
}

extension FaultTarget {
    /// Whether it is all requests or connections of a kind, and not one.
    fileprivate var isEvery: Bool {
        switch self {
        case .requests(on: _, .every), .matching(_, .every), .connections(.every),
            .object(_, .every), .flows(.every, _), .queries(_, _, .every):
            true
        case .requests, .matching, .connections, .object, .flows, .queries: false
        }
    }
}
