internal import HTTPWire
internal import SystemIO

/// Writes heads and content to a stream, as fast as it takes them.
///
/// Only what a source has made and the stream has not taken is kept, one piece at most, beside
/// heads.
///
/// A class, since a source that is asked for bytes may use the exchange that is being written.
final class MessageSender {
    enum Progress {
        case moved
        case wouldBlock
        /// The source has nothing yet.
        case waiting
        /// Everything that was given is written.
        case done
        case failed(StreamFailure)
        /// The source has less than it said, or failed.
        case sourceFailed
    }

    /// Bytes that go before anything else.
    private var pending: [UInt8] = []
    private var pendingStart = 0
    private var segments: [BodySegment] = []
    /// The first one that is not finished.
    private var segment = 0
    /// How far into it.
    private var position: UInt64 = 0
    private var isChunked = false
    private var trailers: (() -> HeaderFields)?
    private var needsEnd = false

    /// What one call of sendfile is asked for, so that other connections have their turn.
    private static let fileStep = 2 << 20
    /// Content that is copied behind its head, to leave with it.
    private static let joinLimit = 16_384
    /// Room for the size line of a chunk.
    private static let chunkMargin = 18

    /// Heads and made bytes that the stream has not taken.
    var pendingBytes: Int { pending.count - pendingStart }

    var isIdle: Bool { pendingBytes == 0 && segment == segments.count && !needsEnd }

    /// Adds a head, or the like, behind what waits.
    func append(_ bytes: [UInt8]) { pending += bytes }

    /// Adds content behind what waits; no other content may be under way.
    func append(_ body: MessageBody, chunked: Bool) {
        segments = body.segments
        segment = 0
        position = 0
        isChunked = chunked
        trailers = body.trailers
        needsEnd = chunked
    }

    /// Drops all content that is not yet written.
    func stop() {
        segments = []
        segment = 0
        needsEnd = false
        trailers = nil
        pending = []
        pendingStart = 0
    }

    /// Writes one piece.
    func advance(_ stream: ByteStream, _ buffers: StreamBuffers) -> Progress {
        joinBytes()
        guard segment < segments.count else { return finish(stream) }
        switch segments[segment] {
        case .bytes(let bytes): return send(bytes, stream)
        case .file(let file, let range):
            return isChunked
                ? sendChunk(of: file, range, stream, buffers) : send(file, range, stream)
        case .generated(let length, let generate):
            return make(generate, length, stream, buffers)
        }
    }

    // MARK: Pieces

    private func finish(_ stream: ByteStream) -> Progress {
        if needsEnd {
            needsEnd = false
            guard let end = try? MessageWriter.lastChunk(trailers: trailers?() ?? [:]) else {
                return .sourceFailed
            }
            trailers = nil
            pending += end
        }
        guard pendingBytes > 0 else { return flush(stream) }
        return sendPending(stream, moreFollows: false)
    }

    /// Written is what TLS has given to the socket.
    private func flush(_ stream: ByteStream) -> Progress {
        switch stream.flush() {
        case .moved, .ended: .done
        case .wouldBlock: .wouldBlock
        case .failed(let failure): .failed(failure)
        }
    }

    private func sendPending(_ stream: ByteStream, moreFollows: Bool) -> Progress {
        let result = stream.send(pending, from: pendingStart, moreFollows: moreFollows)
        if case .moved(let count) = result {
            pendingStart += count
            if pendingStart == pending.count { dropPending() }
        }
        return Self.progress(result)
    }

    private func dropPending() {
        pending.removeAll(keepingCapacity: pending.count <= 4_096)
        pendingStart = 0
    }

    /// Puts small pieces of content behind the head that waits.
    private func joinBytes() {
        while segment < segments.count, case .bytes(let bytes) = segments[segment], position == 0,
            isChunked || pendingBytes + bytes.count <= Self.joinLimit
        {
            if isChunked && !bytes.isEmpty {
                pending += MessageWriter.chunkHead(bytes.count)
                pending += bytes
                pending += MessageWriter.lineEnd
            } else {
                pending += bytes
            }
            next()
        }
    }

    private func next() {
        segment += 1
        position = 0
        // Nothing is kept that is written: a file's descriptor, what a source holds.
        if segment == segments.count {
            segments = []
            segment = 0
        }
    }

