internal import HTTPWire
package import LinkEngine

/// A fault that is armed in one exchange of a connection.
package struct RequestFault: Hashable, Sendable {
    /// Canonical text of the fault; `#2` and so on is added for further equal faults.
    package let id: String
    /// Ordinal of the request on its connection, from 1.
    package let request: UInt32
    /// Where it acts, with everything drawn.
    package let anchor: Anchor
    package let effect: Effect
    package internal(set) var options: FaultOptions
    /// The offset in its part that the place turned out to be; nil if none is known.
    package internal(set) var offset: UInt64?
    /// What `corrupt` XORs a byte with, one bit; 0 for other effects.
    package let flippedBits: UInt8
    /// Whether timing had a say in it.
    package internal(set) var isRacy: Bool

    /// The direction whose receiver is at the near leg.
    package var direction: Direction {
        switch effect {
        case .swallow, .status, .early, .resetOnNext: return .down
        default: break
        }
        if case .message(.up, _, _) = anchor { return .up }
        return .down
    }

    package var far: FarEnding { options.far }

    /// As it stands in the journal: `r1:resp.body+5`.
    package var address: String {
        let place = anchor.canonicalText
        return place.isEmpty ? "r\(request)" : "r\(request):\(place)"
    }
}

/// A fault that waits for its place.
struct LiveFault: Hashable, Sendable {
    var fault: RequestFault
    var resolver: AnchorResolver
    /// Where the request waits for this fault of the response.
    var gate: AnchorResolver?
    var isDone = false
    /// Why it will not act; told when the exchange is over.
    var unreached: UnreachedReason?
    /// Whether it has acted, though it may act again.
    var hasActed = false
    /// Place of the fault's pattern in the plan, for what timing may have decided.
    let pattern: Int?

    init(_ fault: RequestFault, pattern: Int?) {
        self.fault = fault
        self.pattern = pattern
        var anchor = fault.anchor
        if case .interim(let status, let ordinal, .end) = anchor, fault.effect.isStall {
            // The response itself is what is held.
            anchor = .interim(status: status, ordinal: ordinal, .fromStart(.at(0)))
        }
        resolver = AnchorResolver(anchor)
        gate = Self.requestGate(of: fault).map { AnchorResolver($0) }
    }

    /// The direction of the messages that the place is in.
    var direction: Direction { resolver.direction }

    /// Where it acts, if it has not and the place is known.
    var target: UInt64? { isDone || fault.effect.editsInterims ? nil : resolver.target }

    /// Beyond where nothing passes before it has acted.
    var limit: UInt64? { isDone || fault.effect.editsInterims ? nil : resolver.limit }

    /// What of the answer may pass while this fault of the request has not acted; nil for all.
    var hidesAnswer: SeenAnswer? {
        guard !isDone, case .message(.up, _, _) = fault.anchor else { return nil }
        switch fault.effect {
        case .inject: return SeenAnswer.none
        case .swallow, .status, .early, .slow, .corrupt: return nil
        default: return fault.options.see == .open ? nil : fault.options.see
        }
    }

    /// Where the request waits for a fault of the response; nil if it does not.
    static func requestGate(of fault: RequestFault) -> Anchor? {
        guard fault.effect.endsStream || fault.effect.isStall else { return nil }
        switch (fault.anchor, fault.options.gate) {
        case (.interim, .at(let part, let offset)),
            (.message(.down, _, _), .at(let part, let offset)):
            return .message(.up, part, offset)
        case (.interim(_, let ordinal, _), .automatic) where ordinal ?? 1 == 1:
            return .message(.up, .body, .fromStart(.at(0)))
        default: return nil
        }
    }

    /// At one place the gentler effect first, as with faults of bytes.
    var severity: Int {
        switch fault.effect {
        case .slow: 0
        case .inject: 1
        case .stall: 2
        case .late: 3
        case .hole: 4
        case .truncate: 5
        case .finish: 6
        case .reset: 7
        case .corrupt: 9
        default: 8
        }
    }
}

extension Effect {
    var isStall: Bool {
        if case .stall = self { return true }
        return false
    }

    /// Whether this changes interim responses as they come.
    var editsInterims: Bool {
        switch self {
        case .withhold, .duplicate, .edit: true
        default: false
        }
    }

    /// Whether the relay answers in place of the server.
    var answersRequest: InjectedMessage? {
        switch self {
        case .status(let message), .early(let message): message
        default: nil
        }
    }
}
