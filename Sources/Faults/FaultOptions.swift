package import Basics

/// What a fault's text says behind its effect; each has a default that is not written.
package struct FaultOptions: Hashable, Sendable {
    /// `far`: what the far leg sees.
    package var far = FarEnding.same
    /// `see`: what of the answer the client has seen when a fault of the request acts.
    package var see = SeenAnswer.none
    /// `gate`: how far the request has come when a fault of the response acts.
    package var gate = RequestGate.automatic
    /// `times`: how often the fault acts; nil for the default of the address.
    package var times: FaultTimes?
    /// `burst`: how many datagrams in a row it acts on at most, before one passes; nil for any number.
    package var burst: UInt32?
    /// `drain`: how long what comes is read and forgotten after our end; nil for 2 s.
    package var drain: Duration?

    package init(
        far: FarEnding = .same,
        see: SeenAnswer = .none,
        gate: RequestGate = .automatic,
        times: FaultTimes? = nil,
        drain: Duration? = nil,
        burst: UInt32? = nil
    ) {
        self.far = far
        self.see = see
        self.gate = gate
        self.times = times
        self.drain = drain
        self.burst = burst
    }

    /// Each with a comma before it, in one order.
    package var canonicalText: String {
        var words: [String] = []
        if far != .same { words.append("far=\(far.rawValue)") }
        if see != .none { words.append("see=\(see.canonicalText)") }
        if gate != .automatic { words.append("gate=\(gate.canonicalText)") }
        if let times { words.append("times=\(times.canonicalText)") }
        if let drain { words.append("drain=\(Quantity.text(drain))") }
        if let burst { words.append("burst=\(burst)") }
        return words.map { ",\($0)" }.joined()
    }
}

/// What the far leg sees when a fault ends the near one.
package enum FarEnding: String, Hashable, Sendable, CaseIterable {
    /// The same as the near leg.
    case same
    /// Its sending side is shut down.
    case fin
    case rst
    /// Nothing: it stays open and silent, so that its peer is half-open.
    case hole
}

/// What of the answer the client has seen when a fault of the request acts.
package enum SeenAnswer: Hashable, Sendable {
    /// No byte of it, but for a 100 that the client has asked for.
    case none
    /// An interim response of this status, acknowledged by the client's system, and no more.
    case interim(Int)
    /// Whatever has come: timing decides.
    case open

    var canonicalText: String {
        switch self {
        case .none: "none"
        case .interim(let status): "\(status)"
        case .open: "open"
        }
    }
}

/// How far the request has come when a fault of the response acts.
package enum RequestGate: Hashable, Sendable {
    /// For the first interim response `body+0`; for other places `open`, since a server may wait
    /// for the whole request.
    case automatic
    /// As far as it came: timing decides.
    case open
    /// To this place and no further.
    case at(Anchor.Part, Anchor.PartOffset)

    var canonicalText: String {
        switch self {
        case .automatic: "automatic"
        case .open: "open"
        case .at(let part, let offset): part.canonicalText + offset.canonicalText
        }
    }
}
