internal import HTTPWire

/// A response as it goes out: the head with its framing fields, and the content that is sent.
struct ResponsePlan {
    var head: ResponseHead
    var body: MessageBody
    var isChunked = false
    var keepsConnection: Bool

    init(
        _ response: ResponseHead,
        _ body: MessageBody,
        to request: RequestHead,
        keepsConnection: Bool
    ) {
        head = response
        head.version = .http11
        self.body = body
        let asksToClose = response.fields.list("Connection", hasToken: "close")
        self.keepsConnection = keepsConnection && !asksToClose
        head.fields.remove("Connection")
        frame(request)
        if head.fields.contains("Upgrade") { head.fields.add("Connection", "upgrade") }
        if !self.keepsConnection {
            head.fields.add("Connection", "close")
        } else if request.version == .http10 {
            head.fields.add("Connection", "keep-alive")
        }
    }

    /// RFC 9112 §6.1, §6.2.
    private mutating func frame(_ request: RequestHead) {
        let hasContent = head.status != 204 && head.status != 304
        let givenLength = head.fields["Content-Length"]
        head.fields.remove("Content-Length")
        head.fields.remove("Transfer-Encoding")
        guard hasContent else { return frameNothing(givenLength) }
        switch framing(for: request.version) {
        case .length where request.method == "HEAD": frameNothing(givenLength)
        case .length:
            if let length = body.length { head.fields.add("Content-Length", "\(length)") }
        case .chunked:
            head.fields.add("Transfer-Encoding", "chunked")
            isChunked = true
        case .close:
            keepsConnection = false
            body.trailers = nil
        }
        if request.method == "HEAD" { leaveOutContent() }
    }

    /// What the content asks for, as far as the client knows it.
    private func framing(for version: HTTPVersion) -> ContentFraming {
        let framing = body.framing == .length && body.needsChunks ? .chunked : body.framing
        // Only the end of the connection can tell a client of HTTP/1.0.
        return framing == .chunked && version == .http10 ? .close : framing
    }

    /// A message without content may tell the length that it would have (RFC 9110 §8.6).
    private mutating func frameNothing(_ givenLength: String?) {
        let implied = body.segments.isEmpty ? nil : body.length.map { "\($0)" }
        if head.status != 204, let length = givenLength ?? implied {
            head.fields.add("Content-Length", length)
        }
        leaveOutContent()
    }

    private mutating func leaveOutContent() {
        body = .none
        isChunked = false
    }
}
