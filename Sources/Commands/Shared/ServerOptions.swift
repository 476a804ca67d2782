internal import Arguments
internal import Exploration
internal import LinkProfile
internal import Origin
internal import Proxy
internal import SystemIO
internal import Trials

/// The options that say what answers behind the proxy of a trial.
struct ServerOptions {
    /// A server that is there already; nil for one of the trial's own.
    var upstream: Endpoint?
    /// What of it is forwarded.
    var transport = Transport.connections
    /// What servers are told instead of the host that the command names; nil for that.
    var requestHost: String?
    /// What is under TLS.
    var tls = TrialTLS()
    /// How the command says where each connection goes; nil if all go to the server.
    var forward: ForwardSettings?
    /// The network of a second path; nil for none.
    var secondPath: Profile?
    /// The proxy through which servers are reached, but for the run's own; nil for none.
    var via: NextProxy?
    /// What the test server is like.
    var origin = OriginConfiguration()
    /// A command that is the server.
    var command: ServerCommand?

    /// - Throws: what makes no sense, or not together.
    init(_ invocation: Invocation) throws(Failure) {
        let secured = try invocation.upstreams().last
        upstream = secured?.endpoint
        requestHost = try invocation.requestHost()
        transport = secured?.transport ?? .connections
        tls.upstreamName = secured?.name
        tls.opensClients = invocation.has("https")
        tls.upstream = try TLSOptions.upstream(
            invocation,
            hasSecureUpstream: tls.upstreamName != nil || invocation.has("forward")
        )
        forward = try ForwardOptions.settings(invocation)
        // One address for both: the command takes what it likes.
        forward?.takesSOCKS = true
        forward?.takesHTTP = true
        via = try ViaOption.proxy(invocation, environment: CurrentProcess.environment)
        try ViaOption.check(
            invocation,
            forwards: forward != nil,
            upstreams: secured.map { [$0] } ?? []
        )
        command = try ServerCommand(invocation)
        if let kind = invocation.value("transport") {
            guard let transport = Transport(rawValue: kind) else {
                throw invocation.failure(
                    "transport",
                    "'\(kind)' is not a kind of transport; write tcp, udp or udp+tcp"
                )
            }
            guard command != nil else {
                throw Failure(
                    .usage,
                    "--transport goes with the server of --origin-cmd; for another one write"
                        + " --upstream \(kind)://HOST:PORT"
                )
            }
            self.transport = transport
        }
        origin.folder = invocation.value("serve")
        origin.keepsUploads = false
        origin.takesHTTP2 = invocation.has("http2")
        origin.misbehaviour = try OriginOptions.rules(invocation)
        origin.objects.framing = try OriginOptions.framing(invocation)
        try check(invocation)
    }

    private func check(_ invocation: Invocation) throws(Failure) {
        let other = upstream != nil ? "upstream" : command != nil ? "origin-cmd" : nil
        guard let other else { return }
        for option in ["serve", "misbehave", "framing", "keep-uploads", "http2"]
        where invocation.has(option) {
            throw Failure(.usage, "--\(option) is for the test server; leave it or --\(other) out")
        }
        if upstream != nil, command != nil {
            throw Failure(.usage, "--origin-cmd starts a server; leave it or --upstream out")
        }
        if let upstream, case .tcp(_, port: 0) = upstream {
            throw Failure(
                .usage,
                "--upstream \(upstream): port 0 is not a server's port; name the port"
            )
        }
    }

    /// What answers behind the proxy.
    var server: Trial.Server {
        if let upstream { return .upstream(upstream) }
        guard let command else { return .embedded(origin) }
        return .command(command.start, crash: command.crash)
    }

    /// The same for a search of what can go wrong with it.
    var kind: CampaignSettings.Server {
        if upstream != nil { return .other }
        return command.map { .started(losesState: $0.crash != nil) } ?? .embedded
    }
}
