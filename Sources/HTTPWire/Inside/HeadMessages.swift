// What heads say of the messages that follow them.

extension RequestHead {
    /// Whether the client asks for a WebSocket (RFC 6455 §4.1, RFC 8441 §5).
    package var asksForWebSocket: Bool {
        switch version {
        case .http2: method == "CONNECT" && connectProtocol == "websocket"
        case .http11: method == "GET" && fields.list("Upgrade", hasToken: "websocket")
        default: false
        }
    }

    /// Whether this begins a gRPC call.
    package var isCall: Bool { version == .http2 && method == "POST" && fields.hasCallMessages }
}

extension ResponseHead {
    /// Whether frames of a WebSocket follow (RFC 6455 §4.2.2).
    package var opensWebSocket: Bool {
        status == 101 && fields.list("Upgrade", hasToken: "websocket")
    }

    /// Whether the content is a stream of events whose text can be read.
    package var hasEvents: Bool {
        status == 200 && !fields.contains("Content-Encoding")
            && fields["Content-Type"].flatMap { MediaType($0) }?.essence == "text/event-stream"
    }

    /// The messages that follow in HTTP/2; nil if there are none.
    package func messages(answering request: RequestHead) -> MessageKind? {
        if request.asksForWebSocket { return (200..<300).contains(status) ? .webSocket : nil }
        if request.isCall { return status == 200 && fields.hasCallMessages ? .grpc : nil }
        return hasEvents ? .event : nil
    }
}

extension HeaderFields {
    /// Whether the content is messages of gRPC, whatever is in them.
    package var hasCallMessages: Bool {
        self["Content-Type"].map(MediaType.isOfCalls) ?? false
    }
}

extension MediaType {
    /// Whether content of this type is messages of gRPC; those of gRPC-Web are others.
    package static func isOfCalls(_ text: String) -> Bool {
        guard let type = MediaType(text)?.essence else { return false }
        return type == "application/grpc" || type.hasPrefix("application/grpc+")
    }
}
