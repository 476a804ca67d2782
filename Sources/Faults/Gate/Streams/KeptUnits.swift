/// What of a stream waits, in its order.
struct KeptUnits {
    private var units: [StreamUnit] = []
    private var first = 0
    /// What waits, as windows count it.
    private(set) var waiting = 0

    var isEmpty: Bool { first == units.count }

    mutating func append(_ unit: StreamUnit) {
        var unit = unit
        unit.isKept = true
        waiting += unit.unsent
        units.append(unit)
    }

    /// Takes out the first one, which there must be, so that it can be asked about; `putBack` or
    /// `removeFirst` follows.
    mutating func takeFirst() -> StreamUnit {
        var unit = StreamUnit(.plain, prefix: 0)
        swap(&unit, &units[first])
        return unit
    }

    mutating func putBack(_ unit: StreamUnit) { units[first] = unit }

    mutating func removeFirst() {
        first += 1
        guard isEmpty || first >= 64 && first * 2 >= units.count else { return }
        units.removeFirst(first)
        first = 0
    }

    /// Notes that content has been sent or thrown away.
    mutating func leave(_ count: Int) { waiting -= count }
}
