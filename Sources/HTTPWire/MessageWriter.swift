/// Heads and chunk framing as bytes (RFC 9112).
///
/// What could be read as something else is refused: a line end or another control character in a
/// value, a space in a target, a name that is no token. So no text that comes from outside can add a
/// field or a message of its own (RFC 9110 §17.2, RFC 9112 §11.1).
package enum MessageWriter {
    /// The start line, the fields and the empty line of a request.
    package static func bytes(of head: RequestHead) throws(MessageWriteError) -> [UInt8] {
        guard isToken(head.method) else { throw .method }
        guard !head.target.isEmpty, head.target.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw .target
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        bytes += head.method.utf8
        bytes.append(0x20)
        bytes += head.target.utf8
        bytes.append(0x20)
        bytes += head.version.text.utf8
        bytes += lineEnd
        try append(head.fields, to: &bytes)
        return bytes
    }

    /// The start line, the fields and the empty line of a response.
    package static func bytes(of head: ResponseHead) throws(MessageWriteError) -> [UInt8] {
        guard (100...999).contains(head.status) else { throw .status }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(512)
        bytes += "\(head.version.text) \(head.status) ".utf8
        guard append(head.reason, to: &bytes) else { throw .reason }
        bytes += lineEnd
        try append(head.fields, to: &bytes)
        return bytes
    }

    /// What stands before the bytes of a chunk; `lineEnd` stands behind them.
    ///
    /// - Parameter count: bytes of the chunk, at least 1: an empty one would end the message.
    /// - Returns: the size line.
    package static func chunkHead(_ count: Int) -> [UInt8] {
        precondition(count > 0, "an empty chunk would end the message")
        return Array("\(String(count, radix: 16))\r\n".utf8)
    }

    /// CR LF, also what stands behind a chunk.
    package static let lineEnd: [UInt8] = [0x0D, 0x0A]

    /// What ends a message in chunks.
    package static func lastChunk(
        trailers: HeaderFields = [:]
    ) throws(MessageWriteError) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "0")] + lineEnd
        try append(trailers, to: &bytes)
        return bytes
    }

    /// Whether a field can be written.
    package static func canWrite(_ field: HeaderFields.Field) -> Bool {
        var bytes: [UInt8] = []
        return (try? append(field, to: &bytes)) != nil
    }

    /// Fields and the empty line behind them.
    static func append(
        _ fields: HeaderFields,
        to bytes: inout [UInt8]
    ) throws(MessageWriteError) {
        for field in fields.fields { try append(field, to: &bytes) }
        bytes += lineEnd
    }

    private static func append(
        _ field: HeaderFields.Field,
        to bytes: inout [UInt8]
    ) throws(MessageWriteError) {
        guard isToken(field.name) else { throw .fieldName(field.name) }
        bytes += field.name.utf8
        bytes.append(UInt8(ascii: ":"))
        bytes.append(0x20)
        let start = bytes.count
        guard append(field.value, to: &bytes) else { throw .fieldValue(field.name) }
        // White space at its ends is not of the value and would be lost.
        let value = bytes[start...]
        guard value.first?.isBlank != true, value.last?.isBlank != true else {
            throw .fieldValue(field.name)
        }
        bytes += lineEnd
    }

    /// Each scalar as a byte; false if a character cannot stand in a field.
    private static func append(_ text: String, to bytes: inout [UInt8]) -> Bool {
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value), byte.isFieldCharacter else {
                return false
            }
            bytes.append(byte)
        }
        return true
    }

    private static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(\.isTokenCharacter)
    }
}

/// What of a message cannot be written.
package enum MessageWriteError: Error, Hashable, Sendable, CustomStringConvertible {
    case method
    case target
    case status
    case reason
    case fieldName(String)
    /// The value under this name.
    case fieldValue(String)

    package var description: String {
        switch self {
        case .method: "the method is not a token"
        case .target: "the target is empty or has a space, a control or a non-ASCII character"
        case .status: "the status is not a number from 100 to 999"
        case .reason: "the reason phrase has a control character"
        case .fieldName(let name): "a header name is not a token: \(String(reflecting: name))"
        case .fieldValue(let name):
            "the value of \(name) has a control character, white space at an end or a character"
                + " above U+00FF"
        }
    }
}

extension HTTPVersion {
    /// As it stands in a start line.
    package var text: String {
        switch self {
        case .http10: "HTTP/1.0"
        case .http11: "HTTP/1.1"
        case .http2: "HTTP/2"
        }
    }
}
