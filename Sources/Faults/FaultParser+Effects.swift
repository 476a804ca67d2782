internal import Basics

// What a fault does.
extension FaultParser {
    /// - Parameter address: where it is to act.
    /// - Returns: the effect with its values.
    /// - Throws: what is wrong with it, or that it cannot act there.
    mutating func effect(at address: FaultAddress) throws(ScheduleError) -> Effect {
        if address.area == .query { return .query(try queryEffect()) }
        let start = scanner.position
        let name = scanner.takeText(isNameByte)
        guard let kind = Effect.Kind(named: name), kind != .query else {
            if let meaning = Self.foreignEffects[name.lowercased()] {
                throw scanner.error("unknown effect '\(name)'; \(meaning)", at: start)
            }
            if QueryEffect.names.contains(name) {
                throw scanner.error(
                    "'\(name)' acts on name lookups; write 'A(api.example.com)#1=\(name)'",
                    at: start
                )
            }
            let names = Effect.Kind.allCases.filter { $0 != .query }.map(\.name)
            throw scanner.unknown("effect", name, among: names, at: start)
        }
        if let objection = FaultRules.objection(to: kind, at: address) {
            throw scanner.error(objection, at: start)
        }
        let mayWait = kind.declaration.traits.contains(.waits) && address.area != .datagram
        var values = try values(mayWait: mayWait)
        if mayWait, scanner.isAhead(",until=") {
            _ = scanner.take(",")
            values.append(try value(mayWait: true))
        }
        return try kind.declaration.form.read(
            EffectArguments(
                name: name,
                values: values,
                start: start,
                scanner: scanner,
                area: address.area
            )
        )
    }

    private mutating func queryEffect() throws(ScheduleError) -> QueryEffect {
        var parser = QueryFaultParser(scanner: scanner)
        let effect = try parser.effect()
        scanner = parser.scanner
        return effect
    }

    /// What Toxiproxy and other programs call what is called otherwise here.
    private static let foreignEffects = [
        "latency": "it is a setting of the link, delay=100ms; to hold one stream write stall(2s)",
        "bandwidth":
            "it is a setting of the link, rate=1Mbit/s; for one stream write slow(64kbit/s)",
        "throttle": "write slow(64kbit/s)",
        "delay": "it is a setting of the link, delay=100ms; to hold one stream write stall(2s)",
        "reset_peer": "write rst", "reset": "write rst", "close": "write fin",
        "limit_data": "write fin at the byte, as in c1:down+5000=fin",
        "timeout": "write hole(30s), or hole for silence without end",
        "drop": "write hole", "blackhole": "write hole",
        "slow_close": "only linkcond toxiproxy has it; write stall(2s) at a byte instead",
        "slicer": "only linkcond toxiproxy has it; write slow(64kbit/s) instead",
    ]

    /// What to write where an effect stands and a place should.
    ///
    /// - Returns: nil for a word that is no effect, here or in Toxiproxy.
    static func advice(onPlaceOf name: String) -> String? {
        guard let fault = wholeFault(with: name) else { return nil }
        let setting = linkSettings[name].map { "; for the whole link, write --set \($0)" } ?? ""
        return "'\(name)' is an effect without a place; write a whole fault, such as '\(fault)'"
            + setting
    }

    private static func wholeFault(with name: String) -> String? {
        if let kind = Effect.Kind(named: name), kind != .query {
            return kind.declaration.examples.first?.fault
        }
        // `timeout` is of name lookups too, but meant of a connection more often.
        if let fault = foreignFaults[name] { return fault }
        guard QueryEffect.names.contains(name) else { return nil }
        return "A(api.example.com)#1=\(name)" + (name == "ttl" ? "(0)" : "")
    }

