internal import Basics

/// Smoothed round-trip time and retransmission timeout (RFC 6298).
///
/// Linux keeps the largest mean deviation of the current round and lets the variance fall by a
/// quarter a round, with a floor of 200 ms on the variance rather than on the sum; `rfc` is
/// RFC 6298 §2 as written, with its floor of 1 s.
struct RoundTripEstimator {
    static let initialTimeout = Duration.seconds(1)
    static let maximumTimeout = Duration.seconds(120)
    static let linuxMinimum = Duration.milliseconds(200)

    let behaviour: TCPSettings.Behaviour
    private(set) var smoothed: Duration?
    private(set) var minimum = Duration(nanoseconds: .max)
    /// Without back-off.
    private(set) var timeout = Self.initialTimeout

    private var meanDeviation = Duration.zero
    private var largestDeviation = Duration.zero
    private var variance = Duration.zero
    /// The round ends when this segment is acknowledged.
    private var roundEnd = 0

    init(behaviour: TCPSettings.Behaviour) { self.behaviour = behaviour }

    /// Takes one measurement, made when `acknowledged` was the first unacknowledged segment and
    /// `next` the next to be sent.
    mutating func sample(_ measured: Duration, acknowledged: Int, next: Int) {
        minimum = min(minimum, measured)
        switch behaviour {
        case .linux: sampleLinux(measured, acknowledged: acknowledged, next: next)
        case .rfc: sampleRFC(measured)
        }
    }

    private mutating func sampleRFC(_ measured: Duration) {
        if let old = smoothed {
            let error = Duration(nanoseconds: abs(old.nanoseconds - measured.nanoseconds))
            variance = (variance * 3 + error) / 4
            smoothed = (old * 7 + measured) / 8
        } else {
            smoothed = measured
            variance = measured / 2
        }
        let granularity = Duration.milliseconds(1)
        let sum = (smoothed ?? measured) + max(granularity, variance * 4)
        timeout = min(max(.seconds(1), sum), Self.maximumTimeout)
    }

    /// `meanDeviation` is four times the mean, as the timeout wants it.
    private mutating func sampleLinux(_ measured: Duration, acknowledged: Int, next: Int) {
        if let old = smoothed {
            let error = measured - old
            smoothed = old + error / 8
            var change = Duration(nanoseconds: abs(error.nanoseconds)) - meanDeviation / 4
            // A falling round trip must not raise the deviation quickly.
            if error < .zero, change > .zero { change = change / 8 }
            meanDeviation += change
            if meanDeviation > largestDeviation {
                largestDeviation = meanDeviation
                variance = max(variance, largestDeviation)
            }
            if acknowledged > roundEnd {
                if largestDeviation < variance {
                    variance = variance - (variance - largestDeviation) / 4
                }
                roundEnd = next
                largestDeviation = Self.linuxMinimum
            }
        } else {
            smoothed = measured
            meanDeviation = measured * 2
            variance = max(meanDeviation, Self.linuxMinimum)
            largestDeviation = variance
            roundEnd = next
        }
        timeout = min((smoothed ?? measured) + variance, Self.maximumTimeout)
    }
}
