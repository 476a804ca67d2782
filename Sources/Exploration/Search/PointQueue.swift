internal import Faults

/// Points that wait to be run, the most telling ones first.
struct PointQueue {
    /// In which order points are run.
    enum Urgency: Int, CaseIterable {
        /// What decides about a finding that is known already.
        case finding
        case remembered
        /// Few points that stand for all.
        case landmark
        case boundary
        case edge
        case pair
        case random

        fileprivate var isSearch: Bool { self != .finding && self != .random }
    }

    struct Entry: Hashable {
        var point: Point
        var purpose: PointRecord.Purpose
        /// Whether it is to run up to the deadline, however silent it is.
        var isPatient = false
        /// Whether no clock may run faster than others.
        var isReal = false
    }

    private var waiting: [[Entry]]
    private var heads: [Int]
    private(set) var count = 0
    /// Of those, how many belong to the search itself: not to what it found, nor to chance.
    private(set) var searching = 0

    /// How many entries there are of each kind of fault.
    private var kinds: [[String]: Int] = [:]

    init() {
        let places = Urgency.allCases.count * Lane.allCases.count
        waiting = Array(repeating: [], count: places)
        heads = Array(repeating: 0, count: places)
    }

    /// A run either works or mostly waits; many that wait may run at once.
    enum Lane: Int, CaseIterable {
        case working
        case waiting
    }

    mutating func push(_ entry: Entry, _ urgency: Urgency) {
        let place = Self.place(urgency, entry.point.lane)
        waiting[place].append(entry)
        count += 1
        kinds[Suspicions.Kind.deeds(entry.point), default: 0] += 1
        searching += urgency.isSearch ? 1 : 0
    }

    mutating func pop(_ lane: Lane) -> Entry? {
        for urgency in Urgency.allCases {
            let place = Self.place(urgency, lane)
            guard heads[place] < waiting[place].count else { continue }
            let entry = waiting[place][heads[place]]
            heads[place] += 1
            count -= 1
            kinds[Suspicions.Kind.deeds(entry.point), default: 1] -= 1
            searching -= urgency.isSearch ? 1 : 0
            return entry
        }
        return nil
    }

    /// The urgency of what comes next, of whichever lane; nil if nothing waits.
    var mostUrgent: Urgency? {
        Urgency.allCases.first { urgency in
            Lane.allCases.contains { lane in
                let place = Self.place(urgency, lane)
                return heads[place] < waiting[place].count
            }
        }
    }

    /// Whether it has an entry with faults that do this.
    func holds(_ deeds: [String]) -> Bool { kinds[deeds, default: 0] > 0 }

    /// Forgets all but what decides about findings.
    mutating func dropSearch() {
        for urgency in Urgency.allCases where urgency != .finding {
            for lane in Lane.allCases {
                let place = Self.place(urgency, lane)
                let dropped = waiting[place][heads[place]...]
                count -= dropped.count
                for entry in dropped {
                    kinds[Suspicions.Kind.deeds(entry.point), default: 1] -= 1
                }
                waiting[place] = []
                heads[place] = 0
            }
        }
        searching = 0
    }

    private static func place(_ urgency: Urgency, _ lane: Lane) -> Int {
        urgency.rawValue * Lane.allCases.count + lane.rawValue
    }
}

extension Point {
    /// Silence is waited out, so a run with a silent fault needs no processor.
    var lane: PointQueue.Lane {
        faults.contains { $0.effect.isIdle } ? .waiting : .working
    }
}
