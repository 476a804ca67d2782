internal import Basics
internal import QUICWire

// Which ones of things that are counted, in the text of faults.
extension FaultScanner {
    /// - Parameters:
    ///   - kind: of what is counted.
    ///   - start: where the letter or sign before it stands.
    /// - Returns: what stands behind `c`, `r` or `#`.
    /// - Throws: what is wrong with it.
    package mutating func selector(
        of kind: String,
        from start: Int
    ) throws(ScheduleError) -> OrdinalSelector {
        let ordinals: OrdinalSelector.Ordinals
        if take("*") {
            let period = try period(of: kind) ?? 1
            ordinals = .periodic(first: period, period: period)
        } else {
            let column = position
            let first = try ordinal("a \(kind) number or '*'", of: kind)
            if takeWord("..") {
                let last = try ordinal("a \(kind) number", of: kind)
                guard first <= last else {
                    throw error(
                        "the range \(first)..\(last) is empty; the smaller end comes first",
                        at: column
                    )
                }
                return OrdinalSelector(
                    first == last ? .one(first) : .range(first...last),
                    chance: try chance()
                )
            }
            guard let period = try period(of: kind) else {
                return OrdinalSelector(.one(first), chance: try chance())
            }
            guard first <= period else {
                throw error(
                    "'\(text(from: start))' names nothing: \(first) > \(period)",
                    at: column
                )
            }
            ordinals = .periodic(first: first, period: period)
        }
        return OrdinalSelector(ordinals, chance: try chance())
    }

    /// `/r` is no period, nor is the type of a packet.
    private mutating func period(of kind: String) throws(ScheduleError) -> UInt32? {
        guard !isAhead("/r"), kind != "flow" || isPeriodAhead, take("/") else {
            return nil
        }
        return try ordinal("a number after '/'", of: "connection")
    }

    mutating func chance() throws(ScheduleError) -> Probability? {
        guard take("?") else { return nil }
        let start = position
        let value = takeText { !":=/,)".utf8.contains($0) }
        return try quantity(at: start) { () throws(QuantityError) in
            try Quantity.probability(value)
        }
    }

    /// Whether a number follows, and no type that begins with one.
    private var isPeriodAhead: Bool {
        (0...9).contains { isAhead("/\($0)") }
            && !QUICPacketType.allCases.contains { isAhead("/\($0.rawValue)") }
    }
}
