internal import Libuv

/// One client of the origin: reads a request, writes its answer, and so on.
///
/// While an answer is being written nothing is read, so a client that sends on without reading is
/// held up by its own kernel.
final class OriginConnection: ReadinessHandler {
    private enum Phase {
        case reading
        case writing
        /// Our end is written; what still comes is thrown away, since closing with unread bytes
        /// would reset the connection under the answer.
        case ending
        case closed
    }

    let ordinal: Int
    private unowned let server: OriginServer
    private var socket: Socket
    private var token = WatchToken.none
    private var phase = Phase.reading
    private var reader = RequestReader()
    private var outgoing = OutgoingAnswer()
    private var isScheduled = false

    /// Answers of so many buffers, then other connections have their turn.
    private static let stepsPerTurn = 16

    init(server: OriginServer, ordinal: Int, socket: consuming Socket) {
        self.server = server
        self.ordinal = ordinal
        self.socket = socket
    }

    func start() throws(SystemError) {
        token = try server.loop.watch(socket, handler: self)
        proceed()
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        if readiness.isEmpty { isScheduled = false }
        proceed()
    }

    func close() {
        guard phase != .closed else { return }
        phase = .closed
        server.loop.unwatch(token)
        socket.close()
        server.ended(self)
    }

    /// Goes on until the socket would block or the turn is used up.
    private func proceed() {
        for _ in 0..<Self.stepsPerTurn {
            let canGoOn =
                switch phase {
                case .reading: read()
                case .writing: write()
                case .ending: discard()
                case .closed: false
                }
            if !canGoOn { return }
        }
        guard !isScheduled else { return }
        isScheduled = true
        server.loop.runLater(self)
    }

    private func read() -> Bool {
        if takeRequest() { return true }
        switch socket.receive(into: server.buffer, limit: server.buffer.capacity) {
        case .moved(let count):
            reader.append(server.buffer.bytes(0..<count))
            return true
        case .wouldBlock:
            return false
        case .ended, .failed:
            close()
            return false
        }
    }

    /// Begins the answer to a request that is complete.
    private func takeRequest() -> Bool {
        do throws(RequestError) {
            guard let request = try reader.next() else { return false }
            outgoing = OutgoingAnswer(OriginAnswer(to: request))
        } catch {
            outgoing = OutgoingAnswer(OriginAnswer(to: error))
        }
        phase = .writing
        return true
    }

    private func write() -> Bool {
        outgoing.fill(limit: server.buffer.capacity)
        guard !outgoing.isEmpty else {
            finishAnswer()
            return true
        }
        server.buffer.fill(outgoing.chunk)
        switch socket.send(server.buffer, from: outgoing.sent, count: outgoing.unsent) {
        case .moved(let count):
            outgoing.sent += count
            return true
        case .wouldBlock:
            return false
        case .ended, .failed:
            close()
            return false
        }
    }

    private func finishAnswer() {
        if outgoing.keepsConnection {
            phase = .reading
            return
        }
        socket.shutdownWriting()
        phase = .ending
    }

    private func discard() -> Bool {
        switch socket.discardReceived(using: server.buffer) {
        case .moved: return true
        case .wouldBlock: return false
        case .ended, .failed:
            close()
            return false
        }
    }
}

/// The bytes of an answer that are still to be written, of which one piece is in memory.
private struct OutgoingAnswer {
    private(set) var chunk: [UInt8] = []
    /// How much of `chunk` is written.
    var sent = 0
    private var content: KnownContent?
    private var rest: Range<UInt64> = 0..<0
    private(set) var keepsConnection = false

    init() {}

    init(_ answer: OriginAnswer) {
        keepsConnection = answer.keepsConnection
        chunk = Array(answer.head.utf8)
        switch answer.body {
        case .none: break
        case .text(let text): chunk += Array(text.utf8)
        case .content(let known, let range):
            content = known
            rest = range
        }
    }

    var unsent: Int { chunk.count - sent }
    var isEmpty: Bool { unsent == 0 }

    /// Makes the next piece once the present one is written.
    mutating func fill(limit: Int) {
        guard isEmpty, let content, !rest.isEmpty else { return }
        sent = 0
        chunk.removeAll(keepingCapacity: true)
        let end = rest.lowerBound + min(UInt64(limit), UInt64(rest.count))
        content.append(rest.lowerBound..<end, to: &chunk)
        rest = end..<rest.upperBound
    }
}
