package import FaultInjection
package import LinkEngine

/// What a proxy does: from where to where, over which link, with which faults.
package struct ProxyConfiguration: Sendable {
    /// A listener and the upstream that its connections go to.
    package struct Route: Hashable, Sendable {
        package var listen: Endpoint
        package var upstream: Endpoint

        package init(listen: Endpoint, upstream: Endpoint) {
            self.listen = listen
            self.upstream = upstream
        }
    }

    /// All routes share one link.
    package var routes: [Route]
    package var link = LinkSettings()
    package var faults: [Fault] = []
    /// Of all random decisions.
    package var seed: UInt64 = 0
    /// Whether other machines may connect.
    package var allowsRemote = false
    package var limits = ProxyLimits()

    package init(routes: [Route]) { self.routes = routes }
}

/// The bounds of a proxy.
package struct ProxyLimits: Hashable, Sendable {
    /// Open connections at most; nil: (descriptor limit − 64) ÷ 2.
    ///
    /// Beyond it connections wait in the kernel's backlog.
    package var connections: Int?
    /// How long one address of the upstream may take to answer a connect.
    package var connectTimeoutMilliseconds: UInt64 = 10_000
    /// How long we wait for the proof that bytes before a reset arrived, and for a peer to close
    /// after an ordered end.
    package var deliveryTimeoutMilliseconds: UInt64 = 2_000
    /// Bytes that pass through user space in one step.
    package var copyBufferBytes = 65_536
    /// Whether bytes that nobody needs to see may stay in the kernel.
    package var usesSplice = true

    package init() {}
}
