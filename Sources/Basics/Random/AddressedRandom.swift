/// Random numbers as pure functions of their address; nothing is drawn "next".
///
/// U(seed, key, direction, stage, index) is a keyed hash (five SplitMix64 finalizers), so adding
/// a stage or a connection, or asking in another order, shifts no other decision.
@frozen public struct AddressedRandom: Hashable, Sendable {
    /// What a decision is about; the raw values are part of the address and never change.
    public enum Stage: UInt64, Sendable {
        case loss = 1
        case lossChainMove = 2
        case lossInState = 3
        case jitter = 4
        case reorder = 5
        case duplicate = 6
        case corrupt = 7
        case whichBit = 8
        case lossChainStart = 9
        case outageLength = 10
        /// Whether a fault with a chance applies to a connection.
        case faultChance = 32
        /// The offset of a fault that was given as a range.
        case faultOffset = 33
        /// Which bit of a byte a fault flips.
        case faultBit = 34
        /// Opportunities of a generated delivery trace.
        case traceGeneration = 35
        /// The address in a wrong answer of a name server.
        case wrongAddress = 36
        /// How long a client waits before it tries again; the key counts its transfers.
        case clientBackoff = 48
        /// How long a client waits on a path that has come back.
        case clientPathChange = 49
        /// The faults of an exploration's random schedules; the key counts the schedules.
        case exploration = 64
        /// Whether a toxic acts on a connection; the key is the connection's ordinal.
        case toxicHit = 80
        /// How a toxic that varies treats one piece of a stream.
        case toxicVariation = 81
    }

    public let seed: UInt64

    @inlinable public init(seed: UInt64) { self.seed = seed }

    /// The random numbers of something that has a name, told apart from those of any other name.
    @inlinable public func named(_ name: String) -> AddressedRandom {
        var hash = Self.mix(seed ^ Self.spread(UInt64(name.utf8.count)))
        for byte in name.utf8 { hash = Self.mix(hash ^ Self.spread(UInt64(byte))) }
        return AddressedRandom(seed: hash)
    }

    /// 64 mixed bits for one address.
    @inlinable public func bits(key: UInt64, direction: Direction, stage: Stage, index: UInt64)
        -> UInt64
    {
        series(key: key, direction: direction, stage: stage).bits(at: index)
    }

    /// Whether an event of this chance happens at one address.
    @inlinable public func happens(
        _ chance: Probability,
        key: UInt64,
        direction: Direction,
        stage: Stage,
        index: UInt64
    ) -> Bool {
        series(key: key, direction: direction, stage: stage).happens(chance, at: index)
    }

    /// An integer in 0 ..< bound at one address, without bias worth speaking of (below 2⁻⁶⁴·bound).
    @inlinable public func integer(
        below bound: UInt64,
        key: UInt64,
        direction: Direction,
        stage: Stage,
        index: UInt64
    ) -> UInt64 {
        bits(key: key, direction: direction, stage: stage, index: index)
            .multipliedFullWidth(by: bound).high
    }

    /// The draws of one stage of one stream, with all but the index already mixed in.
    public struct Series: Hashable, Sendable {
        public let prefix: UInt64

        @inlinable public init(prefix: UInt64) { self.prefix = prefix }

        @inline(__always)
        @inlinable public func bits(at index: UInt64) -> UInt64 {
            AddressedRandom.mix(prefix ^ AddressedRandom.spread(index))
        }

        @inline(__always)
        @inlinable public func happens(_ chance: Probability, at index: UInt64) -> Bool {
            bits(at: index) >> 11 < chance.threshold
        }

        /// An integer in 0 ..< bound.
        @inlinable public func integer(below bound: UInt64, at index: UInt64) -> UInt64 {
            bits(at: index).multipliedFullWidth(by: bound).high
        }
    }

    /// The series of draws at (key, direction, stage).
    @inlinable public func series(key: UInt64, direction: Direction, stage: Stage) -> Series {
        var hash = Self.mix(seed)
        hash = Self.mix(hash ^ Self.spread(key))
        hash = Self.mix(hash ^ Self.spread(UInt64(direction.rawValue)))
        return Series(prefix: Self.mix(hash ^ Self.spread(stage.rawValue)))
    }

    @inlinable public static func spread(_ value: UInt64) -> UInt64 {
        value &* 0x9E37_79B9_7F4A_7C15 &+ 0x632B_E59B_D9B4_E019
    }

    /// SplitMix64 (Steele, Lea, Flood 2014): one step and its finalizer.
    @inlinable public static func mix(_ value: UInt64) -> UInt64 {
        var z = value &+ 0x9E37_79B9_7F4A_7C15
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
