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
    /// Anything may be a credential (`X-API-Key`), so that another origin, which a redirect or a
    /// server's `Location` led to, gets only fields that are known to be harmless (RFC 9110 §15.4).
    /// Fields that describe content go only where `describesContent` says so, those that the machines
    /// set themselves never.
    func fields(for address: HTTPURL, describesContent: Bool) -> HeaderFields {
        var result: HeaderFields = ["Host": address.hostField]
        for field in fields.fields {
            let name = field.name.lowercased()
            if Self.own.contains(name) { continue }
            if !Self.harmless.contains(name), !address.hasSameOrigin(as: origin) { continue }
            if Self.describesContent(name), !describesContent { continue }
            result.add(field.name, field.value)
        }
        return result
    }

    private static func describesContent(_ name: String) -> Bool {
        name.hasPrefix("content-") || name == "repr-digest" || name == "expect"
            || name.hasPrefix("if-")
    }

    /// Preferences and descriptions that RFC 9110 and RFC 9530 define and that open nothing.
    private static let harmless = [
        "accept", "accept-charset", "accept-language", "cache-control", "content-disposition",
        "content-encoding", "content-language", "content-type", "expect", "pragma", "repr-digest",
        "user-agent", "want-repr-digest",
    ]

    /// Set by the machines or by the transport.
    private static let own = [
        "host", "content-length", "transfer-encoding", "connection", "range", "if-range",
        "accept-encoding", "upload-draft-interop-version", "upload-complete", "upload-incomplete",
        "upload-offset", "upload-length", "tus-resumable",
    ]
}
