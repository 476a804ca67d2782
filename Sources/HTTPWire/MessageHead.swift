/// The version of HTTP in which a head came (RFC 9110 §6.2).
package enum HTTPVersion: Hashable, Sendable {
    case http10
    case http11
    /// Of frames, which have no start line (RFC 9113 §8.3).
    case http2
}

/// Start line and fields of a request.
package struct RequestHead: Hashable, Sendable {
    /// As it came: methods are case-sensitive (RFC 9110 §9.1).
    package var method: String
    /// As it came: origin form, absolute form, authority or `*` (RFC 9112 §3.2).
    package var target: String
    package var version: HTTPVersion
    package var fields: HeaderFields
    /// What a CONNECT of HTTP/2 asks for in place of a tunnel (RFC 8441 §4); nil for none.
    package var connectProtocol: String?
    /// Whether the frame of the head has said that no content follows it (RFC 9113 §8.1).
    package var endsStream = false

    package init(
        _ method: String,
        _ target: String,
        version: HTTPVersion = .http11,
        fields: HeaderFields = [:]
    ) {
        self.method = method
        self.target = target
        self.version = version
        self.fields = fields
    }
}

/// Start line and fields of an interim or final response.
package struct ResponseHead: Hashable, Sendable {
    /// 100 to 999.
    package var status: Int
    /// May be empty; nobody should read meaning into it (RFC 9112 §4).
    package var reason: String
    package var version: HTTPVersion
    package var fields: HeaderFields

    package init(
        _ status: Int,
        reason: String? = nil,
        version: HTTPVersion = .http11,
        fields: HeaderFields = [:]
    ) {
        self.status = status
        self.reason = reason ?? ReasonPhrase.of(status)
        self.version = version
        self.fields = fields
    }

    /// Whether another response to the same request follows (RFC 9110 §15.2); 101 ends HTTP.
    package var isInterim: Bool { (100..<200).contains(status) && status != 101 }
}
