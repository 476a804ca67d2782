/// Failures of one class at one place of the protocol, with the simplest schedule of each.
struct FindingGroups {
    private struct Key: Hashable {
        let kind: FindingClass
        /// Sorted.
        let positions: [String]
    }

    private var simplest: [Key: Point] = [:]

    var count: Int { simplest.count }

    /// Adds a failing schedule; true if nothing of this class and place was known.
    @discardableResult
    mutating func add(_ kind: FindingClass, _ positions: [String], _ point: Point) -> Bool {
        let key = Key(kind: kind, positions: positions.sorted())
        guard let known = simplest[key] else {
            simplest[key] = point
            return true
        }
        if Simplicity(point) < Simplicity(known) { simplest[key] = point }
        return false
    }

    /// Whether a part of these places fails in the same way by itself.
    func explains(_ kind: FindingClass, _ positions: [String]) -> Bool {
        simplest.keys.contains { $0.kind == kind && $0.positions.isPart(of: positions) }
    }

    /// The simplest schedule of each group, the worst class first.
    var smallest: [Point] {
        simplest.sorted { a, b in
            (a.key.kind.rank, a.key.positions.joined()) < (
                b.key.kind.rank, b.key.positions.joined()
            )
        }
        .map(\.value)
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
