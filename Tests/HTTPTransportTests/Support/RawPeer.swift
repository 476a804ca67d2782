import Libuv

/// The other end of a connection, which does with bytes what it likes.
final class RawPeer: ReadinessHandler {
    private unowned let loop: EventLoop
    private var socket: Socket
    private var token = WatchToken.none
    private let buffer = TransferBuffer(capacity: 65_536)
    private var outgoing: [UInt8] = []
    private var sent = 0
    private(set) var received: [UInt8] = []
    private(set) var hasEnded = false
    private(set) var failure: SystemError?
    /// While true it reads nothing.
    var isPaused = false { didSet { work() } }
    /// Closes when the server has ended its side.
    var closesAtEnd = false
    /// Sends its bytes one by one, each in a turn of the loop.
    var sendsSingly = false

    init(loop: EventLoop, socket: consuming Socket) throws {
        self.loop = loop
        self.socket = socket
        token = try loop.watch(self.socket, handler: self)
    }

    static func connect(to address: SocketAddress, on loop: EventLoop) throws -> RawPeer {
        let socket = try Socket(like: address)
        _ = try socket.connect(to: address)
        return try RawPeer(loop: loop, socket: socket)
    }

    var text: String { String(decoding: received, as: UTF8.self) }
    var isOver: Bool { hasEnded || failure != nil }
    var unsentBytes: Int { outgoing.count - sent }
    var unacknowledgedBytes: Int { socket.unacknowledgedBytes }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        outgoing += bytes
        work()
    }

    func clear() { received = [] }

    /// Reads once while it is paused.
    func read(atMost count: Int) {
        let limit = min(count, buffer.capacity)
        guard case .moved(let moved) = socket.receive(into: buffer, limit: limit) else { return }
        received += buffer.bytes(0..<moved)
    }

    func finish() { socket.shutdownWriting() }

    func close() {
        loop.unwatch(token)
        socket.close()
    }

    func reset() {
        loop.unwatch(token)
        socket.reset()
    }

    func ready(_ readiness: Readiness, tag: UInt32) { work() }

    private func work() {
        while socket.isOpen, sent < outgoing.count, failure == nil {
            let piece = sendsSingly ? [outgoing[sent]] : Array(outgoing[sent...].prefix(65_536))
            guard case .moved(let count) = socket.send(piece, from: 0) else { break }
            sent += count
            if sendsSingly, sent < outgoing.count {
                loop.runLater(self)
                break
            }
        }
        while socket.isOpen, !isPaused, !isOver {
            switch socket.receive(into: buffer, limit: buffer.capacity) {
            case .moved(let count): received += buffer.bytes(0..<count)
            case .wouldBlock: return
            case .ended:
                hasEnded = true
                if closesAtEnd { close() }
            case .failed(let error): failure = error
            }
        }
    }
}
