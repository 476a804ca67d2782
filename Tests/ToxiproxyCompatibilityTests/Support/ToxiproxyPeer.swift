import SystemIO

/// One end of a connection: sends bytes, keeps what comes.
final class ToxiproxyPeer: ReadinessHandler {
    private let loop: EventLoop
    private var socket: Socket
    private var token = WatchToken.none
    private let buffer = TransferBuffer(capacity: 65_536)
    private var unsent: [UInt8] = []
    private var endsAfterwards = false
    private var isReadable = false
    private var isWritable = false
    private(set) var received: [UInt8] = []
    private(set) var hasEnded = false
    private(set) var failure: SystemError?
    var isPaused = false {
        didSet { work() }
    }
    var onReceive: ((ToxiproxyPeer) -> Void)?
    var onEnd: ((ToxiproxyPeer) -> Void)?

    init(loop: EventLoop, socket: consuming Socket) throws {
        self.loop = loop
        self.socket = socket
        token = try loop.watch(self.socket, handler: self)
    }

    static func connect(to address: SocketAddress, on loop: EventLoop) throws -> ToxiproxyPeer {
        let socket = try Socket(like: address)
        _ = try socket.connect(to: address)
        return try ToxiproxyPeer(loop: loop, socket: socket)
    }

    var text: String { String(decoding: received, as: UTF8.self) }
    var count: Int { received.count }
    var isOver: Bool { hasEnded || failure != nil }
    /// Bytes that the kernel has not taken.
    var unsentCount: Int { unsent.count }

    func send(_ bytes: [UInt8]) {
        unsent += bytes
        work()
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// Ends our side behind the last byte.
    func end() {
        endsAfterwards = true
        work()
    }

    func clear() { received = [] }

    func close() {
        loop.unwatch(token)
        socket.close()
    }

    func reset() {
        loop.unwatch(token)
        socket.reset()
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        if readiness.isReadable { isReadable = true }
        if readiness.isWritable { isWritable = true }
        work()
    }

    private func work() {
        while socket.isOpen, isReadable, !isPaused, !isOver { read() }
        while socket.isOpen, isWritable, !unsent.isEmpty, failure == nil { write() }
        guard socket.isOpen, isWritable, unsent.isEmpty, endsAfterwards else { return }
        endsAfterwards = false
        socket.shutdownWriting()
    }

    private func read() {
        switch socket.receive(into: buffer, limit: buffer.capacity) {
        case .moved(let count):
            received += buffer.bytes(0..<count)
            onReceive?(self)
        case .wouldBlock: isReadable = false
        case .ended:
            hasEnded = true
            onEnd?(self)
        case .failed(let error): failure = error
        }
    }

    private func write() {
        let piece = Array(unsent.prefix(buffer.capacity))
        buffer.store(piece, at: 0)
        switch socket.send(buffer, from: 0, count: piece.count) {
        case .moved(let count): unsent.removeFirst(count)
        case .wouldBlock: isWritable = false
        case .ended: failure = .brokenPipe
        case .failed(let error): failure = error
        }
    }
}
