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

    private var records: [Kind: [PointRecord]] = [:]
    /// Of those kinds of which a run is or was without an early end.
    private var witnesses: [Kind: PointIdentity] = [:]

    mutating func add(_ record: PointRecord) {
        records[Kind(record.point, record.positions), default: []].append(record)
    }

    /// Chooses the witnesses of the kinds that have none yet.
    ///
    /// - Parameter isOpen: whether a run of a kind is still to end, which may be a simpler one.
    /// - Returns: the simplest of each kind, which are to be run up to the deadline.
    mutating func takeWitnesses(_ isOpen: (Kind) -> Bool) -> [PointRecord] {
        let due = records.filter { witnesses[$0.key] == nil && !isOpen($0.key) }
        let chosen = due.compactMap { kind, records in
            records.min { Simplicity($0.point) < Simplicity($1.point) }.map { (kind, $0) }
        }
        for (kind, record) in chosen { witnesses[kind] = record.point.identity }
        return chosen.map(\.1).sorted { Simplicity($0.point) < Simplicity($1.point) }
    }

    func isWitness(_ point: Point, _ positions: [String]) -> Bool {
        witnesses[Kind(point, positions)] == point.identity
    }

    /// The records of a kind, simplest first, which are suspicions no more.
    mutating func release(_ point: Point, _ positions: [String]) -> [PointRecord] {
        let kind = Kind(point, positions)
        witnesses[kind] = nil
        return (records.removeValue(forKey: kind) ?? [])
            .sorted { Simplicity($0.point) < Simplicity($1.point) }
    }

    /// All that were never confirmed.
    mutating func releaseAll() -> [PointRecord] {
        defer { records = [:] }
        return records.values.joined().sorted { Simplicity($0.point) < Simplicity($1.point) }
    }
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
            .object(_, .every):
            true
        case .requests, .matching, .connections, .object: false
        }
    }
}
