/// The newest delivered transmission, by which older ones are judged lost (RFC 8985 §6).
struct RACK {
    /// When the most recently sent segment known delivered was sent, and its number.
    private(set) var sentAt = Instant(nanoseconds: -1)
    private var segment = -1
    /// Its round-trip time.
    private(set) var roundTrip = Duration.zero
    /// Whether anything was delivered since the last look for losses.
    var advanced = false

    /// Takes a delivered segment (RFC 8985 §6.2 step 2).
    mutating func note(
        _ delivered: Segment, number: Int, minimumRoundTrip: Duration, at now: Instant
    ) {
        let measured = now - delivered.sentAt
        // Too soon for the resend: it was the original that arrived.
        if measured < minimumRoundTrip, delivered.wasEverResent { return }
        advanced = true
        roundTrip = measured
        if isNewer(delivered.sentAt, number) {
            sentAt = delivered.sentAt
            segment = number
        }
    }

    private func isNewer(_ time: Instant, _ number: Int) -> Bool {
        time > sentAt || (time == sentAt && number > segment)
    }

    /// Whether a segment was sent before the newest delivered one.
    func isOlder(_ other: Segment, number: Int) -> Bool {
        other.sentAt < sentAt || (other.sentAt == sentAt && number < segment)
    }
}
