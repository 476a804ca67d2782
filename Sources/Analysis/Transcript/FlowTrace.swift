internal import Basics
internal import Faults
package import Journal

/// One flow of datagrams as the proxy saw it.
package struct FlowTrace: Hashable, Sendable {
    package let id: ConnectionID
    /// Its first datagram.
    package let opened: Timed<ConnectionID>
    /// Nil while it was open, as far as the journal goes.
    package internal(set) var end: Timed<FlowEnd>?
    package internal(set) var isQUIC = false
    /// After how long without anything the client ends its QUIC connection; nil if that is not known.
    var clientIdleMilliseconds: UInt64?
    /// Packets that were opened, in the order in which that was done.
    var packets: [Timed<QUICPacketReport>] = []
    /// Datagrams, in the order in which their fate was known.
    var datagrams: [Timed<DatagramReport>] = []
    /// Faults that acted on it or did not.
    package internal(set) var faults: [Timed<FaultReport>] = []

    init(_ opened: Timed<ConnectionID>) {
        id = opened.value
        self.opened = opened
    }

    /// Faults after which it was cut off for a time, or reached the server from another address, each
    /// with the moment from which datagrams could pass again.
    var interruptions: [Timed<FaultReport>] {
        faults.compactMap { fault in
            // The journal writes the effect alone; a place makes it a fault.
            guard fault.value.isFired,
                let whole = try? Fault(parsing: "u*:down=\(fault.value.effect)")
            else { return nil }
            switch whole.effect {
            case .hole(_, let duration?):
                return Timed(
                    fault.value,
                    line: fault.line,
                    at: fault.at.later(by: duration)
                )
            case .rebind, .forget: return fault
            default: return nil
            }
        }
    }

    /// The last fault or outage that interrupted it, in words, with the moment from which datagrams could
    /// pass again; nil for none.
    var lastInterruption: Timed<String>? {
        let fault = interruptions.last.map { $0.with($0.value.effect) }
        let outage = end.flatMap { end in
            end.value.lastOutageAt.map {
                Timed("an outage", line: end.line, at: $0)
            }
        }
        return [fault, outage].compactMap(\.self).max { $0.at < $1.at }
    }

    /// Whether faults let nothing through in a direction, to the end, of what the peers sent.
    var isDead: Bool {
        guard let end = end?.value, !faults.isEmpty else { return false }
        return end.down.delivered == 0 && end.up.count > 0
            && faults.contains(where: \.value.isFired)
    }
}
