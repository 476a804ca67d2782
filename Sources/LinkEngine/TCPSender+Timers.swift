internal import Basics

/// The one timer of a sender: retransmission (RFC 6298 §5), tail loss probe and reordering
/// (RFC 8985 §7, §6.2) or persist (RFC 9293 §3.8.6.1).
extension TCPSender {
    /// What Linux adds to short timers.
    static let timerSlack = Duration.milliseconds(2)
    /// What a delayed acknowledgement may cost when one segment is in flight (Linux).
    private static let delayedAcknowledgementAllowance = Duration.milliseconds(200)

    mutating func setTimer(_ kind: TimerKind, at time: Instant) {
        timer = kind
        deadline = time
    }

    mutating func clearTimer() { setTimer(.none, at: .never) }

    /// Restarts the timeout; after a probe or reordering timer it still counts from the head.
    mutating func restartTimeout(at now: Instant) {
        guard board.outstanding > 0 else {
            clearTimer()
            return
        }
        var time = now + timeout
        if timer == .probe || timer == .reordering {
            time = max(board[board.una].sentAt + timeout, now + .microseconds(1))
        }
        setTimer(.retransmission, at: time)
    }

    /// Sets the tail loss probe timer if one is due (RFC 8985 §7.2).
    mutating func scheduleProbe(at now: Instant, timeoutRestarts: Bool) -> Bool {
        guard state == .open, board.outstanding > 0 else { return false }
        var wait = RoundTripEstimator.initialTimeout
        if let smoothed = roundTrip.smoothed {
            let slack =
                board.outstanding == 1 ? Self.delayedAcknowledgementAllowance : Self.timerSlack
            wait = smoothed * 2 + slack
        }
        let untilTimeout =
            timeoutRestarts ? timeout : board[board.una].sentAt + timeout - now
        if untilTimeout > .zero { wait = min(wait, untilTimeout) }
        setTimer(.probe, at: now + wait)
        return true
    }

    /// Acts on the timer if it is due; false if the connection is to be given up.
    mutating func expire(
        at now: Instant,
        into out: inout Scratch<Outgoing>,
        wantsWindowProbe: inout Bool
    ) -> Bool {
        guard deadline <= now else { return true }
        switch timer {
        case .none: clearTimer()
        case .probe: sendProbe(at: now, into: &out)
        case .reordering: expireReordering(at: now, into: &out)
        case .retransmission: return expireRetransmission(at: now, into: &out)
        case .persist:
            wantsWindowProbe = true
            timeoutsInRow += 1
            timeout = min(timeout * 2, RoundTripEstimator.maximumTimeout)
            setTimer(.persist, at: now + timeout)
        }
        return true
    }

    /// RFC 8985 §7.3: one new segment, or else the last one again.
    private mutating func sendProbe(at now: Instant, into out: inout Scratch<Outgoing>) {
        guard board.outstanding > 0 else {
            clearTimer()
            return
        }
        guard probeEnd == nil else {
            restartTimeout(at: now)
            return
        }
        if hasUnsent, sendOne(at: now, into: &out) {
            probeWasResend = false
        } else {
            resend(board.next - 1, at: now, into: &out)
            probeWasResend = true
        }
        probeEnd = board.next
        setTimer(.retransmission, at: now + timeout)
    }

    private mutating func expireReordering(at now: Instant, into out: inout Scratch<Outgoing>) {
        let before = lostTotal
        timer = .retransmission
        detectLosses(at: now)
        if lostTotal > before {
            if state != .recovery {
                enterRecovery()
                reduceRate(newlyDelivered: 1, advanced: false, newlyLost: lostTotal - before)
            }
            resendLost(at: now, into: &out)
        }
        if timer != .reordering { restartTimeout(at: now) }
    }

    private mutating func expireRetransmission(
        at now: Instant,
        into out: inout Scratch<Outgoing>
    ) -> Bool {
        guard board.outstanding > 0 else {
            clearTimer()
            return true
        }
        guard timeoutsInRow < Self.maximumTimeouts else { return false }
        enterLoss(at: now)
        timeoutsInRow += 1
        resend(board.una, at: now, into: &out)
        timeout = min(timeout * 2, RoundTripEstimator.maximumTimeout)
        setTimer(.retransmission, at: now + timeout)
        return true
    }
}
