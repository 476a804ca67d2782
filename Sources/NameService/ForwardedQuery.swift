internal import Basics
internal import DNS
internal import SystemIO

/// A query that another server is asked, over what its client has used.
///
/// Each has a socket and a number of its own, so that both are hard to guess (RFC 5452 §9).
final class ForwardedQuery: ReadinessHandler {
    /// What all of them use.
    struct Tools {
        let loop: EventLoop
        let timers: TimerQueue
        let batch: DatagramBatch
        let buffer: TransferBuffer
    }

    private let query: WaitingQuery
    private let id: UInt16
    private let tools: Tools
    private var datagrams: DatagramSocket?
    private var token = WatchToken.none
    private var stream: MessageStream?
    private var alarm = TimerQueue.Token.none
    private var done: (([UInt8]?) -> Void)?

    /// - Parameters:
    ///   - query: to be passed on.
    ///   - tools: what all of them use.
    ///   - done: called once, with the answer, or nil if none came.
    init(_ query: WaitingQuery, _ tools: Tools, done: @escaping ([UInt8]?) -> Void) {
        self.query = query
        self.tools = tools
        self.done = done
        id = SecureRandom.bytes(2).reduce(0) { $0 << 8 | UInt16($1) }
    }

    func ask(_ server: SocketAddress) {
        alarm = tools.timers.set(after: NameServerLimits.answerTime) {
            [weak self] in self?.finish(nil)
        }
        let bytes = [UInt8(id >> 8), UInt8(id & 255)] + query.bytes.dropFirst(2)
        do throws(SystemError) {
            switch query.transport {
            case .udp: try send(bytes, to: server)
            case .tcp: try connect(bytes, to: server)
            }
        } catch {
            finish(nil)
        }
    }

    private func send(_ bytes: [UInt8], to server: SocketAddress) throws(SystemError) {
        let socket = try DatagramSocket(to: server)
        token = try socket.watch(on: tools.loop, handler: self)
        _ = tools.batch.send(bytes, ecn: 0, through: socket)
        datagrams = consume socket
    }

    private func connect(_ bytes: [UInt8], to server: SocketAddress) throws(SystemError) {
        let socket = try Socket(like: server)
        _ = try socket.connect(to: server)
        let stream = MessageStream(socket, loop: tools.loop, buffer: tools.buffer)
        stream.onMessage = { [weak self] in self?.take($0) }
        stream.onEnd = { [weak self] in self?.finish(nil) }
        self.stream = stream
        try stream.start()
        stream.send(bytes)
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        guard let (answers, hasFailed) = received() else { return }
        for answer in answers { take(answer) }
        if hasFailed { finish(nil) }
    }

    private func received() -> (answers: [[UInt8]], hasFailed: Bool)? {
        switch datagrams {
        case .none: return nil
        case .some(let socket):
            guard let count = try? tools.batch.receive(from: socket) else { return ([], true) }
            return ((0..<count).map { tools.batch.bytes(at: $0) }, false)
        }
    }

    private func take(_ bytes: [UInt8]) {
        if query.isAnswered(by: bytes, id: id) { finish(bytes) }
    }

    private func finish(_ answer: [UInt8]?) {
        guard let done else { return }
        close()
        done(answer)
    }

    /// Ends without an answer.
    func close() {
        done = nil
        tools.timers.cancel(alarm)
        tools.loop.unwatch(token)
        datagrams = nil
        stream?.close()
    }
}
