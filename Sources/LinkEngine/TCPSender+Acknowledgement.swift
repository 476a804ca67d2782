internal import Basics

/// What one acknowledgement told the sender.
private struct News {
    var delivered = 0
    var advanced = false
    var sackedSome = false
    /// Something that was never resent, from before `recoveryPoint`, has arrived.
    var originalArrived = false
    var resentAcknowledged = false
    var firstAcknowledged: Instant?
    var firstSacked: Instant?
    /// When the latest of those left that were acknowledged, or else sacked, and never resent.
    var lastDelivered: Instant?
    var setsTimer = false
    var lostResend = false
}

/// What may leave after an acknowledgement was taken.
private enum Resend { case nothing, lost, newDataFirst }

/// Taking acknowledgements (RFC 9293 §3.10.7.4, RFC 6675 §5, RFC 8985 §6.2).
extension TCPSender {
    /// Takes an acknowledgement and sends what recovery asks for; call `sendNew` afterwards.
    mutating func acknowledge(
        _ acknowledgement: Acknowledgement,
        sacks: SACKPool,
        at now: Instant,
        into out: inout Scratch<Outgoing>
    ) {
        windowEdge = max(windowEdge, acknowledgement.windowEdge)
        guard board.outstanding > 0, acknowledgement.cumulative >= board.una else {
            if timer == .persist { endPersist() }
            return
        }
        rack.advanced = false
        var news = News()
        if acknowledgement.sackSlot >= 0 {
            takeSacks(sacks[acknowledgement.sackSlot], at: now, into: &news)
        }
        takeCumulative(acknowledgement.cumulative, at: now, into: &news)
        if news.advanced { timeoutsInRow = 0 }
        measureRoundTrip(news, acknowledgement, at: now)
        takeProbeAcknowledgement(acknowledgement.cumulative, news)
        let lostBefore = lostTotal
        let resend = respond(to: &news, acknowledgement, at: now)
        if news.setsTimer { setTimerAfterAcknowledgement(at: now) }
        adjustWindow(news, newlyLost: lostTotal - lostBefore, at: now)
        switch resend {
        case .nothing: break
        case .lost: resendLost(at: now, into: &out)
        case .newDataFirst:
            sendNew(at: now, into: &out)
            if board.next <= recoveryPoint {
                isTestingTimeout = false
                resendLost(at: now, into: &out)
            }
        }
    }

    /// Any answer to a window probe shows that the peer lives; `sendNew` persists again if need be.
    ///
    /// The back-off ends with a window that the next segment fits into, not a smaller one (Linux).
    private mutating func endPersist() {
        clearTimer()
        timeoutsInRow = 0
        if fits(nextLength) { timeout = roundTrip.timeout }
    }

    private mutating func takeSacks(_ sacks: SACKBlocks, at now: Instant, into news: inout News) {
        var rack = rack
        let recoveryPoint = recoveryPoint
        let minimum = roundTrip.minimum
        for index in 0..<sacks.count {
            board.sack(sacks[index]) { segment, number in
                news.delivered += 1
                news.sackedSome = true
                if !segment.wasEverResent {
                    if number < recoveryPoint { news.originalArrived = true }
                    if news.firstSacked == nil { news.firstSacked = segment.sentAt }
                    news.lastDelivered = segment.sentAt
                }
                rack.note(segment, minimumRoundTrip: minimum, at: now)
            }
        }
        self.rack = rack
    }

    private mutating func takeCumulative(_ next: Int, at now: Instant, into news: inout News) {
        guard next > board.una else {
            // A newer sack than the head's last send may not put the timeout off.
            if let sacked = news.firstSacked, board[board.una].sentAt > sacked {
                news.setsTimer = true
            }
            return
        }
        while board.una < min(next, board.next) {
            let number = board.una
            let segment = board.removeFirst()
            if segment.wasEverResent {
                news.resentAcknowledged = true
            } else if !segment.isSacked {
                if news.firstAcknowledged == nil { news.firstAcknowledged = segment.sentAt }
                news.lastDelivered = segment.sentAt
                if number < recoveryPoint { news.originalArrived = true }
            }
            if segment.isSacked { continue }
            news.delivered += 1
            rack.note(segment, minimumRoundTrip: roundTrip.minimum, at: now)
        }
        board.forgetSacks(below: board.una)
        forgetSlots(below: board.outstanding > 0 ? board[board.una].offset : segmentedBytes)
        news.advanced = true
        news.setsTimer = true
    }

