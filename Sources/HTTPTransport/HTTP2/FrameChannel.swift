internal import Basics
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
    /// Batches of frames that were made, and those that the kernel has.
    private(set) var batches = 0
    private(set) var deliveredBatches = 0
    /// When counting what may be a flood began.
    private var countingSince: Instant?

    /// A flood is more than the session allows within this time.
    private static let floodTime = Duration.seconds(10)
    /// What is made at once: a few frames, so that few calls and records are small.
    private static let writeSize = 32_768
    /// With this many frames waiting, nothing more is read from the peer.
    private static let waitingFrames = 1_000

    init(_ stream: ByteStream, _ buffers: StreamBuffers, isServer: Bool, _ limits: SessionLimits) {
        self.stream = stream
        self.buffers = buffers
        session = HTTP2Session(isServer: isServer, limits)
    }

    /// Whether all that was made is with the kernel.
    var isFlushed: Bool { isTaken && deliveredBatches == batches }
    /// Whether it is with the stream.
    private var isTaken: Bool { pendingStart == pending.count }

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

    /// Forgets what looked like a flood and took its time.
    func calmDown(at now: Instant) {
        guard let since = countingSince else {
            countingSince = now
            return
        }
        guard now - since > Self.floodTime else { return }
        countingSince = now
        session.calm()
    }

    /// Takes bytes that were read before it was known what they are.
    func take(_ bytes: [UInt8]) { session.receive(bytes.span) }

    /// Writes a piece.
    func write() -> Progress {
        guard stream.canWrite else { return .wouldBlock }
        if isTaken {
            let progress = flush()
            guard case .done = progress else { return progress }
            pending = session.send(atLeast: Self.writeSize)
            guard !pending.isEmpty else { return .done }
            batches += 1
        }
        switch stream.send(pending, from: pendingStart, moreFollows: false) {
        case .moved(let count):
            pendingStart += count
            guard isTaken else { return .moved }
            pending = []
            pendingStart = 0
            if case .failed = flush() { return .failed }
            return .moved
        case .wouldBlock: return .wouldBlock
        case .ended, .failed: return .failed
        }
    }

    /// Delivered is what TLS has given to the socket.
    private func flush() -> Progress {
        switch stream.flush() {
        case .moved, .ended:
            deliveredBatches = batches
            return .done
        case .wouldBlock: return .wouldBlock
        case .failed: return .failed
        }
    }

    /// Writes what can be written at once.
    func writeAll() {
        while case .moved = write() {}
    }
}

/// Streams whose messages are made as frames, until the kernel has all of these.
struct UndeliveredStreams<Stream: AnyObject> {
    private var streams: [(stream: Stream, batch: Int)] = []

    /// Takes one whose message ends in the batch that was made last.
    mutating func add(_ stream: Stream, _ channel: FrameChannel) {
        streams.append((stream, channel.batches))
    }

    mutating func takeDelivered(_ channel: FrameChannel) -> [Stream] {
        let delivered = streams.prefix { $0.batch <= channel.deliveredBatches }.map(\.stream)
        streams.removeFirst(delivered.count)
        return delivered
    }

    mutating func remove(_ stream: Stream) { streams.removeAll { $0.stream === stream } }
}

/// Content that has come and has not been asked for yet, at most a window of it.
struct ReceivedContent {
    private var pieces: [[UInt8]] = []
    /// The first piece that is left, and how far it was taken.
    private var first = 0
    private var place = 0
    /// The content is complete.
    var end: HeaderFields?
    /// Bytes that were taken.
    private(set) var takenBytes = 0

    /// Pieces are put together up to this size.
    private static let pieceSize = 16_384

    var isEmpty: Bool { first == pieces.count }

    mutating func append(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        if !isEmpty, pieces[pieces.count - 1].count + bytes.count <= Self.pieceSize {
            pieces[pieces.count - 1] += bytes
        } else {
            pieces.append(bytes)
        }
    }

    /// Moves bytes to where `pull` wants them; answers how many.
    mutating func move(to pull: BodyPull) -> Int {
        var moved = 0
        while moved < pull.limit, !isEmpty {
            let count = min(pieces[first].count - place, pull.limit - moved)
            let part = Array(pieces[first][place..<place + count])
            pull.buffer.store(part, at: pull.start + moved)
            moved += count
            place += count
            if place == pieces[first].count { dropFirst() }
        }
        takenBytes += moved
        return moved
    }

    private mutating func dropFirst() {
        place = 0
        pieces[first] = []
        first += 1
        // Moving the rest down costs as much as what was taken before.
        guard 2 * first >= pieces.count else { return }
        pieces.removeFirst(first)
        first = 0
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

extension SessionContent {
    init(_ piece: ContentSource.Piece) {
        self =
            switch piece {
            case .bytes(let bytes): .bytes(bytes)
            case .last(let bytes, let trailers): .last(bytes, trailers: trailers.block)
            case .later: .later
            case .failed: .failed
            }
    }
}
