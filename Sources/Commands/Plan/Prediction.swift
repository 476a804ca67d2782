internal import Basics
internal import Faults

/// What a transfer model comes to, in virtual time.
struct Prediction: Hashable, Sendable {
    enum Ending: Hashable, Sendable {
        case completed(Instant)
        /// The link gave up: nothing came through for too long.
        case timedOut(Instant)
        /// A fault ended it.
        case cut(Instant, by: String)
        /// Still going when the time limit came.
        case unfinished
    }

    struct Connection: Hashable, Sendable {
        var delivered: UInt64 = 0
        var firstByte: Instant?
        var ending = Ending.unfinished
    }

    /// A time in which a connection received nothing though there was more to come.
    struct Stall: Hashable, Sendable {
        var connection: UInt32
        var begin: Instant
        var end: Instant

        var length: Duration { end - begin }
    }

    var model: TransferModel
    var connections: [Connection]
    var throughput = ThroughputSeries()
    /// In the order in which they ended; at most `eventLimit`, `stallCount` counts all.
    var stalls: [Stall] = []
    var stallCount = 0
    var packets = PacketCensus()
    /// Faults of which the prediction says nothing.
    var notPredicted: [String] = []
    /// Faults that acted on no connection.
    var neverReached: [FaultLedger.Row] = []

    /// The most stalls, and the most losses, that are listed.
    static let eventLimit = 10_000

    /// When the last connection was complete; nil if one was not.
    var completion: Instant? {
        var last = Instant.start
        for connection in connections {
            guard case .completed(let instant) = connection.ending else { return nil }
            last = max(last, instant)
        }
        return last
    }

    /// The last moment at which something was delivered or ended.
    var end: Instant {
        connections.reduce(Instant.start) { latest, connection in
            switch connection.ending {
            case .completed(let at), .timedOut(let at), .cut(let at, _): max(latest, at)
            case .unfinished: TransferModel.timeLimit
            }
        }
    }

    var delivered: UInt64 { connections.reduce(0) { $0 + $1.delivered } }

    /// Payload rate from the start to the completion.
    var goodputBitsPerSecond: UInt64? {
        guard let completion, completion > .start else { return nil }
        let product = delivered.multipliedFullWidth(by: 8_000_000_000)
        let divisor = UInt64(completion.nanoseconds)
        guard product.high < divisor else { return nil }
        return divisor.dividingFullWidth(product).quotient
    }
}
