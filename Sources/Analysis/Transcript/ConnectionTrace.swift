internal import Basics
internal import Faults
package import Journal

/// One connection as the proxy saw it.
package struct ConnectionTrace: Hashable, Sendable {
    package let id: ConnectionID
    /// Its accept; line 0 if the journal has none.
    package internal(set) var opened: Timed<ConnectionID>
    /// Nil while it was open, as far as the journal goes.
    package internal(set) var end: Timed<ConnectionEnd>?
    /// From where on nothing is known of its content.
    package internal(set) var opaque: Timed<OpaqueReport>?
    /// Faults that acted on it or did not, those of its exchanges included.
    package internal(set) var faults: [Timed<FaultReport>] = []
    /// Why the server could not be reached.
    package internal(set) var upstreamTrouble: Timed<UpstreamTrouble>?
    /// How many requests were seen on it.
    package internal(set) var requestCount = 0

    init(_ opened: Timed<ConnectionID>) {
        id = opened.value
        self.opened = opened
    }

    /// When the client could know that the connection failed; nil if it closed normally or is open.
    ///
    /// A fault that closes is felt when it acts; everything else when the connection ends, as a
    /// silence does by the client's own close.
    var failure: Timed<String>? {
        if let fault = faults.first(where: \.value.isClosing) {
            return fault.with(fault.value.effect)
        }
        guard let end else { return nil }
        // Clients end connections as they like, but one that was met with silence had reason to.
        if isSilenced { return patienceEnd?.with("silence") }
        switch (end.value.how, end.value.by) {
        case (.fin, .upstream), (_, .client): return nil
        default: return end.with(end.value.how.rawValue)
        }
    }

    /// When the client itself ended a connection on which a fault kept silent; nil without such a
    /// fault, and if nobody saw it.
    var patienceEnd: Timed<ConnectionEnd>? {
        guard isSilenced, let end else { return nil }
        guard let time = end.value.clientEndedAt else {
            return end.value.by == .client ? end : nil
        }
        return Timed(end.value, line: end.line, at: min(time, end.at))
    }

    /// Whether a fault kept bytes from it without closing it.
    var isSilenced: Bool {
        faults.contains { $0.value.isSilencing }
    }

    /// Whether the proxy turned it away, or left it unanswered, before any byte.
    var isTurnedAway: Bool {
        end?.value.how == .refused || faults.contains { $0.value.isFired && $0.value.isOutage }
    }
}

/// What a connection says about the end of each of its exchanges.
struct ConnectionConclusion {
    let end: Timed<ConnectionEnd>?
    let patienceEnd: Timed<ConnectionEnd>?
    /// The first fault that closed it.
    let closing: Timed<FaultReport>?
    /// The first fault that closed it and is of no one request.
    let closingAll: Timed<FaultReport>?
    /// The first fault that kept bytes from it.
    let silence: Timed<FaultReport>?

    init(_ connection: ConnectionTrace) {
        end = connection.end
        patienceEnd = connection.patienceEnd
        closing = connection.faults.first(where: \.value.isClosing)
        closingAll = connection.faults.first { $0.value.isClosing && $0.value.request == nil }
        silence = connection.faults.first(where: \.value.isSilencing)
    }
}

extension FaultReport {
    /// Whether it acted, with proof of delivery or without.
    package var isFired: Bool {
        if case .unreached = state { false } else { true }
    }

    /// The name of the effect without its values, as in `rst` or `status`.
    package var effectName: Substring { effect.prefix { $0 != "(" && $0 != "," } }

    /// The row of its effect; nil if the journal has one that this program does not know.
    private var declaration: EffectRow? { Effect.Kind(named: effectName)?.declaration }

    private func has(_ trait: EffectTraits) -> Bool { declaration?.traits.contains(trait) ?? false }

    /// Whether it acted by closing the client's connection.
    var isClosing: Bool { isFired && has(.closesClient) }

    /// Whether it acted by ending a stream of HTTP/2 for the client.
    var endsStreamOfClient: Bool {
        isClosing || isFired && has(.endsStream) && !has(.silences) && !leavesStream
    }

    /// Whether the stream in which it acts goes on.
    private var leavesStream: Bool {
        effect.hasPrefix("\(Effect.Kind.goAway.name)(this")
    }

    /// Whether it acted by keeping bytes back.
    var isSilencing: Bool { isFired && has(.silences) }

    /// Whether it acted by changing or losing what the server has.
    var isTampering: Bool { isFired && has(.tampers) }

    /// Whether it keeps clients from connecting.
    var isOutage: Bool { declaration?.places.contains(.connect) ?? false }
}
