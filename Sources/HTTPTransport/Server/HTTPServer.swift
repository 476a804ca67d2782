internal import Basics
internal import HTTPWire
package import SystemIO

/// An HTTP server on a loop: listeners, their connections, and the exchanges on them.
///
/// Call `stop` before the loop ends. Everything happens on the loop's thread.
package final class HTTPServer {
    let loop: EventLoop
    let alarms: TimerQueue
    let buffers = StreamBuffers()
    package let limits: HTTPServerLimits
    private let onRequest: (ServerExchange) -> Void
    private var listeners: [Listener] = []
    private var connections: [Int: ServerConnection] = [:]
    private var dates = DateField()
    private var retry: TimeLimit?
    private(set) var isFinishing = false
    private var onFinished: (() -> Void)?

    /// Called for each exchange that is over, in the order in which they end.
    package var onReport: ((ExchangeReport) -> Void)?
    /// Whether responses get a `Date` (RFC 9110 §6.6.1); without one, equal exchanges are equal
    /// bytes.
    package var sendsDate = true
    /// Whether clients may speak HTTP/2: those that choose it by TLS, or that begin with it; the others
    /// speak HTTP/1.1.
    package var takesHTTP2 = false
    package private(set) var statistics = HTTPServerStatistics()

    /// Makes a server without listeners.
    ///
    /// - Parameters:
    ///   - loop: where everything happens.
    ///   - limits: what it takes at most.
    ///   - onRequest: gets each exchange once its head is complete. It answers now or later.
    /// - Throws: what the system says when it has no descriptor left.
    package init(
        loop: EventLoop,
        limits: HTTPServerLimits = HTTPServerLimits(),
        onRequest: @escaping (ServerExchange) -> Void
    ) throws(SystemError) {
        self.loop = loop
        self.limits = limits
        self.onRequest = onRequest
        alarms = try TimerQueue(loop: loop)
        retry = TimeLimit(loop: loop, alarms: alarms) { [weak self] in self?.resumeAccepting() }
    }

    package var openConnections: Int { connections.count }

    /// Listens on a further address.
    ///
    /// - Parameters:
    ///   - address: port 0 takes a free one.
    ///   - isPrivate: whether only the owner of a Unix socket's file may connect.
    ///   - tls: for https.
    /// - Returns: where it listens, with the port that was found.
    /// - Throws: what the system says, such as "address already in use".
    @discardableResult
    package func listen(
        on address: SocketAddress,
        isPrivate: Bool = false,
        tls: TLSContext? = nil
    ) throws(SystemError) -> SocketAddress {
        try listen(on: try ListeningSocket(on: address, isPrivate: isPrivate), tls: tls) ?? address
    }

    /// Listens on a socket that listens already, such as one from a service manager.
    ///
    /// - Parameters:
    ///   - socket: belongs to the server from here on.
    ///   - tls: for https.
    /// - Returns: where it listens, if that is known.
    /// - Throws: what the system says.
    @discardableResult
    package func listen(
        on socket: consuming ListeningSocket,
        tls: TLSContext? = nil
    ) throws(SystemError) -> SocketAddress? {
        let listener = Listener(socket, tls: tls, server: self)
        try listener.resume()
        listeners.append(listener)
        return listener.address
    }

    /// Closes all listeners and, with a reset where an exchange is under way, all connections.
    package func stop() {
        closeListeners()
        dropConnections()
        retry = nil
        alarms.close()
        onFinished = nil
    }

    /// Ends all connections, with a reset where an exchange is under way, and goes on listening.
    package func dropConnections() {
        for ordinal in connections.keys.sorted() {
            guard let connection = connections[ordinal] else { continue }
            if !connection.isServing {
                connection.close()
            } else {
                connection.abort(.serverStopped)
            }
        }
    }

    /// Takes no more connections and requests, and lets the exchanges under way end in order.
    ///
    /// - Parameter done: called once no connection is left; `stop` is still to be called.
    package func finish(then done: @escaping () -> Void) {
        isFinishing = true
        onFinished = done
        closeListeners()
        for ordinal in connections.keys.sorted() {
            guard let connection = connections[ordinal] else { continue }
            guard connection.idleSince == nil else {
                connection.close()
                continue
            }
            connection.finishUpgraded()
            connection.wake()
        }
        if connections.isEmpty { takeFinished()?() }
    }

    private func takeFinished() -> (() -> Void)? {
        defer { onFinished = nil }
        return onFinished
    }

    private func closeListeners() {
        for listener in listeners { listener.close() }
        listeners = []
    }

    /// Whether everything is read that has come on the connection of a client; nil if it has none.
    package func hasReadAll(from client: SocketAddress) -> Bool? {
        connections.values.first { $0.peer == client }?.hasReadAll
    }

    // MARK: For connections

    func handle(_ exchange: ServerExchange) {
        statistics.requests += 1
        onRequest(exchange)
    }

    func report(_ report: ExchangeReport) {
        if report.ending == .refused { statistics.refusedHeads += 1 }
        onReport?(report)
    }

    func ended(_ connection: ServerConnection) {
        connections[connection.ordinal] = nil
        resumeAccepting()
        if connections.isEmpty, isFinishing { takeFinished()?() }
    }

    func addDate(to fields: inout HeaderFields) {
        guard sendsDate, !fields.contains("Date") else { return }
        fields.add("Date", dates.value(secondsSince1970: WallClock.secondsSince1970))
    }

    // MARK: Accepting

    /// Takes what waits at `listener`, some at a time.
    fileprivate func accept(from listener: Listener) {
        for _ in 0..<64 {
            guard hasRoom() else { return pauseAccepting() }
            do throws(SystemError) {
                let socket = try listener.accept()
                guard socket.isOpen else { return }
                try begin(socket, listener.tls)
            } catch {
                // The connection that could not be accepted stays in the backlog.
                statistics.exhaustions += 1
                pauseAccepting()
                retry?.set(after: .milliseconds(100))
                return
            }
        }
    }

    private func begin(_ socket: consuming Socket, _ tls: TLSContext?) throws(SystemError) {
        statistics.connections += 1
        var session: TLSSession?
        if let tls {
            // It throws for names of hosts only, and there is none here.
            let protocols = takesHTTP2 ? ["h2", "http/1.1"] : nil
            guard let made = try? TLSSession(tls, protocols: protocols) else { return }
            session = made
        }
        let stream = ByteStream(socket, tls: session, loop: loop, buffers: buffers)
        let connection = ServerConnection(
            server: self,
            ordinal: statistics.connections,
            stream: stream
        )
        connections[connection.ordinal] = connection
        do throws(SystemError) {
            try connection.start()
        } catch {
            connection.close()
            throw error
        }
    }

    /// Whether one more connection is allowed; those that wait longest for a request make room.
    private func hasRoom() -> Bool {
        guard connections.count >= limits.openConnections else { return true }
        statistics.limitReached += 1
        if limits.unservedMakeRoom { return closeUnserved() }
        let idle = connections.values.filter { $0.idleSince != nil }
            .sorted { ($0.idleSince ?? .start, $0.ordinal) < ($1.idleSince ?? .start, $1.ordinal) }
        // An eighth at once, since looking for them costs a look at all.
        for connection in idle.prefix(max(1, limits.openConnections / 8)) {
            statistics.idleClosed += 1
            connection.close()
        }
        return connections.count < limits.openConnections
    }

    /// Makes room at the cost of connections without an exchange, the oldest first; those that have
    /// only just come may still be read.
    private func closeUnserved() -> Bool {
        let now = loop.now
        let unserved = connections.keys.sorted().compactMap { connections[$0] }.filter {
            !$0.isServing && now - $0.acceptedAt >= Self.grace
        }
        for connection in unserved.prefix(max(1, limits.openConnections / 8)) {
            statistics.unservedClosed += 1
            connection.close()
        }
        let hasRoom = connections.count < limits.openConnections
        if !hasRoom { retry?.set(after: .milliseconds(20)) }
        return hasRoom
    }

    private static let grace = Duration.milliseconds(20)

    private func pauseAccepting() { for listener in listeners { listener.pause() } }

    private func resumeAccepting() {
        for listener in listeners { try? listener.resume() }
    }
}

