package import HTTPWire
internal import Libuv

/// Who may send requests to the Toxiproxy API, which knows no token: programs, but no page in a
/// browser.
package struct ToxiproxyAccess: Hashable, Sendable {
    /// Names that may stand in `Host` beside those of this machine, with any port.
    package var allowedHosts: Set<String> = []

    package init(allowedHosts: Set<String> = []) {
        self.allowedHosts = Set(allowedHosts.map { $0.lowercased() })
    }

    /// Why a request is refused whatever it asks for; nil if it is not.
    ///
    /// A page of a browser brings an `Origin` or `Sec-Fetch` fields along with whatever changes
    /// something, and a name of its own in `Host` where its name was bound to our address. A number
    /// cannot be bound.
    package func objection(to head: RequestHead) -> ToxiproxyError? {
        let isPage = head.fields.fields.contains { field in
            let name = field.name.lowercased()
            return name == "origin" || name.hasPrefix("sec-fetch-")
        }
        if isPage {
            return ToxiproxyError(403, "web pages may not use this API; send it from a program")
        }
        guard let host = head.fields["Host"], !isOurs(host) else { return nil }
        return ToxiproxyError(
            403,
            "host \(host.prefix(100)) is not allowed; use an address, or start linkcond with"
                + " --allow-host"
        )
    }

    /// Whether a client says that it is a browser.
    static func isBrowser(_ head: RequestHead) -> Bool {
        head.fields["User-Agent"]?.hasPrefix("Mozilla/") ?? false
    }

    private func isOurs(_ host: String) -> Bool {
        var name = host.lowercased()
        if name.hasPrefix("[") {
            name = String(name.dropFirst().prefix { $0 != "]" })
        } else if let colon = name.lastIndex(of: ":") {
            name = String(name[..<colon])
        }
        return name.isEmpty || name == "localhost" || name.hasSuffix(".localhost")
            || allowedHosts.contains(name) || SocketAddress(numericHost: name, port: 0) != nil
    }
}
