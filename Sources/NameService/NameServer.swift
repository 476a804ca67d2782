internal import Basics
package import DNS
package import SystemIO

/// Answers queries over UDP and TCP, as a resolver decides.
///
/// Call `stop` before the loop ends. Everything happens on the loop's thread.
package final class NameServer {
    /// Decides what is answered; its accounts tell what faults did.
    package private(set) var resolver: Resolver
    private let upstream: SocketAddress?
    private let takesConnections: Bool
    private let tools: ForwardedQuery.Tools
    private var listeners: [NameListener] = []
    private var connections: [Int: QueryConnection] = [:]
    private var forwarded: [Int: ForwardedQuery] = [:]
    private var nextNumber = 0
    private var delayed = 0
    private var sweeping = TimerQueue.Token.none
    private var isStopped = false
    /// Called for each query, once it is decided what its answer is.
    package var onReport: (QueryReport, _ client: SocketAddress?) -> Void = { _, _ in }
    /// Answers that were lost because too many waited.
    package private(set) var lostAnswers = 0

    private static let bufferBytes = 65_536
    private static let sweepInterval = Duration.seconds(1)

    /// - Parameters:
    ///   - loop: where everything happens.
    ///   - settings: of the resolver.
    ///   - upstream: who is asked for other names; nil if they are refused.
    ///   - takesConnections: whether TCP works; else whoever connects is refused.
    /// - Throws: what the system says when it has no descriptor left.
    package init(
        loop: EventLoop,
        settings: Resolver.Settings,
        upstream: SocketAddress? = nil,
        takesConnections: Bool = true
    ) throws(SystemError) {
        var settings = settings
        settings.forwards = upstream != nil
        resolver = Resolver(settings)
        self.upstream = upstream
        self.takesConnections = takesConnections
        tools = ForwardedQuery.Tools(
            loop: loop,
            timers: try TimerQueue(loop: loop),
            batch: DatagramBatch(),
            buffer: TransferBuffer(capacity: Self.bufferBytes)
        )
        sweepLater()
    }

    /// Takes queries at a further address.
    ///
    /// - Parameter address: port 0 takes one that is free for UDP and TCP.
    /// - Returns: where it listens.
    /// - Throws: what the system says, such as "address already in use", with a remedy.
    package func listen(on address: SocketAddress) throws(ListenFailure) -> SocketAddress {
        do throws(SystemError) {
            return try open(address)
        } catch {
            throw ListenFailure(
                address,
                error,
                advice: "; choose another port, or port 0 for a free one"
            )
        }
    }

    /// Takes queries where the resolvers of programs ask: port 53 of the first loopback address where it
    /// is free, since the system and other runs may have some.
    ///
    /// - Returns: where it listens.
    /// - Throws: what the system says, with a remedy.
    package func listenForResolvers() throws(ListenFailure) -> SocketAddress {
        var last = SocketAddress.loopback(port: PrivateResolver.port)
        for end in UInt32(1)...Self.resolverAddresses {
            last = .ipv4(0x7F00_0000 + end, port: PrivateResolver.port)
            do throws(SystemError) {
                return try open(last)
            } catch {
                guard error != .addressInUse else { continue }
                throw ListenFailure(last, error, advice: "")
            }
        }
        throw ListenFailure(last, .addressInUse, advice: "; end the server that is there")
    }

    /// From 127.0.0.1 on.
    private static let resolverAddresses: UInt32 = 250

    private func open(_ address: SocketAddress) throws(SystemError) -> SocketAddress {
        // Each query would come back, and be passed on again.
        guard address != upstream else { throw .addressInUse }
        let listener = try NameListener(
            on: address,
            takesConnections: takesConnections,
            loop: tools.loop,
            batch: tools.batch
        )
        listener.onDatagram = { [weak self, weak listener] bytes, client in
            guard let self, let listener else { return }
            take(bytes, .udp, from: client.address) { [weak listener] delivery in
                if case .bytes(let answer) = delivery { listener?.send(answer, to: client) }
            }
        }
        listener.onConnection = { [weak self] in self?.begin($0) }
        try listener.start()
        listeners.append(listener)
        return listener.address ?? address
    }

    /// Closes everything; what waits is forgotten.
    package func stop() {
        isStopped = true
        for listener in listeners { listener.close() }
        for query in forwarded.values { query.close() }
        for connection in connections.values { connection.close() }
        listeners = []
        forwarded = [:]
        tools.timers.close()
    }

    // MARK: Queries

    private func take(
        _ bytes: [UInt8],
        _ transport: QueryTransport,
        from client: SocketAddress?,
        deliver: @escaping (QueryReply.Delivery) -> Void
    ) {
        switch resolver.take(bytes, over: transport) {
        case .ignore: deliver(.silence)
        case .reply(let reply): send(reply, from: client, deliver)
        case .forward(let query): forward(query, from: client, deliver)
        }
    }

    private func forward(
        _ query: WaitingQuery,
        from client: SocketAddress?,
        _ deliver: @escaping (QueryReply.Delivery) -> Void
    ) {
        guard let upstream, forwarded.count < NameServerLimits.forwardedQueries else {
            return send(resolver.finish(query, with: nil), from: client, deliver)
        }
        nextNumber += 1
        let number = nextNumber
        let asked = ForwardedQuery(query, tools) { [weak self] answer in
            guard let self else { return }
            forwarded[number] = nil
            send(resolver.finish(query, with: answer), from: client, deliver)
        }
        forwarded[number] = asked
        asked.ask(upstream)
    }

    private func send(
        _ reply: QueryReply,
        from client: SocketAddress?,
        _ deliver: @escaping (QueryReply.Delivery) -> Void
    ) {
        onReport(reply.report, client)
        guard reply.delay > .zero else { return deliver(reply.delivery) }
        guard delayed < NameServerLimits.delayedAnswers else {
            lostAnswers += 1
            return deliver(.silence)
        }
        delayed += 1
        _ = tools.timers.set(after: reply.delay) { [weak self] in
            self?.delayed -= 1
            deliver(reply.delivery)
        }
    }

    // MARK: Connections

    private func begin(_ socket: consuming Socket) {
        if connections.count >= NameServerLimits.connections { closeIdlest() }
        nextNumber += 1
        let stream = MessageStream(socket, loop: tools.loop, buffer: tools.buffer)
        let connection = QueryConnection(stream, number: nextNumber, loop: tools.loop)
        connections[connection.number] = connection
        connection.onClose = { [weak self] in self?.connections[$0.number] = nil }
        stream.onEnd = { [weak connection] in connection?.closeIfDone() }
        stream.onMessage = { [weak self, weak connection] bytes in
            guard let self, let connection else { return }
            connection.await()
            take(bytes, .tcp, from: connection.peer) { connection.deliver($0) }
        }
        do throws(SystemError) {
            try stream.start()
        } catch {
            connection.close()
        }
    }

    private func closeIdlest() {
        let idlest = connections.values.min {
            ($0.lastUse, $0.number) < ($1.lastUse, $1.number)
        }
        idlest?.close()
    }

    private func sweepLater() {
        sweeping = tools.timers.set(after: Self.sweepInterval) { [weak self] in
            guard let self, !isStopped else { return }
            let now = tools.loop.now
            for connection in connections.values
            where now - connection.lastUse >= NameServerLimits.idleTime {
                connection.close()
            }
            sweepLater()
        }
    }
}
