package import HTTPWire
internal import SystemIO

/// Who may send requests to an administration listener.
///
/// A browser reaches loopback addresses for whatever page it shows. So three things are asked for
/// that a page cannot bring along: a `Host` of this machine, which no name is that somebody else
/// gives to our address (DNS rebinding); on requests that change something our own `Origin` or none,
/// and a type of content that no form can send (Fetch §2.2.2); and the token.
package struct AccessPolicy: Hashable, Sendable {
    /// Nil if none is asked for.
    package var token: AccessToken?
    /// Paths that need no token: they tell nothing.
    package var openPaths: Set<String> = []
    /// Hosts that are allowed beside those of this machine: `name` with any port, or `name:port`.
    package var allowedHosts: Set<String> = []
    /// Whether numeric addresses of other machines' networks are ours, too.
    ///
    /// No page can be rebound to a number.
    package var allowsNumericHosts = false
    /// Whether pages that we serve may send requests; otherwise no page may.
    package var allowsOwnPages = true
    /// Whether content must be of a type that no form can send.
    package var requiresTypedContent = true
    /// Further types of content beside `application/json`.
    package var contentTypes: Set<String> = []

    package init(token: AccessToken?) { self.token = token }

    /// Looks whether a request is to be refused before anything of it is looked at.
    ///
    /// - Parameters:
    ///   - head: of the request.
    ///   - port: where it came in; nil for a Unix socket, which no page reaches.
    ///   - hasSession: whether it shows in another way that its sender has shown the token before.
    /// - Returns: why it is refused; nil if it is not.
    package func objection(
        to head: RequestHead,
        port: UInt16?,
        hasSession: Bool = false
    ) -> Problem? {
        if let problem = targetObjection(head) { return problem }
        if let port, !isOurs(head.fields["Host"], port: port) { return Self.foreignHost }
        if let problem = originObjection(head, port: port) { return problem }
        if let problem = tokenObjection(head, hasSession: hasSession) { return problem }
        return contentObjection(head)
    }

    // MARK: Target

    /// Another form than a path is meant for a proxy (RFC 9112 §3.2).
    private func targetObjection(_ head: RequestHead) -> Problem? {
        if case .origin? = RequestTarget(head) { return nil }
        return Problem(400, "not-a-proxy", "This is no proxy: send a path, as in GET /v1.")
    }

    // MARK: Host

    private static let foreignHost = Problem(
        421,
        "foreign-host",
        "This host name is not ours; use 127.0.0.1 or localhost with our port,"
            + " or start linkcond with --allow-host."
    )

    /// Whether a `Host` names this listener.
    private func isOurs(_ host: String?, port: UInt16) -> Bool {
        guard let host = host?.lowercased() else { return false }
        if allowedHosts.contains(host) { return true }
        guard let (name, given) = Self.split(host) else { return false }
        if allowedHosts.contains(name) { return true }
        guard given ?? 80 == port else { return false }
        if ["localhost", "127.0.0.1", "[::1]"].contains(name) { return true }
        let address = name.hasPrefix("[") ? String(name.dropFirst().dropLast()) : name
        guard let address = SocketAddress(numericHost: address, port: 0) else { return false }
        return address.isLoopback || allowsNumericHosts
    }

    /// Name and port of a host; nil if it is none.
    private static func split(_ host: String) -> (name: String, port: UInt16?)? {
        var rest = host[...]
        if rest.hasPrefix("[") {
            guard let end = rest.firstIndex(of: "]") else { return nil }
            rest = rest[rest.index(after: end)...]
        } else {
            rest = rest.drop { $0 != ":" }
        }
        let name = String(host[..<rest.startIndex])
        guard !rest.isEmpty else { return (name, nil) }
        guard rest.first == ":", let port = UInt16(rest.dropFirst()) else { return nil }
        return (name, port)
    }

    // MARK: Pages

    private func originObjection(_ head: RequestHead, port: UInt16?) -> Problem? {
        let origin = head.fields["Origin"]
        let site = head.fields["Sec-Fetch-Site"]
        guard allowsOwnPages, port != nil else {
            // Other fields of Fetch Metadata prove nothing: Node.js sends one, too.
            return origin == nil && site == nil ? nil : Self.foreignPage
        }
        guard !Self.isSafe(head.method) else { return nil }
        if let site, site != "same-origin", site != "none" { return Self.foreignPage }
        guard let origin else { return nil }
        let own = "http://\(head.fields["Host"]?.lowercased() ?? "")"
        return origin.lowercased() == own ? nil : Self.foreignPage
    }

    private static let foreignPage = Problem(
        403,
        "foreign-page",
        "A web page of another origin may not use this; send the request from a program."
    )

    /// Methods that change nothing (RFC 9110 §9.2.1).
    private static func isSafe(_ method: String) -> Bool {
        ["GET", "HEAD", "OPTIONS"].contains(method)
    }

    // MARK: Token

    private func tokenObjection(_ head: RequestHead, hasSession: Bool) -> Problem? {
        guard let token, !hasSession else { return nil }
        let path = head.target.prefix { $0 != "?" }
        if openPaths.contains(String(path)) { return nil }
        if token.isShown(by: head.fields["Authorization"]) { return nil }
        return Problem(
            401,
            "token",
            "Send the token that linkcond printed at its start: Authorization: Bearer TOKEN",
            fields: ["WWW-Authenticate": "Bearer realm=\"linkcond\""]
        )
    }

    // MARK: Content

    /// What a form or a page without our consent can send is refused (Fetch §2.2.2).
    private func contentObjection(_ head: RequestHead) -> Problem? {
        guard requiresTypedContent, !Self.isSafe(head.method) else { return nil }
        let type = head.fields["Content-Type"]
        // What a page may send without asking is POST; the others need content to have a type.
        let hasContent =
            head.fields.contains("Transfer-Encoding")
            || head.fields["Content-Length"].map { $0 != "0" } ?? false
        if type == nil, head.method != "POST", !hasContent { return nil }
        if let essence = type.flatMap({ MediaType($0) })?.essence,
            essence == "application/json" || contentTypes.contains(essence)
        {
            return nil
        }
        return Problem(
            415,
            "content-type",
            "Send JSON and say so: Content-Type: application/json",
            fields: ["Accept-Post": "application/json"]
        )
    }
}
