internal import Basics
internal import LinkEngine

/// What kernels may keep of a shaped connection, so that it is the link that makes a sender wait.
struct SocketBounds: Equatable {
    /// Payload of the segments that peers send us, as on Ethernet: 1,500 less 40 of headers.
    static let segment = 1_460
    /// What a peer's kernel then keeps before it makes its sender wait (measured on Linux 6.18).
    static let keptBySenders = 60_000
    /// Bytes that we have written and the kernel has not sent.
    static let unsent = 131_072

    /// What a receive buffer has at least and at most: less is slow, more of no use.
    private static let receivedRange = 8_192...262_144
    private let up: Capacity
    private let down: Capacity
    private let roundTrip: Duration

    init(_ settings: LinkSettings) {
        up = settings.up.capacity
        down = settings.down.capacity
        roundTrip = settings.roundTrip
    }

    /// A stream whose send buffer on the link has grown to this needs more than `first`.
    static let wideBuffer: Int64 = 1 << 20
    /// From here on a stream needs no more than the least before its buffer is wide: 1 MiB in a round
    /// trip is less than what such a small buffer passes on.
    private static let longRoundTrip = Duration.milliseconds(10)

    /// Bytes of a direction that we have not read, at first.
    ///
    /// With a delay a stream begins slowly, however fast the link. A sender's kernel keeps a multiple
    /// of this buffer (63 kB for 8 KiB, 3 MB for 256 KiB, measured), which would hide that a
    /// receiver does not read.
    func first(_ direction: Direction) -> Int {
        roundTrip < Self.longRoundTrip ? received(direction) : Self.receivedRange.lowerBound
    }

    /// Bytes of a direction that we have not read: a millisecond of the link, which nobody notices
    /// in how far a sender is ahead.
    func received(_ direction: Direction) -> Int {
        let bitsPerSecond =
            switch direction == .up ? up : down {
            case .unlimited: UInt64.max
            case .rate(let rate): rate.bitsPerSecond
            case .trace(let trace): trace.meanBitsPerSecond
            }
        let bytes = Int(clamping: bitsPerSecond / 8_000)
        return min(max(bytes, Self.receivedRange.lowerBound), Self.receivedRange.upperBound)
    }
}
