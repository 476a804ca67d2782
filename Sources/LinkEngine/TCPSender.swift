internal import Basics

/// The sending end of one stream: a TCP sender in virtual time.
///
/// SACK-based loss recovery as Linux 6.18 does it, where not stated otherwise: pipe
/// (RFC 6675 §4), RACK-TLP (RFC 8985), PRR (RFC 6937), F-RTO (RFC 5682) and the Eifel response
/// (RFC 3522), over the congestion window of `CongestionWindow` and the timeout of
/// `RoundTripEstimator`.
///
/// It does no I/O: each call that may send appends to `out` the packets that leave now, in order and
/// still without an acknowledgement. `deadline` says when `expire` is due; an early call does
/// nothing.
struct TCPSender {
    /// The states of Linux's `tcp_ca_state`, without CWR, which is left within one call.
    enum State {
        /// No sign of loss.
        case open
        /// Something was sacked, nothing is lost yet.
        case disorder
        case recovery
        /// After a retransmission timeout.
        case loss
    }

    enum TimerKind { case none, retransmission, probe, reordering, persist }

    /// Timeouts in a row after which the connection is given up (Linux: `tcp_retries2`).
    static let maximumTimeouts = 15
    /// Payload for which Linux makes room, for each segment of the window: `tcp_sndbuf_expand`
    /// reserves twice 4,352 bytes of memory, and a segment of 1,448 is charged 2,304 of them.
    private static let bufferPerSegment: Int64 = 2 * 4_352 * 1_448 / 2_304
    private static let firstBuffer = Int64(CongestionWindow.initialSegments) * bufferPerSegment
    /// The most a stream may buffer unsent and unacknowledged.
    ///
    /// Linux stops at 4 MiB of memory (`tcp_wmem`), of which payload is seven eighths where it
    /// comes in large writes (measured).
    private static let mostBuffer: Int64 = 7 << 19

    // With many streams the time goes into fetching memory, so the order is by how often a packet
    // needs it. First what each one does, also at an end that sends nothing.

    /// When `expire` is due.
    var deadline = Instant.never
    var timer = TimerKind.none
    var state = State.open
    private(set) var isFinishing = false
    var finWasSent = false
    /// The application has more, but was told that the buffer is full.
    private(set) var isWriterWaiting = false
    /// Whether the window was the limit in the current round.
    var isWindowLimited = false
    /// Bytes given to the sender, and those of them that were put into segments.
    private(set) var writtenBytes: Int64 = 0
    var segmentedBytes: Int64 = 0
    /// The receiver's right edge.
    var windowEdge: Int64 = 0
    var board = Scoreboard()
    var roundTrip: RoundTripEstimator

    // Then what sending and acknowledgements need.

    var window: CongestionWindow
    /// The timeout with its back-off.
    var timeout: Duration
    var timeoutsInRow = 0
    var lastSentAt = Instant.start
    /// What besides `isWindowLimited` decides on growth.
    var mostOutstanding = 0
    var usageEnd = 0
    /// How often each slot of the stream was sent.
    private var slotSends = Ring<UInt32>()
    /// Bytes that may be buffered: Linux begins with room for the initial window, and once that
    /// starved a burst makes room for the window of then.
    private(set) var bufferLimit = Self.firstBuffer
    /// Bytes of these that another buffer before this one keeps, unless the window needs them.
    var keptElsewhere: Int64 = 0
    var rack = RACK()
    /// Segments marked lost so far.
    var lostTotal = 0
    /// Leaving recovery or loss waits for this segment (RFC 6675 §5).
    var recoveryPoint = 0
    /// SND.NXT when a tail loss probe was sent (RFC 8985 §7.3), and whether it was a resend.
    var probeEnd: Int?
    var probeWasResend = false

    // Last what only losses need.

    /// F-RTO is still undecided (RFC 5682 §3).
    var isTestingTimeout = false
    var reduction: RateReduction?
    /// When the first resend of the episode left (RFC 3522).
    var firstResendAt: Instant?
    /// What a false timeout restores, while that is possible.
    var undo: CongestionWindow.Saved?

    init(settings: TCPSettings) {
        window = CongestionWindow(settings: settings)
        roundTrip = RoundTripEstimator(behaviour: settings.behaviour)
        timeout = RoundTripEstimator.initialTimeout
    }

    /// Offset of the first unacknowledged byte.
    private var unacknowledgedOffset: Int64 {
        board.outstanding > 0 ? board[board.una].offset : segmentedBytes
    }

    /// Bytes that wait or are in flight.
    var bufferedBytes: Int64 { writtenBytes - unacknowledgedOffset }

    /// How much the application may give now; at 0 it waits until `wakeWriter`.
    mutating func room() -> Int {
        let room = max(0, Int(ownLimit - bufferedBytes))
        if room == 0 { isWriterWaiting = true }
        return room
    }

    /// Whether a waiting application may go on: an eighth of the buffer is free. (Linux waits for a
    /// third, but counts memory that is freed before the bytes are; measured, an eighth fits.)
    mutating func wakeWriter() -> Bool {
        guard isWriterWaiting, bufferedBytes * 8 <= ownLimit * 7 else { return false }
        isWriterWaiting = false
        return true
    }

    /// What may be buffered here: never less than two windows, so that an acknowledgement always
    /// finds something to send.
    private var ownLimit: Int64 {
        let needed = 2 * Int64(window.segments) * Int64(WireSize.fullSegment)
        return max(bufferLimit - keptElsewhere, min(bufferLimit, needed))
    }

    /// The window had room, but the buffer was empty while the application had more.
    mutating func growStarvedBuffer() {
        guard isWriterWaiting, !hasUnsent, board.pipe < window.segments else { return }
        let wanted = Int64(window.segments) * Self.bufferPerSegment
        bufferLimit = max(bufferLimit, min(wanted, Self.mostBuffer))
    }

    /// Whether everything, the FIN included, was acknowledged.
    var isComplete: Bool { finWasSent && board.outstanding == 0 }

    var hasUnsent: Bool { segmentedBytes < writtenBytes || (isFinishing && !finWasSent) }

    /// Takes bytes from the application; after `finish` there is nothing to take.
    mutating func write(_ count: Int) {
        if !isFinishing { writtenBytes += Int64(count) }
    }

    mutating func finish() { isFinishing = true }

    /// The handshake measured a round trip.
    mutating func sampleHandshake(_ measured: Duration) {
        roundTrip.sample(measured, acknowledged: 0, next: 0)
        window.noteRoundTrip(measured)
        timeout = roundTrip.timeout
    }

    /// Counts one more send of the slot that `offset` lies in; returns the earlier ones.
    mutating func countSend(offset: Int64) -> UInt32 {
        let slot = Int(offset) / WireSize.fullSegment
        if slot == slotSends.end {
            slotSends.append(1)
            return 0
        }
        while slotSends.end <= slot { slotSends.append(0) }
        defer { slotSends[slot] += 1 }
        return slotSends[slot]
    }

    mutating func forgetSlots(below offset: Int64) {
        let slot = Int(offset) / WireSize.fullSegment
        slotSends.removeAll(before: slot)
    }
}
