internal import SystemIO

/// A connection to one address that is under way.
final class ConnectAttempt: ReadinessHandler {
    private let address: SocketAddress
    private let loop: EventLoop
    private var socket: Socket
    private var token = WatchToken.none
    /// So that what was written is soon on its way, and a cut loses little of it.
    private static let unsentBytes = 131_072

    /// Gets nil for a connection that is made.
    private let ended: (ConnectAttempt, SystemError?) -> Void

    init(
        _ address: SocketAddress,
        loop: EventLoop,
        ended: @escaping (ConnectAttempt, SystemError?) -> Void
    ) throws(SystemError) {
        self.address = address
        self.loop = loop
        self.ended = ended
        socket = try Socket(like: address)
    }

    var isOpen: Bool { socket.isOpen }

    /// Begins; the end is always reported on the loop.
    func start() throws(SystemError) {
        do throws(SystemError) {
            _ = try socket.connect(to: address)
            token = try loop.watch(socket, handler: self)
        } catch {
            socket.close()
            throw error
        }
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        guard socket.isOpen, readiness.isWritable || readiness.isFailure else { return }
        ended(self, socket.takeError())
    }

    /// Hands the connection over.
    func takeStream(tls: TLSSession?, buffers: StreamBuffers) -> ByteStream {
        var taken = Socket()
        swap(&taken, &socket)
        taken.limitUnsent(to: Self.unsentBytes)
        let watched = token
        token = .none
        return ByteStream(taken, watched: watched, tls: tls, loop: loop, buffers: buffers)
    }

    func close() {
        loop.unwatch(token)
        token = .none
        socket.close()
    }
}
