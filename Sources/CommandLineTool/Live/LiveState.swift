internal import LinkEngine
internal import Libuv
internal import Proxy

/// What the live view and the progress lines show; fed with snapshots.
struct LiveState {
    /// One direction of the link as of now.
    struct Flow: Hashable, Sendable {
        var bytes: UInt64 = 0
        var queuedPackets = 0
        var queuedBytes = 0
        /// Rates of the last samples, the newest last.
        var history: [UInt64] = []

        /// Mean of the last second, so that the figure can be read.
        var bitsPerSecond: UInt64 {
            let recent = history.suffix(4)
            return recent.isEmpty ? 0 : recent.reduce(0, +) / UInt64(recent.count)
        }
    }

    struct Connection: Hashable, Sendable {
        var name: String
        var client: String
        var state: String
        var upBytes: UInt64
        var downBytes: UInt64
        var ageNanoseconds: Int64
    }

    struct Event: Hashable, Sendable {
        var atNanoseconds: Int64
        var text: String
    }

    static let historyLength = 240
    static let eventLimit = 8

    var elapsedNanoseconds: Int64 = 0
    private(set) var down = Flow()
    private(set) var up = Flow()
    var openConnections = 0
    var totalConnections: UInt64 = 0
    private(set) var connections: [Connection] = []
    private(set) var events: [Event] = []
    private var firstSeen: [UInt32: Int64] = [:]

    /// Takes a sample; the rates are means since the one before.
    mutating func take(_ snapshot: ProxySnapshot, atNanoseconds now: Int64) {
        let span = UInt64(max(1, now - elapsedNanoseconds))
        Self.advance(&down, snapshot.down, spanNanoseconds: span)
        Self.advance(&up, snapshot.up, spanNanoseconds: span)
        elapsedNanoseconds = now
        openConnections = snapshot.openConnections
        totalConnections = snapshot.totalConnections
        takeConnections(snapshot.connections, now: now)
    }

    mutating func add(_ event: String) {
        events.append(Event(atNanoseconds: elapsedNanoseconds, text: event))
        if events.count > Self.eventLimit { events.removeFirst() }
    }

    private static func advance(
        _ flow: inout Flow,
        _ sample: ProxySnapshot.Direction,
        spanNanoseconds: UInt64
    ) {
        let moved = sample.bytes - min(sample.bytes, flow.bytes)
        let (high, low) = moved.multipliedFullWidth(by: 8_000_000_000)
        flow.history.append(
            high < spanNanoseconds ? spanNanoseconds.dividingFullWidth((high, low)).quotient : 0
        )
        if flow.history.count > historyLength { flow.history.removeFirst() }
        flow.bytes = sample.bytes
        flow.queuedPackets = sample.queuedPackets
        flow.queuedBytes = sample.queuedBytes
    }

    private mutating func takeConnections(_ list: [ProxySnapshot.Connection], now: Int64) {
        var seen: [UInt32: Int64] = [:]
        connections = list.map { connection in
            let since = firstSeen[connection.ordinal] ?? now
            seen[connection.ordinal] = since
            return Connection(
                name: EventText.name(connection.id),
                client: connection.client?.description ?? "-",
                state: connection.state.rawValue,
                upBytes: connection.upBytes,
                downBytes: connection.downBytes,
                ageNanoseconds: now - since
            )
        }
        firstSeen = seen
    }

    /// How long a packet that enters now is under way: the queue before it, then propagation.
    static func delayNow(_ path: PathSettings, queuedBytes: Int) -> Duration {
        let waiting: Duration =
            switch path.capacity {
            case .unlimited: .zero
            case .rate(let rate): rate.serializationTime(bytes: queuedBytes)
            case .trace(let trace):
                BitRate(bitsPerSecond: max(1, trace.meanBitsPerSecond))?
                    .serializationTime(bytes: queuedBytes) ?? .zero
            }
        return path.delay + waiting
    }
}
