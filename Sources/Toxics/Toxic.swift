package import Basics

/// What a toxic does to one direction of a connection, in the units of its interface.
///
/// The types and their meaning are those of Toxiproxy 2.x. Every number may be negative; what
/// that means stands at each case.
package enum ToxicAction: Hashable, Sendable {
    /// Passes everything.
    case noop
    /// Delays each piece by this time plus a draw from −`jitter` up to `jitter`.
    case latency(milliseconds: Int64, jitterMilliseconds: Int64)
    /// Bytes per millisecond; at 0 and below nothing passes.
    case bandwidth(kilobytesPerSecond: Int64)
    /// Passes the end of the stream on this much later.
    case slowClose(delayMilliseconds: Int64)
    /// Drops every byte; closes after this long without one, at 0 and below never.
    case timeout(milliseconds: Int64)
    /// Drops everything; resets this long after the first byte or the end.
    case resetPeer(afterMilliseconds: Int64)
    /// Cuts pieces down to about `averageBytes`, with a pause after each; at 0 nothing is cut.
    case slicer(averageBytes: Int64, variationBytes: Int64, delayMicroseconds: Int64)
    /// Closes after this many bytes; at 0 and below, at the first.
    case limitData(bytes: Int64)

}

extension ToxicAction: CustomStringConvertible {
    /// Its type and attributes, as in `latency(latency=100,jitter=0)`.
    package var description: String {
        switch self {
        case .noop: "noop"
        case .latency(let delay, let jitter): "latency(latency=\(delay),jitter=\(jitter))"
        case .bandwidth(let rate): "bandwidth(rate=\(rate))"
        case .slowClose(let delay): "slow_close(delay=\(delay))"
        case .timeout(let limit): "timeout(timeout=\(limit))"
        case .resetPeer(let delay): "reset_peer(timeout=\(delay))"
        case .slicer(let average, let variation, let delay):
            "slicer(average_size=\(average),size_variation=\(variation),delay=\(delay))"
        case .limitData(let limit): "limit_data(bytes=\(limit))"
        }
    }
}

/// A toxic of a proxy, for one direction of its connections.
package struct Toxic: Hashable, Sendable {
    /// Tells this toxic from an earlier one of the same name.
    package var serial: UInt64
    /// Part of the address of its draws.
    package var name: String
    package var direction: Direction
    package var action: ToxicAction
    /// How likely it acts on a connection.
    package var chance: Probability

    package init(
        serial: UInt64,
        name: String,
        direction: Direction,
        action: ToxicAction,
        chance: Probability = .one
    ) {
        self.serial = serial
        self.name = name
        self.direction = direction
        self.action = action
        self.chance = chance
    }
}

/// The draws of one direction of one connection: pure functions of seed, proxy, connection,
/// direction, toxic and number.
package struct ToxicDraws: Hashable, Sendable {
    private let random: AddressedRandom
    private let connection: UInt64
    private let direction: Direction

    /// - Parameters:
    ///   - seed: of the run.
    ///   - proxy: its name.
    ///   - connection: ordinal among the connections of this proxy.
    ///   - direction: of the stream.
    package init(seed: UInt64, proxy: String, connection: UInt64, direction: Direction) {
        random = AddressedRandom(seed: seed).named(proxy)
        self.connection = connection
        self.direction = direction
    }

    /// What is compared with the chance of a toxic, of 53 bits.
    package func hit(of toxic: String) -> UInt64 {
        random.named(toxic).bits(key: connection, direction: direction, stage: .toxicHit, index: 0)
            >> 11
    }

    func variations(of toxic: String) -> AddressedRandom.Series {
        random.named(toxic).series(key: connection, direction: direction, stage: .toxicVariation)
    }
}
