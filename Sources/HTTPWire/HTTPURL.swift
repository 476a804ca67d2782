/// An absolute `http` or `https` URL (RFC 9110 §4.2).
package struct HTTPURL: Hashable, Sendable {
    package let isSecure: Bool
    /// In small letters; an IPv6 address without brackets.
    package let host: String
    /// 1 to 65535: the one given or the scheme's own.
    package let port: Int
    /// Path and query as they stand in a request; begins with a slash.
    package let target: String

    /// Reads what a person typed.
    package init(_ text: String) throws(HTTPURLError) {
        guard let reference = URLReference(text) else { throw .notURL }
        try self.init(reference)
    }

    private init(_ reference: URLReference) throws(HTTPURLError) {
        switch reference.scheme {
        case "http": isSecure = false
        case "https": isSecure = true
        default: throw .scheme
        }
        guard let text = reference.authority, !text.isEmpty else { throw .host }
        guard !text.utf8.contains(UInt8(ascii: "@")) else { throw .userInformation }
        guard let authority = Authority(Array(text.utf8)) else { throw .host }
        host = authority.host
        port = authority.port ?? (isSecure ? 443 : 80)
        let path = reference.path.isEmpty ? "/" : reference.path
        target = path + (reference.query.map { "?" + $0 } ?? "")
    }

    /// What a field value such as that of `Location` means here; any fragment is dropped.
    package func resolving(_ fieldValue: String) throws(HTTPURLError) -> HTTPURL {
        guard let reference = URLReference(fieldValue: fieldValue),
            let base = URLReference(text)
        else {
            throw .notURL
        }
        return try HTTPURL(reference.resolved(against: base))
    }

    /// The value of `Host`: with the port unless it is the scheme's own.
    package var hostField: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
    }

    package var text: String { "\(isSecure ? "https" : "http")://\(hostField)\(target)" }

    /// Whether requests for both may share connections, credentials and trust.
    package func hasSameOrigin(as other: HTTPURL) -> Bool {
        isSecure == other.isSecure && host == other.host && port == other.port
    }
}

/// Why text is not a URL for HTTP.
package enum HTTPURLError: Error, Hashable, Sendable, CustomStringConvertible {
    case notURL
    case scheme
    case userInformation
    case host

    package var description: String {
        switch self {
        case .notURL: "not a URL"
        case .scheme: "not an http or https URL"
        case .userInformation: "a URL with user information; leave out what stands before '@'"
        case .host: "a URL with an invalid host or port"
        }
    }
}

extension HTTPURL {
    /// Host and port.
    struct Authority: Hashable, Sendable {
        let host: String
        /// 1 to 65535; nil if none is given.
        let port: Int?

        /// Reads `host`, `host:port` or `[address]:port`.
        ///
        /// Not of a host are escapes, which no name lookup understands, and zones of addresses.
        init?(_ text: [UInt8]) {
            var rest = text[...]
            if rest.first == UInt8(ascii: "[") {
                guard let end = rest.firstIndex(of: UInt8(ascii: "]")),
                    IPv6Address.isValid(rest[1..<end])
                else {
                    return nil
                }
                host = String(scalars: rest[1..<end]).asciiLowercased
                rest = rest[(end + 1)...]
            } else {
                let name = rest.prefix { $0.isUnreserved || $0.isSubDelimiter }
                guard !name.isEmpty else { return nil }
                host = String(scalars: name).asciiLowercased
                rest = rest.dropFirst(name.count)
            }
            guard !rest.isEmpty else {
                port = nil
                return
            }
            guard rest.removeFirst() == UInt8(ascii: ":"), rest.allSatisfy(\.isDigit) else {
                return nil
            }
            port = rest.isEmpty ? nil : Int(String(scalars: rest)) ?? 0
            guard port.map({ (1...65_535).contains($0) }) ?? true else { return nil }
        }
    }
}
