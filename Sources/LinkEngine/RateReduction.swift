/// Proportional Rate Reduction: how much to send for each ACK of a recovery (RFC 6937 §3,
/// now RFC 9937).
struct RateReduction {
    /// RecoverFS, for which Linux takes the window at the start, the RFC the flight size.
    private let flightAtStart: Int
    private var delivered = 0
    private(set) var sent = 0

    init(flightAtStart: Int) { self.flightAtStart = max(flightAtStart, 1) }

    mutating func noteSent(_ count: Int) { sent += count }

    /// Segments to send now, after `newlyDelivered` were acknowledged or sacked.
    mutating func budget(
        newlyDelivered: Int,
        pipe: Int,
        threshold: Int,
        advancedWithoutLoss: Bool
    ) -> Int {
        delivered += newlyDelivered
        var budget: Int
        if pipe > threshold {
            budget = (delivered * threshold + flightAtStart - 1) / flightAtStart - sent
        } else {
            budget = max(delivered - sent, newlyDelivered)
            if advancedWithoutLoss { budget += 1 }
            budget = min(threshold - pipe, budget)
        }
        // The fast retransmit itself always goes out.
        return max(budget, sent == 0 ? 1 : 0)
    }
}
