/// What of a stream waits, in its order.
struct KeptUnits {
    private var units: [StreamUnit] = []
    private var first = 0
    /// What waits, as windows count it.
    private(set) var waiting = 0

    var isEmpty: Bool { first == units.count }

    /// The one whose turn it is, which there must be.
    var front: StreamUnit { units[first] }

    mutating func append(_ unit: StreamUnit) {
        unit.isKept = true
        waiting += unit.unsent
        units.append(unit)
    }

    mutating func removeFirst() {
        first += 1
        guard isEmpty || first >= 64 && first * 2 >= units.count else { return }
        units.removeFirst(first)
        first = 0
    }

    /// Notes that content has been sent or thrown away.
    mutating func leave(_ count: Int) { waiting -= count }
}
