/// How the end of a message's content is known (RFC 9112 §6.3).
package enum MessageFraming: Hashable, Sendable {
    /// There is no content, whatever the fields say.
    case none
    /// So many bytes.
    case length(Int)
    /// Chunks, the last of them empty, then trailers.
    case chunked
    /// Up to the end of the connection; only responses can be so.
    case untilClose
}

extension RequestHead {
    /// The framing of the content behind this head.
    ///
    /// - Throws: `MessageError` if the fields contradict each other or another parser could
    ///   understand them differently.
    package func framing() throws(MessageError) -> MessageFraming {
        if try fields.isChunked(in: version) { return .chunked }
        return try fields.contentLength().map { .length($0) } ?? .none
    }

    /// Whether the sender lets another request follow on the connection (RFC 9112 §9.3).
    package var keepsConnection: Bool { fields.keepConnection(in: version) }

    /// Whether the sender waits for a 100 before it sends content (RFC 9110 §10.1.1).
    package var expectsContinue: Bool {
        version != .http10 && fields.list("Expect", hasToken: "100-continue")
    }
}

extension ResponseHead {
    /// The framing of the content behind this head, which answers a request with `method`.
    ///
    /// - Throws: `MessageError` if the fields contradict each other or another parser could
    ///   understand them differently.
    package func framing(answering method: String) throws(MessageError) -> MessageFraming {
        if status < 200 || status == 204 || status == 304 || method == "HEAD" { return .none }
        if opensTunnel(answering: method) { return .none }
        if try fields.isChunked(in: version) { return .chunked }
        return try fields.contentLength().map { .length($0) } ?? .untilClose
    }

    /// Whether the connection carries something else than HTTP from here on (RFC 9110 §9.3.6,
    /// §15.2.2).
    package func opensTunnel(answering method: String) -> Bool {
        status == 101 || (method == "CONNECT" && (200..<300).contains(status))
    }

    /// Whether another request may follow on the connection behind this final response.
    package func keepsConnection(answering method: String) -> Bool {
        guard let framing = try? framing(answering: method) else { return false }
        return keepsConnection(answering: method, framing)
    }

    /// The same where it is known what frames its content.
    func keepsConnection(answering method: String, _ framing: MessageFraming) -> Bool {
        framing != .untilClose && !opensTunnel(answering: method)
            && fields.keepConnection(in: version)
    }
}

extension HeaderFields {
    /// The value of `Content-Length`; nil if there is none.
    ///
    /// Several equal values count as one (RFC 9110 §8.6).
    ///
    /// - Throws: `MessageError.malformed` for what is not digits, does not fit or differs.
    package func contentLength() throws(MessageError) -> Int? {
        var first: Substring?
        for field in fields where field.has("Content-Length") {
            let value = field.value
            // One number is what nearly every message has.
            if first == nil, !value.isEmpty, value.utf8.allSatisfy(\.isDigit) {
                first = value[...]
                continue
            }
            for item in value.split(separator: ",", omittingEmptySubsequences: false) {
                let digits = item.trimmingBlanks
                guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else {
                    throw .malformed("Content-Length is not a number")
                }
                // Also 5 and 05 differ: not every parser sees the same number in them.
                guard first == nil || first == digits else {
                    throw .malformed("several different Content-Length values")
                }
                first = digits
            }
        }
        guard let first else { return nil }
        guard let length = Int(first) else { throw .malformed("Content-Length is too large") }
        return length
    }

    /// Whether the content comes in chunks.
    fileprivate func isChunked(in version: HTTPVersion) throws(MessageError) -> Bool {
        guard contains("Transfer-Encoding") else { return false }
        let values = values("Transfer-Encoding")
        guard version == .http11 else { throw .malformed("Transfer-Encoding in HTTP/1.0") }
        guard !contains("Content-Length") else {
            throw .malformed("Transfer-Encoding together with Content-Length")
        }
        let codings = values.flatMap { value in
            value.split(separator: ",", omittingEmptySubsequences: false)
                .map { String($0.trimmingBlanks).asciiLowercased }
        }
        guard codings.allSatisfy({ !$0.isEmpty }), codings.last == "chunked",
            !codings.dropLast().contains("chunked")
        else {
            throw .malformed("Transfer-Encoding does not end in chunked")
        }
        guard codings.count == 1 else { throw .transferCodingNotSupported }
        return true
    }

    fileprivate func keepConnection(in version: HTTPVersion) -> Bool {
        guard !list("Connection", hasToken: "close") else { return false }
        return version != .http10 || list("Connection", hasToken: "keep-alive")
    }
}

extension Substring {
    /// Without spaces and tabs at both ends.
    fileprivate var trimmingBlanks: Substring {
        var rest = drop { $0 == " " || $0 == "\t" }
        while rest.last == " " || rest.last == "\t" { rest.removeLast() }
        return rest
    }
}
