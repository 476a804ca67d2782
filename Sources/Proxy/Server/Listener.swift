internal import Libuv

/// A listening socket; accepts while its server has room.
final class Listener: ReadinessHandler {
    private unowned let host: ProxyServer
    private let route: Int
    private var socket: ListeningSocket
    private var token = WatchToken.none
    /// Where it listens, with the port that was found.
    let address: SocketAddress
    /// Ours to remove; nil if there is none, or if it is the service manager's.
    private var file: SocketFile.Made?
    private var isSuspended = false

    /// How many connections the latest turn tried to take.
    private var burst = 1
    private var loopTurn: UInt64 = 0

    /// So many, then the open connections have their turn.
    private static let acceptsPerTurn = 64

    init(host: ProxyServer, route: Int, on address: SocketAddress) throws(SystemError) {
        self.host = host
        self.route = route
        socket = try ListeningSocket(on: address)
        self.address = socket.address ?? address
        file = socket.file
    }

    /// Takes over a socket that is bound already.
    init(host: ProxyServer, route: Int, bound: BoundListener) throws(SystemError) {
        guard let socket = bound.take() else { throw .invalidArgument }
        self.host = host
        self.route = route
        file = socket.file
        self.socket = socket
        address = bound.address
    }

    /// Takes over a socket that the service manager made, and its file stays.
    init(host: ProxyServer, route: Int, inherited descriptor: Int32) throws(SystemError) {
        self.host = host
        self.route = route
        let inherited = try ListeningSocket(inherited: descriptor)
        guard let address = inherited.address else { throw .invalidArgument }
        socket = inherited
        self.address = address
    }

    /// Begins or goes on to accept.
    func resume() throws(SystemError) {
        guard token == .none, socket.isOpen else { return }
        token = try socket.watch(on: host.loop, handler: self)
    }

    /// Leaves further connections in the kernel's backlog.
    func pause() {
        guard token != .none else { return }
        socket.unwatch(token, on: host.loop)
        token = .none
    }

    /// Stops listening for a time, so that connecting is refused.
    func suspend() {
        pause()
        isSuspended = true
        socket.close()
    }

    /// Listens again at the same place.
    func reopen() throws(SystemError) {
        guard isSuspended else { return }
        file?.remove()
        socket = try ListeningSocket(on: address)
        file = socket.file
        isSuspended = false
        try resume()
    }

    func close() {
        pause()
        socket.close()
        file?.remove()
        file = nil
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        // An accept that finds nothing costs as much as one that does. So try once, and more often
        // only if the listener is ready turn after turn.
        let isBusy = loopTurn &+ 1 == host.loop.turnCount
        burst = isBusy ? min(burst * 2, Self.acceptsPerTurn) : 1
        loopTurn = host.loop.turnCount
        for _ in 0..<burst where token != .none {
            do throws(SystemError) {
                let client = try socket.accept()
                guard client.isOpen else {
                    burst = 1
                    return
                }
                host.accept(client, on: route)
            } catch {
                host.acceptFailed(error)
                return
            }
        }
    }
}
