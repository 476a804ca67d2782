internal import Basics

/// One direction of a link: what all its streams share.
struct Lane {
    /// Packets that have not reached the queue yet.
    var line = ArrivalLine()
    var queue: Bottleneck
    var outages: OutageClock
    private let direction: Direction

    init(_ direction: Direction, settings: LinkSettings, random: AddressedRandom) {
        self.direction = direction
        queue = Bottleneck(
            capacity: settings[direction].capacity,
            limit: settings[direction].queue,
            roundTrip: settings.roundTrip,
            origin: .start
        )
        outages = OutageClock(
            outages: settings[direction].outages,
            random: random,
            direction: direction,
            origin: .start
        )
    }

    /// Changes the settings; outages begin anew unless they are the same as before.
    mutating func apply(
        _ settings: LinkSettings,
        before: LinkSettings,
        random: AddressedRandom,
        at now: Instant
    ) {
        queue.apply(
            capacity: settings[direction].capacity,
            limit: settings[direction].queue,
            roundTrip: settings.roundTrip,
            at: now
        )
        guard settings[direction].outages != before[direction].outages else { return }
        outages = OutageClock(
            outages: settings[direction].outages,
            random: random,
            direction: direction,
            origin: now
        )
    }
}
