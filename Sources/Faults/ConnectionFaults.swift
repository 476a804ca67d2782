package import Basics
internal import LinkEngine

/// The faults of one connection, with everything drawn.
package struct ConnectionFaults: Hashable, Sendable {
    /// The fault that refuses this connection, if one does; then nothing else acts on it.
    package internal(set) var refusedBy: String?
    /// The fault that leaves this connection without an answer, if one does.
    package internal(set) var silencedBy: String?
    /// The faults of each direction, in the order in which they act.
    package private(set) var down: [ArmedFault] = []
    package private(set) var up: [ArmedFault] = []
    /// Those that act while TLS with the client begins, in the order in which they act.
    package private(set) var handshake: [ArmedFault] = []
    /// The draws that decided all this, for the journal.
    package internal(set) var draws: [FaultDraw] = []

    init() {}

    package subscript(direction: Direction) -> [ArmedFault] { direction == .down ? down : up }

    /// Whether this connection needs no gate at all.
    package var isEmpty: Bool {
        refusedBy == nil && silencedBy == nil && down.isEmpty && up.isEmpty && handshake.isEmpty
    }

    /// The faults that a refusal or silence keeps from acting; empty for other connections.
    package var preempted: [UnfiredFault] {
        guard let cause = refusedBy ?? silencedBy else { return [] }
        return preempted(by: cause)
    }

    /// The faults that a refusal from elsewhere keeps from acting.
    package func preempted(by cause: String) -> [UnfiredFault] {
        (down + up + handshake).map { UnfiredFault(fault: $0, reason: .refused(by: cause)) }
    }

    mutating func append(_ fault: ArmedFault) {
        if fault.isInHandshake {
            handshake.append(fault)
        } else if fault.direction == .down {
            down.append(fault)
        } else {
            up.append(fault)
        }
    }

    mutating func sort() {
        down.sort(by: ArmedFault.actsBefore)
        up.sort(by: ArmedFault.actsBefore)
        handshake.sort(by: ArmedFault.actsBefore)
        let downEnds = down.contains { $0.endsConnection }
        let upEnds = up.contains { $0.endsConnection }
        for index in down.indices { down[index].isRacy = upEnds }
        for index in up.indices { up[index].isRacy = downEnds }
    }
}