/// What a server has counted since it began.
package struct HTTPServerStatistics: Hashable, Sendable {
    /// Accepted.
    package internal(set) var connections = 0
    /// With a whole head.
    package internal(set) var requests = 0
    /// Heads that were answered by the server itself.
    package internal(set) var refusedHeads = 0
    /// Times that the process or the system had no descriptor left for a connection.
    package internal(set) var exhaustions = 0
    /// Times that a connection came when as many as allowed were open.
    package internal(set) var limitReached = 0
    /// Connections closed while they waited for a request, to make room for others.
    package internal(set) var idleClosed = 0
    /// Connections closed within a head or behind an answer, to make room for others.
    package internal(set) var unservedClosed = 0
}

/// A listening socket; hears of connections without keeping its server alive.
private final class Listener: ReadinessHandler {
    let address: SocketAddress?
    let tls: TLSContext?
    private weak var server: HTTPServer?
    private let loop: EventLoop
    private var socket: ListeningSocket
    private let file: SocketFile.Made?
    private var token = WatchToken.none

    init(_ socket: consuming ListeningSocket, tls: TLSContext?, server: HTTPServer) {
        address = socket.address
        file = socket.file
        self.socket = socket
        self.tls = tls
        self.server = server
        loop = server.loop
    }

    func resume() throws(SystemError) {
        guard token == .none, socket.isOpen else { return }
        token = try socket.watch(on: loop, handler: self)
    }

    func pause() {
        guard token != .none else { return }
        socket.unwatch(token, on: loop)
        token = .none
    }

    func accept() throws(SystemError) -> Socket { try socket.accept() }

    func close() {
        pause()
        socket.close()
        file?.remove()
    }

    func ready(_ readiness: Readiness, tag: UInt32) { server?.accept(from: self) }
}
