internal import Basics

/// How much a receiver lets its sender have outstanding: Linux's dynamic right-sizing.
///
/// Measured on Linux 6.18 (`tcp_rmem` 4096 131072 33554432): the window opens at 44 segments, may
/// follow arriving data up to 82,378 bytes (131,072 bytes of buffer at the ratio of payload to
/// memory of a full segment), and beyond that only as the measured rate allows: once per round
/// trip to twice what was taken in the last one, plus as much again as the rate has risen.
/// `rfc` opens the whole limit at once.
struct ReceiveWindow {
    static let maximumBytes: Int64 = 6 << 20
    private static let initialBytes: Int64 = 44 * 1_460
    private static let initialLimit: Int64 = 82_378
    private static let segment = Int64(WireSize.fullSegment)

    /// The most that the buffer's size allows.
    private(set) var limit: Int64
    /// What is offered; follows arriving data up to `limit`.
    private var offered: Int64
    /// Right edge that was announced; it never moves back (RFC 9293 §3.8.6.2.1).
    private var edge: Int64
    /// Taken in the last measured round.
    private var lastRound: Int64 = 10 * segment
    private var roundStart = Instant.start
    private var roundStartBytes: Int64 = 0
    /// Delivered but not taken by the real receiver, when that was told.
    private var backlog: Int64 = 0
    /// What had been delivered then.
    private var deliveredWhenTold: Int64 = 0

    init(behaviour: TCPSettings.Behaviour) {
        switch behaviour {
        case .linux:
            limit = Self.initialLimit
            offered = Self.initialBytes
        case .rfc:
            limit = Self.maximumBytes
            offered = Self.maximumBytes
        }
        edge = offered
    }

    /// The right edge that is announced before any data.
    var initialEdge: Int64 { edge }

    mutating func begin(at now: Instant) { roundStart = now }

    /// Says that the real receiver has not taken the last `bytes` of `total` that were delivered.
    mutating func setBacklog(_ bytes: Int64, of total: Int64) {
        backlog = bytes
        deliveredWhenTold = total
    }

    /// What of `total` delivered bytes the real receiver has not taken.
    ///
    /// One that keeps up is taken to do so until something else is told. Of one that does not, nothing
    /// more is known to be taken: how long it is not asked, on a busy machine, must not open its window.
    private func untaken(of total: Int64) -> Int64 {
        backlog == 0 ? 0 : backlog + total - deliveredWhenTold
    }

    /// Whether nothing of `total` delivered bytes waits for the real receiver.
    func hasTaken(all total: Int64) -> Bool { untaken(of: total) == 0 }

    /// Lets the offer grow by two segments for one that arrived, in order or not; true if it grew.
    mutating func noteArrival() -> Bool {
        let grown = max(offered, min(limit, offered + 2 * Self.segment))
        defer { offered = grown }
        return grown > offered
    }

    /// Measures, once per round trip, how much was taken, and lets the buffer grow with it.
    ///
    /// `total` bytes were delivered up to `now`. Linux comes to this at a chance point of a burst
    /// that arrives one round trip after the last; here it waits for the burst after.
    mutating func noteDelivery(
        total: Int64,
        outOfOrderBytes: Int64,
        roundTrip: Duration?,
        at now: Instant
    ) {
        guard let roundTrip, now - roundStart > roundTrip else { return }
        let taken = total - untaken(of: total)
        let copied = taken - roundStartBytes
        if copied > lastRound {
            let rise = 2 * copied * (copied - lastRound) / lastRound
            lastRound = copied
            raise(to: 2 * copied + 2 * rise + outOfOrderBytes)
        }
        roundStart = now
        roundStartBytes = taken
    }

    /// Data waits out of order: room for it comes on top of two rounds.
    mutating func noteOutOfOrder(bytes: Int64) { raise(to: 2 * lastRound + bytes) }

    private mutating func raise(to bytes: Int64) {
        limit = max(limit, min(bytes, Self.maximumBytes))
    }

    /// The right edge to announce when `next` is the next byte wanted.
    mutating func announce(next: Int64, outOfOrderBytes: Int64) -> Int64 {
        edge = max(edge, next + min(free(next, outOfOrderBytes), offered))
        return edge
    }

    /// Whether an announcement would open the window by two segments or more.
    func wouldOpen(next: Int64, outOfOrderBytes: Int64) -> Bool {
        next + min(free(next, outOfOrderBytes), offered) - edge >= 2 * Self.segment
    }

    private func free(_ next: Int64, _ outOfOrderBytes: Int64) -> Int64 {
        max(0, limit - untaken(of: next) - outOfOrderBytes)
    }
}
