internal import HTTPWire
internal import SystemIO

/// The content of a message, piece by piece, for streams whose frames are made elsewhere.
final class ContentSource {
    enum Piece {
        case bytes([UInt8])
        /// The last ones, perhaps none, and trailers.
        case last([UInt8], trailers: HeaderFields)
        case later
        case failed
    }

    private var segments: ArraySlice<BodySegment>
    /// How far into the first of them.
    private var position: UInt64 = 0
    private var trailers: (() -> HeaderFields)?

    init(_ body: MessageBody) {
        segments = body.segments[...]
        trailers = body.trailers
    }

    /// Drops what has not been asked for.
    func stop() {
        segments = []
        trailers = nil
    }

    /// At most `limit` bytes.
    func next(_ limit: Int, _ buffer: TransferBuffer) -> Piece {
        let limit = min(limit, buffer.capacity)
        while let segment = segments.first {
            if let length = segment.length, position == length {
                dropFirst()
                continue
            }
            let room = segment.length.map { Int(min(UInt64(limit), $0 - position)) } ?? limit
            let count: Int
            switch segment {
            case .bytes(let bytes):
                let start = Int(position)
                return take(Array(bytes[start..<start + room]), of: segment)
            case .file(let file, let range):
                let place = range.lowerBound + position
                // One that ends here has become shorter than it was said to be.
                guard case .moved(let moved) = file.read(into: buffer, limit: room, at: place)
                else { return .failed }
                count = moved
            case .generated(let length, let generate):
                switch generate(buffer, 0..<room) {
                case .stored(let stored): count = stored
                case .later: return .later
                case .end where length == nil:
                    dropFirst()
                    continue
                case .end, .failed: return .failed
                }
            }
            return take(buffer.bytes(0..<count), of: segment)
        }
        return .last([], trailers: takeTrailers())
    }

    private func take(_ bytes: [UInt8], of segment: BodySegment) -> Piece {
        position += UInt64(bytes.count)
        if position == segment.length { dropFirst() }
        // The end goes with the last bytes where that is known.
        while let next = segments.first, next.length == 0 { dropFirst() }
        return segments.isEmpty ? .last(bytes, trailers: takeTrailers()) : .bytes(bytes)
    }

    private func dropFirst() {
        position = 0
        // The source may have ended the exchange.
        if !segments.isEmpty { segments.removeFirst() }
    }

    private func takeTrailers() -> HeaderFields {
        defer { trailers = nil }
        return trailers?() ?? [:]
    }
}
