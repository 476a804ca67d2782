package import SystemIO

/// Where a proxy's TLS connections end, so that what is inside can be looked at.
///
/// Without it, TLS passes through as any other bytes do.
package struct TLSConfiguration: Hashable, Sendable {
    /// How clients are answered that speak TLS; nil if none is expected to.
    package var clients: Clients?
    /// How upstreams are trusted that are reached by TLS.
    package var upstream = Upstream()
    /// A file for the keys of every connection, for packet analysers; nil for none.
    package var keyLog: String?

    package init() {}

    package struct Clients: Hashable, Sendable {
        /// Whether a client that begins without TLS is served as it is; it is turned away otherwise.
        package var takesPlain = false
        /// What they may speak with a server that speaks without TLS, the best first (ALPN).
        package var protocols = ["http/1.1"]
        /// How TLS is spoken with them.
        package var server: TLSServerSettings

        package init(_ server: TLSServerSettings) { self.server = server }
    }

    package struct Upstream: Hashable, Sendable {
        /// A PEM file of authorities to trust, beside the system's.
        package var authorities: String?
        /// A PEM file with a certificate and its key, for servers that ask for one; nil for none.
        package var certificate: String?
        /// Whether its certificate must be right.
        package var verifies = true

        package init() {}
    }
}
