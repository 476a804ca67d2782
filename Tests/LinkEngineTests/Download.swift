import Basics
import LinkEngine

/// A request up and a response down over one link, in virtual time.
struct Download {
    var settings = LinkSettings()
    var seed: UInt64 = 1
    var requestBytes = 90
    var responseBytes: Int
    /// The response begins with a separate write, as an HTTP head often is.
    var headBytes = 0
    /// Connections that do the same at once.
    var connections: UInt32 = 1
    var closesAfterResponse = true

    struct Result: Equatable {
        var events: [LinkEvent] = []
        var packets: [PacketRecord] = []
        /// When each connection had its last byte, in seconds.
        var completedAt: [UInt32: Double] = [:]

        func delivered(_ stream: Stream) -> Int {
            events.reduce(0) { sum, event in
                guard case .deliver(stream, let count) = event.kind else { return sum }
                return sum + count
            }
        }
    }

    /// Runs until everything has arrived, or to `limit`.
    ///
    /// `step` says how far to go next from a
    /// deadline; what it answers must not matter.
    func run(
        keepingPackets: Bool = false,
        limit: Duration = .seconds(3_600),
        step: (Instant) -> Instant = { $0 }
    ) -> Result {
        var link = Link(settings: settings, seed: seed)
        link.keepsRecords = keepingPackets
        var result = Result()
        var unsent = [Int](repeating: 0, count: Int(connections))
        var received = unsent
        let total = headBytes + responseBytes
        for connection in 0..<connections {
            link.open(connection, at: .start)
            link.send(
                requestBytes,
                on: Stream(connection: connection, direction: .up),
                at: .start
            )
        }
        func refill(_ connection: UInt32, _ link: inout Link, at now: Instant) {
            let down = Stream(connection: connection, direction: .down)
            while unsent[Int(connection)] > 0 {
                let count = min(unsent[Int(connection)], link.room(on: down))
                guard count > 0 else { return }
                link.send(count, on: down, at: now)
                unsent[Int(connection)] -= count
            }
            if closesAfterResponse { link.finish(down, at: now) }
        }
        func take(_ event: LinkEvent, _ link: inout Link) {
            result.events.append(event)
            switch event.kind {
            case .deliver(let stream, let count) where stream.direction == .up:
                guard count == requestBytes else { return }
                let down = Stream(connection: stream.connection, direction: .down)
                if headBytes > 0 { link.send(headBytes, on: down, at: event.at) }
                unsent[Int(stream.connection)] = responseBytes
                refill(stream.connection, &link, at: event.at)
            case .deliver(let stream, let count):
                received[Int(stream.connection)] += count
                if received[Int(stream.connection)] == total {
                    result.completedAt[stream.connection] =
                        Double(event.at.nanoseconds) / 1e9
                }
            case .writable(let stream) where stream.direction == .down:
                refill(stream.connection, &link, at: event.at)
            default: break
            }
        }
        while result.completedAt.count < Int(connections), let deadline = link.nextDeadline,
            deadline <= .start + limit
        {
            var stop = step(deadline)
            // Small steps up to the deadline, then exactly the deadline.
            while stop < deadline {
                link.advance(to: stop)
                stop = step(deadline)
            }
            link.advance(to: deadline)
            link.advance(to: deadline)
            while let event = link.nextEvent() { take(event, &link) }
        }
        result.packets = link.takeRecords()
        return result
    }

    /// When the only connection had its last byte.
    var completion: Double { run().completedAt[0] ?? .infinity }
}

extension LinkSettings {
    /// The same physics in both directions.
    static func symmetric(
        delay: Duration,
        rate: UInt64? = nil,
        queue: QueueLimit = .automatic
    ) -> LinkSettings {
        var settings = LinkSettings()
        for direction in Direction.allCases {
            settings[direction].delay = delay
            settings[direction].queue = queue
            if let rate, let bitRate = BitRate(bitsPerSecond: rate) {
                settings[direction].capacity = .rate(bitRate)
            }
        }
        return settings
    }
}

extension Probability {
    static func perMille(_ count: UInt64) -> Probability {
        Probability(count, outOf: 1_000) ?? .zero
    }
}
