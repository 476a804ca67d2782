internal import Basics

/// One segment in flight, whose bounds a resend keeps.
struct Segment {
    var offset: Int64
    var length: UInt16
    var carriesFIN: Bool
    var isSacked = false
    var isLost = false
    /// A resend of it is in flight.
    var isResent = false
    var wasEverResent = false
    var sentAt: Instant
    /// Rank of its last transmission among all; bursts leave at one instant, so time alone
    /// does not order them.
    var order = 0
    /// Neighbours in order of last transmission, -1 for none.
    var earlier = -1
    var later = -1

    mutating func noteResend(at now: Instant, order: Int) {
        isResent = true
        wasEverResent = true
        sentAt = now
        self.order = order
    }

    /// Takes the segment out of the order; returns what its neighbours were.
    mutating func takeLinks() -> (earlier: Int, later: Int) {
        defer {
            earlier = -1
            later = -1
        }
        return (earlier, later)
    }
}

/// The segments from the first unacknowledged to the next to be sent, and what is known of each.
///
/// Also a list of those in flight in order of their last transmission, which is the order in
/// which RACK looks at them (RFC 8985 §6.2); each operation is O(1).
struct Scoreboard {
    private(set) var segments = Ring<Segment>()
    private(set) var sackedRanges = SegmentRanges()
    private(set) var sackedCount = 0
    private(set) var lostCount = 0
    private(set) var resentCount = 0
    private(set) var oldestSent = -1
    private var newestSent = -1
    private var transmissions = 0
    /// No lost segment that was not resent lies below.
    private var lostHint = 0

    /// The first unacknowledged segment (SND.UNA).
    var una: Int { segments.first }
    /// The next segment to be sent (SND.NXT).
    var next: Int { segments.end }
    var outstanding: Int { segments.count }

    /// Segments in the network: outstanding, less sacked, less lost, plus resent
    /// (RFC 6675 §4, as Linux counts it).
    var pipe: Int { outstanding - sackedCount - lostCount + resentCount }

    subscript(segment: Int) -> Segment { segments[segment] }

    /// Sends a new segment.
    mutating func append(_ segment: Segment) {
        let number = segments.end
        transmissions += 1
        var segment = segment
        segment.order = transmissions
        segment.earlier = newestSent
        segments.append(segment)
        if newestSent >= 0 { segments[newestSent].later = number } else { oldestSent = number }
        newestSent = number
    }

    /// Sends `number` again.
    mutating func resend(_ number: Int, at now: Instant) {
        if isLinked(number) { unlink(number) }
        if !segments[number].isResent { resentCount += 1 }
        transmissions += 1
        segments[number].noteResend(at: now, order: transmissions)
        link(number)
    }

    /// Finds `number` lost, its resend too if there was one.
    mutating func markLost(_ number: Int) {
        if segments[number].isResent {
            segments[number].isResent = false
            resentCount -= 1
        }
        if !segments[number].isLost {
            segments[number].isLost = true
            lostCount += 1
        }
        lostHint = min(lostHint, number)
        if isLinked(number) { unlink(number) }
    }

    /// Takes all marks of loss back (a false timeout).
    mutating func forgetLosses() {
        for number in una..<next where segments[number].isLost {
            segments[number].isLost = false
            lostCount -= 1
            if !isLinked(number), !segments[number].isSacked { link(number) }
        }
    }

    /// The lowest lost segment that was not sent again.
    mutating func nextToResend() -> Int? {
        guard lostCount > resentCount || lostCount > 0 else { return nil }
        var number = max(lostHint, una)
        while number < next {
            let segment = segments[number]
            if segment.isLost, !segment.isResent {
                lostHint = number
                return number
            }
            number += 1
        }
        lostHint = next
        return nil
    }

    /// Selectively acknowledges `range`; calls `visit` for each segment that is new.
    mutating func sack(_ range: Range<Int>, visit: (Segment, Int) -> Void) {
        let range = max(range.lowerBound, una)..<max(una, min(range.upperBound, next))
        guard !range.isEmpty else { return }
        // Taken out meanwhile, because the visit changes the rest of the board.
        var ranges = SegmentRanges()
        swap(&ranges, &sackedRanges)
        ranges.insert(range) { part in
            for number in part { sackOne(number, visit: visit) }
        }
        swap(&ranges, &sackedRanges)
    }

    private mutating func sackOne(_ number: Int, visit: (Segment, Int) -> Void) {
        visit(segments[number], number)
        clearMarks(of: number)
        if isLinked(number) { unlink(number) }
        segments[number].isSacked = true
        sackedCount += 1
    }

    private mutating func clearMarks(of number: Int) {
        if segments[number].isLost {
            segments[number].isLost = false
            lostCount -= 1
        }
        if segments[number].isResent {
            segments[number].isResent = false
            resentCount -= 1
        }
    }

    /// Removes the first segment, acknowledged cumulatively, and returns it as it was.
    mutating func removeFirst() -> Segment {
        let number = una
        let segment = segments[number]
        if segment.isLost { lostCount -= 1 }
        if segment.isResent { resentCount -= 1 }
        if segment.isSacked { sackedCount -= 1 }
        if isLinked(number) { unlink(number) }
        segments.removeAll(before: number + 1)
        return segment
    }

    mutating func forgetSacks(below number: Int) {
        if !sackedRanges.isEmpty { sackedRanges.removeAll(below: number) }
    }

    // The list in order of transmission.

    private func isLinked(_ number: Int) -> Bool {
        oldestSent == number || segments[number].earlier >= 0
    }

    private mutating func link(_ number: Int) {
        segments[number].earlier = newestSent
        segments[number].later = -1
        if newestSent >= 0 { segments[newestSent].later = number } else { oldestSent = number }
        newestSent = number
    }

    private mutating func unlink(_ number: Int) {
        let (earlier, later) = segments[number].takeLinks()
        if earlier >= 0 { segments[earlier].later = later } else { oldestSent = later }
        if later >= 0 { segments[later].earlier = earlier } else { newestSent = earlier }
    }
}
