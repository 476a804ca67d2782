internal import Faults
internal import Journal
internal import SystemIO

/// A client's relay for datagrams (RFC 1928 §7).
///
/// Each server that the client names has a flow of its own. What stands before the content of a datagram
/// is no part of it, for link and faults neither.
final class Association {
    /// What makes a flow one of its own.
    struct FlowKey: Hashable {
        let association: ConnectionID
        let destination: Destination
    }

    /// Of the connection that it ends with.
    private let id: ConnectionID
    private let rules: DestinationRules
    private let table: FlowTable<FlowKey>
    /// The network of connections to a server.
    private let link: (Destination) -> SharedLink?
    /// Where the client's connection comes from; its datagrams come from the same host.
    private let host: SocketAddress
    /// The first address from there that has sent something; no other one may use the relay.
    private var client: DatagramPeer?
    private var port: DatagramPort?
    /// What was sent to servers whose names are being looked up.
    private var waiting: [Destination: [(bytes: [UInt8], ecn: UInt8)]] = [:]
    /// Servers that may not be had, of which that was told.
    private var refused: Set<Destination> = []

    /// Names that are looked up at once, and datagrams that wait for each; further ones are lost.
    private static let waitingLimit = 16
    private static let refusedLimit = 64

    /// Opens the relay.
    ///
    /// - Parameters:
    ///   - id: of the client's connection.
    ///   - client: where that comes from.
    ///   - own: our end of it; the relay is at the same host.
    ///   - rules: where datagrams may go.
    ///   - table: for its flows.
    ///   - link: the network of connections to a server; nil for the one of all others.
    /// - Throws: what the system says.
    init(
        _ id: ConnectionID,
        client: SocketAddress,
        at own: SocketAddress,
        rules: DestinationRules,
        table: FlowTable<FlowKey>,
        link: @escaping (Destination) -> SharedLink?
    ) throws(SystemError) {
        guard !own.isUnix else { throw .invalidArgument }
        self.id = id
        self.rules = rules
        self.table = table
        self.link = link
        host = client.with(port: 0)
        let port = try DatagramPort(
            DatagramSocket(on: own.with(port: 0)),
            self,
            table.surroundings.tools
        )
        try port.open()
        self.port = port
    }

    /// Where the client sends its datagrams.
    var address: SocketAddress? { port?.address }

    /// Ends all of its flows.
    func close() {
        table.endAll(.association) { $0.association == id }
        port?.close()
        port = nil
        waiting = [:]
    }

    private func isOurs(_ sender: DatagramPeer) -> Bool {
        if let client { return sender == client }
        guard sender.port != 0, sender.address.with(port: 0) == host else { return false }
        client = sender
        return true
    }

    private func take(_ datagram: [UInt8], ecn: UInt8) {
        guard let header = RelayHeader(datagram), let client, let port else { return }
        let destination = header.destination
        let content = Array(datagram[header.length...])
        let key = FlowKey(association: id, destination: destination)
        if let flow = table.flows[key] { return flow.receivedFromClient(content, ecn: ecn) }
        if waiting[destination] != nil {
            guard waiting[destination, default: []].count < Self.waitingLimit else { return }
            waiting[destination, default: []].append((content, ecn))
            return
        }
        do throws(DestinationRules.Refusal) {
            try rules.check(destination)
        } catch {
            return refuse(destination, error == .notAllowed ? .notAllowed : .unclearHost)
        }
        guard let address = destination.endpoint.numericAddress else {
            return lookUp(destination, then: (content, ecn))
        }
        begin(destination, at: [address], client, port)?.receivedFromClient(content, ecn: ecn)
    }

    private func lookUp(_ destination: Destination, then first: (bytes: [UInt8], ecn: UInt8)) {
        guard waiting.count < Self.waitingLimit else { return }
        waiting[destination] = [first]
        let upstream = Upstream(destination.endpoint)
        upstream.lookUp(on: table.surroundings.tools.loop) { [weak self] error in
            guard let self, let datagrams = waiting.removeValue(forKey: destination) else { return }
            if let error {
                table.surroundings.reporter.upstreamFailed(id, destination.endpoint, error)
            }
            guard error == nil, let client, let port,
                let flow = begin(destination, at: upstream.addresses, client, port)
            else { return }
            for datagram in datagrams { flow.receivedFromClient(datagram.bytes, ecn: datagram.ecn) }
        }
    }

    private func begin(
        _ destination: Destination,
        at addresses: [SocketAddress],
        _ client: DatagramPeer,
        _ port: DatagramPort
    ) -> Flow? {
        guard let address = rules.allowed(addresses, for: destination).first else {
            refuse(destination, .notAllowed)
            return nil
        }
        var server = Flow.Server(name: destination.endpoint) { address }
        server.envelope = RelayHeader.bytes(from: address)
        server.link = link(destination)
        let key = FlowKey(association: id, destination: destination)
        return table.begin(key, client: client, front: port, to: server)
    }

    /// Says once that a server may not be had; what is sent there is lost.
    private func refuse(_ destination: Destination, _ outcome: ForwardOutcome) {
        guard refused.count < Self.refusedLimit, refused.insert(destination).inserted else {
            return
        }
        table.surroundings.reporter.turnedAway(id, destination, outcome)
    }
}

extension Association: DatagramPortOwner {
    func received(_ batch: DatagramBatch, count: Int, on port: DatagramPort) {
        for place in 0..<count {
            let arrival = batch[place]
            guard let sender = arrival.sender, isOurs(sender) else { continue }
            for number in 0..<arrival.count {
                take(batch.bytes(at: place, datagram: number), ecn: arrival.ecn)
            }
        }
    }

    /// The client is gone, or cannot be reached; what it would be sent is lost, as on any network.
    func failed(_ error: SystemError, on port: DatagramPort) {}
}
