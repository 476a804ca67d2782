internal import SystemIO

/// One side of a connection, as the self-test needs it: bytes both ways.
final class ByteChannel: ReadinessHandler {
    private var socket: Socket
    private let loop: EventLoop
    private var token = WatchToken.none
    private var unsent: [UInt8] = []
    private let buffer = TransferBuffer(capacity: 16_384)
    /// Called with what has come.
    var onBytes: ([UInt8]) -> Void = { _ in }
    /// Called once when the peer has ended, in whatever way.
    var onEnd: () -> Void = {}

    init(_ socket: consuming Socket, loop: EventLoop) throws(SystemError) {
        self.socket = socket
        self.loop = loop
        token = try loop.watch(self.socket, handler: self)
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        flush()
        if readiness.isReadable { read() }
    }

    func send(_ bytes: [UInt8]) {
        unsent += bytes
        flush()
    }

    func close() {
        guard socket.isOpen else { return }
        (onBytes, onEnd) = ({ _ in }, {})
        loop.unwatch(token)
        socket.close()
    }

    private func flush() {
        while socket.isOpen, !unsent.isEmpty {
            let part = Array(unsent.prefix(buffer.capacity))
            buffer.store(part, at: 0)
            guard case .moved(let count) = socket.send(buffer, from: 0, count: part.count) else {
                return
            }
            unsent.removeFirst(count)
        }
    }

    private func read() {
        while socket.isOpen {
            switch socket.receive(into: buffer, limit: buffer.capacity) {
            case .moved(let count): onBytes(buffer.bytes(0..<count))
            case .wouldBlock: return
            case .ended, .failed:
                let onEnd = onEnd
                close()
                return onEnd()
            }
        }
    }
}