    /// At most one sample, from what was never resent (Karn), or from the time stamp.
    private mutating func measureRoundTrip(
        _ news: News,
        _ acknowledgement: Acknowledgement,
        at now: Instant
    ) {
        let sentAt: Instant
        if let first = news.firstAcknowledged, !news.resentAcknowledged {
            sentAt = first
        } else if let first = news.firstSacked {
            sentAt = first
        } else if news.advanced {
            sentAt = acknowledgement.echo
        } else {
            return
        }
        let measured = now - sentAt
        roundTrip.sample(measured, acknowledged: board.una, next: board.next)
        window.noteRoundTrip(measured)
        timeout = roundTrip.timeout
        guard let last = news.lastDelivered else { return }
        window.lookForFullPath(
            now - last,
            acknowledged: board.una,
            next: board.next,
            at: now
        )
    }

    /// RFC 8985 §7.4.2.
    private mutating func takeProbeAcknowledgement(_ cumulative: Int, _ news: News) {
        guard let end = probeEnd, cumulative >= end else { return }
        if !probeWasResend {
            probeEnd = nil
        } else if cumulative > end {
            reduceAfterProbe()
            settleState()
        } else if !news.advanced, !news.sackedSome {
            probeEnd = nil
        }
    }

    /// Changes the state as Linux's `tcp_fastretrans_alert` does.
    private mutating func respond(
        to news: inout News,
        _ acknowledgement: Acknowledgement,
        at now: Instant
    ) -> Resend {
        guard state != .open || news.sackedSome else { return .nothing }
        if state == .recovery, board.una >= recoveryPoint { leaveRecovery() }
        switch state {
        case .recovery:
            findLosses(&news, at: now)
        case .loss:
            let resend = respondInLoss(news, acknowledgement)
            findLosses(&news, at: now)
            guard state == .open || news.lostResend else { return resend }
            return openOrRecover(otherwise: resend)
        case .open, .disorder:
            findLosses(&news, at: now)
            return openOrRecover(otherwise: .nothing)
        }
        return .lost
    }

    /// Loss beyond the recovery point begins a new episode at once, with a new reduction.
    private mutating func openOrRecover(otherwise resend: Resend) -> Resend {
        guard board.lostCount > 0 else {
            if state != .loss { settleState() }
            return resend
        }
        enterRecovery()
        return .lost
    }

    private mutating func findLosses(_ news: inout News, at now: Instant) {
        guard rack.advanced else { return }
        let resentBefore = board.resentCount
        if detectLosses(at: now) { news.setsTimer = false }
        if board.resentCount < resentBefore { news.lostResend = true }
    }

    /// RFC 5682 §3 (F-RTO with SACK), then plain recovery by slow start.
    private mutating func respondInLoss(
        _ news: News,
        _ acknowledgement: Acknowledgement
    ) -> Resend {
        let isRecovered = board.una >= recoveryPoint
        if news.advanced, let first = firstResendAt, acknowledgement.echo < first, undo != nil {
            undoTimeout()
            return .nothing
        }
        if isTestingTimeout {
            if news.originalArrived, undo != nil {
                undoTimeout()
                return .nothing
            }
            if board.next > recoveryPoint {
                if news.sackedSome || !news.advanced { isTestingTimeout = false }
            } else if news.advanced, !isRecovered {
                recoveryPoint = board.next
                if hasUnsent { return .newDataFirst }
                isTestingTimeout = false
            }
        }
        guard isRecovered else { return .lost }
        undo = nil
        state = .open
        return .nothing
    }

    private mutating func setTimerAfterAcknowledgement(at now: Instant) {
        if !scheduleProbe(at: now, timeoutRestarts: true) { restartTimeout(at: now) }
        if board.outstanding == 0 { clearTimer() }
    }

    private mutating func adjustWindow(_ news: News, newlyLost: Int, at now: Instant) {
        if state == .recovery {
            reduceRate(
                newlyDelivered: news.delivered,
                advanced: news.advanced,
                newlyLost: newlyLost
            )
        } else if news.advanced, mayGrow {
            window.grow(delivered: news.delivered, at: now)
        }
    }
}
