package import HTTPWire
internal import SystemIO

/// A parser of one direction.
protocol MessageParser {
    associatedtype Head: Hashable & Sendable
    mutating func next(_ bytes: Span<UInt8>) throws(MessageError) -> MessageStep<Head>
}

extension RequestParser: MessageParser {}
extension ResponseParser: MessageParser {}

/// A piece of a message's content, as the one who asked for it gets it.
package enum BodyPiece: Hashable, Sendable {
    /// The bytes are in this range of the buffer that was given.
    case bytes(Range<Int>)
    /// The content is complete; every byte of it was handed over.
    case end(trailers: HeaderFields)
}

/// Someone's wish for content: where to put it, how much at most, and whom to tell.
struct BodyPull {
    let buffer: TransferBuffer
    let start: Int
    let limit: Int
    let done: (BodyPiece) -> Void
}

/// Reads messages from a stream: heads as they come, content when it is asked for.
struct MessageReader<Parser: MessageParser> {
    enum Finding {
        case head(Parser.Head)
        case piece(BodyPiece)
        case wouldBlock
        /// The peer has sent its last byte.
        case ended
        case failed(StreamFailure)
        /// HTTP ends here.
        case opaque
    }

    var parser: Parser
    /// Bytes that came and that the parser has not had.
    private var left: [UInt8] = []
    private var leftStart = 0
    /// The end of the content was found behind bytes that went out first.
    private var foundEnd: HeaderFields?
    /// What was wrong behind bytes that went out first.
    private var foundError: MessageError?
    /// Content bytes of the present message that were handed over.
    private(set) var contentBytes = 0

    init(_ parser: Parser) { self.parser = parser }

    /// Takes bytes that were read before it was known that they are a message's.
    mutating func putBack(_ bytes: [UInt8]) {
        left = bytes
        leftStart = 0
    }

    var hasLeftBytes: Bool { leftStart < left.count }

    /// Whether the content is complete, though the one who reads it may not have been told.
    var hasFoundEnd: Bool { foundEnd != nil }

    mutating func beginMessage() {
        contentBytes = 0
        foundEnd = nil
    }

    /// Looks for the next head.
    mutating func readHead(
        _ stream: ByteStream,
        _ buffers: StreamBuffers
    ) throws(MessageError) -> Finding {
        while true {
            let buffer = buffers.plain
            let count: Int
            switch receive(stream, buffer, 0, StreamBuffers.headRead) {
            case .moved(let moved): count = moved
            case .wouldBlock: return .wouldBlock
            case .ended: return .ended
            case .failed(let failure): return .failed(failure)
            }
            let step = try next(buffer, 0..<count)
            keep(buffer, step.consumed..<count)
            switch step.event {
            case .head(let head): return .head(head)
            case .opaque: return .opaque
            case .body, .end, nil: continue
            }
        }
    }

    /// Looks for the end of the content without reading, as where there is none.
    mutating func findEnd() throws(MessageError) -> Bool {
        if foundEnd != nil { return true }
        let nothing: [UInt8] = []
        guard case .end(let trailers) = try parser.next(nothing.span).event else { return false }
        foundEnd = trailers
        return true
    }

    /// Reads content to where `pull` wants it.
    mutating func readBody(
        _ pull: BodyPull,
        _ stream: ByteStream
    ) throws(MessageError) -> Finding {
        if let trailers = foundEnd {
            foundEnd = nil
            return .piece(.end(trailers: trailers))
        }
        if let foundError { throw foundError }
        while true {
            switch receive(stream, pull.buffer, pull.start, pull.limit) {
            case .moved(let count):
                if let finding = try take(count, pull) { return finding }
            case .wouldBlock: return .wouldBlock
            case .ended: return .ended
            case .failed(let failure): return .failed(failure)
            }
        }
    }

    /// Reads raw bytes, once the connection has left HTTP.
    mutating func readBytes(_ pull: BodyPull, _ stream: ByteStream) -> Finding {
        switch receive(stream, pull.buffer, pull.start, pull.limit) {
        case .moved(let count):
            contentBytes += count
            return .piece(.bytes(pull.start..<pull.start + count))
        case .wouldBlock: return .wouldBlock
        case .ended: return .piece(.end(trailers: [:]))
        case .failed(let failure): return .failed(failure)
        }
    }

    /// Parses `count` bytes where they are, and moves the content among them together.
    private mutating func take(
        _ count: Int,
        _ pull: BodyPull
    ) throws(MessageError) -> Finding? {
        let end = pull.start + count
        var place = pull.start
        var content = pull.start..<pull.start
        do throws(MessageError) {
            while foundEnd == nil {
                let step = try next(pull.buffer, place..<end)
                if case .end(let trailers) = step.event { foundEnd = trailers }
                if case .body(let range) = step.event {
                    let found = place + range.lowerBound..<place + range.upperBound
                    if found.lowerBound != content.upperBound {
                        pull.buffer.move(found, to: content.upperBound)
                    }
                    content = content.lowerBound..<content.upperBound + found.count
                }
                place += step.consumed
                if step.event == nil { break }
            }
            keep(pull.buffer, place..<end)
        } catch {
            // What came before is good.
            guard !content.isEmpty else { throw error }
            foundError = error
        }
        contentBytes += content.count
        if !content.isEmpty { return .piece(.bytes(content)) }
        guard let trailers = foundEnd else { return nil }
        foundEnd = nil
        return .piece(.end(trailers: trailers))
    }

    private mutating func next(
        _ buffer: TransferBuffer,
        _ range: Range<Int>
    ) throws(MessageError) -> MessageStep<Parser.Head> {
        try buffer.withBytes(range) { bytes throws(MessageError) in try parser.next(bytes) }
    }

    /// Takes bytes that are left from an earlier read, else from the stream.
    private mutating func receive(
        _ stream: ByteStream,
        _ buffer: TransferBuffer,
        _ start: Int,
        _ limit: Int
    ) -> StreamResult {
        guard hasLeftBytes else { return stream.receive(into: buffer, from: start, limit: limit) }
        let count = min(limit, left.count - leftStart)
        buffer.store(Array(left[leftStart..<leftStart + count]), at: start)
        leftStart += count
        if !hasLeftBytes {
            left = []
            leftStart = 0
        }
        return .moved(count)
    }

    /// Puts bytes that the parser has not used before those that are left.
    private mutating func keep(_ buffer: TransferBuffer, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        if leftStart >= range.count {
            // They were taken from there.
            leftStart -= range.count
            return
        }
        left = buffer.bytes(range) + left[leftStart...]
        leftStart = 0
    }
}
