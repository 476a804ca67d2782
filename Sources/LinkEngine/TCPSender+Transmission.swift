internal import Basics

/// Sending: resends first, then new data, as far as the windows allow (RFC 6675 §4, NextSeg).
extension TCPSender {
    /// Sends new data while the congestion window and the receive window have room.
    mutating func sendNew(at now: Instant, into out: inout Scratch<Outgoing>) {
        defer { growStarvedBuffer() }
        guard hasUnsent else { return }
        restartAfterIdle(at: now)
        var sent = 0
        while hasUnsent, board.pipe < window.segments, sendOne(at: now, into: &out) { sent += 1 }
        let limited = board.pipe >= window.segments
        if sent > 0 || limited { noteWindowUse(limited: limited) }
        if sent > 0 {
            reduction?.noteSent(sent)
            _ = scheduleProbe(at: now, timeoutRestarts: false)
        } else if board.outstanding == 0, timer == .none, hasUnsent {
            setTimer(.persist, at: now + timeout)
        }
    }

    /// Payload of the next new segment.
    var nextLength: Int64 { min(writtenBytes - segmentedBytes, Int64(WireSize.fullSegment)) }

    /// Whether the receive window has room for a new segment of this payload.
    func fits(_ length: Int64) -> Bool { segmentedBytes + length <= windowEdge }

    /// Sends one new segment if the receive window has room for it.
    mutating func sendOne(at now: Instant, into out: inout Scratch<Outgoing>) -> Bool {
        let length = nextLength
        guard fits(length) else { return false }
        let endsStream = isFinishing && segmentedBytes + length == writtenBytes
        if board.outstanding == 0 || timer == .probe { restartTimeout(at: now) }
        let segment = Segment(
            offset: segmentedBytes,
            length: UInt16(length),
            carriesFIN: endsStream,
            sentAt: now
        )
        emit(segment, board.next, at: now, into: &out)
        board.append(segment)
        if timer == .none || timer == .persist { restartTimeout(at: now) }
        segmentedBytes += length
        finWasSent = finWasSent || endsStream
        lastSentAt = now
        return true
    }

    /// Sends lost segments again while the window has room.
    mutating func resendLost(at now: Instant, into out: inout Scratch<Outgoing>) {
        while board.pipe < window.segments, let number = board.nextToResend() {
            resend(number, at: now, into: &out)
            reduction?.noteSent(1)
            if number == board.una, timer != .reordering {
                setTimer(.retransmission, at: now + timeout)
            }
        }
    }

    mutating func resend(_ number: Int, at now: Instant, into out: inout Scratch<Outgoing>) {
        emit(board[number], number, at: now, into: &out)
        board.resend(number, at: now)
        if firstResendAt == nil { firstResendAt = now }
        lastSentAt = now
    }

    private mutating func emit(
        _ segment: Segment,
        _ number: Int,
        at now: Instant,
        into out: inout Scratch<Outgoing>
    ) {
        var packet = Packet(kind: segment.length > 0 ? .data : .fin)
        packet.sentAt = now
        packet.carriesFIN = segment.carriesFIN
        packet.payload = Int(segment.length)
        packet.segment = number
        packet.offset = segment.offset
        let earlier = segment.length > 0 ? countSend(offset: segment.offset) : 0
        out.append(Outgoing(packet: packet, earlierSends: earlier))
    }

    /// After idling longer than the timeout the window is no longer known to fit.
    private mutating func restartAfterIdle(at now: Instant) {
        guard board.outstanding == 0, roundTrip.smoothed != nil else { return }
        let idle = now - lastSentAt
        guard idle > .zero else { return }
        window.shiftEpoch(by: idle)
        if idle > timeout { window.restartAfterIdle(idle, timeout: timeout) }
    }

    /// Remembers the strongest sign in this round of how fully the window is used.
    private mutating func noteWindowUse(limited: Bool) {
        let roundEnded = board.una >= usageEnd
        if roundEnded || limited || (!isWindowLimited && board.outstanding > mostOutstanding) {
            isWindowLimited = limited
            mostOutstanding = board.outstanding
            usageEnd = board.next
        }
    }

    /// Growth is only for a window that was the limit (RFC 9438 §5.8; in slow start Linux asks
    /// for half of it).
    var mayGrow: Bool {
        if isWindowLimited { return true }
        return window.isInSlowStart && window.segments < 2 * mostOutstanding
    }
}
