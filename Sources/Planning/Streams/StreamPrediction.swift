package import Basics
package import Faults

/// What streams of datagrams come to, in virtual time.
package struct StreamPrediction: Hashable, Sendable {
    package var model: StreamModel
    package var flows: [Flow]
    /// Payload that arrived, over time.
    package var throughput = ThroughputSeries()
    /// What the link did with the datagrams that came to it.
    package var packets = PacketCensus()
    /// Faults that say nothing about such a stream, and those that acted on none.
    package var notPredicted: [String] = []
    package var neverReached: [FaultLedger.Row] = []

    /// One stream, as its receiver sees it.
    package struct Flow: Hashable, Sendable {
        package var sent: UInt64 = 0
        /// Datagrams that arrived, each counted once.
        package var arrived: UInt64 = 0
        /// Copies that arrived besides.
        package var duplicates: UInt64 = 0
        /// Those that faults took, before the link.
        package var dropped: UInt64 = 0
        /// Those that arrived after one with a higher number.
        package var late: UInt64 = 0
        /// The longest run of datagrams in a row that never arrived.
        package var longestLoss: UInt64 = 0
        /// The longest time between two arrivals.
        package var longestGap = Duration.zero
        /// The interarrival jitter of RFC 3550 §6.4.1 at the end.
        package var jitter = Duration.zero
        /// From sending to arrival, of each datagram that arrived, in ascending order.
        package var delays: [Duration] = []

        package init() {}

        /// The smallest delay that at least `percent` of the arrivals do not exceed.
        package func delay(percentile percent: Int) -> Duration? {
            guard !delays.isEmpty else { return nil }
            let rank = (delays.count * percent + 99) / 100
            return delays[min(max(rank, 1), delays.count) - 1]
        }

        package var lost: UInt64 { sent - arrived }
    }

    /// When the last datagram had arrived, or was sent if none did.
    package var end = Instant.start
}
