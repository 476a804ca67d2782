internal import Basics

/// Finding losses and recovering from them.
extension TCPSender {
    private static let duplicateThreshold = 3

    /// RFC 8985 §6.2 step 4, as long as no reordering was seen; streams never reorder.
    private var reorderingWindow: Duration {
        if state == .recovery || state == .loss { return .zero }
        if board.sackedCount >= Self.duplicateThreshold { return .zero }
        return min(roundTrip.minimum / 4, roundTrip.smoothed ?? .zero)
    }

    /// Marks what RACK finds lost and sets the reordering timer for what may follow; true if that
    /// timer was set (RFC 8985 §6.2 step 5).
    @discardableResult
    mutating func detectLosses(at now: Instant) -> Bool {
        let window = reorderingWindow
        var longest = Duration.zero
        var number = board.oldestSent
        while number >= 0 {
            let segment = board[number]
            guard rack.isOlder(segment) else { break }
            let following = segment.later
            let remaining = segment.sentAt + rack.roundTrip + window - now
            if remaining <= .zero {
                board.markLost(number)
                lostTotal += 1
            } else {
                longest = max(longest, remaining)
            }
            number = following
        }
        guard longest > .zero else { return false }
        setTimer(.reordering, at: now + longest + Self.timerSlack)
        return true
    }

    /// A loss event: one reduction, and nothing more until `recoveryPoint` (RFC 9438 §4.6).
    mutating func enterRecovery() {
        undo = nil
        beginReduction()
        state = .recovery
    }

    private mutating func beginReduction() {
        reduction = RateReduction(flightAtStart: window.segments)
        window.reduceThreshold()
        recoveryPoint = board.next
        probeEnd = nil
        firstResendAt = nil
    }

    /// PRR sets the window so that exactly its budget goes out.
    mutating func reduceRate(newlyDelivered: Int, advanced: Bool, newlyLost: Int) {
        guard var current = reduction, newlyDelivered > 0 else { return }
        let budget = current.budget(
            newlyDelivered: newlyDelivered,
            pipe: board.pipe,
            threshold: window.threshold,
            advancedWithoutLoss: advanced && newlyLost == 0
        )
        reduction = current
        window.set(segments: board.pipe + max(budget, 0))
    }

    mutating func leaveRecovery() {
        window.setWindowToThreshold()
        reduction = nil
        state = .open
    }

    /// After a timeout (RFC 5681 §3.1, RFC 8985 §6.3): the head and all that RACK's time has
    /// passed for is lost.
    mutating func enterLoss(at now: Instant) {
        for number in board.una..<board.next {
            let segment = board[number]
            if segment.isSacked { continue }
            let isRecent = number != board.una && segment.sentAt + rack.roundTrip > now
            if isRecent || (segment.isLost && !segment.isResent) { continue }
            board.markLost(number)
            lostTotal += 1
        }
        let isNewEpisode = state == .open || state == .disorder
        // Within an episode the threshold was lowered already (Linux).
        if isNewEpisode || board.una >= recoveryPoint || (state == .loss && timeoutsInRow == 0) {
            undo = window.saved
            window.reduceThreshold()
            firstResendAt = nil
        }
        window.forgetMaximum()
        window.set(segments: board.pipe + 1)
        isTestingTimeout = isNewEpisode || timeoutsInRow > 0
        state = .loss
        reduction = nil
        recoveryPoint = board.next
        probeEnd = nil
    }

    /// The timeout was false: everything is as it was (RFC 5682 §3, RFC 9438 §4.9.1).
    mutating func undoTimeout() {
        board.forgetLosses()
        if let saved = undo { window.restore(saved) }
        undo = nil
        timeoutsInRow = 0
        isTestingTimeout = false
        state = .open
    }

    /// A resent probe repaired a loss that nothing else showed: reduce once (RFC 8985 §7.4.2).
    mutating func reduceAfterProbe() {
        beginReduction()
        leaveRecovery()
    }

    /// Open, or disorder while something is sacked, lost or resent.
    mutating func settleState() {
        let isQuiet =
            board.sackedCount == 0 && board.lostCount == 0 && board.resentCount == 0
        state = isQuiet ? .open : .disorder
    }
}
