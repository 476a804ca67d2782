internal import HTTPWire

/// Another proxy, through which servers are reached: by CONNECT (RFC 9110 §9.3.6) or SOCKS version 5
/// (RFC 1928).
///
/// It looks their names up.
package struct NextProxy: Hashable, Sendable {
    package enum Form: Hashable, Sendable {
        case http
        case socks
    }

    package let form: Form
    /// Where it listens; never a Unix socket.
    package let endpoint: Endpoint
    /// What it is told of us; 1 to 255 bytes each, and no colon in the user.
    package private(set) var credentials: ForwardSettings.Credentials?
    /// What is reached without it.
    package var exceptions = ProxyExceptions()

    /// Reads `http://[USER:PASSWORD@]HOST[:PORT]`, or the same with `socks5` or `socks5h`.
    ///
    /// Without a scheme it is `http`, as in the variables that name proxies; without a port 80, and
    /// 1080 for SOCKS.
    ///
    /// - Throws: `badEndpoint`, which tells no password.
    package init(parsing text: String) throws(ProxyError) {
        let parts = Parts(text)
        form = try Self.form(parts.scheme)
        let server = parts.server.hasSuffix("/") ? parts.server.dropLast() : parts.server
        let hasPort =
            server.drop { $0 != "]" }.dropFirst().hasPrefix(":")
            || !server.hasPrefix("[") && server.contains(where: { $0 == ":" })
        let port = form == .http ? 80 : 1_080
        endpoint = try Endpoint(parsing: hasPort ? String(server) : "\(server):\(port)")
        guard case .tcp(_, port: 1...) = endpoint else {
            throw ProxyError(.badEndpoint, "'\(endpoint)' is no proxy; write http://HOST:PORT")
        }
        if let login = parts.login { credentials = try Self.credentials(login) }
    }

    private static func form(_ scheme: Substring?) throws(ProxyError) -> Form {
        switch scheme?.lowercased() {
        case nil, "http": return .http
        case "socks5", "socks5h", "socks": return .socks
        case "https":
            throw ProxyError(
                .badEndpoint,
                "a proxy that is itself reached by TLS is not supported; write http://HOST:PORT"
            )
        case let scheme?:
            throw ProxyError(
                .badEndpoint,
                "'\(scheme)' is not a kind of proxy; write http://HOST:PORT or socks5://HOST:PORT"
            )
        }
    }

    /// Reads `USER:PASSWORD`, in which percent signs begin escapes.
    private static func credentials(
        _ text: Substring
    ) throws(ProxyError) -> ForwardSettings.Credentials {
        let words = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            .compactMap { PercentEncoding.decode($0.utf8) }
        guard words.count == 2, words.allSatisfy({ (1...255).contains($0.count) }),
            !words[0].contains(UInt8(ascii: ":"))
        else {
            throw ProxyError(
                .badEndpoint,
                "what stands before '@' has to be USER:PASSWORD; write %25 for a percent sign in it"
            )
        }
        return .init(
            user: String(decoding: words[0], as: UTF8.self),
            password: String(decoding: words[1], as: UTF8.self)
        )
    }

    /// The URL of a proxy as it may be shown: without the password.
    package static func shown(_ text: String) -> String {
        let parts = Parts(text)
        guard let login = parts.login, let colon = login.firstIndex(of: ":") else { return text }
        let scheme = parts.scheme.map { "\($0)://" } ?? ""
        return "\(scheme)\(login[..<colon]):PASSWORD@\(parts.server)"
    }

    /// The parts of a URL, nothing of them understood.
    private struct Parts {
        var scheme: Substring?
        var login: Substring?
        var server: Substring

        init(_ text: String) {
            server = text[...]
            if let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") {
                scheme = text[..<colon]
                server = text[colon...].dropFirst("://".count)
            }
            // A password may have the character itself.
            if let at = server.lastIndex(of: "@") {
                login = server[..<at]
                server = server[server.index(after: at)...]
            }
        }
    }
}

extension NextProxy: CustomStringConvertible {
    /// Its URL without user and password.
    package var description: String { "\(form == .http ? "http" : "socks5")://\(endpoint)" }
}
