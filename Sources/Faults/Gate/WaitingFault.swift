internal import Basics
internal import LinkEngine

/// A fault that waits for its place in the exchange that is under way.
struct WaitingFault: Hashable, Sendable {
    var fault: ArmedFault
    /// Where it acts, with everything drawn.
    let anchor: Anchor
    var resolver: AnchorResolver
    /// Where the request waits for this fault of the response.
    var gate: AnchorResolver?
    var isDone = false
    /// Whether what decides about it was read and has not passed.
    var isPending = false
    /// Why it will not act; reported when the exchange is over.
    var unreached: UnreachedReason?
    /// What told that it will not act; nil as long as nothing has.
    var decision: DecidingPlace?
    /// What told that its place will not come; nil as long as nothing has.
    var missed: DecidingPlace?
    /// The part that was read of what it sends twice.
    var copy: [UInt8] = []
    /// Whether it has acted, though it may act again.
    var hasActed = false
    /// Place of the fault's pattern in the plan, for what timing may have decided.
    let pattern: Int?

    init(_ fault: ArmedFault, at anchor: Anchor, pattern: Int?) {
        self.fault = fault
        self.anchor = anchor
        self.pattern = pattern
        var anchor = anchor
        if case .interim(let status, let ordinal, .end) = anchor, fault.effect.isStall {
            // The response itself is what is held.
            anchor = .interim(status: status, ordinal: ordinal, .fromStart(.at(0)))
        }
        resolver = AnchorResolver(anchor)
        gate = Self.requestGate(of: fault, at: self.anchor).map { AnchorResolver($0) }
    }

    /// The direction of the messages that the place is in.
    var direction: Direction { resolver.direction }

    /// Where it acts, if it has not and the place is known.
    var target: UInt64? { isDone || changesWhole ? nil : resolver.target }

    /// Of those at one place, the least one acts first.
    var order: (known: Int, rank: Int) { (isKnownLater ? 1 : 0, fault.effect.rank) }

    /// Whether its place may be reached before it is known: only what begins there tells that it does.
    var isKnownLater: Bool {
        switch anchor {
        case .message(_, .size, .fromStart), .message(_, .last, .fromStart), .inside(_, .fromStart):
            true
        default: false
        }
    }

    /// Beyond where nothing passes before it has acted.
    var limit: UInt64? { isDone || changesWhole ? nil : resolver.limit }

    /// Whether it changes a head or message as that passes.
    private var changesWhole: Bool {
        inside == nil ? fault.effect.editsHeads : fault.effect == .drop
    }

    /// The message inside a stream that its place is in; nil for other places.
    var inside: Anchor.Inside? {
        if case .inside(let message, _) = anchor { message } else { nil }
    }

    /// Whether it waits for a message inside this direction.
    func awaitsMessage(_ direction: Direction) -> Bool {
        !isDone && inside?.direction == direction
    }

    /// What of the answer may pass while this fault of the request has not acted; nil for all.
    var hidesAnswer: SeenAnswer? {
        guard !isDone, case .message(.up, _, _) = anchor else { return nil }
        if case .inject = fault.effect { return SeenAnswer.none }
        return fault.effect.letsAnswerPass || fault.options.see == .open ? nil : fault.options.see
    }

    /// Where the request waits for a fault of the response; nil if it does not.
    private static func requestGate(of fault: ArmedFault, at anchor: Anchor) -> Anchor? {
        guard fault.effect.endsStream || fault.effect.isStall else { return nil }
        switch (anchor, fault.options.gate) {
        case (.interim, .at(let part, let offset)),
            (.message(.down, _, _), .at(let part, let offset)):
            return .message(.up, part, offset)
        case (.interim(_, let ordinal, _), .automatic) where ordinal ?? 1 == 1:
            return .message(.up, .body, .fromStart(.at(0)))
        default: return nil
        }
    }
}

/// A place by which it is known that a fault will not act.
///
/// It may be read ahead of what has passed, and what is cut before it never shows that.
struct DecidingPlace: Hashable, Sendable {
    let direction: Direction
    let offset: UInt64
}
