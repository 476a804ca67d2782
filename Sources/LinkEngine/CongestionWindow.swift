/// The congestion window of one sender: slow start, CUBIC (RFC 9438) or Reno (RFC 5681).
///
/// Windows are in 1/65,536 segment, so that growth by a fraction of a segment adds up exactly.
struct CongestionWindow {
    static let unit: Int64 = 65_536
    static let initialSegments: Int64 = 10
    /// Far above any window: slow start has no end until a loss (RFC 5681 §3.1).
    private static let unbounded: Int64 = 1 << 46
    /// β = 0.7 (RFC 9438 §4.6) in 1/1,024.
    private static let beta: Int64 = 717
    private static let betaScale: Int64 = 1_024

    let algorithm: TCPSettings.CongestionControl
    private(set) var window = initialSegments * unit
    private(set) var threshold = unbounded

    /// wMax, the window at the last reduction; 0 after a timeout.
    private var lastMaximum: Int64 = 0
    /// Start of the congestion-avoidance stage.
    private var epoch: Instant?
    private var originWindow: Int64 = 0
    /// K, in milliseconds.
    private var timeToOrigin: Int64 = 0
    /// wEst, the window Reno would have.
    private var renoWindow: Int64 = 0
    /// Least round trip since the last timeout.
    private var minimumRoundTrip: Duration?

    init(algorithm: TCPSettings.CongestionControl) { self.algorithm = algorithm }

    /// Whole segments that may be in flight.
    var segments: Int { Int(window / Self.unit) }
    var thresholdSegments: Int { Int(threshold / Self.unit) }
    var isInSlowStart: Bool { window < threshold }

    mutating func set(segments: Int) { window = Int64(max(segments, 1)) * Self.unit }

    mutating func noteRoundTrip(_ measured: Duration) {
        minimumRoundTrip = min(minimumRoundTrip ?? measured, measured)
    }

    /// Grows for `count` newly delivered segments. Call only while the window is the limit.
    mutating func grow(delivered count: Int, at now: Instant) {
        var rest = Int64(count)
        if isInSlowStart {
            let step = min(rest * Self.unit, threshold - window)
            window += step
            rest -= (step + Self.unit - 1) / Self.unit
        }
        guard rest > 0 else { return }
        switch algorithm {
        case .reno: window += rest * Self.unit * Self.unit / window
        case .cubic: growCubic(rest, at: now)
        }
    }

    private mutating func growCubic(_ count: Int64, at now: Instant) {
        let start = epoch ?? beginStage(at: now)
        let elapsed = now - start + (minimumRoundTrip ?? .zero)
        let target = cubic(atMilliseconds: elapsed.wholeMilliseconds)
        // RFC 9438 §4.3 with α = 3(1 − β)/(1 + β), which Linux rounds to 8/15.
        renoWindow += count * Self.unit * Self.unit / window * 8 / 15
        var gain = max(target - window, Self.unit / 100)
        // After a timeout there is no wMax to aim at: at least 5 % a round trip (Linux).
        if lastMaximum == 0 { gain = max(gain, window / 20) }
        gain = max(gain, renoWindow - window)
        // At most 1.5 times a round trip (RFC 9438 §4.2).
        gain = min(gain, window / 2)
        window += Int64(Int128(count) * Int128(Self.unit) * Int128(gain) / Int128(window))
    }

    private mutating func beginStage(at now: Instant) -> Instant {
        epoch = now
        renoWindow = window
        if window < lastMaximum {
            originWindow = lastMaximum
            // K = ∛((wMax − cwnd)/0.4) s; in ms the radicand times 10⁹: 2.5·10⁹/65,536 = 38,147.
            timeToOrigin = Int64(
                IntegerMath.cubeRoot(UInt64(lastMaximum - window) * 38_147))
        } else {
            originWindow = window
            timeToOrigin = 0
        }
        return now
    }

    /// C(t − K)³ + origin, with C = 0.4 segments/s³; |t − K| is held below 2¹⁷ ms.
    private func cubic(atMilliseconds time: Int64) -> Int64 {
        let limit: Int64 = 131_071
        let distance = min(max(time - timeToOrigin, -limit), limit)
        // 0.4 · 65,536 / 10⁹ = 262,144 / 10¹⁰, in two steps to stay within 64 bits.
        let cube = distance * distance * distance / 10_000 * 262_144 / 1_000_000
        return originWindow + cube
    }

    /// Lowers the threshold for one loss event, not yet the window (RFC 9438 §4.6, 4.7).
    mutating func reduceThreshold() {
        switch algorithm {
        case .cubic:
            lastMaximum =
                window < lastMaximum
                ? window * (Self.betaScale + Self.beta) / (2 * Self.betaScale) : window
            let lowered = Int64(segments) * Self.beta / Self.betaScale
            threshold = max(lowered, 2) * Self.unit
        case .reno:
            threshold = max(Int64(segments) / 2, 2) * Self.unit
        }
        epoch = nil
    }

    /// A timeout: the next stage starts without a maximum to aim at (RFC 9438 §4.8).
    mutating func forgetMaximum() {
        lastMaximum = 0
        epoch = nil
        minimumRoundTrip = nil
    }

    mutating func setWindowToThreshold() {
        if threshold < Self.unbounded { window = threshold }
    }

    /// Idle time counts neither as growth nor towards the curve (RFC 9438 §4.2, §5.8).
    mutating func shiftEpoch(by idle: Duration) {
        if let start = epoch { epoch = start + idle }
    }

    /// Halves the window for each timeout spent idle, not below the initial one (RFC 5681 §4.1;
    /// halving is Linux).
    mutating func restartAfterIdle(_ idle: Duration, timeout: Duration) {
        let floor = min(Self.initialSegments * Self.unit, window)
        threshold = threshold == Self.unbounded ? threshold : max(threshold, window * 3 / 4)
        var left = idle - timeout
        while left > .zero, window > floor {
            window /= 2
            left = left - timeout
        }
        window = max(window, floor)
    }

    /// What a false timeout restores.
    struct Saved {
        fileprivate var window: Int64
        fileprivate var threshold: Int64
        fileprivate var lastMaximum: Int64
    }

    var saved: Saved {
        Saved(window: window, threshold: threshold, lastMaximum: lastMaximum)
    }

    /// RFC 9438 §4.9.1: the reduction was for nothing.
    mutating func restore(_ saved: Saved) {
        window = max(window, saved.window)
        threshold = max(threshold, saved.threshold)
        lastMaximum = max(lastMaximum, saved.lastMaximum)
        epoch = nil
    }
}
