package import HTTPWire
package import SystemIO

/// What a source of content answered when it was asked for bytes.
package enum GeneratedBytes: Hashable, Sendable {
    /// So many bytes were stored, at least one.
    case stored(Int)
    /// None yet: the exchange's `resume()` says when to ask again.
    case later
    /// There are no more.
    case end
    /// There should be more and they cannot be had; the message is cut off.
    case failed
}

/// Asks a source for bytes: it stores them in the range of the buffer, from its start on.
///
/// The buffer is shared by all connections: a source must not begin, answer or wake other exchanges
/// while it is asked.
package typealias BodyGenerator = (TransferBuffer, Range<Int>) -> GeneratedBytes

/// A part of a message's content.
package enum BodySegment {
    case bytes([UInt8])
    /// A part of a file; sent without a copy where there is no TLS.
    case file(File, Range<UInt64>)
    /// Bytes made when there is room for them; a length of nil means that only the source knows.
    case generated(length: UInt64?, BodyGenerator)

    /// Bytes; nil if that is not known.
    package var length: UInt64? {
        switch self {
        case .bytes(let bytes): UInt64(bytes.count)
        case .file(_, let range): UInt64(range.count)
        case .generated(let length, _): length
        }
    }
}

/// How a message tells where its content ends (RFC 9112 §6.3).
package enum ContentFraming: String, CaseIterable, Hashable, Sendable {
    /// By `Content-Length`, if the length is known beforehand; else in chunks.
    case length
    /// In chunks, whatever is known.
    case chunked
    /// By nothing but the end of the connection.
    case close
}

/// The content of a message that is to be sent.
///
/// If the length of each segment is known, the message has a `Content-Length`, otherwise it goes in
/// chunks; `framing` can ask for less.
package struct MessageBody {
    package var segments: [BodySegment]
    /// Of responses only.
    ///
    /// To a client of HTTP/1.0, which knows no chunks, chunked ones end with their connection.
    package var framing = ContentFraming.length
    /// Asked for once the content is sent; with trailers the message goes in chunks.
    package var trailers: (() -> HeaderFields)?

    package init(_ segments: [BodySegment], trailers: (() -> HeaderFields)? = nil) {
        self.segments = segments
        self.trailers = trailers
    }

    package static var none: MessageBody { MessageBody([]) }

    package static func bytes(_ bytes: [UInt8]) -> MessageBody { MessageBody([.bytes(bytes)]) }

    package static func text(_ text: String) -> MessageBody { .bytes(Array(text.utf8)) }

    package static func file(_ file: File, _ range: Range<UInt64>) -> MessageBody {
        MessageBody([.file(file, range)])
    }

    package static func generated(
        length: UInt64?,
        _ generator: @escaping BodyGenerator
    ) -> MessageBody {
        MessageBody([.generated(length: length, generator)])
    }

    /// Bytes of content; nil if that is not known beforehand.
    package var length: UInt64? {
        var sum: UInt64 = 0
        for segment in segments {
            guard let length = segment.length else { return nil }
            let (next, overflows) = sum.addingReportingOverflow(length)
            guard !overflows else { return nil }
            sum = next
        }
        return sum
    }

    var needsChunks: Bool { length == nil || trailers != nil }
}
