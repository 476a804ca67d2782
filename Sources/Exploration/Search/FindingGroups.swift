/// Failures of one cause, with the simplest schedule of each.
struct FindingGroups {
    private struct Group {
        var simplest: Point
        /// The places of each of its schedules.
        var places: Set<[String]>
    }

    private var groups: [FindingCause: Group] = [:]

    var count: Int { groups.count }

    /// Adds a failing schedule; true if nothing of this cause was known.
    @discardableResult
    mutating func add(_ cause: FindingCause, _ positions: [String], _ point: Point) -> Bool {
        guard let known = groups[cause] else {
            groups[cause] = Group(simplest: point, places: [positions])
            return true
        }
        groups[cause]?.places.insert(positions)
        if Simplicity(point) < Simplicity(known.simplest) { groups[cause]?.simplest = point }
        return false
    }

    /// Whether a part of these places fails in the same way by itself, or others do for the same cause.
    func explains(_ cause: FindingCause, _ positions: [String]) -> Bool {
        groups.contains { known, group in
            known == cause
                || known.sign == cause.sign && group.places.contains { $0.isPart(of: positions) }
        }
    }

    /// The simplest schedule of each group, the worst class first.
    var smallest: [Point] {
        groups.sorted { a, b in
            (a.key.sign.kind.rank, a.key.text) < (b.key.sign.kind.rank, b.key.text)
        }
        .map(\.value.simplest)
    }
}

extension [String] {
    /// Whether each of these is among the others, as often as here.
    func isPart(of others: [String]) -> Bool {
        var rest = others
        for element in self {
            guard let index = rest.firstIndex(of: element) else { return false }
            rest.remove(at: index)
        }
        return true
    }
}
