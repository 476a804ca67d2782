internal import Basics

/// The newest delivered transmission, by which older ones are judged lost (RFC 8985 §6).
struct RACK {
    /// Rank of the most recently sent segment known delivered.
    private var order = 0
    /// Its round-trip time.
    private(set) var roundTrip = Duration.zero
    /// Whether anything was delivered since the last look for losses.
    var advanced = false

    /// Takes a delivered segment (RFC 8985 §6.2 step 2).
    mutating func note(_ delivered: Segment, minimumRoundTrip: Duration, at now: Instant) {
        let measured = now - delivered.sentAt
        // Too soon for the resend: it was the original that arrived.
        if measured < minimumRoundTrip, delivered.wasEverResent { return }
        advanced = true
        roundTrip = measured
        order = max(order, delivered.order)
    }

    /// Whether a segment was sent before the newest delivered one.
    func isOlder(_ other: Segment) -> Bool { other.order < order }
}
