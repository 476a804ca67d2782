package import Basics

/// Everything that describes a link: two directions and the TCP that runs over them.
package struct LinkSettings: Hashable, Sendable {
    package var down = PathSettings()
    package var up = PathSettings()
    package var tcp = TCPSettings()
    package var indexing = PacketIndexing.offset
    /// In the order of their times, of which none begins within the silence of another.
    package var handovers: [Handover] = []
    /// Others that use the link, too; nil for none.
    package var crossTraffic: CrossTraffic?

    package init() {}

    package subscript(direction: Direction) -> PathSettings {
        get { direction == .down ? down : up }
        set { if direction == .down { down = newValue } else { up = newValue } }
    }

    /// Propagation there and back.
    package var roundTrip: Duration { down.delay + up.delay }

    /// Makes both directions at most this fast.
    package mutating func limit(to rate: BitRate) {
        for direction in Direction.allCases {
            self[direction].limit(to: rate)
            for index in handovers.indices { handovers[index][direction].limit(to: rate) }
        }
    }

    /// Whether the link changes nothing at all, so that bytes need not pass through it.
    package var isTransparent: Bool {
        down.isTransparent && up.isTransparent && handovers.isEmpty
    }
}

/// One direction of a link: what happens to a packet between its sender and its receiver.
///
/// In this order: outage, loss, propagation with jitter, drop-tail queue, rate.
package struct PathSettings: Hashable, Sendable {
    package var capacity = Capacity.unlimited
    /// One way, not the round trip.
    package var delay = Duration.zero
    package var jitter = Jitter.none
    package var loss = LossModel.none
    package var queue = QueueLimit.automatic
    package var outages = Outages.none

    package init() {}

    package var isTransparent: Bool {
        capacity == .unlimited && delay == .zero && jitter == .none && loss == .none
            && outages == .none
    }

    fileprivate mutating func limit(to rate: BitRate) {
        let isSlower =
            switch capacity {
            case .unlimited: false
            case .rate(let own): own < rate
            case .trace(let trace): trace.meanBitsPerSecond < rate.bitsPerSecond
            }
        if !isSlower { capacity = .rate(rate) }
    }
}

/// How fast a direction takes packets.
package enum Capacity: Hashable, Sendable {
    case unlimited
    /// Packets are serialized one after another at this rate.
    case rate(BitRate)
    /// Packets leave at recorded or generated delivery opportunities.
    case trace(DeliveryTrace)
}

/// Delivery opportunities of 1,500 bytes each, repeated for ever (mahimahi's format).
package struct DeliveryTrace: Hashable, Sendable {
    /// Milliseconds since the start of the trace, non-decreasing; the last is above 0 and is the
    /// period after which the trace repeats.
    package let opportunitiesMilliseconds: [UInt32]

    /// The most opportunities that one trace may hold.
    package static let maximumOpportunities = 4_000_000

    /// Fails for an empty list, a falling one, one that ends at 0 or one that is too long.
    package init?(opportunitiesMilliseconds list: [UInt32]) {
        guard let last = list.last, last > 0, list.count <= Self.maximumOpportunities else {
            return nil
        }
        guard zip(list, list.dropFirst()).allSatisfy({ $0 <= $1 }) else { return nil }
        opportunitiesMilliseconds = list
    }

    /// Mean rate over one period.
    package var meanBitsPerSecond: UInt64 {
        let bits = UInt64(opportunitiesMilliseconds.count) * 12_000 * 1_000
        return bits / UInt64(opportunitiesMilliseconds[opportunitiesMilliseconds.count - 1])
    }
}

/// Extra delay for each packet, which never reorders a stream.
package enum Jitter: Hashable, Sendable {
    case none
    /// Evenly spread over delay − σ ... delay + σ.
    case uniform(Duration)
    /// Normal with this standard deviation, cut off at ±4 deviations.
    case normal(Duration)
    /// A Pareto tail (α = 3) scaled to this standard deviation, only ever longer than the delay.
    case pareto(Duration)
}

