internal import Basics
internal import Journal
internal import LinkEngine
internal import Proxy
internal import SystemIO

/// What the live view and the progress lines show; fed with snapshots.
struct LiveState {
    /// One direction of the link as of now.
    struct Flow: Hashable, Sendable {
        var bytes: UInt64 = 0
        var queuedPackets = 0
        var queuedBytes = 0
        /// Rates of the last samples, the newest last.
        var history: [UInt64] = []
        /// Bytes that waited at the last samples, the newest last.
        var queueHistory: [UInt64] = []

        /// Mean of the last second, so that the figure can be read.
        var bitsPerSecond: UInt64 {
            let recent = history.suffix(4)
            return recent.isEmpty ? 0 : recent.reduce(0, +) / UInt64(recent.count)
        }
    }

    struct Connection: Hashable, Sendable {
        var id: ConnectionID
        var name: String
        var client: String
        var state: String
        var upBytes: UInt64
        var downBytes: UInt64
        var age: Duration
        /// Method and target of the latest request, if requests are looked at.
        var request: String?
        /// How much it deserves to be seen.
        var rank: Rank
    }

    /// Which connections are shown where there is no room for all, the first ones first.
    enum Rank: Int, Comparable, Sendable {
        case faulted, active, idle

        static func < (a: Rank, b: Rank) -> Bool { a.rawValue < b.rawValue }
    }

    /// What is kept of a connection from one sample to the next.
    private struct Memory {
        var since: Duration
        var bytes: UInt64 = 0
        var movedAt: Duration
    }

    /// What is known of a connection besides its sample.
    struct Detail: Hashable, Sendable {
        var age: Duration?
        var request: String?
    }

    struct Event: Hashable, Sendable {
        var at: Duration
        var text: String
    }

    static let historyLength = 240
    private static let corruptedLimit = 4_096
    private static let requestLimit = 4_096
    static let eventLimit = 8
    /// A connection is active if bytes moved within this time.
    private static let activeTime = Duration.seconds(2)

    var elapsed = Duration.zero
    private(set) var down = Flow()
    private(set) var up = Flow()
    var openConnections = 0
    var totalConnections: UInt64 = 0
    /// Whether everything is held back by hand.
    var isPaused = false
    /// Whether the link carries nothing.
    var isOut = false
    private(set) var connections: [Connection] = []
    private(set) var events: [Event] = []
    private var memories: [ConnectionID: Memory] = [:]
    /// The latest requests of the connections that are shown.
    private var requests: [ConnectionID: String] = [:]
    /// Connections of which a fault flipped a bit: nothing else tells of it.
    private var corrupted: Set<ConnectionID> = []

    /// Takes a sample; the rates are means since the one before.
    ///
    /// - Parameters:
    ///   - snapshot: the proxy as it is.
    ///   - now: since the start of the run.
    ///   - details: what else is known of the connections; otherwise their age counts from the first
    ///     sample that had them.
    mutating func take(
        _ snapshot: ProxySnapshot,
        at now: Duration,
        details: [ConnectionID: Detail] = [:]
    ) {
        let span = max(.nanoseconds(1), now - elapsed)
        Self.advance(&down, snapshot.down, span: span)
        Self.advance(&up, snapshot.up, span: span)
        elapsed = now
        openConnections = snapshot.openConnections + (snapshot.flows?.open ?? 0)
        totalConnections = snapshot.totalConnections + (snapshot.flows?.total ?? 0)
        takeConnections(snapshot.connections, details, now: now)
    }

    /// Begins in the midst of a run: what moved before this sample has no part in rates.
    mutating func begin(_ snapshot: ProxySnapshot, at now: Duration) {
        elapsed = now
        down.bytes = snapshot.down.bytes
        up.bytes = snapshot.up.bytes
    }

    /// Takes an event, of now unless it is said when it was.
    mutating func add(_ event: String, at time: Duration? = nil) {
        events.append(Event(at: time ?? elapsed, text: event))
        if events.count > Self.eventLimit { events.removeFirst() }
    }

