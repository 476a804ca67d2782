internal import Basics

/// Delays each piece; order is kept.
struct LatencyStage: Sendable {
    private var milliseconds: Int64
    private var jitterMilliseconds: Int64
    private let draws: AddressedRandom.Series
    private var drawCount: UInt64 = 0
    /// `at` is when a piece is due.
    private var queue = PieceQueue<ToxicPassage>()
    private var lastDue = Instant.start

    init(_ milliseconds: Int64, jitter: Int64, draws: AddressedRandom.Series) {
        self.milliseconds = milliseconds.bounded
        jitterMilliseconds = jitter.bounded
        self.draws = draws
    }

    var count: Int { queue.count }
    var nextTime: Instant? { queue.isEmpty ? nil : queue.first.at }

    mutating func receive(_ piece: ToxicPassage) {
        var piece = piece
        if case .bytes = piece.content {
            let delay = max(0, milliseconds + jitter())
            piece.stamp = piece.stamp.after(delay, each: .milliseconds(1))
            lastDue = max(lastDue, piece.stamp, piece.at)
        }
        lastDue = max(lastDue, piece.at)
        piece.at = lastDue
        queue.append(piece)
    }

    mutating func advance(to time: Instant, _ out: inout [ToxicPassage]) {
        while !queue.isEmpty, queue.first.at <= time { out.append(queue.removeFirst()) }
    }

    /// What waits leaves at once.
    mutating func change(
        _ milliseconds: Int64,
        jitter: Int64,
        at time: Instant,
        _ out: inout [ToxicPassage]
    ) {
        self.milliseconds = milliseconds.bounded
        jitterMilliseconds = jitter.bounded
        release(at: time, &out)
    }

    mutating func release(at time: Instant, _ out: inout [ToxicPassage]) {
        lastDue = time
        while !queue.isEmpty {
            var piece = queue.removeFirst()
            piece.at = time
            out.append(piece)
        }
    }

    /// A whole number of milliseconds from −jitter up to jitter.
    private mutating func jitter() -> Int64 {
        guard jitterMilliseconds > 0 else { return 0 }
        let value = draws.integer(below: UInt64(jitterMilliseconds) * 2, at: drawCount)
        drawCount += 1
        return Int64(value) - jitterMilliseconds
    }
}
