internal import Basics
internal import HTTP2

/// One stream of HTTP/2, with its gate.
///
/// A class, since it is large and looked up for every frame.
final class GatedStream {
    let id: UInt32
    /// Ordinal of its request on the connection, from 1.
    let request: UInt32
    var gate: FaultGate
    /// Whether something may act on it, so that its content is kept until it has passed.
    let isLive: Bool
    /// Whether the client has lost it, and the server is still to get some of it.
    var isLate = false
    /// Whether no direction of it waits for the other any more: nothing had moved for too long.
    var isForcedOpen = false
    let up: Lane
    let down: Lane

    init(
        id: UInt32,
        request: UInt32,
        gate: consuming FaultGate,
        isLive: Bool,
        up: Lane,
        down: Lane
    ) {
        self.id = id
        self.request = request
        self.gate = gate
        self.isLive = isLive
        self.up = up
        self.down = down
    }

    func isBuffering(_ direction: Direction) -> Bool { gate.isBuffering(direction) }
    var isGated: Bool { isLive && gate.isGated }
    var isWithinRequest: Bool { isLive && gate.isWithinRequest }
    var awaitsDelivery: Bool { isLive && gate.awaitsDelivery }
    /// How often its gate has changed while it was asked.
    var changes: UInt { gate.changes }

    final class Lane {
        /// What waits behind something that holds the stream, while others go on.
        var kept = KeptUnits()
        /// Messages that faults add to the content, before what waits.
        var added: ArraySlice<UInt8> = []
        /// Whether the receiver knows of the stream.
        var hasBegun = false
        /// Whether the head of the message has passed, interim ones aside.
        var hasHead = false
        /// Whether the receiver was told of the end.
        var hasEnded = false
        /// What the receiver takes of it.
        var window: LentWindow
        /// What a `slow` lets pass of its content; nil for all.
        var pace: Pace?
        /// Whether what waits does so for the receiver's windows alone.
        var isShort = false
        /// When more may pass of what waits for its pace alone; nil if it does not.
        var wakesAt: Instant?
        /// What of that which waits is to be lent for.
        var covered = 0

        /// Whether nothing waits, neither of the sender nor of what faults add.
        var isEmpty: Bool { kept.isEmpty && added.isEmpty }

        init(window: Int) { self.window = LentWindow(room: window) }

        /// What of that which waits does not do so for the receiver's window of the connection alone:
        /// room in that is the receiver's to make.
        var lendable: Int {
            isShort && pace == nil ? max(0, kept.waiting - window.limit) : kept.waiting
        }
    }

    /// Whether frames that are kept may still pass though no more come in.
    ///
    /// - Parameters:
    ///   - direction: theirs.
    ///   - receiverHasEnded: whether their receiver makes no more room for them.
    /// - Returns: whether something is to come that lets them pass.
    func mayStillPass(_ direction: Direction, receiverHasEnded: Bool) -> Bool {
        let lane = self[direction]
        guard !lane.isEmpty else { return false }
        return gate.isStalled(direction) || lane.wakesAt != nil
            || lane.isShort && !receiverHasEnded || isGated && !isForcedOpen
    }

    var isOver: Bool { up.hasEnded && down.hasEnded }

    subscript(direction: Direction) -> Lane { direction == .up ? up : down }
}
