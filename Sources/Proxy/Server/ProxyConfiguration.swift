package import Basics
package import Faults
package import LinkProfile

/// What a proxy does: from where to where, over which link, with which faults.
package struct ProxyConfiguration: Sendable {
    /// A listener and the upstream that its connections go to.
    package struct Route: Hashable, Sendable {
        package var listen: Endpoint
        package var upstream: Endpoint
        /// Whether it carries datagrams, in flows, instead of connections.
        package var carriesDatagrams = false
        /// Whether it listens at the port that the route before it has found.
        package var sharesPort = false
        /// Whom the upstream's certificate must be for; nil for an upstream that speaks plainly.
        package var upstreamName: String?
        /// How clients say where each connection goes; nil if all go to `upstream`.
        package var forward: ForwardSettings?
        /// A socket that listens already and is taken over; `listen` is not bound then.
        package var descriptor: Int32?

        package init(
            listen: Endpoint,
            upstream: Endpoint,
            upstreamName: String? = nil,
            descriptor: Int32? = nil
        ) {
            self.listen = listen
            self.upstream = upstream
            self.upstreamName = upstreamName
            forward = nil
            self.descriptor = descriptor
        }

        /// A route whose clients say where each connection goes.
        package init(listen: Endpoint, forward: ForwardSettings, descriptor: Int32? = nil) {
            self.init(listen: listen, upstream: .anywhere, descriptor: descriptor)
            self.forward = forward
        }
    }

    /// Whether any route may carry datagrams.
    var carriesDatagrams: Bool {
        routes.contains { $0.carriesDatagrams || $0.forward?.takesSOCKS == true }
    }

    /// Part of the address of what toxics draw.
    package var name = "default"
    /// The number of the first listener in records, from 1, where several proxies share a journal.
    package var firstListener: UInt32 = 1
    /// Whether an upstream's name is looked up only when a connection needs it; one that is unknown
    /// does not keep the proxy from starting then.
    package var findsUpstreamsLate = false
    /// All share one link; their order numbers the listeners, from 1.
    package var routes: [Route]
    /// The network to imitate.
    ///
    /// Its faults act only if they are in `faults` too.
    package var profile: Profile
    /// The network of a second path, which connections take that open while the first one is down;
    /// nil for none.
    package var secondPath: Profile?
    /// Every fault: the command line's and the profile's.
    package var faults: [Fault] = []
    /// Of all random decisions.
    package var seed: UInt64 = 0
    /// Whether requests and responses are told of in records.
    ///
    /// Connections then go the way of faulted ones, which costs some speed.
    package var observesRequests = false
    package var datagrams = DatagramSettings()
    /// What every request is given on its way to the server.
    ///
    /// With anything to give, requests of one connection go one after another.
    package var rewrites = RequestRewrites()
    /// When the run began, on the clock of the loop, for times within records; nil for the moment
    /// when the proxy is made.
    package var startedAt: Instant?
    /// Whether other machines may connect.
    package var allowsRemote = false
    package var limits = ProxyLimits()
    /// The proxy through which servers are reached; nil for none.
    ///
    /// Routes that carry datagrams do without.
    package var via: NextProxy?
    /// Where TLS ends, so that what is inside can be looked at; nil to pass it through.
    package var tls: TLSConfiguration?

    /// The networks of connections to some hosts, in the order in which they are asked.
    var hostNetworks: [HostNetwork] {
        var networks: [HostNetwork] = []
        for network in routes.flatMap({ $0.forward?.networks ?? [] })
        where !networks.contains(network) { networks.append(network) }
        return networks
    }

    package init(routes: [Route], profile: Profile = Profile(name: "none")) {
        self.routes = routes
        self.profile = profile
    }
}
