internal import Basics
package import SystemIO

/// Where to listen or connect, as people write it.
///
/// `host:port`, `127.0.0.1:80`, `[::1]:80` or `unix:/path`; also a port alone, which is one of this
/// machine, and `http://host:port`.
package enum Endpoint: Hashable, Sendable {
    /// A name or a numeric address without brackets.
    case tcp(host: String, port: UInt16)
    case unix(path: String)

    /// Reads an endpoint.
    ///
    /// - Throws: `badEndpoint` with what was found and what was expected.
    package init(parsing text: String) throws(ProxyError) {
        if let path = text.dropping(prefix: "unix:") {
            self = try .unix(path: Self.checkedPath(path))
            return
        }
        if text.contains("://") {
            guard try Self.secure(parsing: text) == nil else {
                throw .badEndpoint("'\(text)': only --upstream takes an https URL; write host:port")
            }
            self = try Self.server(ofURL: text)
            return
        }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            self = .tcp(host: "127.0.0.1", port: try Self.port(text[...], in: text))
            return
        }
        guard let colon = text.lastIndex(of: ":") else {
            throw .badEndpoint("'\(text)' has no port; write host:port, [::1]:80 or unix:/path")
        }
        let host = try Self.host(text[..<colon], in: text)
        self = .tcp(host: host, port: try Self.port(text[text.index(after: colon)...], in: text))
    }

    /// Reads `https://host[:port]`; nil for anything that does not begin so.
    ///
    /// - Throws: `badEndpoint` with what was found and what was expected.
    package static func secure(parsing text: String) throws(ProxyError) -> Endpoint? {
        guard text.lowercased().hasPrefix("https://") else { return nil }
        return try server(ofURL: text)
    }

    /// The server of an `http` or `https` URL without a path.
    private static func server(ofURL text: String) throws(ProxyError) -> Endpoint {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        let rest = text.dropFirst(scheme.count + "://".count)
        let server = rest.prefix { !"/?#".contains($0) }
        let hasPort =
            server.drop { $0 != "]" }.dropFirst().hasPrefix(":")
            || !server.hasPrefix("[") && server.contains(":")
        switch scheme {
        case "http", "https":
            let port = scheme == "http" ? 80 : 443
            let endpoint = hasPort ? String(server) : "\(server):\(port)"
            guard rest.dropFirst(server.count).allSatisfy({ $0 == "/" }) else {
                throw .badEndpoint(
                    "'\(text)' names more than a server; write \(endpoint), and give the path to"
                        + " the client"
                )
            }
            return try Endpoint(parsing: endpoint)
        default:
            throw .badEndpoint("'\(text)': write host:port, [::1]:80 or unix:/path")
        }
    }

    /// The numeric address; nil for a name, which must be looked up.
    package var numericAddress: SocketAddress? {
        switch self {
        case .tcp(let host, let port): SocketAddress(numericHost: host, port: port)
        case .unix(let path): .unix(path)
        }
    }

    private static func checkedPath(_ path: Substring) throws(ProxyError) -> String {
        guard !path.isEmpty else {
            throw .badEndpoint("'unix:' needs a path, as unix:/run/app.sock")
        }
        guard path.utf8.count <= SocketAddress.maximumPathBytes else {
            throw .badEndpoint(
                "the path of a Unix socket has at most \(SocketAddress.maximumPathBytes) bytes,"
                    + " '\(path)' has \(path.utf8.count)"
            )
        }
        return String(path)
    }

    private static func host(_ text: Substring, in whole: String) throws(ProxyError) -> String {
        if text.hasPrefix("["), text.hasSuffix("]") {
            let inner = String(text.dropFirst().dropLast())
            guard case .ipv6 = SocketAddress(numericHost: inner, port: 0) else {
                throw .badEndpoint("'\(inner)' in '\(whole)' is not an IPv6 address")
            }
            return inner
        }
        guard !text.contains(":") else {
            throw .badEndpoint("'\(whole)': write an IPv6 address in brackets, as [::1]:80")
        }
        guard !text.isEmpty else {
            throw .badEndpoint("'\(whole)' has no host; write 127.0.0.1\(whole)")
        }
        guard text.utf8.count <= 253, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else {
            throw .badEndpoint("'\(text)' is not a host name")
        }
        return String(text)
    }

    private static func port(_ text: Substring, in whole: String) throws(ProxyError) -> UInt16 {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(text)
        else {
            throw .badEndpoint("'\(text)' in '\(whole)' is not a port from 0 to 65535")
        }
        return port
    }
}

extension Endpoint {
    /// What a route that forwards has instead of an upstream.
    package static let anywhere = Endpoint.tcp(host: "*", port: 0)
}

extension Endpoint: CustomStringConvertible {
    package var description: String {
        if self == .anywhere { return "anywhere" }
        return switch self {
        case .tcp(let host, let port) where host.contains(":"): "[\(host)]:\(port)"
        case .tcp(let host, let port): "\(host):\(port)"
        case .unix(let path): "unix:\(path)"
        }
    }
}

extension Endpoint {
    /// The endpoint of an address that the system named.
    package init(_ address: SocketAddress) {
        switch address {
        case .unix(let path): self = .unix(path: path)
        case .ipv4(_, let port):
            self = .tcp(host: String(address.description.prefix { $0 != ":" }), port: port)
        case .ipv6(_, let port, _):
            let text = address.description.dropFirst().prefix { $0 != "]" }
            self = .tcp(host: String(text), port: port)
        }
    }
}

extension ProxyError {
    fileprivate static func badEndpoint(_ text: String) -> ProxyError {
        ProxyError(.badEndpoint, text)
    }
}

extension String {
    fileprivate func dropping(prefix: String) -> Substring? {
        hasPrefix(prefix) ? dropFirst(prefix.count) : nil
    }
}
