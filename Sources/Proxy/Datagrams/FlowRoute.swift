internal import Basics
internal import Faults
internal import Journal
internal import SystemIO

/// A listener for datagrams, and the flows that came through it.
final class FlowRoute {
    /// What a route uses of the proxy it belongs to.
    struct Context {
        let tools: DatagramTools
        let link: SharedLink
        let faults: FaultRegistry
        let reporter: ProxyReporter
        let startNanoseconds: UInt64
        /// Whether QUIC packets are counted by type, for the journal.
        let countsPackets: Bool
        /// Whether flows that begin now are held back.
        let isPaused: () -> Bool
        /// The number of a new flow among all of the proxy; nil if there is no room for one.
        let nextNumber: () -> UInt32?
    }

    let listener: UInt32
    let upstream: Upstream
    private let context: Context
    private var ports: [DatagramPort] = []
    private(set) var flows: [DatagramPeer: Flow] = [:]
    private(set) var begun: UInt32 = 0
    /// Of flows that have ended.
    private var ended: [Direction: ProxySnapshot.Flows.Direction] = [:]

    /// How long a flow is kept on which nothing comes: what RFC 4787 §4.3 asks of NATs.
    static let idleNanoseconds: UInt64 = 120_000_000_000

    init(listener: UInt32, upstream: Upstream, _ context: Context) {
        self.listener = listener
        self.upstream = upstream
        self.context = context
    }

    /// Where it takes datagrams.
    var address: SocketAddress? { ports.first?.address }
    var addresses: [SocketAddress] { ports.map(\.address) }

    /// Binds an address; nothing is taken yet.
    func bind(_ address: SocketAddress) throws(SystemError) {
        ports.append(try DatagramPort(DatagramSocket(on: address), self, context.tools))
    }

    /// Begins to take datagrams.
    func open() throws(SystemError) {
        for port in ports { try port.open() }
    }

    /// Takes datagrams of clients no more.
    func mute() {
        for port in ports { port.mute() }
    }

    /// Ends all flows and gives the addresses back.
    func close() {
        for flow in inOrder { end(flow, .shutdown) }
        for port in ports { port.close() }
    }

    /// All flows in the order of their first datagram.
    var inOrder: [Flow] { flows.values.sorted { $0.id < $1.id } }

    // MARK: Flows

    private func flow(of client: DatagramPeer, on port: DatagramPort) -> Flow? {
        if let flow = flows[client] { return flow }
        guard let number = context.nextNumber() else { return nil }
        begun += 1
        let id = ConnectionID(listener: listener, ordinal: begun, isFlow: true)
        if context.reporter.isObserved {
            context.reporter.report(
                .flow(id, environment: ["client": .string(client.address.description)])
            )
        }
        let flow = Flow(
            id,
            client: client,
            front: port,
            faults: context.faults.faults(onFlow: id.ordinal),
            Flow.Context(
                tools: context.tools,
                reporter: context.reporter,
                registry: context.faults,
                link: context.link,
                startNanoseconds: context.startNanoseconds,
                upstream: { [weak self] in self?.serverAddress },
                upstreamName: upstream.endpoint,
                countsPackets: context.countsPackets
            )
        )
        flows[client] = flow
        if let driver = context.link.driver { flow.adopt(driver, as: number) }
        if context.isPaused() { _ = flow.hold() }
        return flow
    }

    /// Where the server is now; a name is looked up again while datagrams flow.
    private var serverAddress: SocketAddress? {
        if !upstream.isFresh(atNanoseconds: context.tools.loop.nowNanoseconds) {
            upstream.lookUpAgain(on: context.tools.loop)
        }
        return upstream.addresses.first
    }

    /// Forgets and ends flows on which nothing has come for long enough.
    func sweep() {
        let now = context.tools.loop.nowNanoseconds
        for flow in flows.values {
            let silence = now &- min(now, flow.lastUseNanoseconds)
            if let forgetting = flow.forgetting, silence >= UInt64(forgetting.after.nanoseconds) {
                flow.forgetAfterSilence()
            }
            if silence >= Self.idleNanoseconds {
                end(flow, .idle)
            }
        }
    }

    private func end(_ flow: Flow, _ cause: FlowEnd.Cause) {
        flow.end(cause)
        flows[flow.client] = nil
        for direction in Direction.allCases {
            ended[direction, default: .init()].add(.init(flow.tally(direction)))
        }
    }

    /// What became of all datagrams of a direction.
    func tally(_ direction: Direction) -> ProxySnapshot.Flows.Direction {
        flows.values.reduce(into: ended[direction] ?? .init()) {
            $0.add(.init($1.tally(direction)))
        }
    }
}

extension FlowRoute: DatagramPortOwner {
    func received(_ batch: DatagramBatch, count: Int, on port: DatagramPort) {
        var start = 0
        while start < count {
            guard let client = batch[start].sender else {
                start += 1
                continue
            }
            var end = start + 1
            while end < count, batch[end].sender == client { end += 1 }
            flow(of: client, on: port)?.receivedFromClient(batch, start..<end)
            start = end
        }
    }

    /// A client is gone, or cannot be reached; what it would be sent is lost, as on any network.
    func failed(_ error: SystemError, on port: DatagramPort) {}
}
