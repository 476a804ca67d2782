internal import Basics

/// How fast CUBIC lets a window grow (RFC 9438 §4), in acknowledgements per further segment.
///
/// `linux` counts in whole segments and whole acknowledgements and looks at the curve now and then;
/// `rfc` is the formula in fixed point, at each acknowledgement.
struct CubicCurve {
    /// Prices and smooth windows are in 1/1,024.
    static let scale = 1_024
    /// β = 0.7 (§4.6) in 1/1,024.
    private static let beta = 717
    private static let betaScale = 1_024
    /// Linux looks at the curve again after so long with an unchanged window, and never twice in
    /// one tick of its clock.
    private static let refresh = Duration.milliseconds(31)
    private static let tick: Int64 = 4_000_000
    /// Acknowledgements per segment at or above the curve: hardly any growth.
    private static let plateau = 100
    /// After a timeout there is no maximum to aim at: at least 5 % a round trip (Linux).
    private static let slowestWithoutMaximum = 20
    /// At most half a segment for each one acknowledged (§4.2).
    private static let fastest = 2
    /// α = 3(1 − β)/(1 + β) = 0.529 (§4.3), in 1/1,024.
    private static let alpha = 542

    private let behaviour: TCPSettings.Behaviour

    /// wMax, the window at the last reduction; 0 at first and after a timeout.
    private var lastMaximum = 0
    /// Start of the congestion-avoidance stage.
    private var epoch: Instant?
    private var originWindow = 0
    /// K, in milliseconds.
    private var timeToOrigin: Int64 = 0
    /// wEst, the window that Reno would have, and acknowledgements towards its next segment.
    private var renoWindow = 0
    private var renoCredit = 0
    private var minimumRoundTrip: Duration?
    private var lastPrice = 0
    private var lastWindow = 0
    private var lastUpdate = Instant.start

    init(behaviour: TCPSettings.Behaviour) { self.behaviour = behaviour }

    /// What `renoWindow` counts in.
    private var renoScale: Int { behaviour == .rfc ? Self.scale : 1 }

    mutating func noteRoundTrip(_ measured: Duration) {
        minimumRoundTrip = min(minimumRoundTrip ?? measured, measured)
    }

    /// Acknowledged segments that one more segment of window costs now, in 1/1,024.
    mutating func price(window: Int, acknowledged: Int, at now: Instant) -> Int {
        switch behaviour {
        case .linux:
            wholePrice(window: window, acknowledged: acknowledged, at: now) * Self.scale
        case .rfc:
            smoothPrice(window: window, acknowledged: acknowledged, at: now)
        }
    }

    private mutating func smoothPrice(
        window: Int,
        acknowledged: Int,
        at now: Instant
    ) -> Int {
        let start = epoch ?? beginStage(window: window, acknowledged: 0, at: now)
        let elapsed = (now - start + (minimumRoundTrip ?? .zero)).wholeMilliseconds
        let scaled = window * Self.scale
        // α is 1 once the window of the last reduction is reached again (§4.3).
        let alpha = renoWindow >= originWindow * Self.scale ? Self.scale : Self.alpha
        renoWindow += acknowledged * alpha * Self.scale / scaled
        let target = originWindow * Self.scale + offset(atMilliseconds: elapsed, in: Self.scale)
        let rise = min(max(target, renoWindow) - scaled, scaled / Self.fastest)
        return rise > 0 ? scaled * Self.scale / rise : .max
    }

    private mutating func wholePrice(
        window: Int,
        acknowledged: Int,
        at now: Instant
    ) -> Int {
        renoCredit += acknowledged
        if window == lastWindow, now - lastUpdate <= Self.refresh { return lastPrice }
        let isSameTick = now.nanoseconds / Self.tick == lastUpdate.nanoseconds / Self.tick
        if epoch == nil || !isSameTick {
            lastWindow = window
            lastUpdate = now
            lastPrice = priceOnCurve(window: window, acknowledged: acknowledged, at: now)
        }
        lastPrice = max(min(lastPrice, priceForReno(window: window)), Self.fastest)
        return lastPrice
    }

    private mutating func priceOnCurve(
        window: Int,
        acknowledged: Int,
        at now: Instant
    ) -> Int {
        let start = epoch ?? beginStage(window: window, acknowledged: acknowledged, at: now)
        let elapsed = now - start + (minimumRoundTrip ?? .zero)
        let target = originWindow + offset(atMilliseconds: elapsed.wholeMilliseconds)
        let result = target > window ? window / (target - window) : Self.plateau * window
        return lastMaximum == 0 ? min(result, Self.slowestWithoutMaximum) : result
    }

    private mutating func beginStage(
        window: Int,
        acknowledged: Int,
        at now: Instant
    ) -> Instant {
        epoch = now
        renoWindow = window * renoScale
        renoCredit = acknowledged
        if window < lastMaximum {
            originWindow = lastMaximum
            // K = ∛((wMax − cwnd)/0.4) s (§4.2), in ms.
            timeToOrigin = Int64(
                IntegerMath.cubeRoot(UInt64(lastMaximum - window) * 2_500_000_000)
            )
        } else {
            originWindow = window
            timeToOrigin = 0
        }
        return now
    }

    /// C(t − K)³ with C = 0.4 segments/s³, in parts of a segment, towards zero.
    ///
    /// The distance from K is held below 2¹⁷ ms, where the window is above 900,000 segments.
    private func offset(atMilliseconds time: Int64, in parts: Int = 1) -> Int {
        let limit: Int64 = 131_071
        let distance = min(max(time - timeToOrigin, -limit), limit)
        return Int(distance * distance * distance) / (2_500_000_000 / parts)
    }

    /// Reno's window grows by α = 3(1 − β)/(1 + β) a round trip (§4.3), which Linux rounds to
    /// 8/15; where it is ahead of the curve it is followed.
    private mutating func priceForReno(window: Int) -> Int {
        let needed = max(window * 15 / 8, 1)
        if renoCredit > needed {
            let steps = (renoCredit - 1) / needed
            renoCredit -= steps * needed
            renoWindow += steps
        }
        return renoWindow > window ? window / (renoWindow - window) : .max
    }

    /// ssthresh after a loss event, and the maximum of the next stage, lower if the window had
    /// not yet come back to the last one (§4.6, fast convergence §4.7).
    mutating func reducedThreshold(window: Int) -> Int {
        epoch = nil
        lastMaximum =
            window < lastMaximum
            ? window * (Self.betaScale + Self.beta) / (2 * Self.betaScale) : window
        return max(window * Self.beta / Self.betaScale, 2)
    }

    /// Whether the present stage of congestion avoidance began less than `age` ago.
    func hasStageYounger(than age: Duration, at now: Instant) -> Bool {
        epoch.map { now - $0 < age } ?? false
    }

    mutating func shiftEpoch(by idle: Duration) {
        if let start = epoch { epoch = start + idle }
    }
}