/// Which packets are lost.
package enum LossModel: Hashable, Sendable {
    case none
    /// Each packet by itself with this chance.
    case bernoulli(Probability)
    /// Two states; see `GilbertElliott`.
    case gilbertElliott(GilbertElliott)
    /// Netem's four states; see `FourState`.
    case fourState(FourState)
    /// Exactly the packets with these indexes, ascending: to repeat a recorded run.
    case list([UInt64])
}

/// A two-state loss chain (Gilbert 1960, Elliott 1963), one step for each packet.
package struct GilbertElliott: Hashable, Sendable {
    /// Chance to go from good to bad.
    package var goodToBad: Probability
    /// Chance to go from bad to good; the mean burst is its inverse, in packets.
    package var badToGood: Probability
    /// Chance that a packet is lost in the good state.
    package var lossInGood: Probability
    /// Chance that a packet is lost in the bad state.
    package var lossInBad: Probability

    package init(
        goodToBad: Probability,
        badToGood: Probability,
        lossInGood: Probability = .zero,
        lossInBad: Probability = .one
    ) {
        self.goodToBad = goodToBad
        self.badToGood = badToGood
        self.lossInGood = lossInGood
        self.lossInBad = lossInBad
    }
}

/// The four-state chain of Linux netem ("loss state"): 1 good, 2 good within a burst, 3 burst
/// loss, 4 isolated loss.
package struct FourState: Hashable, Sendable {
    package var p13: Probability
    package var p31: Probability
    package var p32: Probability
    package var p23: Probability
    package var p14: Probability

    package init(
        p13: Probability,
        p31: Probability,
        p32: Probability,
        p23: Probability,
        p14: Probability
    ) {
        self.p13 = p13
        self.p31 = p31
        self.p32 = p32
        self.p23 = p23
        self.p14 = p14
    }
}

/// How much may wait in front of a limited rate; the packet being sent does not count.
package enum QueueLimit: Hashable, Sendable {
    /// 50 packets (dummynet's default), or one rate × round trip if that is more.
    case automatic
    case packets(Int)
    case bytes(Int)
}

/// When a direction carries nothing.
package struct Outages: Hashable, Sendable {
    package enum Schedule: Hashable, Sendable {
        case never
        /// Windows since the link's start, ascending, not overlapping. With a period the list
        /// repeats.
        case windows([Window], period: Duration?)
        /// Random on and off times, exponential with these means.
        case random(meanUp: Duration, meanDown: Duration)
    }

    package struct Window: Hashable, Sendable {
        package var at: Duration
        package var length: Duration

        package init(at: Duration, length: Duration) {
            self.at = at
            self.length = length
        }
    }

    /// What becomes of a packet that meets an outage.
    package enum Treatment: Hashable, Sendable {
        /// It is lost.
        case drop
        /// It waits for the end of the outage.
        case hold
    }

    package var schedule: Schedule
    package var treatment: Treatment

    package init(schedule: Schedule, treatment: Treatment = .drop) {
        self.schedule = schedule
        self.treatment = treatment
    }

    package static let none = Outages(schedule: .never)
}

/// The TCP that runs in virtual time over the link.
package struct TCPSettings: Hashable, Sendable {
    /// Where Linux and the RFCs differ, which to follow.
    package enum Behaviour: Hashable, Sendable { case linux, rfc }
    package enum CongestionControl: Hashable, Sendable { case cubic, reno }

    package var behaviour = Behaviour.linux
    package var congestionControl = CongestionControl.cubic
    /// Whether opening costs a virtual three-way handshake before the first byte.
    package var handshake = true

    package init() {}
}

/// TCP connections that exist on the link alone and send as fast as it lets them.
///
/// They begin with the first real connection or flow, and end with the last.
package struct CrossTraffic: Hashable, Sendable {
    package var flows: Int
    package var direction: Direction

    package init(flows: Int, direction: Direction) {
        self.flows = flows
        self.direction = direction
    }
}

/// What the index of a random decision counts.
package enum PacketIndexing: Hashable, Sendable {
    /// Data by its place in the stream, so that the fate of a byte depends neither on how its
    /// sender cut its writes nor on when a resend happened.
    case offset
    /// All packets of a connection and direction in the order in which they enter the link.
    case packet
}
