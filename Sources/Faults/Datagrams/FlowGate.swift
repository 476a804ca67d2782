package import Basics
package import QUICWire

/// Decides what becomes of each datagram of a flow, as its faults require.
///
/// Counts datagrams as they come, before the link. What happens to one depends on the flow, the
/// direction and its number there, or that of its QUIC packets; only `hole(5s)` and `stall(5s)` ask for
/// the time, which is what they are about.
package struct FlowGate: Sendable {
    /// What becomes of one datagram.
    package struct Verdict: Hashable, Sendable {
        /// It never arrives.
        package var isDropped = false
        /// It arrives twice.
        package var isDoubled = false
        /// It arrives after so many later ones.
        package var overtakers = 0
        /// It arrives later by so much.
        package var delay = Duration.zero
        /// Nothing arrives before this moment.
        package var heldUntil: Instant?
        /// What its bytes at these places are XORed with.
        package var changes: [Change] = []
        package var mark: Effect.CongestionMark?
        /// Before it the flow's own address changes.
        package var rebinding: Effect.Rebinding?
        /// After it the flow is forgotten.
        package var isForgotten = false
        /// The faults that acted, in their order.
        package var fired: [Fired] = []

        package init() {}

        /// Whether it leaves once, and as soon as it has crossed the link.
        package var leavesAtOnce: Bool {
            overtakers == 0 && delay == .zero && heldUntil == nil && !isDoubled
        }
    }

    package struct Change: Hashable, Sendable {
        package var place: Int
        package var flips: UInt8
    }

    /// A fault that acted on a datagram.
    package struct Fired: Hashable, Sendable {
        package var id: String
        /// As it stands in the journal: `down#3`, `initial:up#1`.
        package var address: String
        package var effect: String

        package init(id: String, address: String, effect: String) {
            self.id = id
            self.address = address
            self.effect = effect
        }
    }

    /// One direction of the flow.
    struct Way {
        var count: UInt32 = 0
        var ofType = [UInt32](repeating: 0, count: QUICPacketType.allCases.count)
        /// Until when nothing arrives; `.never` for good.
        var silentUntil = Instant.start
        var heldUntil = Instant.start
        /// Until when somebody holds it by hand.
        var handEnd = Instant.start
        /// Of an IP packet, and the place of the fault that set it.
        var packetLimit: (bytes: UInt16, entry: Int)?
        var hasFaults = false
    }

    private let faults: FlowFaults
    /// By the raw value of the direction.
    private var ways = [Way](repeating: Way(), count: Direction.allCases.count)
    /// How often each fault acted, in their order.
    private var fired: [UInt64]
    /// How many datagrams in a row chance has chosen for each fault, up to its burst.
    private var runs: [UInt32]
    /// Bytes of the headers of IP and UDP.
    private let headerBytes: Int

    /// - Parameters:
    ///   - faults: of this flow.
    ///   - isIPv6: whether its datagrams travel in IPv6, for the length of their packets.
    ///   - counted: datagrams that came before there was a gate.
    package init(
        faults: FlowFaults,
        isIPv6: Bool,
        counted: (up: UInt64, down: UInt64) = (0, 0)
    ) {
        self.faults = faults
        headerBytes = isIPv6 ? 48 : 28
        fired = Array(repeating: 0, count: faults.entries.count)
        runs = Array(repeating: 0, count: faults.entries.count)
        self[.up].count = UInt32(clamping: counted.up)
        self[.down].count = UInt32(clamping: counted.down)
        for entry in faults.entries {
            self[entry.direction].hasFaults = true
            if case .hole(both: true, _) = entry.effect {
                self[entry.direction.opposite].hasFaults = true
            }
        }
    }

    // With a `yield` in each of two branches, the optimizer of Swift 6.3 loses what is written through them.
    subscript(direction: Direction) -> Way {
        get { ways[Int(direction.rawValue)] }
        _modify { yield &ways[Int(direction.rawValue)] }
    }

    /// After how much silence the flow is forgotten, and by which fault; nil for none.
    package var forgetting: (id: String, after: Duration)? { faults.forgetting }

    /// Holds what comes from now on in both directions, until a moment; `.start` ends that.
    package mutating func hold(until end: Instant) {
        for direction in Direction.allCases { self[direction].handEnd = end }
    }

    /// Lets nothing arrive any more, in both directions.
    package mutating func silence() {
        for direction in Direction.allCases {
            self[direction].silentUntil = .never
            self[direction].hasFaults = true
        }
    }

    /// How many datagrams have come.
    package func count(_ direction: Direction) -> UInt32 { self[direction].count }

    /// The faults that have not acted.
    package var silentFaults: [String] {
        faults.entries.indices.filter { fired[$0] == 0 }.map { faults.entries[$0].id }
    }

    /// Counts a datagram and decides on it.
    ///
    /// - Parameters:
    ///   - direction: in which it travels.
    ///   - length: its bytes, without headers.
    ///   - packets: its QUIC packets; empty for another protocol.
    ///   - now: the time.
    /// - Returns: what becomes of it.
    package mutating func judge(
        _ direction: Direction,
        length: Int,
        packets: [QUICPacket],
        at now: Instant
    ) -> Verdict {
        self[direction].count &+= 1
        var verdict = Verdict()
        guard self[direction].hasFaults else {
            if now < self[direction].handEnd { verdict.heldUntil = self[direction].handEnd }
            return verdict
        }
        for packet in packets { self[direction].ofType[packet.type.place] &+= 1 }
        if now < self[direction].silentUntil { verdict.isDropped = true }
        for index in faults.entries.indices where !verdict.isDropped {
            let entry = faults.entries[index]
            guard entry.direction == direction,
                let hit = hit(index, direction, length: length, packets: packets)
            else { continue }
            if case .packetLimit(let bytes) = entry.effect {
                self[direction].packetLimit = (bytes, index)
            } else if act(entry, hit, at: now, on: &verdict) {
                note(index, hit.address, &verdict)
            }
        }
        if let limit = self[direction].packetLimit, !verdict.isDropped,
            length + headerBytes > Int(limit.bytes)
        {
            verdict.isDropped = true
            note(limit.entry, "\(direction.word)#\(self[direction].count)", &verdict)
        }
        let end = max(self[direction].heldUntil, self[direction].handEnd)
        if now < end { verdict.heldUntil = end }
        return verdict
    }

    private mutating func note(_ index: Int, _ address: String, _ verdict: inout Verdict) {
        let entry = faults.entries[index]
        fired[index] += 1
        verdict.fired.append(
            Fired(id: entry.id, address: address, effect: entry.effect.canonicalText)
        )
    }

    /// A datagram, or a packet in it, that a fault names.
    struct Hit {
        let ordinal: UInt32
        let address: String
        let range: Range<Int>
        /// Whether bytes 1 to 4 tell QUIC's version.
        let hasVersion: Bool
    }

    private mutating func hit(
        _ index: Int,
        _ direction: Direction,
        length: Int,
        packets: [QUICPacket]
    ) -> Hit? {
        let entry = faults.entries[index]
        guard let type = entry.type else {
            let ordinal = self[direction].count
            guard applies(index, to: ordinal) else { return nil }
            return Hit(
                ordinal: ordinal,
                address: "\(direction.word)#\(ordinal)",
                range: 0..<length,
                hasVersion: packets.first?.version != nil
            )
        }
        let matching = packets.filter { $0.type == type }
        let last = self[direction].ofType[type.place]
        for (place, packet) in matching.enumerated() {
            let ordinal = last - UInt32(matching.count - 1 - place)
            guard applies(index, to: ordinal) else { continue }
            return Hit(
                ordinal: ordinal,
                address: "\(type.rawValue):\(direction.word)#\(ordinal)",
                range: packet.range,
                hasVersion: packet.version != nil
            )
        }
        return nil
    }

    private mutating func applies(_ index: Int, to ordinal: UInt32) -> Bool {
        let entry = faults.entries[index]
        guard entry.ordinals.names(ordinal, times: entry.times) else { return false }
        guard let chance = entry.ordinals.chance else { return true }
        let isChosen =
            runs[index] < entry.burst && entry.chance.happens(chance, at: entry.index(ordinal))
        runs[index] = isChosen ? runs[index] + 1 : 0
        return isChosen
    }
}

extension Direction {
    fileprivate var word: String { self == .up ? "up" : "down" }
}

extension QUICPacketType {
    fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
