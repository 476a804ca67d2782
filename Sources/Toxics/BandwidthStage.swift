internal import Basics

/// Releases bytes at a rate, in steps of a few milliseconds.
///
/// Toxiproxy lets a tenth of a second leave at once. Here a byte leaves when its own turn has come,
/// to within a step, so a receiver sees the rate and not bursts.
struct BandwidthStage: Sendable {
    /// Bytes per millisecond.
    private var rate: Int64
    private var queue = PieceQueue<ToxicPassage>()
    /// From here on `sentBytes` have left without a pause.
    private var anchor = Instant.start
    private var sentBytes: Int64 = 0

    private static let stepMilliseconds: Int64 = 4
    /// Fewer bytes are not worth a wake-up.
    private static let leastStep: Int64 = 256
    /// Beyond it the count begins anew.
    private static let countedBytes: Int64 = 1 << 40

    init(_ rate: Int64) { self.rate = max(0, rate) }

    var count: Int { queue.count }

    var nextTime: Instant? {
        guard !queue.isEmpty else { return nil }
        guard case .bytes(let count) = queue.first.content else { return queue.first.at }
        return rate == 0 ? nil : leaveTime(of: step(count))
    }

    mutating func receive(_ piece: ToxicPassage) {
        if queue.isEmpty, piece.at > leaveTime(of: 0) { restart(at: piece.at) }
        queue.append(piece)
    }

    mutating func advance(to time: Instant, _ out: inout [ToxicPassage]) {
        while let due = nextTime, due <= time {
            guard case .bytes(let count) = queue.first.content else {
                var piece = queue.removeFirst()
                piece.at = max(piece.at, leaveTime(of: 0))
                out.append(piece)
                continue
            }
            let step = step(count)
            out.append(
                ToxicPassage(content: .bytes(Int(step)), stamp: queue.first.stamp, at: due)
            )
            sentBytes += step
            if sentBytes > Self.countedBytes { restart(at: due) }
            if step == count {
                _ = queue.removeFirst()
            } else {
                queue.first.content = .bytes(count - Int(step))
            }
        }
    }

    /// What waits leaves at the new rate.
    mutating func change(_ rate: Int64, at time: Instant) {
        self.rate = max(0, rate)
        restart(at: time)
    }

    mutating func release(at time: Instant, _ out: inout [ToxicPassage]) {
        while !queue.isEmpty {
            var piece = queue.removeFirst()
            piece.at = time
            out.append(piece)
        }
    }

    private mutating func restart(at time: Instant) {
        anchor = time
        sentBytes = 0
    }

    private func step(_ count: Int) -> Int64 {
        let (step, isLarge) = rate.multipliedReportingOverflow(by: Self.stepMilliseconds)
        return isLarge ? Int64(count) : min(Int64(count), max(step, Self.leastStep))
    }

    /// When this many further bytes have left.
    private func leaveTime(of bytes: Int64) -> Instant {
        guard rate > 0 else { return anchor }
        // At most 2⁴¹ times 10⁶.
        let product = (sentBytes + bytes) * .nanosecondsPerMillisecond
        let (quotient, rest) = product.quotientAndRemainder(dividingBy: rate)
        let span = quotient + (rest > 0 ? 1 : 0)
        return anchor.after(span, each: .nanoseconds(1))
    }
}
