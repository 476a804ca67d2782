/// What distinguishes an effect, whatever its values are.
package struct EffectTraits: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    private init(bit: UInt32) { rawValue = 1 << bit }

    // What it does.

    /// No byte passes after it, ever.
    package static let endsStream = EffectTraits(bit: 0)
    /// It acts by ending a connection, or with HTTP/2 a stream, in one direction at least.
    ///
    /// What has a near ending has this trait without saying so.
    package static let endsConnection = EffectTraits(bit: 1)
    /// It closes the client's connection.
    package static let closesClient = EffectTraits(bit: 2)
    /// It acts at its place in a message, and whatever follows passes.
    static let actsInPassing = EffectTraits(bit: 3)
    /// It holds bytes at its place, then lets them pass.
    static let stalls = EffectTraits(bit: 4)
    /// It keeps bytes back; a run with it mostly waits.
    package static let silences = EffectTraits(bit: 5)
    /// It acts on the byte at its place, of which the seed chooses a bit.
    static let changesByte = EffectTraits(bit: 6)
    /// It changes heads of responses as they pass.
    static let editsHeads = EffectTraits(bit: 7)
    /// The relay answers in place of the server, by the message that it makes up.
    static let answersRequest = EffectTraits(bit: 8)
    /// It changes or loses what the server has.
    package static let tampers = EffectTraits(bit: 9)
    /// A client may take it for final, and fail without another try.
    package static let excusesFailure = EffectTraits(bit: 10)

    // Where it acts.

    /// Its near leg is the client's, wherever its place is.
    static let meetsClient = EffectTraits(bit: 11)
    /// In a request: what the server answers may pass before it has acted.
    static let letsAnswerPass = EffectTraits(bit: 12)
    /// It acts on streams of HTTP/2 alone.
    static let needsStream = EffectTraits(bit: 13)

    // What goes with it.

    /// `until=ADDRESS` may stand among its values.
    static let waits = EffectTraits(bit: 14)
    /// `see=` goes with it in a request.
    static let takesSee = EffectTraits(bit: 15)
    /// It can end in a FIN, and `drain=` goes with it then.
    static let drains = EffectTraits(bit: 16)

    // What it makes.

    /// The relay makes up a message, which is among its values.
    static let makesMessage = EffectTraits(bit: 17)
}

// What the table of effects says of an effect, and what it depends on its values for.
extension Effect {
    private func has(_ trait: EffectTraits) -> Bool { kind.declaration.traits.contains(trait) }

    /// Whether no byte passes after this effect, ever.
    package var endsStream: Bool { has(.endsStream) }
    /// Whether it acts by ending a connection or stream, in one direction at least.
    package var endsConnection: Bool { has(.endsConnection) }
    /// Whether it acts on the byte at its place, and so waits for it.
    package var changesByte: Bool { has(.changesByte) }
    /// Whether it acts at its place in a message, and whatever follows passes.
    package var actsInPassing: Bool { has(.actsInPassing) }
    /// Whether it holds bytes at its place, then lets them pass.
    package var isStall: Bool { has(.stalls) }
    /// Whether this changes heads of responses as they pass.
    var editsHeads: Bool { has(.editsHeads) }
    var meetsClient: Bool { has(.meetsClient) }
    var letsAnswerPass: Bool { has(.letsAnswerPass) }
    /// Whether this acts on streams of HTTP/2 alone.
    var needsStream: Bool { has(.needsStream) }

    /// How the near leg ends, if that is all that it does; nil for other effects.
    package var nearEnding: NearEnding? {
        if case .swallow(_, let ending) = self { return ending }
        return kind.declaration.nearEnding
    }

    /// Whether this effect, in one direction, also cuts the other one short.
    package var endsBothDirections: Bool {
        guard case .hole(let both, let duration) = self else { return endsStream }
        return both || duration != nil
    }

    /// What the relay answers in place of the server; nil if it does not.
    var answersRequest: InjectedMessage? { has(.answersRequest) ? message : nil }

    /// The message that the relay makes up; nil if it makes none.
    private var message: InjectedMessage? {
        guard has(.makesMessage) else { return nil }
        return switch self {
        case .status(let message), .early(let message), .inject(let message): message
        default: preconditionFailure("'\(name)' has no message among its values")
        }
    }

    /// Whether a date is among its values.
    package var hasDate: Bool {
        let fields = if case .edit(let fields) = self { fields } else { message?.fields ?? [] }
        return fields.contains { if case .date = $0.value { true } else { false } }
    }

    /// For how long it holds bytes at its place; nil if it holds none.
    package var hold: Hold? {
        guard isStall else { return nil }
        return switch self {
        case .stall(let hold): hold
        default: preconditionFailure("'\(name)' stalls, but `hold` does not say for how long")
        }
    }

    /// What this effect waits for.
    package var event: FaultAddress? {
        guard has(.waits) else { return nil }
        return switch self {
        case .stall(let hold), .down(let hold): hold.event
        case .late(_, let address): address
        default: preconditionFailure("'\(name)' has no event among its values")
        }
    }
}
