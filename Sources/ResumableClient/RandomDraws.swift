package import Basics

/// Random numbers as a function of their address, handed in by whoever holds the seed.
///
/// Nothing is drawn "next": the same purpose and ordinal give the same bits in every run, and a new
/// purpose shifts no other.
package struct RandomDraws: Sendable {
    /// What a draw decides; each purpose is a stream of its own.
    package enum Purpose: Hashable, Sendable {
        /// The delay before a retry; the ordinal counts the failures of the transfer.
        case backoff
        /// The delay before the first attempt on a path that came back; the ordinal counts waits.
        case pathChange
    }

    private let bits: @Sendable (Purpose, UInt64) -> UInt64

    /// `bits` gives 64 evenly distributed bits for each purpose and ordinal.
    package init(_ bits: @escaping @Sendable (Purpose, UInt64) -> UInt64) { self.bits = bits }

    /// U × `bound` with U in [0, 1), in whole nanoseconds.
    package func duration(below bound: Duration, for purpose: Purpose, at ordinal: UInt64)
        -> Duration
    {
        let product = bits(purpose, ordinal).multipliedFullWidth(by: bound.clampedNanoseconds)
        return .nanoseconds(Int64(clamping: product.high))
    }
}
