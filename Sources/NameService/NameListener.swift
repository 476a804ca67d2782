internal import SystemIO

/// One address that takes queries, over UDP and TCP on one port.
final class NameListener: ReadinessHandler {
    private enum Tag { static let datagrams: UInt32 = 0, connections: UInt32 = 1 }

    private let loop: EventLoop
    private var ports: PortPair
    private var tokens = (datagrams: WatchToken.none, connections: WatchToken.none)
    private let batch: DatagramBatch
    var onDatagram: (_ bytes: [UInt8], _ client: DatagramPeer) -> Void = { _, _ in }
    var onConnection: (_ socket: consuming Socket) -> Void = { _ in }

    /// Accepted connections at a time, before others have their turn.
    private static let acceptedAtOnce = 64

    /// - Parameters:
    ///   - address: port 0 takes one that is free for both.
    ///   - takesConnections: else whoever connects is refused.
    ///   - loop: where queries come.
    ///   - batch: room for datagrams, which others may use between two calls.
    /// - Throws: what the system says, such as "address already in use".
    init(
        on address: SocketAddress,
        takesConnections: Bool,
        loop: EventLoop,
        batch: DatagramBatch
    ) throws(SystemError) {
        self.loop = loop
        self.batch = batch
        ports = try PortPair.bind(address)
        if !takesConnections { ports.connections.close() }
    }

    var address: SocketAddress? { ports.datagrams.address }

    func start() throws(SystemError) {
        tokens.datagrams = try ports.datagrams.watch(
            on: loop,
            handler: self,
            tag: Tag.datagrams
        )
        guard ports.connections.isOpen else { return }
        tokens.connections = try ports.connections.watch(
            on: loop,
            handler: self,
            tag: Tag.connections
        )
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        if tag == Tag.datagrams { takeDatagrams() } else { takeConnections() }
    }

    private func takeDatagrams() {
        // An error is of a client that has gone before it was answered.
        guard let count = try? batch.receive(from: ports.datagrams) else { return }
        // Answers use the batch, too, so that everything is taken out of it first.
        var queries: [(bytes: [UInt8], client: DatagramPeer)] = []
        for place in 0..<count {
            guard let client = batch[place].sender else { continue }
            for number in 0..<batch[place].count {
                queries.append((batch.bytes(at: place, datagram: number), client))
            }
        }
        for query in queries { onDatagram(query.bytes, query.client) }
    }

    private func takeConnections() {
        for _ in 0..<Self.acceptedAtOnce {
            // One that cannot be accepted stays in the backlog.
            guard let socket = try? ports.connections.accept(), socket.isOpen else { return }
            onConnection(socket)
        }
    }

    func send(_ bytes: [UInt8], to client: DatagramPeer) {
        guard ports.datagrams.isOpen else { return }
        // What the kernel does not take is lost, as any datagram may be.
        _ = batch.send(bytes, ecn: 0, through: ports.datagrams, to: client)
    }

    func close() {
        if ports.datagrams.isOpen { ports.datagrams.unwatch(tokens.datagrams, on: loop) }
        if ports.connections.isOpen { ports.connections.unwatch(tokens.connections, on: loop) }
        ports.datagrams.close()
        ports.connections.close()
    }
}

/// A port for both, as clients expect it.
private struct PortPair: ~Copyable {
    var connections: ListeningSocket
    var datagrams: DatagramSocket

    /// So many free ports of TCP are tried that may be taken for UDP.
    private static let attempts = 32

    static func bind(_ address: SocketAddress) throws(SystemError) -> PortPair {
        for _ in 1..<(address.port == 0 ? attempts : 1) {
            if let pair = try? PortPair(on: address) { return pair }
        }
        return try PortPair(on: address)
    }

    private init(on address: SocketAddress) throws(SystemError) {
        let connections = try ListeningSocket(on: address)
        let port = connections.address?.port ?? 0
        datagrams = try DatagramSocket(on: address.with(port: port))
        self.connections = connections
    }
}
