internal import DNS
internal import SystemIO

/// Messages over a connection, each with its length in two bytes before it (RFC 1035 §4.2.2).
final class MessageStream: ReadinessHandler {
    private let loop: EventLoop
    private let buffer: TransferBuffer
    private var socket: Socket
    private var token = WatchToken.none
    private var received: [UInt8] = []
    private var outgoing: [UInt8] = []
    private var sent = 0
    /// Called for each message.
    var onMessage: ([UInt8]) -> Void = { _ in }
    /// Called once when no more messages come.
    var onEnd: () -> Void = {}
    /// Whether the peer has sent its last byte, or the connection has failed.
    private(set) var hasEnded = false

    init(_ socket: consuming Socket, loop: EventLoop, buffer: TransferBuffer) {
        self.socket = socket
        self.loop = loop
        self.buffer = buffer
    }

    func start() throws(SystemError) { token = try loop.watch(socket, handler: self) }

    var isOpen: Bool { socket.isOpen }
    var peerAddress: SocketAddress? { socket.peerAddress }
    var hasSentAll: Bool { sent == outgoing.count }

    /// Sends a message, now or when the peer reads again.
    func send(_ message: [UInt8]) {
        guard isOpen else { return }
        guard outgoing.count - sent + message.count <= NameServerLimits.waitingBytes else {
            return end()
        }
        outgoing += [UInt8(message.count >> 8), UInt8(message.count & 255)] + message
        write()
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        write()
        read()
    }

    private func write() {
        while isOpen, sent < outgoing.count {
            switch socket.send(outgoing, from: sent) {
            case .moved(let count): sent += count
            case .wouldBlock: return
            case .ended, .failed: return end()
            }
        }
        outgoing.removeAll(keepingCapacity: true)
        sent = 0
    }

    private func read() {
        while isOpen, !hasEnded {
            switch socket.receive(into: buffer, limit: buffer.capacity) {
            case .moved(let count):
                received += buffer.bytes(0..<count)
                takeMessages()
            case .wouldBlock: return
            case .ended, .failed: return end()
            }
        }
    }

    private func takeMessages() {
        var start = 0
        while isOpen, received.count - start >= 2 {
            let end = start + 2 + Int(received[start]) << 8 + Int(received[start + 1])
            guard end <= received.count else { break }
            onMessage(Array(received[start + 2..<end]))
            start = end
        }
        received.removeFirst(start)
    }

    private func end() {
        guard !hasEnded else { return }
        hasEnded = true
        onEnd()
    }

    /// Closes; a FIN leaves.
    func close() {
        loop.unwatch(token)
        socket.close()
    }

    /// Closes with a reset.
    func reset() {
        loop.unwatch(token)
        socket.reset()
    }
}
