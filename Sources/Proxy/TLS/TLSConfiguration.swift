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
        package var identity: Identity

        package init(identity: Identity) { self.identity = identity }
    }

    /// What clients are shown.
    package enum Identity: Hashable, Sendable {
        /// Certificates made as clients ask for them.
        ///
        /// - Parameters:
        ///   - authority: in PEM, with its key.
        ///   - hosts: that each is for, beside the one that the client asks for.
        case made(authority: [UInt8], hosts: [String])
        /// PEM files: a certificate with what links it to an authority, and its key.
        case files(certificates: String, key: String)
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
