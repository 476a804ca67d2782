package import SystemIO

/// Sends requests over connections, which are kept for further requests: of HTTP/1.1, and where the
/// settings and the server allow it, of HTTP/2.
///
/// It repeats nothing and follows nothing: whoever uses it decides what a failure means. Call `close`
/// before the loop ends. Everything happens on the loop's thread.
package final class HTTPClient {
    package let loop: EventLoop
    package let settings: HTTPClientSettings
    let alarms: TimerQueue
    let buffers = StreamBuffers()
    private var defaultTLS: TLSContext?
    private var idle: [ClientEndpoint: [ClientConnection]] = [:]
    private var addresses: [ClientEndpoint: [SocketAddress]] = [:]
    /// Connections of HTTP/2, each for several requests.
    private var streams: [ClientEndpoint: [ClientStreams]] = [:]
    /// Where a connection is being made that may turn out to be for several requests: for whom, and who
    /// waits for it.
    private var waiting: [ClientEndpoint: (first: ClientExchange, others: [ClientExchange])] = [:]
    /// Servers that do not speak HTTP/2.
    private var withoutHTTP2: Set<ClientEndpoint> = []
    /// Exchanges under way; they live without anybody who holds them.
    private var exchanges: [ObjectIdentifier: ClientExchange] = [:]
    private var connections: [ObjectIdentifier: ClientConnection] = [:]
    /// Connections that were made.
    package private(set) var connectionCount = 0

    package init(
        loop: EventLoop,
        settings: HTTPClientSettings = HTTPClientSettings()
    ) throws(SystemError) {
        self.loop = loop
        self.settings = settings
        alarms = try TimerQueue(loop: loop)
    }

    /// Begins a request; it goes out once the loop runs.
    ///
    /// - Parameter request: what to send, and where.
    /// - Returns: the exchange, whose closures are still to be set.
    package func start(_ request: ClientRequest) -> ClientExchange {
        let exchange = ClientExchange(request, client: self)
        exchanges[ObjectIdentifier(exchange)] = exchange
        later { [self] in
            guard !exchange.isOver else { return }
            begin(exchange)
        }
        return exchange
    }

    /// Closes what is kept, and aborts what is under way.
    package func close() {
        for exchange in Array(exchanges.values) { exchange.abort() }
        for connection in Array(connections.values) { connection.close() }
        for connection in Array(streams.values.joined()) { connection.close() }
        alarms.close()
    }

    /// Connections that wait for another request.
    package var idleConnections: Int {
        idle.values.reduce(0) { $0 + $1.count }
            + streams.values.joined().count { $0.isIdle }
    }

    /// Closes all connections that wait for another request, as after a change of network.
    package func closeIdle() {
        for connection in Array(idle.values.joined()) { connection.close() }
        for connection in Array(streams.values.joined()) { connection.retire() }
    }

    // MARK: Exchanges

    private func begin(_ exchange: ClientExchange) {
        let endpoint = exchange.request.endpoint
        if !withoutHTTP2.contains(endpoint),
            let shared = streams[endpoint]?.first(where: \.isUsable)
        {
            return shared.begin(exchange)
        }
        while let connection = idle[endpoint]?.popLast() {
            guard connection.isUsable else {
                connection.close()
                continue
            }
            return connection.begin(exchange)
        }
        let offersHTTP2 =
            settings.offersHTTP2 && endpoint.isSecure && !withoutHTTP2.contains(endpoint)
        if offersHTTP2 {
            guard waiting[endpoint] == nil else {
                waiting[endpoint]?.others.append(exchange)
                return
            }
            waiting[endpoint] = (exchange, [])
        }
        let connector = Connector(endpoint, client: self, offersHTTP2: offersHTTP2) {
            [weak self, weak exchange] result in
            guard let self, let exchange else { return }
            exchange.connector = nil
            let others = takeWaiting(for: exchange)
            switch result {
            case .success(let stream):
                use(stream, for: exchange)
                for other in others where !other.isOver { begin(other) }
            // What one has waited for in vain is not tried again for each of the others.
            case .failure(let failure):
                for each in [exchange] + others { each.fail(failure.reason) }
            }
        }
        exchange.connector = connector
        connector.start(knowing: addresses[endpoint])
    }

    private func use(_ stream: ByteStream, for exchange: ClientExchange) {
        connectionCount += 1
        let endpoint = exchange.request.endpoint
        if stream.chosenProtocol == "h2" { return share(stream, for: exchange) }
        if settings.offersHTTP2, endpoint.isSecure { avoidHTTP2(endpoint) }
        let connection = ClientConnection(stream, exchange.request.endpoint, client: self)
        connections[ObjectIdentifier(connection)] = connection
        do throws(SystemError) {
            try stream.watch(connection)
        } catch {
            connection.close()
            exchange.fail(.local(error))
            return
        }
        connection.begin(exchange)
    }

    /// Those that wait for the connection that is made for this one.
    private func takeWaiting(for exchange: ClientExchange) -> [ClientExchange] {
        let endpoint = exchange.request.endpoint
        guard waiting[endpoint]?.first === exchange else { return [] }
        return waiting.removeValue(forKey: endpoint)?.others ?? []
    }

    func ended(_ exchange: ClientExchange) {
        exchanges[ObjectIdentifier(exchange)] = nil
        if waiting[exchange.request.endpoint]?.first === exchange {
            later { [self] in
                for other in takeWaiting(for: exchange) where !other.isOver { begin(other) }
            }
        }
    }

    private func share(_ stream: ByteStream, for exchange: ClientExchange) {
        let shared = ClientStreams(stream, exchange.request.endpoint, client: self)
        streams[shared.endpoint, default: []].append(shared)
        do throws(SystemError) {
            try stream.watch(shared)
        } catch {
            shared.close()
            exchange.fail(.local(error))
            return
        }
        shared.begin(exchange)
    }

    /// Speaks HTTP/1.1 with a server from here on.
    func avoidHTTP2(_ endpoint: ClientEndpoint) {
        withoutHTTP2.insert(endpoint)
        for connection in streams[endpoint] ?? [] { connection.retire() }
    }

    func ended(_ shared: ClientStreams) {
        streams[shared.endpoint]?.removeAll { $0 === shared }
        if streams[shared.endpoint]?.isEmpty == true { streams[shared.endpoint] = nil }
    }

    // MARK: Connections

    /// Keeps a connection for another request; closes the oldest above the limit.
    func keep(_ connection: ClientConnection) {
        var kept = idle[connection.endpoint] ?? []
        kept.append(connection)
        let surplus = kept.prefix(max(0, kept.count - settings.idleConnections))
        kept.removeFirst(surplus.count)
        idle[connection.endpoint] = kept
        for connection in surplus { connection.close() }
    }

    func ended(_ connection: ClientConnection) {
        connections[ObjectIdentifier(connection)] = nil
        guard let index = idle[connection.endpoint]?.firstIndex(where: { $0 === connection })
        else {
            return
        }
        idle[connection.endpoint]?.remove(at: index)
        if idle[connection.endpoint]?.isEmpty == true { idle[connection.endpoint] = nil }
    }

    /// Remembers what a name meant, or forgets it.
    func remember(_ found: [SocketAddress]?, for endpoint: ClientEndpoint) {
        // Programs talk to few hosts; one that talks to very many looks names up anew.
        if addresses.count > 1_000 { addresses.removeAll() }
        addresses[endpoint] = found
    }

    /// The settings for https.
    func tlsContext() throws(TLSError) -> TLSContext {
        if let context = settings.tls ?? defaultTLS { return context }
        let context = try TLSContext.client()
        defaultTLS = context
        return context
    }

    /// Runs `action` on the loop once what is under way is done.
    func later(_ action: @escaping () -> Void) { loop.runLater(LaterAction(action)) }
}

/// Work for the next turn of the loop.
private final class LaterAction: ReadinessHandler {
    private let action: () -> Void

    init(_ action: @escaping () -> Void) { self.action = action }

    func ready(_ readiness: Readiness, tag: UInt32) { action() }
}
