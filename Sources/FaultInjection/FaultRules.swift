internal import LinkEngine

/// Which effect acts where, and which arguments go with it.
package enum FaultRules {
    /// Why an effect cannot act at an address, in the words of a message; nil if it can.
    ///
    /// - Parameters:
    ///   - effect: its name.
    ///   - address: where it is to act.
    /// - Returns: one line without a position.
    package static func objection(to effect: String, at address: FaultAddress) -> String? {
        if case .object = address.target {
            guard Self.originEffects.contains(effect) else {
                return "'\(effect)' acts on traffic; 'obj(...)' takes "
                    + Self.originEffects.joined(separator: ", ")
            }
            return address.anchor == .whole
                ? nil : "'\(effect)' takes no anchor; write 'obj(PATH)#N=\(effect)'"
        }
        if Self.originEffects.contains(effect) {
            return "'\(effect)' acts on what the origin has; write 'obj(PATH)#N=\(effect)'"
        }
        switch address.anchor {
        case .connect:
            guard ["refuse", "silent", "down"].contains(effect) else {
                return "'connect' takes 'refuse', 'silent' and 'down' only; to act at the first"
                    + " byte use 'down+0' or 'up+0'"
            }
            return nil
        case .byte:
            return allowed(effect, in: Self.streamEffects, at: "a byte of the connection")
        case .idle: return allowed(effect, in: Self.idleEffects, at: "'idle'")
        case .whole:
            return allowed(
                effect,
                in: ["buffer", "strip"],
                at: "a connection or request as a whole"
            )
        case .interim(_, _, let offset):
            guard Self.wholeInterimEffects.contains(effect) else {
                return allowed(
                    effect,
                    in: ["rst", "fin", "hole", "stall", "slow"] + Self.wholeInterimEffects,
                    at: "an interim response"
                )
            }
            return offset == .end
                ? nil : "'\(effect)' is of the whole response; leave the offset out"
        case .message(let direction, let part, let offset):
            return direction == .up
                ? objectionInRequest(effect, part, offset)
                : objectionInResponse(effect, part, offset)
        }
    }

    static let originEffects = ["mutate", "range", "expire", "limit"]
    private static let streamEffects = ["rst", "fin", "hole", "stall", "slow", "corrupt"]
    private static let idleEffects = ["rst", "fin", "hole", "rst-on-next"]
    private static let wholeInterimEffects = ["withhold", "dup", "edit"]

    private static func objectionInRequest(
        _ effect: String,
        _ part: Anchor.Part,
        _ offset: Anchor.PartOffset
    ) -> String? {
        switch effect {
        case "swallow" where part != .end || offset != .end: "'swallow' acts at 'req.end' only"
        case "early" where part != .head || offset != .end: "'early' acts at 'req.head' only"
        case "corrupt": objectionToCorrupt(part, offset)
        default:
            allowed(
                effect,
                in: streamEffects + ["swallow", "late", "status", "early", "inject", "crash"],
                at: "a request"
            )
        }
    }

    private static func objectionInResponse(
        _ effect: String,
        _ part: Anchor.Part,
        _ offset: Anchor.PartOffset
    ) -> String? {
        switch effect {
        case "truncate":
            part == .head || part == .end
                ? "'truncate' acts in 'resp.body' and its chunks only" : nil
        case "corrupt": objectionToCorrupt(part, offset)
        default: allowed(effect, in: streamEffects + ["truncate"], at: "a response")
        }
    }

    private static func objectionToCorrupt(
        _ part: Anchor.Part,
        _ offset: Anchor.PartOffset
    ) -> String? {
        part == .end || offset == .end
            ? "'corrupt' changes the byte at its place; give an offset like 'body+10'" : nil
    }

    private static func allowed(_ effect: String, in list: [String], at place: String) -> String? {
        guard !list.contains(effect) else { return nil }
        if ["refuse", "silent", "down"].contains(effect) {
            return "'\(effect)' acts at 'connect' only"
        }
        return "'\(effect)' does not act at \(place); this does: \(list.joined(separator: ", "))"
    }

    // Arguments.

    static let arguments = ["far", "see", "gate", "times", "drain", "until"]

    /// Why an argument does not go with an effect at an address; nil if it does.
    static func objection(
        toArgument name: String,
        of effect: Effect,
        at address: FaultAddress
    ) -> String? {
        switch name {
        case "far" where effect.sameEnding == nil:
            "'far' goes with 'rst', 'fin', 'hole' and 'truncate' only"
        case "see" where !takesSee(effect, at: address.anchor):
            "'see' goes with endings and stalls in a request only"
        case "gate" where !isOfResponse(address.anchor):
            "'gate' goes with places in a response only"
        case "drain" where !drains(effect): "'drain' goes with an effect that ends in a FIN only"
        case "until": "'until' stands right behind 'stall', 'late' or 'down'"
        default: nil
        }
    }

    static func takesSee(_ effect: Effect, at anchor: Anchor) -> Bool {
        guard case .message(.up, _, _) = anchor else { return false }
        return switch effect {
        case .reset, .finish, .hole, .stall, .late, .crash: true
        default: false
        }
    }

    private static func isOfResponse(_ anchor: Anchor) -> Bool {
        switch anchor {
        case .interim, .message(.down, _, _): true
        default: false
        }
    }

    private static func drains(_ effect: Effect) -> Bool {
        switch effect {
        case .finish, .truncate, .early, .swallow(_, ending: .fin): true
        default: false
        }
    }

    /// Leaves out what says nothing, so that equal faults are equal values.
    static func normalized(
        _ options: FaultOptions,
        of effect: Effect,
        at address: FaultAddress
    ) -> FaultOptions {
        var options = options
        if effect.sameEnding == nil || options.far == effect.sameEnding { options.far = .same }
        if !takesSee(effect, at: address.anchor) { options.see = .none }
        if !isOfResponse(address.anchor) { options.gate = .automatic }
        if !drains(effect) || options.drain == .milliseconds(2_000) { options.drain = nil }
        let isSingle =
            switch address.target {
            case .connections(let selector), .requests(_, let selector),
                .matching(_, let selector), .object(_, let selector):
                selector.isSingle
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
