internal import Faults

/// The order in which findings are told, so that the first one is worth the most to its reader.
///
/// 1. Of the worst class first: wrong bytes before an end that never comes, and that before giving up.
/// 2. What one fault brings about before what takes several.
/// 3. What happens to everybody before what is rare (`Rarity`), by the smallest schedule.
/// 4. What one cut shows before what takes the same cut again and again.
/// 5. What comes at more places first.
/// 6. By place and identity, so that the order is the same in every run, shard and machine.
struct FindingOrder: Comparable {
    /// How rare a fault is in everyday use.
    enum Rarity: Int, Comparable {
        /// The network does it: a cut, a silence, lost datagrams.
        case everyday
        /// A server or a name server does it, in trouble or in the course of its life: a status, another
        /// version of the object, a name that leads nowhere.
        case occasional
        /// Hardly anybody does it: interim responses, ranges and bytes that are wrong.
        case contrived

        /// - Parameter family: of the fault.
        init(_ family: FaultFamily) {
            self =
                switch family {
                case .end, .silence, .datagrams: .everyday
                case .answer, .change, .lookups: .occasional
                case .interim, .damage, .range: .contrived
                }
        }

        /// The rarest of the faults counts: without it the finding would not be.
        init(_ point: Point) {
            self = point.families.map { Rarity($0) }.max() ?? .everyday
        }

        static func < (a: Rarity, b: Rarity) -> Bool { a.rawValue < b.rawValue }
    }

    private let severity: Int
    private let faults: Int
    private let rarity: Rarity
    private let repeats: Int
    private let places: Int
    private let position: String
    private let id: String

    /// - Parameter finding: the one whose place among others is sought.
    init(_ finding: Finding) {
        severity = finding.kind.rank
        faults = finding.minimal.faults.count
        rarity = Rarity(finding.minimal)
        repeats = finding.minimal.faults.map(\.repeats).max() ?? 0
        places = finding.places.count
        position = finding.position
        id = finding.id
    }

    static func < (a: FindingOrder, b: FindingOrder) -> Bool {
        let (first, second) = (
            [a.severity, a.faults, a.rarity.rawValue, a.repeats, -a.places],
            [b.severity, b.faults, b.rarity.rawValue, b.repeats, -b.places]
        )
        guard first == second else { return first.lexicographicallyPrecedes(second) }
        return (a.position, a.id) < (b.position, b.id)
    }
}
