package import Libuv

/// A small HTTP/1.1 server on loopback whose answers are known beforehand.
///
/// Memory is bounded: for each connection at most one request head, and for all together one buffer.
/// Everything happens on the thread of its loop. Call `stop` before the loop ends.
package final class OriginServer {
    let loop: EventLoop
    let buffer = TransferBuffer(capacity: 65_536)
    private var listener: ListeningSocket
    private var acceptor = WatchToken.none
    private lazy var acceptHandler = AcceptHandler(server: self)
    private var connections: [Int: OriginConnection] = [:]
    private var nextConnection = 0

    /// Where it listens.
    package let address: SocketAddress

    /// Listens on a free port of 127.0.0.1.
    package init(loop: EventLoop) throws(SystemError) {
        self.loop = loop
        listener = try ListeningSocket(on: .loopback(port: 0))
        guard let address = listener.address else { throw .invalidArgument }
        self.address = address
        try resumeAccepting()
    }

    package var openConnections: Int { connections.count }

    /// Closes the listener and all connections.
    package func stop() {
        pauseAccepting()
        listener.close()
        for key in connections.keys.sorted() { connections[key]?.close() }
    }

    func ended(_ connection: OriginConnection) {
        connections[connection.ordinal] = nil
        if listener.isOpen { try? resumeAccepting() }
    }

    private func resumeAccepting() throws(SystemError) {
        guard acceptor == .none else { return }
        acceptor = try listener.watch(on: loop, handler: acceptHandler)
    }

    private func pauseAccepting() {
        guard acceptor != .none else { return }
        listener.unwatch(acceptor, on: loop)
        acceptor = .none
    }

    /// Takes what waits; out of descriptors, the rest stays until a connection ends.
    fileprivate func accept() {
        for _ in 0..<64 where acceptor != .none {
            do throws(SystemError) {
                let socket = try listener.accept()
                guard socket.isOpen else { return }
                try begin(socket)
            } catch {
                pauseAccepting()
                return
            }
        }
    }

    private func begin(_ socket: consuming Socket) throws(SystemError) {
        let connection = OriginConnection(server: self, ordinal: nextConnection, socket: socket)
        nextConnection += 1
        connections[connection.ordinal] = connection
        try connection.start()
    }
}

/// Hears of the listening socket without keeping its server alive.
private final class AcceptHandler: ReadinessHandler {
    private weak var server: OriginServer?

    init(server: OriginServer) { self.server = server }

    func ready(_ readiness: Readiness, tag: UInt32) { server?.accept() }
}
