internal import Basics
internal import Journal
internal import SystemIO

/// A listener for datagrams, and the flows that came through it, one for each client address.
final class FlowRoute {
    let upstream: Upstream
    let table: FlowTable<DatagramPeer>
    private let tools: DatagramTools
    private var ports: [DatagramPort] = []
    /// Datagrams of clients without a flow, kept while the server's name is looked up.
    private var waiting: [WaitingDatagram] = []

    private struct WaitingDatagram {
        let client: DatagramPeer
        let port: DatagramPort
        let bytes: [UInt8]
        let ecn: UInt8
    }

    /// How many of these are kept; further ones are lost.
    private static let waitingLimit = 256

    init(_ table: FlowTable<DatagramPeer>, upstream: Upstream) {
        self.table = table
        self.upstream = upstream
        tools = table.surroundings.tools
    }

    /// Where it takes datagrams.
    var address: SocketAddress? { ports.first?.address }
    var addresses: [SocketAddress] { ports.map(\.address) }

    /// Binds an address; nothing is taken yet.
    func bind(_ address: SocketAddress) throws(SystemError) {
        ports.append(try DatagramPort(DatagramSocket(on: address), self, tools))
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
        waiting = []
        table.endAll(.shutdown)
        for port in ports { port.close() }
    }

    private func flow(of client: DatagramPeer, on port: DatagramPort) -> Flow? {
        if let flow = table.flows[client] { return flow }
        guard isClient(client, of: port) else { return nil }
        let server = Flow.Server(name: upstream.endpoint) { [weak self] in self?.serverAddress }
        return table.begin(client, client: client, front: port, to: server)
    }

    /// Whether datagrams of a client wait until it is known where the server is.
    private func waits(_ client: DatagramPeer) -> Bool {
        table.flows[client] == nil
            && (!waiting.isEmpty || !upstream.isFresh(at: tools.loop.now))
    }

    /// Keeps datagrams of a client, which begin its flow once the server's name has been looked up.
    private func keep(
        _ batch: DatagramBatch,
        _ places: Range<Int>,
        of client: DatagramPeer,
        on port: DatagramPort
    ) {
        let isFirst = waiting.isEmpty
        for place in places {
            for number in 0..<batch[place].count where waiting.count < Self.waitingLimit {
                let bytes = batch.bytes(at: place, datagram: number)
                waiting.append(
                    WaitingDatagram(client: client, port: port, bytes: bytes, ecn: batch[place].ecn)
                )
            }
        }
        // Without an address the flow says why there is none.
        if isFirst { upstream.lookUp(on: tools.loop) { [weak self] _ in self?.beginWaiting() } }
    }

    private func beginWaiting() {
        let datagrams = waiting
        waiting = []
        for datagram in datagrams {
            flow(of: datagram.client, on: datagram.port)?
                .receivedFromClient(datagram.bytes, ecn: datagram.ecn)
        }
    }

    /// Whether datagrams from an address can be answered: none come from port 0, and those that seem to
    /// come from our own port would be sent in circles.
    private func isClient(_ sender: DatagramPeer, of port: DatagramPort) -> Bool {
        sender.port != 0
            && (sender.port != port.address.port || !port.address.answers(at: sender.address))
    }

    /// Where the server is now; a name is looked up again while datagrams flow.
    private var serverAddress: SocketAddress? {
        if !upstream.isFresh(at: tools.loop.now) {
            upstream.lookUpAgain(on: tools.loop)
        }
        return upstream.addresses.first
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
            if waits(client) {
                keep(batch, start..<end, of: client, on: port)
            } else {
                flow(of: client, on: port)?.receivedFromClient(batch, start..<end)
            }
            start = end
        }
    }

    /// A client is gone, or cannot be reached; what it would be sent is lost, as on any network.
    func failed(_ error: SystemError, on port: DatagramPort) {}
}