    private static func advance(
        _ flow: inout Flow,
        _ sample: ProxySnapshot.Direction,
        span: Duration
    ) {
        let moved = sample.bytes - min(sample.bytes, flow.bytes)
        let (high, low) = moved.multipliedFullWidth(by: 8_000_000_000)
        let divisor = span.clampedNanoseconds
        flow.history.append(high < divisor ? divisor.dividingFullWidth((high, low)).quotient : 0)
        if flow.history.count > historyLength { flow.history.removeFirst() }
        flow.queueHistory.append(UInt64(max(0, sample.queuedBytes)))
        if flow.queueHistory.count > historyLength { flow.queueHistory.removeFirst() }
        flow.bytes = sample.bytes
        flow.queuedPackets = sample.queuedPackets
        flow.queuedBytes = sample.queuedBytes
    }

    /// Takes note of a fault that fired.
    mutating func add(_ report: FaultReport) {
        guard report.state == .fired, report.effect == "corrupt", let id = report.connection
        else { return }
        if corrupted.count < Self.corruptedLimit { corrupted.insert(id) }
    }

    /// Takes note of what a connection asks for.
    mutating func add(_ report: RequestReport) {
        if requests.count >= Self.requestLimit { requests.removeAll() }
        requests[report.exchange.connection] = "\(report.method) \(report.target)"
    }

    private mutating func takeConnections(
        _ list: [ProxySnapshot.Connection],
        _ details: [ConnectionID: Detail],
        now: Duration
    ) {
        var seen: [ConnectionID: Memory] = [:]
        connections = list.map { connection in
            let id = connection.id
            let bytes = connection.upBytes &+ connection.downBytes
            var memory = memories[id] ?? Memory(since: now, movedAt: now)
            if bytes != memory.bytes { memory.movedAt = now }
            memory.bytes = bytes
            seen[id] = memory
            let isCorrupted = connection.state == .open && corrupted.contains(id)
            let isActive = now - memory.movedAt < Self.activeTime
            return Connection(
                id: id,
                name: EventText.name(id),
                client: connection.client?.description ?? "-",
                state: isCorrupted ? "corrupted" : connection.state.rawValue,
                upBytes: connection.upBytes,
                downBytes: connection.downBytes,
                age: details[id]?.age ?? now - memory.since,
                request: details[id]?.request ?? requests[id],
                rank: isCorrupted || connection.state.isByFault
                    ? .faulted : isActive ? .active : .idle
            )
        }
        memories = seen
        if requests.count > 2 * max(64, seen.count) {
            requests = requests.filter { seen[$0.key] != nil }
        }
    }

    /// The connections that deserve to be seen most, as many as there is room for; those that a
    /// fault acts on come first, the others in the order of acceptance.
    ///
    /// - Parameters:
    ///   - room: how many at most.
    ///   - filter: only those that have this text in what is shown of them; empty for all.
    ///   - chosen: the name of one that is shown in any case, if there is room for one.
    /// - Returns: the connections, as they are to be shown.
    func connections(
        room: Int,
        matching filter: String = "",
        with chosen: String? = nil
    ) -> [Connection] {
        let ranked = connections.enumerated().filter { $0.element.shows(filter) }.sorted { a, b in
            // Of equals the latest.
            (a.element.rank, -a.offset) < (b.element.rank, -b.offset)
        }
        var shown = Array(ranked.prefix(max(0, room)))
        if let chosen, !shown.isEmpty, !shown.contains(where: { $0.element.name == chosen }),
            let one = ranked.first(where: { $0.element.name == chosen })
        {
            shown[shown.count - 1] = one
        }
        return shown.sorted { a, b in
            let (first, second) = (a.element.rank == .faulted, b.element.rank == .faulted)
            return first == second ? a.offset < b.offset : first
        }.map(\.element)
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

extension LiveState.Connection {
    /// Whether a text is found in what is shown of the connection, whatever the case.
    fileprivate func shows(_ text: String) -> Bool {
        guard !text.isEmpty else { return true }
        let wanted = text.lowercased()
        return [name, client, state, request ?? ""].contains { $0.lowercased().contains(wanted) }
    }
}

extension ProxySnapshot.ConnectionState {
    /// Whether a fault is at work.
    fileprivate var isByFault: Bool {
        switch self {
        case .connecting, .open, .closing: false
        case .stalled, .paused, .slowed, .silent, .cutting: true
        }
    }
}
