internal import Basics

/// Which effect acts where, and which arguments go with it.
package enum FaultRules {
    /// Why an effect cannot act at an address, in the words of a message; nil if it can.
    ///
    /// - Returns: one line without a position.
    package static func objection(to effect: Effect.Kind, at address: FaultAddress) -> String? {
        let area = address.area
        if address.host != nil, effect == .down {
            return "'down' closes the listener, which serves all hosts; write 'c1:connect=down', or"
                + " 'refuse' for one host"
        }
        let places = effect.declaration.places.filter { $0.area == area }
        guard let first = places.first else { return objection(to: effect, in: area) }
        let isPossible = places.contains { $0.objection(to: effect.name, at: address) == nil }
        return isPossible ? nil : first.objection(to: effect.name, at: address)
    }

    /// Why an effect acts nowhere in an area.
    private static func objection(to effect: Effect.Kind, in area: EffectPlace.Area) -> String {
        let name = effect.name
        let possible = Effect.Kind.allCases.filter { kind in
            kind.declaration.places.contains { $0.area == area }
        }
        let list = possible.map(\.name).joined(separator: ", ")
        if area == .object { return "'\(name)' acts on traffic; 'obj(...)' takes \(list)" }
        switch effect.declaration.places.first {
        case .object: return "'\(name)' acts on what the origin has; write 'obj(PATH)#N=\(name)'"
        case .connect: return "'\(name)' acts at 'connect' only"
        case .query:
            return "'\(name)' stands for all faults of name lookups; write one as"
                + " 'A(api.example.com)#1=servfail'"
        default: break
        }
        return area == .connect
            ? "'connect' takes \(quoted(possible, "and")) only; to act at the first byte use"
                + " 'down+0' or 'up+0'"
            : "'\(name)' does not act at \(area.text); this does: \(list)"
    }

    /// `'stall', 'late' or 'down'`.
    private static func quoted(_ effects: [Effect.Kind], _ conjunction: String) -> String {
        effects.map { "'\($0.name)'" }.listed(conjunction)
    }

    private static func quoted(
        _ conjunction: String,
        where isMeant: (EffectRow) -> Bool
    ) -> String {
        quoted(Effect.Kind.allCases.filter { isMeant($0.declaration) }, conjunction)
    }

    // Arguments.

    static let arguments = ["far", "see", "gate", "times", "drain", "burst", "until"]

    /// Why an argument does not go with an effect at an address; nil if it does.
    static func objection(
        toArgument name: String,
        of effect: Effect,
        at address: FaultAddress
    ) -> String? {
        if address.area == .query {
            return "a fault of name lookups takes no argument; '#1..2' are the first two"
        }
        return switch name {
        case "far" where effect.kind.declaration.farEnding == nil:
            "'far' goes with \(quoted("and") { $0.farEnding != nil }) only"
        case "see" where !takesSee(effect, at: address.anchor):
            "'see' goes with endings and stalls in a request only"
        case "gate" where !isOfResponse(address.anchor):
            "'gate' goes with places in a response only"
        case "drain" where !drains(effect): "'drain' goes with an effect that ends in a FIN only"
        case "burst" where !drawsDatagrams(address.anchor):
            "'burst' goes with a chance of datagrams only, as in 'u*:up?30%=drop,burst=3'"
        case "until": "'until' stands right after \(quoted("or") { $0.traits.contains(.waits) })"
        default: nil
        }
    }

    static func takesSee(_ effect: Effect, at anchor: Anchor) -> Bool {
        guard case .message(.up, _, _) = anchor else { return false }
        return effect.kind.declaration.traits.contains(.takesSee)
    }

    private static func drawsDatagrams(_ anchor: Anchor) -> Bool {
        if case .datagrams(_, let ordinals) = anchor { return ordinals.chance != nil }
        return false
    }

    private static func isOfResponse(_ anchor: Anchor) -> Bool {
        switch anchor {
        case .interim, .message(.down, _, _): true
        default: false
        }
    }

    private static func drains(_ effect: Effect) -> Bool {
        if case .swallow(_, ending: .rst) = effect { return false }
        return effect.kind.declaration.traits.contains(.drains)
    }

    /// Leaves out what says nothing, so that equal faults are equal values.
    static func normalized(
        _ options: FaultOptions,
        of effect: Effect,
        at address: FaultAddress
    ) -> FaultOptions {
        if address.area == .query { return FaultOptions() }
        var options = options
        let farEnding = effect.kind.declaration.farEnding
        if farEnding == nil || options.far == farEnding { options.far = .same }
        if !takesSee(effect, at: address.anchor) { options.see = .none }
        if !isOfResponse(address.anchor) { options.gate = .automatic }
        if !drawsDatagrams(address.anchor) { options.burst = nil }
        if !drains(effect) || options.drain == .milliseconds(2_000) { options.drain = nil }
        let isSingle =
            switch address.target {
            case .connections(let selector), .requests(_, let selector),
                .matching(_, let selector), .object(_, let selector),
                .queries(_, _, let selector):
                selector.isSingle
            case .flows(let flows, _):
                if case .datagrams(_, let ordinals) = address.anchor {
                    ordinals.isSingle
                } else {
                    flows.isSingle
                }
            }
        if options.times == (isSingle ? .count(1) : .all) { options.times = nil }
        return options
    }
}

extension OrdinalSelector {
    fileprivate var isSingle: Bool {
        if case .one = ordinals { return true }
        return false
    }
}
