package import SystemIO

/// The other end of a connection, which does with bytes what it likes.
package final class RawPeer: ReadinessHandler {
    private unowned let loop: EventLoop
    private var socket: Socket
    private var token = WatchToken.none
    private let buffer = TransferBuffer(capacity: 65_536)
    private var outgoing: [UInt8] = []
    private var sent = 0
    private var finishesAfterwards = false
    /// The system reports a reset once: to a write, and a read then sees an end.
    private var wasResetWhileWriting = false
    package private(set) var received: [UInt8] = []
    package private(set) var hasEnded = false
    package private(set) var failure: SystemError?
    /// Called for each piece that came.
    package var onReceive: ((RawPeer) -> Void)?
    /// Called when the other side has ended the connection normally.
    package var onEnd: ((RawPeer) -> Void)?
    /// While true it reads nothing.
    package var isPaused = false { didSet { work() } }
    /// Closes when the server has ended its side.
    package var closesAtEnd = false
    /// Sends its bytes one by one, each in a turn of the loop.
    package var sendsSingly = false

    package init(loop: EventLoop, socket: consuming Socket) throws {
        self.loop = loop
        self.socket = socket
        token = try loop.watch(self.socket, handler: self)
    }

    package static func connect(to address: SocketAddress, on loop: EventLoop) throws -> RawPeer {
        let socket = try Socket(like: address)
        _ = try socket.connect(to: address)
        return try RawPeer(loop: loop, socket: socket)
    }

    package var text: String { String(decoding: received, as: UTF8.self) }
    package var isOver: Bool { hasEnded || failure != nil }
    package var unsentBytes: Int { outgoing.count - sent }
    package var unacknowledgedBytes: Int { socket.unacknowledgedBytes }

    package func send(_ text: String) { send(Array(text.utf8)) }

    package func send(_ bytes: [UInt8]) {
        outgoing += bytes
        work()
    }

    package func clear() { received = [] }

    /// Reads once while it is paused.
    package func read(atMost count: Int) {
        let limit = min(count, buffer.capacity)
        guard case .moved(let moved) = socket.receive(into: buffer, limit: limit) else { return }
        received += buffer.bytes(0..<moved)
    }

    /// Ends our side now.
    package func finish() { socket.shutdownWriting() }

    /// Ends our side after the last byte.
    package func finishAfterwards() {
        finishesAfterwards = true
        work()
    }

    package func close() {
        loop.unwatch(token)
        socket.close()
    }

    package func reset() {
        loop.unwatch(token)
        socket.reset()
    }

    package func ready(_ readiness: Readiness, tag: UInt32) { work() }

    private func work() {
        while socket.isOpen, sent < outgoing.count, failure == nil, write() {}
        if socket.isOpen, finishesAfterwards, sent == outgoing.count {
            finishesAfterwards = false
            socket.shutdownWriting()
        }
        while socket.isOpen, !isPaused, !isOver, read() {}
    }

    /// Whether there may be more to write now.
    private func write() -> Bool {
        let piece = sendsSingly ? [outgoing[sent]] : Array(outgoing[sent...].prefix(65_536))
        switch socket.send(piece, from: 0) {
        case .moved(let count):
            sent += count
            guard sendsSingly, sent < outgoing.count else { return true }
            loop.runLater(self)
        case .failed(.connectionReset): wasResetWhileWriting = true
        case .wouldBlock, .ended, .failed: break
        }
        return false
    }

    /// Whether there may be more to read now.
    private func read() -> Bool {
        switch socket.receive(into: buffer, limit: buffer.capacity) {
        case .moved(let count):
            received += buffer.bytes(0..<count)
            onReceive?(self)
            return true
        case .wouldBlock: return false
        case .ended where !wasResetWhileWriting:
            hasEnded = true
            onEnd?(self)
            if closesAtEnd { close() }
        case .ended: failure = .connectionReset
        case .failed(let error): failure = error
        }
        return false
    }
}