    private func send(_ bytes: [UInt8], _ stream: ByteStream) -> Progress {
        if pendingBytes > 0 { return sendPending(stream, moreFollows: true) }
        let result = stream.send(bytes, from: Int(position), moreFollows: false)
        if case .moved(let count) = result { move(count, of: UInt64(bytes.count)) }
        return Self.progress(result)
    }

    private func send(
        _ file: File,
        _ range: Range<UInt64>,
        _ stream: ByteStream
    ) -> Progress {
        let left = UInt64(range.count) - position
        guard left > 0 else {
            next()
            return .moved
        }
        if pendingBytes > 0 { return sendPending(stream, moreFollows: true) }
        let limit = Int(min(left, UInt64(Self.fileStep)))
        let result = stream.send(file, from: range.lowerBound + position, limit: limit)
        switch result {
        case .moved(let count): move(count, of: UInt64(range.count))
        // The file has become shorter than it was said to be.
        case .ended: return .sourceFailed
        case .wouldBlock, .failed: break
        }
        return Self.progress(result)
    }

    private func sendChunk(
        of file: File,
        _ range: Range<UInt64>,
        _ stream: ByteStream,
        _ buffers: StreamBuffers
    ) -> Progress {
        let start = position
        return make(
            { buffer, room in
                let left = UInt64(range.count) - start
                guard left > 0 else { return .end }
                let limit = Int(min(left, UInt64(room.count)))
                let place = range.lowerBound + start
                switch file.read(into: buffer, from: room.lowerBound, limit: limit, at: place) {
                case .moved(let count): return .stored(count)
                case .wouldBlock, .ended, .failed: return .failed
                }
            },
            UInt64(range.count),
            stream,
            buffers
        )
    }

    private func move(_ count: Int, of length: UInt64) {
        position += UInt64(count)
        if position == length { next() }
    }

    // MARK: Made content

    /// Asks a source for a piece and writes it together with the head that waits.
    private func make(
        _ generate: BodyGenerator,
        _ length: UInt64?,
        _ stream: ByteStream,
        _ buffers: StreamBuffers
    ) -> Progress {
        // What a full socket did not take goes first, and alone.
        if pendingBytes > Self.joinLimit || !stream.canWrite {
            return pendingBytes > 0
                ? sendPending(stream, moreFollows: false) : .wouldBlock
        }
        let buffer = buffers.plain
        let head = pendingBytes
        let start = head + (isChunked ? Self.chunkMargin : 0)
        var room = start..<buffer.capacity - 2
        if let length {
            let left = length - position
            guard left > 0 else {
                next()
                return .moved
            }
            if left < UInt64(room.count) { room = start..<start + Int(left) }
        }
        let answer = generate(buffer, room)
        // The source may have ended the exchange.
        guard segment < segments.count else { return .moved }
        switch answer {
        case .stored(let count):
            precondition(count > 0 && count <= room.count, "a source stores what there is room for")
            position += UInt64(count)
            return write(count, behind: head, stream, buffer)
        case .later:
            return pendingBytes > 0 ? sendPending(stream, moreFollows: false) : .waiting
        case .end:
            guard length == nil || length == position else { return .sourceFailed }
            next()
            return .moved
        case .failed: return .sourceFailed
        }
    }

    /// Writes `head` waiting bytes and `count` made ones, and keeps what the stream does not take.
    private func write(
        _ count: Int,
        behind head: Int,
        _ stream: ByteStream,
        _ buffer: TransferBuffer
    ) -> Progress {
        var start = 0
        var end = head + count
        var prefix = Array(pending[pendingStart...])
        if isChunked {
            prefix += MessageWriter.chunkHead(count)
            start = head + Self.chunkMargin - prefix.count
            end = head + Self.chunkMargin + count
            buffer.store(MessageWriter.lineEnd, at: end)
            end += 2
        }
        buffer.store(prefix, at: start)
        dropPending()
        var result = StreamResult.wouldBlock
        while start < end {
            result = stream.send(buffer, from: start, count: end - start)
            guard case .moved(let sent) = result else { break }
            start += sent
        }
        if start < end { pending = buffer.bytes(start..<end) }
        return start < end ? Self.progress(result) : .moved
    }

    private static func progress(_ result: StreamResult) -> Progress {
        switch result {
        case .moved, .ended: .moved
        case .wouldBlock: .wouldBlock
        case .failed(let failure): .failed(failure)
        }
    }
}
