internal import HTTPWire

/// Which of the user's fields go with a request.
struct CarriedFields {
    private let fields: HeaderFields
    private let origin: HTTPURL

    /// Fields given for requests to `origin`.
    init(_ fields: HeaderFields, of origin: HTTPURL) {
        self.fields = fields
        self.origin = origin
    }

    /// The fields for a request to `address`, with `Host` first.
    ///
    /// Credentials go only to the origin they were given for (RFC 9110 §15.4); fields that describe
    /// content or that the machines set themselves go only where `describesContent` says so or
    /// never.
    func fields(for address: HTTPURL, describesContent: Bool) -> HeaderFields {
        var result: HeaderFields = ["Host": address.hostField]
        for field in fields.fields {
            let name = field.name.lowercased()
            if Self.own.contains(name) { continue }
            if Self.credentials.contains(name), !address.hasSameOrigin(as: origin) { continue }
            if Self.describesContent(name), !describesContent { continue }
            result.add(field.name, field.value)
        }
        return result
    }

    private static func describesContent(_ name: String) -> Bool {
        name.hasPrefix("content-") || name == "repr-digest" || name == "expect"
            || name.hasPrefix("if-")
    }

    private static let credentials = ["authorization", "cookie", "proxy-authorization"]

    /// Set by the machines or by the transport.
    private static let own = [
        "host", "content-length", "transfer-encoding", "connection", "range", "if-range",
        "accept-encoding", "upload-draft-interop-version", "upload-complete", "upload-incomplete",
        "upload-offset", "upload-length", "tus-resumable",
    ]
}
