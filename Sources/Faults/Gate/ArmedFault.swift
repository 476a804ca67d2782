package import Basics
internal import LinkEngine

/// A fault that is armed at one place of one connection, with everything drawn.
package struct ArmedFault: Hashable, Sendable {
    /// Where it acts.
    package enum Place: Hashable, Sendable {
        /// Once exactly this many bytes of a direction were delivered.
        case byte(Direction, UInt64)
        /// In an exchange, by the ordinal of its request on the connection, from 1.
        case exchange(UInt32, Anchor)
        /// In the TLS with the client.
        case tls(Anchor.TLSPlace)
    }

    /// Canonical text of the fault; `#2` and so on is added for further equal faults.
    package let id: String
    package let place: Place
    package let effect: Effect
    package internal(set) var options: FaultOptions
    /// The offset in the stream or part at which it acts; nil if it is not known.
    package internal(set) var offset: UInt64?
    /// What `corrupt` XORs the next byte with, one bit; 0 for other effects.
    package internal(set) var flippedBits: UInt8 = 0
    /// Whether timing decides if, or after how much of the other direction, it acts.
    package internal(set) var isRacy = false
    /// Whether somebody did this at that moment, without a plan.
    package let isByHand: Bool

    init(
        id: String,
        place: Place,
        effect: Effect,
        options: FaultOptions,
        isByHand: Bool = false
    ) {
        self.id = id
        self.place = place
        self.effect = effect
        self.options = options
        self.isByHand = isByHand
        switch place {
        case .byte(_, let offset): self.offset = offset
        case .tls(let place): if case .record = place { offset = place.contentOffset }
        case .exchange: break
        }
    }

    /// What somebody does by hand after this many bytes of a direction.
    package init(byHand id: String, _ direction: Direction, at offset: UInt64, _ effect: Effect) {
        self.init(
            id: id,
            place: .byte(direction, offset),
            effect: effect,
            options: FaultOptions(),
            isByHand: true
        )
    }

    /// The same, of which timing decides after how much of the other direction it acts.
    package var racy: ArmedFault {
        var fault = self
        fault.isRacy = true
        return fault
    }

    /// The fault that acts here, and nowhere else, on one connection.
    package func fault(onConnection ordinal: UInt32) -> Fault {
        let connection = OrdinalSelector.one(ordinal)
        let address =
            switch place {
            case .byte(let direction, let offset):
                FaultAddress(.connections(connection), .byte(direction, .at(offset)))
            case .exchange(let request, let anchor):
                FaultAddress(.requests(on: connection, .one(request)), anchor)
            case .tls(let place): FaultAddress(.connections(connection), .tls(place))
            }
        return Fault(address, effect, options)
    }

    /// The same under another identity.
    package func identified(as id: String) -> ArmedFault {
        ArmedFault(id: id, place: place, effect: effect, options: options, isByHand: isByHand)
    }

    package var far: FarEnding { options.far }

    /// Ordinal of the request on its connection, from 1; nil for a fault at a byte.
    package var request: UInt32? {
        if case .exchange(let request, _) = place { return request }
        return nil
    }

    /// The direction whose receiver is at the near leg.
    package var direction: Direction {
        switch place {
        case .byte(let direction, _): direction
        case .exchange(_, let anchor): Self.direction(of: effect, at: anchor)
        case .tls: .down
        }
    }

    private static func direction(of effect: Effect, at anchor: Anchor) -> Direction {
        switch anchor {
        case .message(.up, _, _): effect.meetsClient ? .down : .up
        case .inside(let message, _): message.direction
        default: .down
        }
    }

    /// As it stands in the journal: `down+5`, `r1:resp.body+5`.
    package var address: String {
        switch place {
        case .byte(let direction, let offset):
            return Anchor.byte(direction, .at(offset)).canonicalText
        case .exchange(let request, let anchor):
            let text = anchor.canonicalText
            return text.isEmpty ? "r\(request)" : "r\(request):\(text)"
        case .tls(let place): return place.canonicalText
        }
    }

    /// Where it acts in its direction; nil for a fault in an exchange.
    var byteOffset: UInt64? {
        switch place {
        case .byte(_, let offset): offset
        case .exchange: nil
        case .tls(let place): place.contentOffset
        }
    }

    /// Whether it acts before any content, while TLS with the client begins.
    package var isInHandshake: Bool {
        switch place {
        case .tls(.hello), .tls(.handshake): true
        case .tls(.record), .byte, .exchange: false
        }
    }

    /// The place of a fault in the handshake, or in a record; nil for others.
    package var tlsPlace: Anchor.TLSPlace? {
        if case .tls(let place) = place { place } else { nil }
    }

    /// Whether it needs a byte after its offset to act on.
    var needsByte: Bool { effect.changesByte || tlsPlace != nil }

    /// Whether it ends its direction, and so cuts the other one short, too.
    package var endsBothDirections: Bool {
        if case .hole(both: false, _) = effect { return far != .same || effect.endsBothDirections }
        return effect.endsBothDirections
    }

    /// By offset; at one offset the gentler effect first.
    ///
    /// So the order of a schedule means nothing. `corrupt` is last because it needs the byte after
    /// the offset, which does not come after an ending.
    static func actsBefore(_ a: ArmedFault, _ b: ArmedFault) -> Bool {
        (a.byteOffset ?? .max, a.effect.rank, a.id)
            < (b.byteOffset ?? .max, b.effect.rank, b.id)
    }
}

/// A fault that did not act on a connection, and why.
package struct UnfiredFault: Hashable, Sendable {
    package let fault: ArmedFault
    package let reason: UnreachedReason
}
