internal import Basics
internal import Faults
internal import SystemIO

/// One direction of a connection whose bytes wait: on the link, before a fault, or for the
/// receiver.
///
/// All bytes that were read stand in one queue. The first `deliverable` of them have crossed the
/// link; of these the first `approved` have passed the gate and go to the receiver next.
final class GatedFlow {
    private(set) var queue: ByteQueue
    private(set) var deliverable = 0
    private(set) var approved = 0
    /// Limits the rate after a `slow`.
    var pace: Pace?
    /// When an alarm for the pace is due.
    var wakeTime = Instant.start
    /// Whether reading stopped for want of room.
    var isFull = false
    /// Whether the sender's socket may buffer what a fast stream needs.
    var isWide = false
    /// How far the sender's end (FIN) has come.
    var end = End.open
    /// What faults add; goes before anything of the queue.
    private var inserted: ByteQueue
    /// What comes after what was approved.
    var nextAnswer: FaultGate.Answer?
    /// Whether a `hole` swallows everything.
    var isHoled = false
    /// Whether a fault fixed `delivered` at a byte, so that it does not depend on the moment.
    var isExactByFault = false
    /// Bytes that the receiver's kernel has taken.
    private(set) var delivered: UInt64 = 0
    /// Bytes that were read from the sender.
    var received: UInt64 = 0
    /// What was read, and delivered, when the present turn began.
    private var turnStart = (received: UInt64(0), delivered: UInt64(0))
    /// What acts before everything else; nil without toxics.
    var toxics: ToxicFlow?
    /// What the link was last told about untaken bytes.
    var reportedBacklog = 0
    /// What had crossed the link then.
    var crossedWhenReported: UInt64 = 0
    /// Bytes that the receiver has not read of those that were delivered, when that was last asked.
    var unread = 0
    /// When that was, on the loop's clock.
    var askedAt = Instant.start
    /// What was delivered then.
    var deliveredWhenAsked: UInt64 = 0

    /// The stations of the end of a stream, in their order.
    enum End: Comparable {
        /// The sender has not ended.
        case open
        case read
        /// It has crossed the link, behind the last deliverable byte.
        case arrived
        /// The receiver was told.
        case passed
    }

    /// - Parameter pool: for the bytes that wait.
    init(pool: ChunkPool) {
        queue = ByteQueue(pool: pool)
        inserted = ByteQueue(pool: pool)
    }

    /// Bytes that the receiver has not read, as far as that is known: one that had not read all when it
    /// was asked has not read what was delivered since.
    var knownUnread: Int { unread == 0 ? 0 : unread + Int(delivered - deliveredWhenAsked) }

    /// Bytes that have crossed the link and wait for the gate.
    var unapproved: Int { deliverable - approved }

    /// Whether there is something to write.
    var hasApproved: Bool { approved > 0 || !inserted.isEmpty }

    /// What is to be written.
    var writable: Int { inserted.isEmpty ? approved : inserted.count }

    /// Whether nothing waits and nothing but bytes of the sender can make something happen, where
    /// there is no link and nobody looks at messages.
    var isIdle: Bool {
        deliverable == 0 && end == .open && !isFull && !isHoled && toxics == nil
    }

    /// Begins a turn, in which only so much moves.
    func beginTurn() { turnStart = (received, delivered) }

    /// Bytes that were read in this turn.
    var receivedThisTurn: Int { Int(received &- turnStart.received) }
    /// Bytes that the receiver's kernel has taken in this turn.
    var deliveredThisTurn: Int { Int(delivered &- turnStart.delivered) }

    var movedThisTurn: Int { max(receivedThisTurn, deliveredThisTurn) }

    /// Appends bytes that were read; those that need no link are deliverable at once.
    func append(_ buffer: TransferBuffer, count: Int, isOnLink: Bool) {
        queue.append(buffer, from: 0, count: count)
        if !isOnLink { deliverable += count }
    }

    /// Takes over the counts of another form of the connection.
    func takeOver(delivered: UInt64, received: UInt64) {
        self.delivered = delivered
        self.received = received
        beginTurn()
    }

    /// Notes that bytes have crossed the link.
    func arrived(_ count: Int) {
        deliverable += count
        precondition(deliverable <= queue.count, "the link delivered more than it was given")
    }

    /// Notes that the gate has passed bytes.
    func approve(_ count: Int) { approved += count }

    /// Forgets the first bytes that wait; none is approved.
    func drop(_ count: Int) {
        precondition(approved == 0, "what is approved goes first")
        queue.drop(count)
        deliverable -= count
    }

    /// Puts bytes before everything that waits; none is approved.
    func insert(_ bytes: [UInt8]) {
        precondition(approved == 0, "what is approved goes first")
        inserted.append(bytes)
    }

    /// Shows bytes that wait behind the approved ones.
    func forEachPiece(ofNext count: Int, _ body: (Span<UInt8>) -> Void) {
        queue.forEachPiece(from: approved, count: count, body)
    }

    /// Writes at most `limit` approved bytes.
    func write(to socket: borrowing Socket, limit: Int) -> TransferResult {
        if !inserted.isEmpty {
            let result = inserted.send(to: socket, limit: limit)
            if case .moved(let count) = result { delivered += UInt64(count) }
            return result
        }
        let result = queue.send(to: socket, limit: min(approved, limit))
        if case .moved(let count) = result {
            approved -= count
            deliverable -= count
            delivered += UInt64(count)
        }
        return result
    }

    /// Takes at most `limit` approved bytes, or what faults add, to the start of `buffer`; answers how
    /// many.
    func take(into buffer: TransferBuffer, limit: Int) -> Int {
        if !inserted.isEmpty {
            let count = inserted.read(into: buffer, limit: limit)
            delivered += UInt64(count)
            return count
        }
        let count = queue.read(into: buffer, limit: min(approved, limit))
        approved -= count
        deliverable -= count
        delivered += UInt64(count)
        return count
    }

    /// Whether bytes that come now need not wait for others, where there is no link.
    var isEmpty: Bool { deliverable == 0 && inserted.isEmpty && pace == nil }

    /// Writes bytes that have passed the gate; what the receiver does not accept waits.
    ///
    /// `isEmpty` must hold.
    func forward(
        _ buffer: TransferBuffer,
        count: Int,
        to socket: borrowing Socket
    ) -> TransferResult {
        let result = socket.send(buffer, from: 0, count: count)
        var sent = 0
        if case .moved(let moved) = result { sent = moved }
        delivered += UInt64(sent)
        guard sent < count else { return result }
        queue.append(buffer, from: sent, count: count - sent)
        deliverable += count - sent
        approved += count - sent
        return result
    }

    /// XORs the next byte.
    func corruptNext(_ bits: UInt8) { queue.flipFirst(bits) }
}
