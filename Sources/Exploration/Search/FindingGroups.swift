/// Failures of one cause, with the simplest schedule of each.
struct FindingGroups {
    private struct Member {
        let point: Point
        let simplicity: Simplicity
    }

    private struct Group {
        /// In order of simplicity.
        var members: [Member] = []
        /// The places of each of its schedules.
        var places: Set<[String]> = []
        /// How many turned out to be none.
        var withdrawn = 0
    }

    private var groups: [FindingCause: Group] = [:]

    /// Once this many schedules of a group turn out to be no finding, the rest are not run again.
    private static let mostWithdrawn = 3

    var count: Int { groups.count }

    /// Adds a failing schedule; true if nothing of this cause was known.
    @discardableResult
    mutating func add(_ cause: FindingCause, _ positions: [String], _ point: Point) -> Bool {
        let isNew = groups[cause] == nil
        var group = groups[cause] ?? Group()
        let member = Member(point: point, simplicity: Simplicity(point))
        let place = group.members.firstIndex { member.simplicity < $0.simplicity }
        group.members.insert(member, at: place ?? group.members.count)
        group.places.insert(positions)
        groups[cause] = group
        return isNew
    }

    /// Adds a failing schedule of a known cause that is simpler than those known: it is what is told, whichever
    /// came first.
    mutating func addIfSimplest(_ cause: FindingCause, _ positions: [String], _ point: Point) {
        guard let least = groups[cause]?.members.first, Simplicity(point) < least.simplicity else {
            return
        }
        add(cause, positions, point)
    }

    /// Takes a schedule out that does not fail after all.
    mutating func withdraw(_ point: Point) {
        for cause in groups.keys {
            guard let place = groups[cause]?.members.firstIndex(where: { $0.point == point }) else {
                continue
            }
            groups[cause]?.members.remove(at: place)
            groups[cause]?.withdrawn += 1
            if groups[cause]?.members.isEmpty == true { groups[cause] = nil }
        }
    }

    /// Whether a part of these places fails in the same way by itself, or others do for the same cause.
    func explains(_ cause: FindingCause, _ positions: [String]) -> Bool {
        groups.contains { known, group in
            known == cause || known.explains(nextStart: cause)
                || known.sign == cause.sign && group.places.contains { $0.isPart(of: positions) }
        }
    }

    /// The simplest schedule of each group, the worst class first.
    var smallest: [Point] {
        groups.filter { $0.value.withdrawn < Self.mostWithdrawn }.sorted { a, b in
            (a.key.sign.kind.rank, a.key.text) < (b.key.sign.kind.rank, b.key.text)
        }
        .compactMap { $0.value.members.first?.point }
    }
}

extension [String] {
    /// Whether each of these is among the others, as often as here, and they are more.
    func isPart(of others: [String]) -> Bool {
        guard count < others.count else { return false }
        var rest = others
        for element in self {
            guard let index = rest.firstIndex(of: element) else { return false }
            rest.remove(at: index)
        }
        return true
    }
}
