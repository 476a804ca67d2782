package import Basics

/// Whether a link is in an outage, and when that changes.
package struct OutageState: Hashable, Sendable {
    /// A direction carries nothing.
    package var isPresent: Bool
    /// When to look again; nil if nothing will change.
    package var changesAt: Instant?

    package init(isPresent: Bool, changesAt: Instant?) {
        self.isPresent = isPresent
        self.changesAt = changesAt
    }
}

extension Link {
    /// Loses whatever enters before `end`, in both directions.
    ///
    /// The outages of the settings go on meanwhile as if nothing were. An `end` that is not later
    /// than `time` ends an earlier blackout.
    package mutating func blackOut(until end: Instant, at time: Instant) {
        advance(to: time)
        blackoutEnd = end
    }

    /// Looks whether a blackout, a handover or an outage of one or the other direction covers `time`; changes nothing.
    ///
    /// `time` may lie ahead of the link's own time.
    package func outage(at time: Instant) -> OutageState {
        var isPresent = time < blackoutEnd
        var change = isPresent ? blackoutEnd : .never
        if let end = handovers.silenceEnd(at: time) {
            isPresent = true
            change = min(change, end)
        } else if handovers.next > time {
            change = min(change, handovers.next)
        }
        for var copy in [down.outages, up.outages] {
            if let end = copy.outageEnd(at: time) {
                isPresent = true
                change = min(change, end)
            } else if let next = copy.nextOutage {
                change = min(change, next.begin)
            }
        }
        return OutageState(isPresent: isPresent, changesAt: change == .never ? nil : change)
    }
}
