package import Basics

/// Nothing passes for a time, and from then on the path is another one.
///
/// So a phone leaves a Wi-Fi for the mobile network, or one cell for another: what is sent meanwhile is
/// lost. (Interruption times of mobile networks: 3GPP TR 36.881 §5; LTE needs about 50 ms if nothing fails,
/// and seconds if the connection has to be made anew.)
package struct Handover: Hashable, Sendable {
    /// Since the settings that it is part of took effect.
    package var at: Duration
    /// How long nothing enters the link.
    package var silence: Duration
    package var down: PathSettings
    package var up: PathSettings

    package init(at: Duration, silence: Duration, down: PathSettings, up: PathSettings) {
        self.at = at
        self.silence = silence
        self.down = down
        self.up = up
    }

    package subscript(direction: Direction) -> PathSettings {
        get { direction == .down ? down : up }
        set { if direction == .down { down = newValue } else { up = newValue } }
    }
}

/// Which handovers of a link have begun, and when the next one does.
struct HandoverClock {
    private var handovers: [Handover]
    private var origin: Instant
    /// Of the settings in force.
    private(set) var begun = 0
    /// When the next one begins; `never` if there is none.
    private(set) var next = Instant.never
    /// Until when nothing enters.
    private(set) var silenceEnd = Instant.start
    /// Of all settings so far.
    private(set) var count: UInt64 = 0

    init(_ handovers: [Handover], from origin: Instant) {
        self.handovers = handovers
        self.origin = origin
        load()
    }

    /// The path since the latest one; nil before the first.
    var current: Handover? { begun > 0 ? handovers[begun - 1] : nil }

    /// Begins the next one.
    mutating func begin() -> Handover {
        let handover = handovers[begun]
        silenceEnd = max(silenceEnd, next + handover.silence)
        begun += 1
        count += 1
        load()
        return handover
    }

    /// Follows changed settings: handovers at the times of those before go on, others begin anew.
    mutating func follow(_ handovers: [Handover], from now: Instant) {
        let isSame = handovers.elementsEqual(self.handovers) {
            $0.at == $1.at && $0.silence == $1.silence
        }
        self.handovers = handovers
        guard !isSame else { return }
        origin = now
        begun = 0
        load()
    }

    /// The end of the silence that covers a time, which may lie ahead.
    func silenceEnd(at time: Instant) -> Instant? {
        if time < silenceEnd { return silenceEnd }
        return handovers[begun...].lazy.map { (begin: origin + $0.at, length: $0.silence) }
            .first { $0.begin <= time && time < $0.begin + $0.length }
            .map { $0.begin + $0.length }
    }

    private mutating func load() {
        next = begun < handovers.count ? origin + handovers[begun].at : .never
    }
}
