internal import HTTPWire

/// What every request of a proxy is given on its way to the server, without a fault.
package struct RequestRewrites: Hashable, Sendable {
    /// What servers are told instead of the host that the client named (RFC 9110 §7.2, and
    /// `:authority` in RFC 9113 §8.3.1); nil for the client's own.
    package var host: String?
    /// Whether requests that say nothing of the path are given `RequestHints`.
    package var addsHints: Bool

    package init(host: String? = nil, addsHints: Bool = false) {
        self.host = host
        self.addsHints = addsHints
    }

    /// Whether requests pass as they came.
    package var isEmpty: Bool { host == nil && !addsHints }

    /// The head that names the other host; nil if the head stays as it is.
    ///
    /// A target that is a URL loses its host, which would go before the field (RFC 9112 §3.2.2).
    func named(_ head: RequestHead) -> RequestHead? {
        guard let host else { return nil }
        var head = head
        if case .absolute(let url) = RequestTarget(head) { head.target = url.target }
        head.fields = head.fields.replacing("Host", by: host)
        return head
    }
}