    /// Whole faults for what others call by these names.
    private static let foreignFaults = [
        "latency": "c1:down+0=stall(2s)", "delay": "c1:down+0=stall(2s)",
        "bandwidth": "c1:down+0=slow(64kbit/s)", "throttle": "c1:down+0=slow(64kbit/s)",
        "reset_peer": "c1:down+0=rst", "reset": "c1:down+0=rst", "close": "c1:down+0=fin",
        "limit_data": "c1:down+5000=fin", "timeout": "c1:down+0=hole(30s)",
        "drop": "c1:down+0=hole", "blackhole": "c1:down+0=hole",
        "slow_close": "c1:down+5000=stall(2s)", "slicer": "c1:down+0=slow(64kbit/s)",
    ]

    private static let linkSettings = [
        "latency": "delay=100ms", "delay": "delay=100ms", "bandwidth": "rate=1Mbit/s",
    ]

    /// Reads the values of an effect.
    ///
    /// - Parameter mayWait: whether `until` names an event. Else it is a name like others, such as
    ///   that of a field.
    /// - Returns: none where there are no parentheses.
    /// - Throws: what is wrong, and at which column.
    private mutating func values(mayWait: Bool = false) throws(ScheduleError) -> [EffectArguments
        .Value]
    {
        guard scanner.take("(") else { return [] }
        var values: [EffectArguments.Value] = []
        repeat {
            guard values.count < ScheduleLimits.values else {
                throw scanner.error("more than \(ScheduleLimits.values) values")
            }
            values.append(try value(mayWait: mayWait))
        } while scanner.take(",")
        guard scanner.take(")") else {
            throw scanner.error("expected ',' or ')', found \(scanner.foundHere)")
        }
        return values
    }

    private mutating func value(mayWait: Bool) throws(ScheduleError) -> EffectArguments.Value {
        let start = scanner.position
        let text = scanner.takeText(isValueByte)
        guard !text.isEmpty else {
            throw scanner.error("expected a value, found \(scanner.foundHere)")
        }
        guard scanner.take("=") else {
            return EffectArguments.Value(name: nil, text: text, at: start)
        }
        guard text.utf8.allSatisfy(isNameByte), text.utf8.count <= ScheduleLimits.nameLength else {
            throw scanner.error("'\(QuantityError.shown(text))' is no name", at: start)
        }
        let column = scanner.position
        if mayWait, text == "until" { return try event(at: column) }
        let value = scanner.takeText(isValueByte)
        return EffectArguments.Value(name: text.lowercased(), text: value, at: column)
    }

    /// The address of something to wait for.
    private mutating func event(at start: Int) throws(ScheduleError) -> EffectArguments.Value {
        let address = try address()
        if let objection = objection(toEvent: address) {
            throw scanner.error(objection, at: start)
        }
        return EffectArguments.Value(name: "until", text: "", address: address, at: start)
    }

    private func objection(toEvent address: FaultAddress) -> String? {
        if case .object = address.target { return "'obj(...)' is no event; name a request" }
        if case .flows = address.target { return "a datagram is no event; name a request" }
        if case .queries = address.target { return "a name lookup is no event; name a request" }
        switch address.anchor {
        case .whole: return "an event needs a place, like ':req.end'"
        case .byte(_, .drawn), .message(_, _, .fromStart(.drawn)),
            .interim(_, _, .fromStart(.drawn)), .inside(_, .fromStart(.drawn)):
            return "an event is at one place, not at a drawn one"
        case .tls: return "a place in TLS is no event; name a request"
        case .silence: return "nothing waits for 'idle(...)'; name a byte or a request"
        case .connect, .idle, .byte, .message, .interim, .datagrams, .inside: return nil
        }
    }

    /// A word that stands in the text here.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ kind: String
    ) throws(ScheduleError) -> Choice {
        let start = scanner.position
        let name = scanner.takeText(isNameByte)
        guard let choice = Choice(rawValue: name) else {
            throw scanner.unknown(kind, name, among: Choice.allCases.map(\.rawValue), at: start)
        }
        return choice
    }
}

/// What a value is made of; other bytes are percent-encoded.
private func isValueByte(_ byte: UInt8) -> Bool {
    isQuantityByte(byte) || ":+*?".utf8.contains(byte)
}
