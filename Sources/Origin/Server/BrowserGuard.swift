internal import HTTPWire
internal import SystemIO

/// Tells what pages of a browser on this machine may do from what programs may.
///
/// A browser reaches loopback addresses for whatever page it shows, and a page's own name can be
/// rebound to one. With each request that can change something it names the page's origin (Fetch
/// §3.2), which programs do not.
enum BrowserGuard {
    /// Whether a request comes from a program, or from a page of this machine, or changes nothing.
    static func mayChange(_ head: RequestHead) -> Bool {
        let isSafe = ["GET", "HEAD", "OPTIONS"].contains(head.method)
        guard !isSafe, let origin = head.fields["Origin"] else { return true }
        // A page without an origin of its own says `null`.
        guard let page = try? HTTPURL(origin) else { return false }
        return isLoopback(host: page.host[...])
    }

    /// Whether a host, with or without port, is a name or an address of this machine alone; no name
    /// that somebody else gives it is.
    static func isLoopback(host: Substring) -> Bool {
        let isBracketed = host.hasPrefix("[")
        let isAddress = host.count { $0 == ":" } > 1 && !isBracketed
        let name =
            isBracketed
            ? host.dropFirst().prefix { $0 != "]" } : isAddress ? host : host.prefix { $0 != ":" }
        if name.lowercased() == "localhost" { return true }
        return SocketAddress(numericHost: String(name), port: 0)?.isLoopback ?? false
    }
}
