internal import Basics
internal import SystemIO

/// What receives the clients of a listener.
protocol ListenerTarget: AnyObject {
    func received(_ client: consuming Socket, on route: Int)
    func acceptFailed(_ error: SystemError)
}

/// A listening socket of a route; accepts unless it is paused.
///
/// Only the owner of a Unix socket's file may connect to it.
final class Listener: ReadinessHandler {
    private unowned let target: any ListenerTarget
    private let loop: EventLoop
    private let route: Int
    private var socket: ListeningSocket
    private var token = WatchToken.none
    /// Where it listens, with the port that was found.
    let address: SocketAddress
    /// Ours to remove; nil if there is none, or if it is the service manager's.
    private var file: SocketFile.Made?
    private var isSuspended = false
    private var bounds: SocketBounds?
    private let servesBothFamilies: Bool
    /// Listens at the same port in the other family.
    private let twin: Listener?

    /// How many connections the latest turn tried to accept.
    private var burst = 1
    private var loopTurn: UInt64 = 0

    /// After that many the open connections have their turn.
    private static let acceptsPerTurn = 64

    /// Binds an address.
    init(
        at address: SocketAddress,
        on loop: EventLoop,
        route: Int,
        target: any ListenerTarget
    ) throws(SystemError) {
        self.target = target
        self.loop = loop
        self.route = route
        socket = try ListeningSocket(on: address, isPrivate: true)
        self.address = socket.address ?? address
        file = socket.file
        servesBothFamilies = false
        twin = nil
    }

    /// Adopts a socket that is bound already, with its twin.
    init(
        _ bound: BoundListener,
        on loop: EventLoop,
        route: Int,
        target: any ListenerTarget
    ) throws(SystemError) {
        guard let socket = bound.takeSocket() else { throw .invalidArgument }
        servesBothFamilies = bound.servesBothFamilies
        twin = try bound.twin.map { twin throws(SystemError) in
            try Listener(twin, on: loop, route: route, target: target)
        }
        self.target = target
        self.loop = loop
        self.route = route
        file = socket.file
        self.socket = socket
        address = bound.address
    }

    /// Adopts a socket that the service manager made, and keeps its file.
    init(
        inherited descriptor: Int32,
        on loop: EventLoop,
        route: Int,
        target: any ListenerTarget
    ) throws(SystemError) {
        self.target = target
        self.loop = loop
        self.route = route
        let inherited = try ListeningSocket(inherited: descriptor)
        guard let address = inherited.address else { throw .invalidArgument }
        socket = inherited
        self.address = address
        servesBothFamilies = false
        twin = nil
    }

    /// Bounds what the kernels keep of clients that connect from now on.
    func bound(by bounds: SocketBounds) {
        twin?.bound(by: bounds)
        self.bounds = bounds
        guard socket.isOpen else { return }
        socket.limitReceived(to: bounds.first(.up), segment: SocketBounds.segment)
    }

    /// Begins to accept, or continues after a pause.
    func resume() throws(SystemError) {
        try twin?.resume()
        guard token == .none, socket.isOpen else { return }
        token = try socket.watch(on: loop, handler: self)
    }

    /// Leaves further connections in the kernel's backlog.
    func pause() {
        twin?.pause()
        guard token != .none else { return }
        socket.unwatch(token, on: loop)
        token = .none
    }

    /// Stops listening for a time, so that connecting is refused.
    func suspend() {
        twin?.suspend()
        pause()
        isSuspended = true
        socket.close()
    }

    /// Listens again at the same place.
    func reopen() throws(SystemError) {
        guard isSuspended else { return }
        try twin?.reopen()
        file?.remove()
        socket = try ListeningSocket(
            on: address,
            isPrivate: true,
            servesBothFamilies: servesBothFamilies
        )
        file = socket.file
        isSuspended = false
        if let bounds { bound(by: bounds) }
        try resume()
    }

    func close() {
        twin?.close()
        pause()
        socket.close()
        file?.remove()
        file = nil
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        // An accept that finds nothing costs as much as one that does. So try once, and more often
        // only if the listener is ready turn after turn.
        let isBusy = loopTurn &+ 1 == loop.turnCount
        burst = isBusy ? min(burst * 2, Self.acceptsPerTurn) : 1
        loopTurn = loop.turnCount
        for _ in 0..<burst where token != .none {
            do throws(SystemError) {
                let client = try socket.accept()
                guard client.isOpen else {
                    burst = 1
                    return
                }
                target.received(client, on: route)
            } catch {
                target.acceptFailed(error)
                return
            }
        }
    }
}
