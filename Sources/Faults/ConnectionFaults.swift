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
    /// What acts once nothing has passed for a time, the shortest first.
    package internal(set) var lulls: [LullFault] = []
    /// The draws that decided all this, for the journal.
    package internal(set) var draws: [FaultDraw] = []

    init() {}

    package subscript(direction: Direction) -> [ArmedFault] { direction == .down ? down : up }

    /// Whether this connection needs no gate at all.
    package var isEmpty: Bool {
        refusedBy == nil && silencedBy == nil && down.isEmpty && up.isEmpty && handshake.isEmpty
            && lulls.isEmpty
    }

    /// The faults that a refusal or silence keeps from acting; empty for other connections.
    package var preempted: [UnfiredFault] {
        guard let cause = refusedBy ?? silencedBy else { return [] }
        return preempted(by: cause)
    }

    /// The faults that a refusal from elsewhere keeps from acting.
    package func preempted(by cause: String) -> [UnfiredFault] {
        (down + up + handshake + lulls.map { $0.armed(at: 0) }).map {
            UnfiredFault(fault: $0, reason: .refused(by: cause))
        }
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
        lulls.sort { ($0.after, $0.id) < ($1.after, $1.id) }
        down.sort(by: ArmedFault.actsBefore)
        up.sort(by: ArmedFault.actsBefore)
        handshake.sort(by: ArmedFault.actsBefore)
        let downEnds = down.contains { $0.endsBothDirections }
        let upEnds = up.contains { $0.endsBothDirections }
        for index in down.indices { down[index].isRacy = upEnds }
        for index in up.indices { up[index].isRacy = downEnds }
    }
}

/// A fault that acts on a connection on which nothing has passed for a time, as a NAT does that forgets.
package struct LullFault: Hashable, Sendable {
    package let id: String
    package let after: Duration
    let effect: Effect
    let options: FaultOptions

    /// The fault as it acts.
    ///
    /// - Parameter offset: how many bytes the client has by then, which timing decides.
    /// - Returns: a silence in both directions, or a reset of both sides.
    package func armed(at offset: UInt64) -> ArmedFault {
        var effect = effect
        if case .silent = effect { effect = .hole(both: true, for: nil) }
        return ArmedFault(
            id: id,
            place: .byte(.down, offset),
            effect: effect,
            options: options
        ).racy
    }
}
