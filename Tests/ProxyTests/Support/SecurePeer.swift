import Basics
import SystemIO

/// A client of the tests that speaks TLS.
final class SecurePeer: ReadinessHandler {
    private let loop: EventLoop
    private var socket: Socket
    private var token = WatchToken.none
    private let session: TLSSession
    private let buffer = TransferBuffer(capacity: 65_536)
    private var isReadable = false
    private var isWritable = false
    private var outgoing: [UInt8] = []
    private var waiting: [UInt8] = []
    /// Bytes of ciphertext that one write carries at most.
    var writeLimit = 65_536

    private(set) var received: [UInt8] = []
    private(set) var receivedCount = 0
    /// Whether what comes is kept, not only counted.
    var keepsReceived = true
    /// Whether the other side has said that no more comes.
    private(set) var isClosed = false
    /// Whether it ended without saying so.
    private(set) var isTruncated = false
    private(set) var isReset = false
    private(set) var failure: TLSError?
    private(set) var establishedAt: Instant?

    init(
        to address: SocketAddress,
        on loop: EventLoop,
        authorities: String?,
        host: String = "localhost"
    ) throws {
        self.loop = loop
        let context = try TLSContext.client(
            authorities: authorities,
            verifiesPeer: authorities != nil
        )
        session = try TLSSession(context, host: host)
        socket = try Socket(like: address)
        _ = try socket.connect(to: address)
        token = try loop.watch(socket, handler: self)
    }

    var isEstablished: Bool { establishedAt != nil }
    var isOver: Bool { isClosed || isTruncated || isReset || failure != nil }
    var text: String { String(decoding: received, as: UTF8.self) }

    /// Sends words once the handshake is done.
    func say(_ words: String) { say(Array(words.utf8)) }

    func say(_ bytes: [UInt8]) {
        waiting += bytes
        work()
    }

    /// Says that no more comes.
    func finish() {
        session.close()
        work()
    }

    /// Ends without saying so.
    func cut() { socket.shutdownWriting() }

    func close() {
        loop.unwatch(token)
        socket.close()
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        if readiness.isReadable { isReadable = true }
        if readiness.isWritable { isWritable = true }
        work()
    }

    private func work() {
        do throws(TLSError) {
            repeat {
                try advance()
                send()
            } while receive()
        } catch {
            if failure == nil { failure = error }
        }
        send()
    }

    private func advance() throws(TLSError) {
        guard failure == nil else { return }
        if !isEstablished, try session.handshake() { establishedAt = loop.now }
        guard isEstablished else { return }
        while !waiting.isEmpty {
            let piece = Array(waiting.prefix(buffer.capacity))
            buffer.store(piece, at: 0)
            waiting.removeFirst(try session.write(buffer, count: piece.count))
        }
        while true {
            switch try session.read(into: buffer, limit: buffer.capacity) {
            case .bytes(let count):
                receivedCount += count
                if keepsReceived { received += buffer.bytes(0..<count) }
            case .closed:
                isClosed = true
                return
            case .needsInput: return
            }
        }
    }

    private func send() {
        while case let count = session.drain(into: buffer), count > 0 {
            outgoing += buffer.bytes(0..<count)
        }
        while isWritable, socket.isOpen, !outgoing.isEmpty {
            let piece = Array(outgoing.prefix(writeLimit))
            switch socket.send(piece, from: 0) {
            case .moved(let count): outgoing.removeFirst(count)
            case .wouldBlock: isWritable = false
            case .ended, .failed: return
            }
        }
    }

    /// Receives ciphertext; whether there was some.
    private func receive() -> Bool {
        guard isReadable, socket.isOpen, !isTruncated, !isReset else { return false }
        switch socket.receive(into: buffer, limit: buffer.capacity) {
        case .moved(let count):
            session.feed(buffer, count: count)
            return true
        case .wouldBlock: isReadable = false
        case .ended: if !isClosed { isTruncated = true }
        case .failed: isReset = true
        }
        return false
    }
}
