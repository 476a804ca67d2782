internal import Basics

/// How fast bytes move: over the last seconds, so that a stall shows soon.
struct RateMeter {
    private struct Sample {
        var time: Instant
        var bytes: UInt64
    }

    private var samples: [Sample] = []

    /// The span that is looked at.
    static let window = Duration.seconds(5)
    /// The least time between two samples.
    private static let spacing = Duration.milliseconds(100)

    /// Notes how many bytes have moved in total.
    mutating func add(_ bytes: UInt64, at now: Instant) {
        if let last = samples.last, now - last.time < Self.spacing,
            samples.count > 1
        {
            samples[samples.count - 1].bytes = bytes
            return
        }
        samples.append(Sample(time: now, bytes: bytes))
        let oldest = samples.firstIndex { now - $0.time <= Self.window } ?? 0
        // One sample before the window says where it began.
        if oldest > 1 { samples.removeFirst(oldest - 1) }
    }

    /// Bytes in a second, now; nil before there is anything to say.
    func bytesPerSecond(at now: Instant) -> UInt64? {
        guard let first = samples.first, let last = samples.last, now > first.time,
            last.bytes >= first.bytes
        else { return nil }
        let moved = (last.bytes - first.bytes).multipliedFullWidth(by: 1_000_000_000)
        let span = (now - first.time).clampedNanoseconds
        return moved.high < span ? span.dividingFullWidth(moved).quotient : nil
    }
}
