internal import Basics
internal import Faults
internal import Journal
internal import SystemIO

/// What flows use of the proxy they belong to.
struct FlowSurroundings {
    let tools: DatagramTools
    let paths: NetworkPaths
    let faults: FaultRegistry
    let startedAt: Instant
    /// Whether flows that begin now are held back.
    let isPaused: () -> Bool
    /// The number of a new flow among all of the proxy; nil if there is no room for one.
    let nextNumber: () -> UInt32?

    var reporter: ProxyReporter { tools.reporter }
}

/// The flows of one listener, each found by what makes it one.
final class FlowTable<Key: Hashable> {
    let listener: UInt32
    let surroundings: FlowSurroundings
    private(set) var flows: [Key: Flow] = [:]
    private(set) var begun: UInt32 = 0
    /// Of flows that have ended.
    private var ended: [Direction: ProxySnapshot.Flows.Direction] = [:]

    init(listener: UInt32, _ surroundings: FlowSurroundings) {
        self.listener = listener
        self.surroundings = surroundings
    }

    /// All flows in the order of their first datagram.
    var inOrder: [Flow] { flows.values.sorted { $0.id < $1.id } }

    /// Begins a flow.
    ///
    /// - Parameters:
    ///   - key: by which it is found.
    ///   - client: whose datagrams it takes.
    ///   - front: the socket by which the client reaches us.
    ///   - server: where it leads.
    /// - Returns: it; nil if there is no room for one.
    func begin(
        _ key: Key,
        client: DatagramPeer,
        front: DatagramPort,
        to server: Flow.Server
    ) -> Flow? {
        guard let number = surroundings.nextNumber() else { return nil }
        begun += 1
        let id = ConnectionID(listener: listener, ordinal: begun, isFlow: true)
        surroundings.reporter.begun(id, client: client.address)
        let link = server.link ?? surroundings.paths.best
        surroundings.paths.note(id, on: link, surroundings.reporter)
        let flow = Flow(
            id,
            client: client,
            front: front,
            faults: surroundings.faults.faults(onFlow: id.ordinal),
            Flow.Context(
                tools: surroundings.tools,
                registry: surroundings.faults,
                link: link,
                startedAt: surroundings.startedAt,
                server: server
            )
        )
        flows[key] = flow
        if let driver = link.driver { flow.adopt(driver, as: number) }
        if surroundings.isPaused() { _ = flow.hold() }
        return flow
    }

    /// Forgets and ends flows on which nothing has come for long enough.
    ///
    /// - Parameter idleTime: how long a flow is kept on which nothing comes.
    func sweep(idleTime: Duration) {
        let now = surroundings.tools.loop.now
        for (key, flow) in flows {
            let silence = now.elapsed(since: flow.lastUse)
            if let forgetting = flow.forgetting, silence >= forgetting.after {
                flow.forgetAfterSilence()
            }
            if silence >= idleTime { end(key, .idle) }
        }
    }

    func end(_ key: Key, _ cause: FlowEnd.Cause) {
        guard let flow = flows.removeValue(forKey: key) else { return }
        flow.end(cause)
        for direction in Direction.allCases {
            ended[direction, default: .init()].add(.init(flow.tally(direction)))
        }
        let link = flow.context.link
        link.endedBytes.up += flow.bytes(.up)
        link.endedBytes.down += flow.bytes(.down)
        surroundings.paths.ended(on: link)
    }

    /// Ends those that are meant, in the order of their first datagram.
    func endAll(_ cause: FlowEnd.Cause, where isMeant: (Key) -> Bool = { _ in true }) {
        let meant = flows.filter { isMeant($0.key) }.sorted { $0.value.id < $1.value.id }
        for (key, _) in meant { end(key, cause) }
    }

    /// What became of all datagrams of a direction.
    func tally(_ direction: Direction) -> ProxySnapshot.Flows.Direction {
        flows.values.reduce(into: ended[direction] ?? .init()) {
            $0.add(.init($1.tally(direction)))
        }
    }
}
