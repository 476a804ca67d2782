internal import LinkEngine

/// Reads faults and schedules from text, left to right, without going back.
///
/// What a fault may do is in `+Effects`.
struct FaultParser {
    var scanner: FaultScanner

    private static let anchors = ["connect", "up", "down"]
    /// Words of request-addressed faults, which get a message of their own.
    private static let requestAnchors = ["req", "resp", "interim", "idle"]
    private static let requestArguments = ["see", "gate", "times", "drain", "until"]

    init(_ source: String) throws(ScheduleError) { scanner = try FaultScanner(source) }

    mutating func schedule() throws(ScheduleError) -> (seed: UInt64?, faults: [Fault]) {
        guard scanner.takeWord("lc1") else {
            throw scanner.error("expected 'lc1' to begin a schedule, found \(scanner.foundHere)")
        }
        var seed: UInt64?
        var faults: [Fault] = []
        while scanner.take(";") {
            let start = scanner.position
            if scanner.takeWord("seed=") {
                guard seed == nil else { throw scanner.error("the seed is given twice", at: start) }
                seed = try scanner.number(upTo: .max, what: "a seed")
            } else if scanner.takeWord("base=") {
                throw scanner.unsupported("'base' belongs to request addresses", at: start)
            } else {
                faults.append(try fault())
            }
            guard faults.count <= ScheduleLimits.faults else {
                throw scanner.error("more than \(ScheduleLimits.faults) faults", at: start)
            }
        }
        return (seed, faults)
    }

    mutating func end() throws(ScheduleError) {
        guard scanner.isAtEnd else {
            throw scanner.error("expected the end of the text, found \(scanner.foundHere)")
        }
    }

    mutating func fault() throws(ScheduleError) -> Fault {
        let connections = try selector()
        guard scanner.take(":") else {
            throw scanner.error("expected ':' and an anchor, found \(scanner.foundHere)")
        }
        let anchor = try anchor()
        guard scanner.take("=") else {
            throw scanner.error("expected '=' and an effect, found \(scanner.foundHere)")
        }
        let effect = try effect(at: anchor)
        let far = try arguments(of: effect)
        return Fault(connections: connections, anchor: anchor, effect: effect, far: far)
    }

    private mutating func selector() throws(ScheduleError) -> ConnectionSelector {
        let start = scanner.position
        guard scanner.take("c") else { throw notASelector() }
        let ordinals: ConnectionSelector.Ordinals
        if scanner.take("*") {
            let period = try period(from: start) ?? 1
            ordinals = .periodic(first: period, period: period)
        } else {
            let column = scanner.position
            let first = try scanner.ordinal("a connection number or '*'")
            guard let period = try period(from: start) else {
                return ConnectionSelector(.one(first), chance: try chance())
            }
            guard first <= period else {
                throw scanner.error(
                    "'c\(first)/\(period)' names nothing: \(first) > \(period)",
                    at: column
                )
            }
            ordinals = .periodic(first: first, period: period)
        }
        return ConnectionSelector(ordinals, chance: try chance())
    }

    private mutating func period(from start: Int) throws(ScheduleError) -> UInt32? {
        guard scanner.take("/") else { return nil }
        guard scanner.peek != UInt8(ascii: "r") else {
            throw scanner.unsupported(
                "'\(scanner.item(from: start))' addresses a request",
                at: start
            )
        }
        return try scanner.ordinal("a number after '/'")
    }

    private mutating func chance() throws(ScheduleError) -> Probability? {
        guard scanner.take("?") else { return nil }
        let start = scanner.position
        let value = scanner.takeText { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: "=") }
        return try quantity(at: start) { () throws(QuantityError) in
            try Quantity.probability(value)
        }
    }

    private mutating func anchor() throws(ScheduleError) -> Anchor {
        let start = scanner.position
        let name = scanner.takeText { isNameByte($0) && $0 != UInt8(ascii: "-") }
        switch name {
        case "connect": return .connect
        case "up": return .byte(.up, try offset(after: name))
        case "down": return .byte(.down, try offset(after: name))
        default:
            if Self.requestAnchors.contains(name) {
                throw scanner.unsupported(
                    "'\(scanner.item(from: start))' addresses a request",
                    at: start
                )
            }
            throw scanner.unknown("anchor", name, among: Self.anchors, at: start)
        }
    }

    private mutating func offset(after name: String) throws(ScheduleError) -> Anchor.Offset {
        if scanner.peek == UInt8(ascii: "-") || scanner.peek == UInt8(ascii: "~") {
            throw scanner.unsupported(
                "an offset from the end needs a message's length",
                at: scanner.position
            )
        }
        guard scanner.take("+") else {
            throw scanner.error(
                "expected an offset like '\(name)+1024', found \(scanner.foundHere)"
            )
        }
        let start = scanner.position
        let low = try byteCount()
        guard scanner.takeWord("..") else { return .at(low) }
        let high = try byteCount()
        guard low <= high else {
            throw scanner.error(
                "the range \(low)..\(high) is empty; the smaller end comes first",
                at: start
            )
        }
        return low == high ? .at(low) : .drawn(low...high)
    }

    private mutating func byteCount() throws(ScheduleError) -> UInt64 {
        let start = scanner.position
        let value = scanner.takeQuantity()
        guard !value.isEmpty else {
            throw scanner.error("expected a number of bytes, found \(scanner.foundHere)")
        }
        let count = try quantity(at: start) { () throws(QuantityError) in
            try Quantity.byteCount(value)
        }
        guard count <= ScheduleLimits.offset else {
            throw scanner.error(
                "'\(QuantityError.shown(value))' is beyond the largest offset, \(ScheduleLimits.offset)",
                at: start
            )
        }
        return count
    }

    private mutating func arguments(of effect: Effect) throws(ScheduleError) -> FarEnding {
        var far: FarEnding?
        while scanner.take(",") {
            let start = scanner.position
            let name = scanner.takeText(isNameByte)
            if Self.requestArguments.contains(name) {
                throw scanner.unsupported("the argument '\(name)' belongs to a request", at: start)
            }
            guard name == "far" else {
                throw scanner.unknown("argument", name, among: ["far"], at: start)
            }
            guard far == nil else { throw scanner.error("'far' is given twice", at: start) }
            guard effect.takesFarEnding else {
                throw scanner.error("'far' goes with 'rst', 'fin' and 'hole' only", at: start)
            }
            guard scanner.take("=") else {
                throw scanner.error("expected '=' after 'far', found \(scanner.foundHere)")
            }
            far = try farEnding()
        }
        return far ?? .same
    }

    private mutating func farEnding() throws(ScheduleError) -> FarEnding {
        let start = scanner.position
        let name = scanner.takeText(isNameByte)
        guard let ending = FarEnding(rawValue: name) else {
            throw scanner.unknown(
                "far ending",
                name,
                among: FarEnding.allCases.map(\.rawValue),
                at: start
            )
        }
        return ending
    }

    private func notASelector() -> ScheduleError {
        let start = scanner.position
        if scanner.address(from: start).contains(UInt8(ascii: "(")) {
            let item = scanner.item(from: start)
            return scanner.unsupported("'\(item)' addresses a request", at: start)
        }
        return scanner.error(
            "expected a connection, 'c1' for the first or 'c*' for all, found \(scanner.foundHere)"
        )
    }
}
