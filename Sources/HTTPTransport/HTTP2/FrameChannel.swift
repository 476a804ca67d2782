internal import HTTP2
internal import HTTPWire
internal import SystemIO

/// A session of HTTP/2 on a stream of bytes.
final class FrameChannel {
    enum Progress {
        case moved
        case wouldBlock
        /// Everything that the session has to send now is written.
        case done
        case failed
    }

    let session: HTTP2Session
    let stream: ByteStream
    let buffers: StreamBuffers
    /// Bytes of frames that the stream has not taken.
    private var pending: [UInt8] = []
    private var pendingStart = 0

    /// What is made at once: a few frames, so that few calls and records are small.
    private static let writeSize = 32_768
    /// Beyond so many, a peer that does not read what it asks for is not read from.
    private static let waitingFrames = 1_000

    init(_ stream: ByteStream, _ buffers: StreamBuffers, isServer: Bool, _ limits: SessionLimits) {
        self.stream = stream
        self.buffers = buffers
        session = HTTP2Session(isServer: isServer, limits)
    }

    /// Whether all that was made is with the kernel.
    var isFlushed: Bool { pendingStart == pending.count }

    /// Reads once; what has come is in the session's events.
    func read() -> StreamResult {
        guard session.waitingFrames < Self.waitingFrames else { return .wouldBlock }
        let buffer = buffers.plain
        let result = stream.receive(into: buffer, from: 0, limit: Self.readSize)
        if case .moved(let count) = result {
            buffer.withBytes(0..<count) { session.receive($0) }
        }
        return result
    }

    private static let readSize = 65_536

    /// Takes bytes that were read before it was known what they are.
    func take(_ bytes: [UInt8]) { session.receive(bytes.span) }

    /// Writes a piece.
    func write() -> Progress {
        guard stream.canWrite else { return .wouldBlock }
        if isFlushed {
            pending = session.send(atLeast: Self.writeSize)
            pendingStart = 0
        }
        guard !pending.isEmpty else { return flush() }
        switch stream.send(pending, from: pendingStart, moreFollows: false) {
        case .moved(let count):
            pendingStart += count
            if isFlushed { clear() }
            return .moved
        case .wouldBlock: return .wouldBlock
        case .ended, .failed: return .failed
        }
    }

    private func clear() {
        pending = []
        pendingStart = 0
    }

    /// Written is what TLS has given to the socket.
    private func flush() -> Progress {
        switch stream.flush() {
        case .moved, .ended: .done
        case .wouldBlock: .wouldBlock
        case .failed: .failed
        }
    }

    /// Writes what can be written at once.
    func writeAll() {
        while case .moved = write() {}
    }
}

/// Content that has come and that nobody has asked for yet, as much of it as a window allows.
struct ReceivedContent {
    private var pieces: [[UInt8]] = []
    /// How far into the first piece.
    private var place = 0
    /// The content is complete.
    var end: HeaderFields?
    /// Bytes that were taken.
    private(set) var takenBytes = 0

    var isEmpty: Bool { pieces.isEmpty }

    mutating func append(_ bytes: [UInt8]) { if !bytes.isEmpty { pieces.append(bytes) } }

    /// Moves bytes to where `pull` wants them; answers how many.
    mutating func move(to pull: BodyPull) -> Int {
        var moved = 0
        while moved < pull.limit, let first = pieces.first {
            let count = min(first.count - place, pull.limit - moved)
            pull.buffer.store(Array(first[place..<place + count]), at: pull.start + moved)
            moved += count
            place += count
            if place == first.count {
                pieces.removeFirst()
                place = 0
            }
        }
        takenBytes += moved
        return moved
    }
}

extension [BlockField] {
    /// Fields of a block as those of a message: crumbs of a cookie are one field (RFC 9113 §8.2.3).
    var joiningCookies: [BlockField] {
        let crumbs = filter { $0.name == "cookie" }
        guard crumbs.count > 1 else { return self }
        let whole = crumbs.map(\.value).joined(separator: "; ")
        return filter { $0.name != "cookie" } + [BlockField("cookie", whole)]
    }
}
