package import Basics
package import Faults
package import LinkEngine

/// What is asked of `plan --datagrams`: equal streams of datagrams, each at a constant rate, on one link.
///
/// They begin evenly spread over one interval: datagrams of several streams that always came at one
/// moment would leave the last place in a full queue to one of them.
package struct StreamModel: Hashable, Sendable {
    package var settings: LinkSettings
    package var seed: UInt64
    /// Of the payload of one stream.
    package var rate: BitRate
    /// Payload of each datagram in bytes, 1 to `maximumLength`.
    package var length: Int
    /// How long each stream sends.
    package var time: Duration
    package var direction: Direction
    package var flows: UInt32
    /// Of the profile and of the command line.
    package var faults: [Fault] = []

    package init(
        settings: LinkSettings,
        seed: UInt64,
        rate: BitRate,
        length: Int,
        time: Duration,
        direction: Direction,
        flows: UInt32
    ) {
        self.settings = settings
        self.seed = seed
        self.rate = rate
        self.length = length
        self.time = time
        self.direction = direction
        self.flows = flows
    }

    /// The longest datagram of UDP over IPv4.
    package static let maximumLength = 65_507

    /// The most datagrams of one plan, all streams together.
    package static let countLimit: UInt64 = 10_000_000

    /// Datagrams that one stream sends: those whose moment comes before `time` is over, at least one.
    package var count: UInt64 {
        let bits = UInt64(max(0, time.nanoseconds)).multipliedFullWidth(by: rate.bitsPerSecond)
        let each = UInt64(length) * 8_000_000_000
        guard bits.high < each else { return .max }
        let (whole, rest) = each.dividingFullWidth(bits)
        return max(1, whole + (rest > 0 ? 1 : 0))
    }

    /// Whether there are more datagrams than can be computed in reasonable time.
    package var isTooLarge: Bool { count > Self.countLimit / UInt64(max(1, flows)) }

    /// When a stream, from 0, sends its datagram of this number, from 0.
    func moment(of number: UInt64, flow: UInt32) -> Instant {
        .start + time(ofBits: number * UInt64(length) * 8)
            + time(ofBits: UInt64(length) * 8) * Int64(flow) / Int64(flows)
    }

    private func time(ofBits bits: UInt64) -> Duration {
        let product = bits.multipliedFullWidth(by: 1_000_000_000)
        guard product.high < rate.bitsPerSecond else { return .century }
        return Duration(
            nanoseconds: Int64(clamping: rate.bitsPerSecond.dividingFullWidth(product).quotient)
        )
    }
}
