/// A URL or a relative reference, in its five parts (RFC 3986 §4.1).
package struct URLReference: Hashable, Sendable {
    /// In small letters.
    package let scheme: String?
    package let authority: String?
    package let path: String
    package let query: String?
    package let fragment: String?

    /// Reads text such as a person types: characters that a URL cannot hold become escapes of their
    /// UTF-8 bytes; nil for control characters and for a scheme or an authority that is none.
    package init?(_ text: String) { self.init(bytes: Array(text.utf8)) }

    /// Reads a field value, such as that of `Location`, whose characters are bytes.
    package init?(fieldValue: String) { self.init(bytes: fieldValue.scalarBytes) }

    private init(
        scheme: String?,
        authority: String?,
        path: String,
        query: String?,
        fragment: String?
    ) {
        self.scheme = scheme
        self.authority = authority
        self.path = path
        self.query = query
        self.fragment = fragment
    }

    private init?(bytes: [UInt8]) {
        guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        var rest = Self.escape(bytes)[...]
        fragment = Self.cut(&rest, at: UInt8(ascii: "#"))
        query = Self.cut(&rest, at: UInt8(ascii: "?"))
        scheme = Self.cutScheme(&rest)
        if rest.starts(with: "//".utf8) {
            let text = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
            rest = rest.dropFirst(2 + text.count)
            authority = String(scalars: text)
        } else {
            authority = nil
        }
        path = String(scalars: rest)
        // A first segment with a colon would be a scheme (RFC 3986 §4.2).
        let first = rest.prefix { $0 != UInt8(ascii: "/") }
        guard scheme != nil || authority != nil || !first.contains(UInt8(ascii: ":")) else {
            return nil
        }
    }

    private static func escape(_ bytes: [UInt8]) -> [UInt8] {
        var escaped: [UInt8] = []
        escaped.reserveCapacity(bytes.count)
        for byte in bytes {
            PercentEncoding.append(byte, to: &escaped, unless: byte.isURLCharacter)
        }
        return escaped
    }

    /// Takes what stands behind the first `mark`, and the mark.
    private static func cut(_ rest: inout ArraySlice<UInt8>, at mark: UInt8) -> String? {
        guard let place = rest.firstIndex(of: mark) else { return nil }
        let behind = String(scalars: rest[(place + 1)...])
        rest = rest[..<place]
        return behind
    }

    /// Takes a scheme and its colon.
    private static func cutScheme(_ rest: inout ArraySlice<UInt8>) -> String? {
        let name = rest.prefix {
            $0.isAlpha || $0.isDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
                || $0 == UInt8(ascii: ".")
        }
        guard let first = name.first, first.isAlpha,
            rest.dropFirst(name.count).first == UInt8(ascii: ":")
        else {
            return nil
        }
        rest = rest.dropFirst(name.count + 1)
        return String(scalars: name).asciiLowercased
    }

    /// The five parts put together (RFC 3986 §5.3).
    package var text: String {
        (scheme.map { $0 + ":" } ?? "") + (authority.map { "//" + $0 } ?? "") + path
            + (query.map { "?" + $0 } ?? "") + (fragment.map { "#" + $0 } ?? "")
    }

    /// What this means where `base`, which has a scheme, is the place to start from (RFC 3986 §5.2).
    package func resolved(against base: URLReference) -> URLReference {
        if scheme != nil { return replacing(base: self, path: path, query: query) }
        if authority != nil {
            return URLReference(
                scheme: base.scheme,
                authority: authority,
                path: Self.removingDotSegments(path),
                query: query,
                fragment: fragment
            )
        }
        if path.isEmpty {
            return URLReference(
                scheme: base.scheme,
                authority: base.authority,
                path: base.path,
                query: query ?? base.query,
                fragment: fragment
            )
        }
        return replacing(base: base, path: path.hasPrefix("/") ? path : merged(base), query: query)
    }

    private func replacing(base: URLReference, path: String, query: String?) -> URLReference {
        URLReference(
            scheme: base.scheme,
            authority: base.authority,
            path: Self.removingDotSegments(path),
            query: query,
            fragment: fragment
        )
    }

    /// The path behind the last slash of the base's (RFC 3986 §5.2.3).
    private func merged(_ base: URLReference) -> String {
        if base.authority != nil, base.path.isEmpty { return "/" + path }
        let bytes = base.path.utf8
        guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(base.path[...slash]) + path
    }

    /// Without `.` and `..` (RFC 3986 §5.2.4).
    private static func removingDotSegments(_ path: String) -> String {
        let isAbsolute = path.hasPrefix("/")
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
            .dropFirst(isAbsolute ? 1 : 0)
        var kept: [Substring] = []
        for segment in segments {
            switch segment {
            case ".": continue
            case "..": _ = kept.popLast()
            default: kept.append(segment)
            }
        }
        // What ends in a dot segment names a folder.
        if let last = segments.last, last == "." || last == ".." { kept.append("") }
        return (isAbsolute ? "/" : "") + kept.joined(separator: "/")
    }
}

extension UInt8 {
    /// What may stand in a URL, the percent sign included (RFC 3986 §2).
    var isURLCharacter: Bool {
        switch self {
        case UInt8(ascii: ":"), UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#"),
            UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "@"), UInt8(ascii: "%"):
            true
        default: isUnreserved || isSubDelimiter
        }
    }
}
