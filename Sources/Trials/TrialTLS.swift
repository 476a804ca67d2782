package import Proxy

/// What of a trial's traffic is under TLS, and opened by the proxy.
package struct TrialTLS: Hashable, Sendable {
    /// Whether clients are told an https URL, with an authority of the sandbox to trust.
    package var opensClients = false
    /// Whom the certificate of a server that is there already must be for; nil if it speaks plainly.
    package var upstreamName: String?
    /// How such a server is trusted.
    package var upstream = TLSConfiguration.Upstream()

    package init() {}
}
