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
    /// Looks whether an outage of one or the other direction covers `time`; changes nothing.
    ///
    /// `time` may lie ahead of the link's own time.
    package func outage(at time: Instant) -> OutageState {
        var isPresent = false
        var change = Instant.never
        for clock in outages {
            var copy = clock
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
