import SystemIO

/// A client or a server of the tests: sends pieces of known content, counts what comes.
final class TestPeer: ReadinessHandler {
    /// What to do once everything was sent.
    enum Ending { case nothing, finish, close, reset }

    let loop: EventLoop
    private var socket: Socket
    private var token = WatchToken.none
    private let buffer = TransferBuffer(capacity: 65_536)
    private var isReadable = false
    private var isWritable = false

    /// Content: a function of the seed and the place, so that a wrong byte is noticed.
    var content: Content
    /// What is sent before the content, if anything.
    private var script: [UInt8] = []
    /// All that came, if it is to be kept.
    private(set) var received: [UInt8] = []
    var keepsReceived = false
    private(set) var sentCount = 0
    private(set) var toSend = 0
    private var ending = Ending.nothing
    /// Bytes of the next write.
    var writeSize: () -> Int = { 65_536 }

    /// Bytes of the next read at most.
    var readSize = Int.max

    private(set) var receivedCount = 0
    /// The first bytes that came, at most 64.
    private(set) var head: [UInt8] = []
    private(set) var digest = Digest(.sha256)
    private(set) var hasEnded = false
    private(set) var failure: SystemError?
    /// The system tells of a reset once: to a write, and a read then sees an end.
    private var wasResetWhileWriting = false
    /// Called for each piece that came.
    var onReceive: ((TestPeer, Int) -> Void)?
    var onEnd: ((TestPeer) -> Void)?
    var isPaused = false {
        didSet { if !isPaused { work() } }
    }

    init(loop: EventLoop, socket: consuming Socket, seed: UInt8 = 1) throws {
        self.loop = loop
        self.socket = socket
        content = .of(seed)
        token = try loop.watch(self.socket, handler: self)
    }

    /// Connects to `address`; the end shows as bytes, an end or a failure.
    static func connect(
        to address: SocketAddress,
        on loop: EventLoop,
        seed: UInt8 = 1
    ) throws -> TestPeer {
        let socket = try Socket(like: address)
        _ = try socket.connect(to: address)
        return try TestPeer(loop: loop, socket: socket, seed: seed)
    }

    var isOpen: Bool { socket.isOpen }
    var localPort: UInt16? { socket.localAddress?.port }
    var isOver: Bool { hasEnded || failure != nil }
    var hasSentAll: Bool { sentCount == toSend }

    var summary: String {
        "sent \(sentCount) of \(toSend), got \(receivedCount)\(hasEnded ? " ended" : "")"
            + "\(failure.map { " \($0)" } ?? "") \(isReadable ? "readable" : "")"
            + " \(isWritable ? "writable" : "")"
    }

    /// Sends further `count` bytes, then ends as said.
    func send(_ count: Int, then ending: Ending = .nothing) {
        toSend += count
        self.ending = ending
        work()
    }

    /// Sends words, then ends as said; content may follow them, but not precede them.
    func say(_ words: String, then ending: Ending = .nothing) {
        say(bytes: Array(words.utf8), then: ending)
    }

    /// The same for bytes.
    func say(bytes: [UInt8], then ending: Ending = .nothing) {
        script += bytes
        send(bytes.count, then: ending)
    }

    /// All that came, as words.
    var text: String { String(decoding: received, as: UTF8.self) }

    /// Ends once everything was sent.
    func end(_ ending: Ending) { send(0, then: ending) }

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
        while socket.isOpen, isWritable, sentCount < toSend, failure == nil { write() }
        if socket.isOpen, isWritable, sentCount == toSend { endIfAsked() }
    }

    private func read() {
        switch socket.receive(into: buffer, limit: min(readSize, buffer.capacity)) {
        case .moved(let count):
            digest.update(buffer, count: count)
            if keepsReceived { received += buffer.bytes(0..<count) }
            if head.count < 64 { head += buffer.bytes(0..<min(count, 64 - head.count)) }
            receivedCount += count
            onReceive?(self, count)
        case .wouldBlock: isReadable = false
        case .ended:
            if wasResetWhileWriting { failure = .connectionReset } else { hasEnded = true }
            onEnd?(self)
        case .failed(let error):
            failure = error
            onEnd?(self)
        }
    }

    private func write() {
        let piece = nextPiece(min(max(1, writeSize()), buffer.capacity, toSend - sentCount))
        buffer.fill(piece)
        switch socket.send(buffer, from: 0, count: piece.count) {
        case .moved(let moved): sentCount += moved
        case .wouldBlock: isWritable = false
        case .failed(let error):
            if error == .connectionReset { wasResetWhileWriting = true }
            toSend = sentCount
        case .ended: toSend = sentCount
        }
    }

    /// What is sent next, at most so many bytes.
    private func nextPiece(_ count: Int) -> [UInt8] {
        let words = script.dropFirst(sentCount).prefix(count)
        guard words.isEmpty else { return Array(words) }
        return content.bytes(from: sentCount - script.count, count: count)
    }

    private func endIfAsked() {
        let asked = ending
        ending = .nothing
        switch asked {
        case .nothing: break
        case .finish: socket.shutdownWriting()
        case .close: close()
        case .reset: reset()
        }
    }
}

/// Bytes that are a function of their place.
struct Content {
    private static let ownPeriod = 65_521
    /// What is sent at once at most.
    private static let longest = 65_536
    private static let client = Content(seed: 1)
    private static let server = Content(seed: 2)

    /// What a side sends: 1 for clients, 2 for servers.
    static func of(_ seed: UInt8) -> Content { seed == 1 ? client : server }

    private let pattern: [UInt8]
    private let period: Int

    private init(seed: UInt8) {
        var state = UInt32(seed) &* 2_654_435_761 | 1
        self.init(
            repeating: (0..<Self.ownPeriod).map { _ in
                state = state &* 1_664_525 &+ 1_013_904_223
                return UInt8(state >> 24)
            }
        )
    }

    /// The same piece again and again.
    init(repeating piece: [UInt8]) {
        period = piece.count
        let copies = (period + Self.longest + period - 1) / period
        pattern = Array(repeatElement(piece, count: copies).joined())
    }

    func bytes(from offset: Int, count: Int) -> [UInt8] {
        let start = offset % period
        return Array(pattern[start..<start + count])
    }

    /// SHA-256 of the first `count` bytes.
    func digest(_ count: Int) -> [UInt8] {
        let stream = Digest(.sha256)
        let buffer = TransferBuffer(capacity: 65_536)
        var offset = 0
        while offset < count {
            let length = min(65_536, count - offset)
            buffer.fill(bytes(from: offset, count: length))
            stream.update(buffer, count: length)
            offset += length
        }
        return stream.value
    }
}
