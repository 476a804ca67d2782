internal import Basics

/// The congestion window of one sender: slow start, CUBIC (RFC 9438) or Reno (RFC 5681).
///
/// Windows are whole segments and growth is counted in acknowledgements per segment, as Linux
/// does it: at the small windows of a lossy link its steps are up to a fifth faster than the
/// smooth formula, and the reference shows it.
struct CongestionWindow {
    static let initialSegments = 10
    /// Far above any window: slow start has no end until a loss (RFC 5681 §3.1).
    private static let unbounded = 1 << 30

    let algorithm: TCPSettings.CongestionControl
    /// Segments that may be in flight.
    private(set) var segments = initialSegments
    /// Slow start ends here (ssthresh).
    private(set) var threshold = unbounded
    /// Acknowledged segments that have not yet made the window grow, in 1/1,024.
    private var credit = 0
    private var curve: CubicCurve
    /// Looks for the end of slow start; nil once found, until a timeout, and where it is not done.
    private var slowStartExit: SlowStartExit?
    private let behaviour: TCPSettings.Behaviour

    init(settings: TCPSettings) {
        algorithm = settings.congestionControl
        behaviour = settings.behaviour
        curve = CubicCurve(behaviour: settings.behaviour)
        beginSlowStart()
    }

    /// RFC 9438 §4.10 lets a sender choose how to end it; Linux looks for a full path with CUBIC alone.
    private mutating func beginSlowStart() {
        slowStartExit = algorithm == .cubic && behaviour == .linux ? SlowStartExit() : nil
    }

    var isInSlowStart: Bool { segments < threshold }

    mutating func set(segments: Int) { self.segments = max(segments, 1) }

    mutating func noteRoundTrip(_ measured: Duration) { curve.noteRoundTrip(measured) }

    /// Ends slow start if the round trip of the latest acknowledged segment, or the way in which
    /// acknowledgements come, shows that the path is full.
    mutating func lookForFullPath(
        _ measured: Duration,
        acknowledged: Int,
        next: Int,
        at now: Instant
    ) {
        // Round trips right after a recovery say little (Linux).
        guard isInSlowStart, !curve.hasStageYounger(than: .seconds(1), at: now) else { return }
        let isFull =
            slowStartExit?.ends(
                after: measured,
                window: segments,
                acknowledged: acknowledged,
                next: next,
                at: now
            ) ?? false
        guard isFull else { return }
        threshold = segments
        slowStartExit = nil
    }

    /// Grows for `count` newly delivered segments; call only while the window is the limit.
    mutating func grow(delivered count: Int, at now: Instant) {
        var rest = count
        if isInSlowStart {
            let step = min(rest, threshold - segments)
            segments += step
            rest -= step
        }
        guard rest > 0 else { return }
        switch algorithm {
        case .reno: spend(rest, price: segments * CubicCurve.scale)
        case .cubic:
            spend(rest, price: curve.price(window: segments, acknowledged: rest, at: now))
        }
    }

    /// One segment for each `price` acknowledged; credit from a dearer time buys at most one.
    private mutating func spend(_ count: Int, price: Int) {
        if credit >= price {
            credit = 0
            segments += 1
        }
        credit += count * CubicCurve.scale
        if credit >= price {
            segments += credit / price
            credit %= price
        }
    }

    /// Lowers the threshold for one loss event, not yet the window.
    mutating func reduceThreshold() {
        switch algorithm {
        case .cubic: threshold = curve.reducedThreshold(window: segments)
        case .reno: threshold = max(segments / 2, 2)
        }
        credit = 0
    }

    /// A timeout: the next stage starts without a maximum to aim at (RFC 9438 §4.8).
    mutating func forgetMaximum() {
        curve = CubicCurve(behaviour: behaviour)
        credit = 0
        beginSlowStart()
    }

    mutating func setWindowToThreshold() {
        if threshold < Self.unbounded { segments = threshold }
    }

    /// Idle time counts neither as growth nor towards the curve (RFC 9438 §4.2, §5.8).
    mutating func shiftEpoch(by idle: Duration) { curve.shiftEpoch(by: idle) }

    /// Halves the window for each timeout spent idle, not below the initial one (RFC 5681 §4.1;
    /// halving is Linux).
    mutating func restartAfterIdle(_ idle: Duration, timeout: Duration) {
        let floor = min(Self.initialSegments, segments)
        if threshold < Self.unbounded { threshold = max(threshold, segments * 3 / 4) }
        var left = idle - timeout
        while left > .zero, segments > floor {
            segments /= 2
            left = left - timeout
        }
        segments = max(segments, floor)
    }

    /// What a false timeout restores.
    struct Saved {
        fileprivate var segments: Int
        fileprivate var threshold: Int
        fileprivate var curve: CubicCurve
    }

    var saved: Saved { Saved(segments: segments, threshold: threshold, curve: curve) }

    /// RFC 9438 §4.9.1: the reduction was for nothing.
    mutating func restore(_ saved: Saved) {
        segments = max(segments, saved.segments)
        threshold = max(threshold, saved.threshold)
        curve = saved.curve
    }
}
