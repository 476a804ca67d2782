/// How fast bytes move: over the last seconds, so that a stall shows soon.
struct RateMeter {
    private struct Sample {
        var nanoseconds: UInt64
        var bytes: UInt64
    }

    private var samples: [Sample] = []

    /// The span that is looked at.
    static let windowNanoseconds: UInt64 = 5_000_000_000
    /// The least time between two samples.
    private static let spacingNanoseconds: UInt64 = 100_000_000

    /// Notes how many bytes have moved in total.
    mutating func add(_ bytes: UInt64, atNanoseconds now: UInt64) {
        if let last = samples.last, now - last.nanoseconds < Self.spacingNanoseconds,
            samples.count > 1
        {
            samples[samples.count - 1].bytes = bytes
            return
        }
        samples.append(Sample(nanoseconds: now, bytes: bytes))
        let oldest = samples.firstIndex { now - $0.nanoseconds <= Self.windowNanoseconds } ?? 0
        // One sample before the window says where it began.
        if oldest > 1 { samples.removeFirst(oldest - 1) }
    }

    /// Bytes in a second, now; nil before there is anything to say.
    func bytesPerSecond(atNanoseconds now: UInt64) -> UInt64? {
        guard let first = samples.first, let last = samples.last, now > first.nanoseconds,
            last.bytes >= first.bytes
        else { return nil }
        let moved = (last.bytes - first.bytes).multipliedFullWidth(by: 1_000_000_000)
        let span = now - first.nanoseconds
        return moved.high < span ? span.dividingFullWidth(moved).quotient : nil
    }
}
