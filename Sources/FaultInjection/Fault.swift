package import LinkEngine

/// One fault: on which connections, where in their traffic, and what happens there.
///
/// Its text form, of which `canonicalText` is the one way that is written back:
/// ```
/// fault    = where ":" anchor "=" effect [ ",far=" ( "same" / "fin" / "rst" / "hole" ) ]
/// where    = "c" ( N / "*" / "*/" K / J "/" K ) [ "?" P "%" ]
/// anchor   = "connect" / ( "up" / "down" ) "+" BYTES [ ".." BYTES ]
/// effect   = "rst" / "fin" / "hole" [ "(" [ "both" ] [ "," ] [ TIME ] ")" ] / "stall(" TIME ")"
///          / "slow(" RATE ")" / "corrupt" / "refuse" [ "(" N ")" ]
/// ```
/// `up` is from the client to the upstream server. Connections count from 1, offsets from 0.
/// Addresses of requests (`c1/r1:resp.body+1`) are not part of this form.
package struct Fault: Hashable, Sendable {
    package let connections: ConnectionSelector
    package let anchor: Anchor
    package let effect: Effect
    /// What the far leg sees; `same` if that is what the near leg sees, however it was written.
    package let far: FarEnding

    /// Makes a fault; `far` is ignored for effects that end nothing.
    package init(
        connections: ConnectionSelector,
        anchor: Anchor,
        effect: Effect,
        far: FarEnding = .same
    ) {
        self.connections = connections
        self.anchor = anchor
        self.effect = effect
        self.far = effect.takesFarEnding && far != effect.sameEnding ? far : .same
    }

    /// Reads one fault.
    ///
    /// - Throws: what is wrong, at its column in `text`.
    package init(parsing text: String) throws(ScheduleError) {
        var parser = try FaultParser(text)
        self = try parser.fault()
        try parser.end()
    }

    package var canonicalText: String {
        let address = "\(connections.canonicalText):\(anchor.canonicalText)"
        let ending = far == .same ? "" : ",far=\(far.rawValue)"
        return "\(address)=\(effect.canonicalText)\(ending)"
    }
}

/// Which connections a fault is for.
package struct ConnectionSelector: Hashable, Sendable {
    /// Connections by their ordinal among all accepted by one listener, from 1.
    package enum Ordinals: Hashable, Sendable {
        case one(UInt32)
        /// `first`, `first + period`, `first + 2 · period` and so on; 1 ≤ first ≤ period.
        case periodic(first: UInt32, period: UInt32)
    }

    package var ordinals: Ordinals
    /// Drawn anew for each connection that `ordinals` names; nil means always.
    package var chance: Probability?

    package init(_ ordinals: Ordinals, chance: Probability? = nil) {
        self.ordinals = ordinals
        self.chance = chance
    }

    /// Every connection.
    package static let every = ConnectionSelector(.periodic(first: 1, period: 1))

    /// Whether `ordinals` names this connection; the chance is not considered.
    package func names(_ connection: UInt32) -> Bool {
        switch ordinals {
        case .one(let ordinal): connection == ordinal
        case .periodic(let first, let period):
            connection >= first && (connection - first).isMultiple(of: period)
        }
    }

    package var canonicalText: String {
        let suffix = chance.map { "?" + Quantity.text($0) } ?? ""
        return switch ordinals {
        case .one(let ordinal): "c\(ordinal)\(suffix)"
        case .periodic(_, period: 1): "c*\(suffix)"
        case .periodic(let first, let period) where first == period: "c*/\(period)\(suffix)"
        case .periodic(let first, let period): "c\(first)/\(period)\(suffix)"
        }
    }
}

/// Where in the traffic of a connection a fault acts.
package enum Anchor: Hashable, Sendable {
    /// When the connection was accepted, before anything else.
    case connect
    /// Once exactly so many bytes of this direction were delivered.
    case byte(Direction, Offset)

    /// A number of delivered bytes.
    package enum Offset: Hashable, Sendable {
        case at(UInt64)
        /// Drawn evenly from the range for each connection.
        case drawn(ClosedRange<UInt64>)

        package var canonicalText: String {
            switch self {
            case .at(let offset): "+\(offset)"
            case .drawn(let range): "+\(range.lowerBound)..\(range.upperBound)"
            }
        }
    }

    package var canonicalText: String {
        switch self {
        case .connect: "connect"
        case .byte(.down, let offset): "down\(offset.canonicalText)"
        case .byte(.up, let offset): "up\(offset.canonicalText)"
        }
    }
}

/// What a fault does.
///
/// The near leg is the connection to the side that receives the direction of the fault's anchor,
/// the far leg the other one.
package enum Effect: Hashable, Sendable {
    /// `rst`: the near leg is reset once all bytes up to the offset are acknowledged there.
    case reset
    /// `fin`: the near leg's sending side is shut down after the offset.
    case finish
    /// `hole`: nothing more is forwarded in this direction, or in `both`; nothing is closed.
    ///
    /// With a duration the silence ends in a reset of both legs, without it lasts until the
    /// client closes.
    case hole(both: Bool, for: Duration?)
    /// `stall`: silence for so long, then the held bytes flow on.
    case stall(Duration)
    /// `slow`: the rest of the stream flows at this rate.
    case slow(BitRate)
    /// `corrupt`: one drawn bit of the byte at the offset is flipped, then the stream goes on.
    case corrupt
    /// `refuse(N)`: this connection and the N - 1 after it are accepted and reset, N ≥ 1.
    case refuse(UInt32)

    /// Whether no byte passes behind this effect, ever.
    package var endsStream: Bool {
        switch self {
        case .reset, .finish, .hole, .refuse: true
        case .stall, .slow, .corrupt: false
        }
    }

    /// Whether this effect, in one direction, also cuts the other one short.
    package var endsConnection: Bool {
        switch self {
        case .reset, .finish, .refuse: true
        case .hole(let both, let duration): both || duration != nil
        case .stall, .slow, .corrupt: false
        }
    }

    /// Whether the far leg's ending can be chosen.
    var takesFarEnding: Bool { sameEnding != nil }

    /// The far ending that `same` stands for.
    var sameEnding: FarEnding? {
        switch self {
        case .reset: .rst
        case .finish: .fin
        case .hole: .hole
        case .stall, .slow, .corrupt, .refuse: nil
        }
    }

    package var canonicalText: String {
        switch self {
        case .reset: return "rst"
        case .finish: return "fin"
        case .hole(let both, let duration):
            let values = (both ? ["both"] : []) + (duration.map { [Quantity.text($0)] } ?? [])
            return values.isEmpty ? "hole" : "hole(\(values.joined(separator: ",")))"
        case .stall(let duration): return "stall(\(Quantity.text(duration)))"
        case .slow(let rate): return "slow(\(Quantity.text(rate)))"
        case .corrupt: return "corrupt"
        case .refuse(1): return "refuse"
        case .refuse(let count): return "refuse(\(count))"
        }
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
