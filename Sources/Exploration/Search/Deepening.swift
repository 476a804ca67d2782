internal import Faults

/// What the rest of a budget goes to, once everything else has been run.
///
/// In turn: second faults in the recovery of the simplest point of each conduct that a client has shown,
/// and places that were not tried between those that were.
struct Deepening {
    private struct Conduct {
        let point: Point
        let simplicity: Simplicity
        let map: BoundaryMap
    }

    private let recovery: RecoveryFaults
    private var conducts: [Signature: Conduct] = [:]
    private var expanded: Set<Signature> = []
    private var isTurnOfPlaces = false

    init(_ recovery: RecoveryFaults) { self.recovery = recovery }

    /// Takes a run of a single fault that a client has come through.
    mutating func note(_ record: PointRecord, _ outcome: PointOutcome) {
        guard record.isSingle, record.purpose.isSearch, record.judgement == .pass,
            let map = outcome.map
        else { return }
        let conduct = Conduct(
            point: record.point,
            simplicity: Simplicity(record.point),
            map: map
        )
        if let other = conducts[record.signature], other.simplicity < conduct.simplicity { return }
        conducts[record.signature] = conduct
    }

    /// The next points.
    ///
    /// - Parameter places: what else there is, if it is asked.
    /// - Returns: nothing once there are none.
    mutating func next(_ places: () -> [Point]) -> [Point] {
        isTurnOfPlaces.toggle()
        let first = isTurnOfPlaces ? places() : pairs()
        guard first.isEmpty else { return first }
        return isTurnOfPlaces ? pairs() : places()
    }

    /// The pairs after the simplest conduct that has none yet.
    private mutating func pairs() -> [Point] {
        while let (signature, conduct) = conducts.filter({ !expanded.contains($0.key) })
            .min(by: { $0.value.simplicity < $1.value.simplicity })
        {
            expanded.insert(signature)
            let pairs = recovery.pairs(after: conduct.point, conduct.map)
            if !pairs.isEmpty { return pairs }
        }
        return []
    }
}
