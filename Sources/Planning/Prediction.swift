package import Basics
package import Faults

/// What a transfer model comes to, in virtual time.
package struct Prediction: Hashable, Sendable {
    package enum Ending: Hashable, Sendable {
        case completed(Instant)
        /// The link gave up: nothing came through for too long.
        case timedOut(Instant)
        /// A fault ended it.
        case cut(Instant, by: String)
        /// Still going when the time limit came.
        case unfinished
    }

    package struct Connection: Hashable, Sendable {
        package var delivered: UInt64 = 0
        package var firstByte: Instant?
        package var ending = Ending.unfinished
    }

    /// A time in which a connection received nothing though there was more to come.
    package struct Stall: Hashable, Sendable {
        package var connection: UInt32
        package var begin: Instant
        package var end: Instant

        package var length: Duration { end - begin }
    }

    package var model: TransferModel
    package var connections: [Connection]
    package var throughput = ThroughputSeries()
    /// In the order in which they ended; at most `eventLimit`, `stallCount` counts all.
    package var stalls: [Stall] = []
    package var stallCount = 0
    package var packets = PacketCensus()
    /// Faults of which the prediction says nothing.
    package var notPredicted: [String] = []
    /// Faults that acted on no connection.
    package var neverReached: [FaultLedger.Row] = []

    /// The most stalls, and the most losses, that are listed.
    package static let eventLimit = 10_000

    /// When the last connection was complete; nil if one was not.
    package var completion: Instant? {
        var last = Instant.start
        for connection in connections {
            guard case .completed(let instant) = connection.ending else { return nil }
            last = max(last, instant)
        }
        return last
    }

    /// The last moment at which something was delivered or ended.
    package var end: Instant {
        connections.reduce(Instant.start) { latest, connection in
            switch connection.ending {
            case .completed(let at), .timedOut(let at), .cut(let at, _): max(latest, at)
            case .unfinished: TransferModel.timeLimit
            }
        }
    }

    package var delivered: UInt64 { connections.reduce(0) { $0 + $1.delivered } }

    /// Payload rate from the start to the completion.
    package var goodputBitsPerSecond: UInt64? {
        guard let completion, completion > .start else { return nil }
        let product = delivered.multipliedFullWidth(by: 8_000_000_000)
        let divisor = UInt64(completion.nanoseconds)
        guard product.high < divisor else { return nil }
        return divisor.dividingFullWidth(product).quotient
    }
}
