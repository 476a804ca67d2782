package import HTTPWire
internal import SystemIO

/// Who may use the Toxiproxy API, which has no token: any program, but no page in a browser.
package struct ToxiproxyAccess: Hashable, Sendable {
    /// Names allowed in `Host` besides those of a private network, with any port.
    package var allowedHosts: Set<String> = []
    /// Whether `Host` may be any name, because other machines are meant to reach the API.
    package var allowsAnyHost = false

    package init(allowedHosts: Set<String> = [], allowsAnyHost: Bool = false) {
        self.allowedHosts = Set(allowedHosts.map { $0.lowercased() })
        self.allowsAnyHost = allowsAnyHost
    }

    /// Why a request is refused, whatever it asks for; nil if it is allowed.
    ///
    /// A browser adds `Origin` or `Sec-Fetch-Site` to every request that a page makes (Fetch §3.2,
    /// Fetch Metadata §2.4). Other `Sec-Fetch` fields prove nothing: Node.js sends one, too. A page
    /// whose domain was rebound to our address shows that domain in `Host`; neither a number nor a
    /// name that exists only in a private network can be rebound.
    package func objection(to head: RequestHead) -> ToxiproxyError? {
        guard head.fields["Origin"] == nil, head.fields["Sec-Fetch-Site"] == nil else {
            return ToxiproxyError(403, "web pages may not use this API; send it from a program")
        }
        guard let host = Self.host(of: head), !allowsAnyHost, !isAllowed(host) else { return nil }
        return ToxiproxyError(
            403,
            "host \(host.prefix(100)) is not allowed; use an address, or start linkcond with"
                + " --allow-host"
        )
    }

    /// Whether a client calls itself a browser.
    static func isBrowser(_ head: RequestHead) -> Bool {
        head.fields["User-Agent"]?.hasPrefix("Mozilla/") ?? false
    }

    /// The host that a request is for, without its port; nil if it names none.
    ///
    /// The host of an absolute target replaces the field (RFC 9112 §3.2.2).
    private static func host(of head: RequestHead) -> String? {
        if case .absolute(let url)? = RequestTarget(head) { return url.host.lowercased() }
        guard let host = head.fields["Host"]?.lowercased() else { return nil }
        if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
        return host.lastIndex(of: ":").map { String(host[..<$0]) } ?? host
    }

    private func isAllowed(_ host: String) -> Bool {
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        return allowedHosts.contains(name) || SocketAddress(numericHost: name, port: 0) != nil
            || Self.isPrivate(name)
    }

    /// Whether a name is none of the Internet's: `localhost`, a container's or service's name, or a
    /// name below a domain reserved for private networks.
    private static func isPrivate(_ name: String) -> Bool {
        !name.contains(".")
            || [".localhost", ".internal", ".local", ".svc"].contains { name.hasSuffix($0) }
    }
}
