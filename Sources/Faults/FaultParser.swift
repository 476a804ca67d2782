internal import Basics

/// Reads faults and schedules from text, left to right, without going back.
///
/// Where a fault acts is in `+Address`; what it does is read by `EffectArguments`.
struct FaultParser {
    var scanner: FaultScanner

    init(_ source: String) throws(ScheduleError) { scanner = try FaultScanner(source) }

    mutating func schedule() throws(ScheduleError) -> FaultSchedule {
        guard scanner.takeWord("lc1") else {
            throw scanner.error(
                "expected 'lc1' to begin a schedule, as in 'lc1;c1:down+1000=rst', found"
                    + " \(scanner.foundHere)"
            )
        }
        var schedule = FaultSchedule(faults: [])
        while scanner.take(";") {
            let start = scanner.position
            if scanner.takeWord("seed=") {
                guard schedule.seed == nil else {
                    throw scanner.error("the seed is given twice", at: start)
                }
                schedule.seed = try scanner.number(upTo: .max, what: "a seed")
            } else if scanner.takeWord("base=") {
                guard schedule.base == nil else {
                    throw scanner.error("the base is given twice", at: start)
                }
                schedule.base = try base()
            } else {
                schedule.faults.append(try fault())
            }
            guard schedule.faults.count <= ScheduleLimits.faults else {
                throw scanner.error("more than \(ScheduleLimits.faults) faults", at: start)
            }
        }
        return schedule
    }

    private mutating func base() throws(ScheduleError) -> UInt64 {
        let start = scanner.position
        let digits = scanner.takeText { isNameByte($0) }
        guard digits.utf8.count == 16, !digits.utf8.contains(UInt8(ascii: "-")),
            let base = UInt64(digits, radix: 16)
        else {
            throw scanner.error(
                "'\(QuantityError.shown(digits))' is not 16 hexadecimal digits",
                at: start
            )
        }
        return base
    }

    mutating func end() throws(ScheduleError) {
        guard scanner.isAtEnd else {
            throw scanner.error("expected the end of the text, found \(scanner.foundHere)")
        }
    }

    mutating func fault() throws(ScheduleError) -> Fault {
        let address = try address()
        guard scanner.take("=") else {
            if address.anchor == .whole, address.area != .query {
                throw scanner.error("expected ':' and a place, found \(scanner.foundHere)")
            }
            throw scanner.error("expected '=' and an effect, found \(scanner.foundHere)")
        }
        let effect = try effect(at: address)
        return Fault(address, effect, try options(of: effect, at: address))
    }

    // Arguments.

    private mutating func options(
        of effect: Effect,
        at address: FaultAddress
    ) throws(ScheduleError) -> FaultOptions {
        var options = FaultOptions()
        var given: Set<String> = []
        while scanner.take(",") {
            let start = scanner.position
            let name = scanner.takeText(isNameByte)
            guard FaultRules.arguments.contains(name) else {
                throw scanner.unknown("argument", name, among: FaultRules.arguments, at: start)
            }
            guard given.insert(name).inserted else {
                throw scanner.error("'\(name)' is given twice", at: start)
            }
            if let objection = FaultRules.objection(toArgument: name, of: effect, at: address) {
                throw scanner.error(objection, at: start)
            }
            guard scanner.take("=") else {
                throw scanner.error("expected '=' after '\(name)', found \(scanner.foundHere)")
            }
            try read(name, into: &options)
        }
        return options
    }

    private mutating func read(
        _ name: String,
        into options: inout FaultOptions
    ) throws(ScheduleError) {
        switch name {
        case "far": options.far = try choice("far ending")
        case "see": options.see = try seenAnswer()
        case "gate": options.gate = try requestGate()
        case "times": options.times = try times()
        case "burst": options.burst = try scanner.ordinal("a number", of: "datagram")
        default:
            let start = scanner.position
            let value = scanner.takeQuantity()
            options.drain = try scanner.duration(of: value, at: start)
        }
    }

    private mutating func seenAnswer() throws(ScheduleError) -> SeenAnswer {
        let start = scanner.position
        let word = scanner.takeText(isNameByte)
        switch word {
        case "none": return .none
        case "open": return .open
        default:
            guard let status = Int(digits: word), isInterimStatus(status) else {
                throw scanner.error(
                    "'\(QuantityError.shown(word))' is nothing that a client can have seen;"
                        + " expected none, open or an interim status like 104",
                    at: start
                )
            }
            return .interim(status)
        }
    }

    private mutating func requestGate() throws(ScheduleError) -> RequestGate {
        if scanner.takeWord("open") { return .open }
        let start = scanner.position
        let part = try part(of: "gate")
        let offset = try partOffset(of: part, from: start)
        return .at(part, offset)
    }

    private mutating func times() throws(ScheduleError) -> FaultTimes {
        if scanner.takeWord("all") { return .all }
        let start = scanner.position
        let count = try scanner.number(upTo: UInt64(UInt32.max), what: "a number or 'all'")
        guard count > 0 else { throw scanner.error("0 times is never", at: start) }
        return .count(UInt32(count))
    }
}
