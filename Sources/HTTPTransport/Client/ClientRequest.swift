package import HTTPWire

/// A request to send.
package struct ClientRequest {
    package var endpoint: ClientEndpoint
    /// `Host` and the fields that frame the content are added if they are missing.
    package var head: RequestHead
    package var body: MessageBody
    /// Sends `Expect: 100-continue` and the content only when the server says so, or after a while.
    package var expectsContinue = false

    package init(
        _ method: String,
        _ endpoint: ClientEndpoint,
        target: String,
        fields: HeaderFields = [:],
        body: MessageBody = .none
    ) {
        self.endpoint = endpoint
        head = RequestHead(method, target, fields: fields)
        self.body = body
    }

    package init(
        _ method: String,
        _ url: HTTPURL,
        fields: HeaderFields = [:],
        body: MessageBody = .none
    ) {
        self.init(method, ClientEndpoint(url), target: url.target, fields: fields, body: body)
    }

    /// The head as it goes out, and whether the content goes in chunks.
    var framed: (head: RequestHead, isChunked: Bool) {
        var framed = head
        var isChunked = false
        if !framed.fields.contains("Host") {
            // First, where intermediaries look for it (RFC 9110 §7.2).
            let others = framed.fields.fields
            framed.fields = HeaderFields([.init("Host", endpoint.hostField)] + others)
        }
        framed.fields.remove("Content-Length")
        framed.fields.remove("Transfer-Encoding")
        if body.needsChunks {
            framed.fields.add("Transfer-Encoding", "chunked")
            isChunked = true
        } else if let length = body.length, length > 0 || Self.meansContent(head.method) {
            framed.fields.add("Content-Length", "\(length)")
        }
        if expectsContinue && !body.segments.isEmpty { framed.fields["Expect"] = "100-continue" }
        return (framed, isChunked)
    }

    /// Whether a request with this method says its length even if it is 0 (RFC 9110 §8.6).
    private static func meansContent(_ method: String) -> Bool {
        ["POST", "PUT", "PATCH"].contains(method)
    }
}
