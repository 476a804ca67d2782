/// What a request is for, in the four forms of RFC 9112 §3.2.
package enum RequestTarget: Hashable, Sendable {
    /// `/path?query`.
    case origin(Resource)
    /// `http://host/path?query`: the host of the URL counts, not the one of the field.
    case absolute(HTTPURL)
    /// `host:port`, of CONNECT only.
    case authority(host: String, port: Int)
    /// `*`, of OPTIONS only.
    case asterisk

    package struct Resource: Hashable, Sendable {
        package let path: RequestPath
        /// What stands behind the question mark; nil if there is none.
        package let query: String?

        init(_ target: String) {
            let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            path = RequestPath(String(parts[0]))
            query = parts.count == 2 ? String(parts[1]) : nil
        }

        /// The items of the query; nil if an escape is wrong or an item is not UTF-8.
        package var queryItems: [QueryItem]? { query.map(QueryItem.items) ?? [] }
    }

    /// Reads the target of a request; nil if it has none of the forms that its method allows.
    ///
    /// A number sign is refused: what would stand behind it is never sent (RFC 9110 §7.1).
    package init?(_ head: RequestHead) {
        let target = head.target
        guard !target.utf8.contains(UInt8(ascii: "#")) else { return nil }
        if head.method == "CONNECT" {
            guard let authority = HTTPURL.Authority(Array(target.utf8)), let port = authority.port
            else {
                return nil
            }
            self = .authority(host: authority.host, port: port)
        } else if target == "*" {
            guard head.method == "OPTIONS" else { return nil }
            self = .asterisk
        } else if target.utf8.first == UInt8(ascii: "/") {
            self = .origin(Resource(target))
        } else {
            guard let url = try? HTTPURL(target) else { return nil }
            self = .absolute(url)
        }
    }

    /// Path and query; nil for the forms that have none.
    package var resource: Resource? {
        switch self {
        case .origin(let resource): resource
        case .absolute(let url): Resource(url.target)
        case .authority, .asterisk: nil
        }
    }
}

/// A name with or without a value in a query, as forms and most APIs write them.
package struct QueryItem: Hashable, Sendable {
    package let name: String
    /// nil if there is no equals sign.
    package let value: String?

    package init(_ name: String, _ value: String?) {
        self.name = name
        self.value = value
    }

    /// The items between ampersands, a plus sign being a space; empty items are passed over.
    static func items(_ query: String) -> [QueryItem]? {
        var items: [QueryItem] = []
        for part in query.utf8.split(separator: UInt8(ascii: "&")) {
            let halves = part.split(
                separator: UInt8(ascii: "="),
                maxSplits: 1,
                omittingEmptySubsequences: false
            ).map { decode($0) }
            guard let name = halves[0] else { return nil }
            guard halves.count == 2 else {
                items.append(QueryItem(name, nil))
                continue
            }
            guard let value = halves[1] else { return nil }
            items.append(QueryItem(name, value))
        }
        return items
    }

    private static func decode(_ text: Substring.UTF8View) -> String? {
        let spaced = text.map { $0 == UInt8(ascii: "+") ? 0x20 : $0 }
        return PercentEncoding.decode(spaced).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
