internal import FaultInjection
internal import LinkEngine
internal import Libuv

/// One direction of a connection whose bytes wait: on the link, before a fault, or for the
/// receiver.
///
/// All bytes that were read stand in one queue. The first `deliverable` of them have crossed the
/// link; of these the first `approved` have passed the gate and go to the receiver next.
struct GatedFlow: ~Copyable {
    private(set) var queue: ByteQueue
    private(set) var deliverable = 0
    private(set) var approved = 0
    var gate: FaultGate
    /// Limits the rate behind a `slow`.
    var pace: Pace?
    /// When an alarm for the pace is due.
    var wakeTime: UInt64 = 0
    /// Whether reading stopped for want of room.
    var isFull = false
    /// Whether the sender's FIN was read.
    var endWasRead = false
    /// Whether the FIN has crossed the link, behind the last deliverable byte.
    var endArrived = false
    /// Whether the receiver was told of the end.
    var endWasPassed = false
    /// Whether a `hole` swallows everything.
    var isHoled = false
    /// Whether `delivered` is final and does not depend on the moment.
    var isExact = false
    /// Bytes that the receiver's kernel has taken.
    var delivered: UInt64 = 0
    /// What the link was last told about untaken bytes.
    var reportedBacklog = 0

    init(pool: ChunkPool, faults: [ArmedFault]) {
        queue = ByteQueue(pool: pool)
        gate = FaultGate(faults: faults)
    }

    /// Appends bytes that need no link.
    mutating func accept(_ buffer: TransferBuffer, count: Int) {
        queue.append(buffer, from: 0, count: count)
        deliverable += count
    }

    /// Appends bytes that enter the link now.
    mutating func acceptOnLink(_ buffer: TransferBuffer, count: Int) {
        queue.append(buffer, from: 0, count: count)
    }

    /// Notes that bytes have crossed the link.
    mutating func arrived(_ count: Int) {
        deliverable += count
        precondition(deliverable <= queue.count, "the link delivered more than it was given")
    }

    /// Notes an end that was met before there was a gate.
    mutating func noteEnd(wasRead: Bool, wasPassed: Bool) {
        endWasRead = wasRead
        endArrived = wasRead
        endWasPassed = wasPassed
        isExact = wasPassed
    }

    /// Asks the gate about at most `limit` bytes; what it passes is approved.
    mutating func ask(limit: Int) -> FaultGate.Answer {
        let available = min(deliverable - approved, limit)
        let isLast = endArrived && available == deliverable - approved
        let answer = gate.next(available: available, ended: isLast)
        if case .pass(let count) = answer { approved += count }
        return answer
    }

    /// Writes at most `limit` approved bytes.
    mutating func write(to socket: borrowing Socket, limit: Int) -> TransferResult {
        let result = queue.send(to: socket, limit: min(approved, limit))
        if case .moved(let count) = result {
            approved -= count
            deliverable -= count
            delivered += UInt64(count)
        }
        return result
    }

    /// XORs the next byte.
    mutating func corruptNext(_ bits: UInt8) { queue.flipFirst(bits) }
}

/// What may pass at a rate since a moment, in steps of about a millisecond.
struct Pace {
    private let rate: BitRate
    private let startNanoseconds: UInt64
    private var spentBytes: UInt64 = 0

    /// Fewer bytes are not worth a system call, unless the rate is below them in a millisecond.
    private static let leastBytes: UInt64 = 1_448
    /// A late wake-up may be made up for, idle time not.
    private static let burstNanoseconds: UInt64 = 20_000_000

    init(rate: BitRate, nowNanoseconds: UInt64) {
        self.rate = rate
        startNanoseconds = nowNanoseconds
    }

    /// How many of `wanted` bytes may go now.
    ///
    /// Time in which nothing was wanted earns no more than a burst.
    mutating func allowance(_ wanted: Int, nowNanoseconds: UInt64) -> Int {
        let earned = bytes(after: nowNanoseconds - startNanoseconds)
        let burst = max(bytes(after: Self.burstNanoseconds), Self.leastBytes)
        if earned > spentBytes, earned - spentBytes > burst { spentBytes = earned - burst }
        let allowed = earned > spentBytes ? earned - spentBytes : 0
        return allowed >= least(wanted) ? Int(min(allowed, UInt64(wanted))) : 0
    }

    /// When some of `wanted` bytes may go.
    func nextTime(_ wanted: Int) -> UInt64 {
        let target = spentBytes + least(wanted)
        let (high, low) = target.multipliedFullWidth(by: 8_000_000_000)
        guard high < rate.bitsPerSecond else { return .max }
        return startNanoseconds
            &+ rate.bitsPerSecond.dividingFullWidth((high, low)).quotient &+ 1
    }

    mutating func spend(_ count: Int) { spentBytes += UInt64(count) }

    private func least(_ wanted: Int) -> UInt64 {
        max(1, min(UInt64(wanted), Self.leastBytes, rate.bitsPerSecond / 8_000))
    }

    private func bytes(after nanoseconds: UInt64) -> UInt64 {
        let (high, low) = nanoseconds.multipliedFullWidth(by: rate.bitsPerSecond)
        guard high < 8_000_000_000 else { return .max }
        return UInt64(8_000_000_000).dividingFullWidth((high, low)).quotient
    }
}
