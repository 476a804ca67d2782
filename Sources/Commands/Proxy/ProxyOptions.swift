internal import Arguments
internal import Basics
internal import Faults
internal import LinkEngine
internal import LinkProfile
internal import Proxy
internal import SystemIO
internal import Trials

/// The options of `proxy`, understood and checked as far as that goes without a socket.
struct ProxyOptions {
    var profileReference: String
    var settings: [ProfileSetting]
    /// Of `--fault` alone; the profile's come on top.
    var faults: [Fault]
    var seed: UInt64?
    var listens: [Endpoint]
    /// Sockets that listen already, one for each of `listens`; none without socket activation.
    var inheritedListeners: [Int32]
    /// None: the embedded origin.
    var upstreams: [UpstreamOption]
    let tls: TLSOptions
    /// How clients say where each connection goes; nil if they do not.
    var forward: ForwardSettings?
    /// The proxy through which servers are reached; nil for none.
    let via: NextProxy?
    /// The name server beside the proxy; nil for none.
    let lookups: LookupSettings?
    var allowsRemote: Bool
    /// What every request is given on its way to the server.
    var rewrites: RequestRewrites
    /// What may be transferred on an expensive or constrained path; nil: anything.
    var maximumMeteredBytes: UInt64?
    /// Bytes that may wait in all connections together; nil for the default.
    var maximumMemoryBytes: UInt64?
    var durationMilliseconds: UInt64?
    var isDryRun: Bool
    var journalPath: String?
    /// Nil for a journal in one file.
    var journalParts: JournalParts?
    var datagrams = DatagramSettings()
    var readyFile: String?
    var readyDescriptor: Int32?
    /// Where the path's status is told.
    var pathSocket: String?
    /// Where the control API listens; nil for nowhere.
    var control: Endpoint?
    /// Whether the control API comes with a page for browsers.
    var showsPage = false
    /// Proxies beside the run's own.
    var further: [ProxyOrder] = []
    /// Names under which it is reached beside those of this machine.
    var allowedHosts: [String]
    var wantsLive: Bool
    var isJSON: Bool
    var isQuiet: Bool
    var isVerbose: Bool
    /// To repeat the run.
    let repeated: ProxyReproduction

    /// Whether somebody wants to know what is asked for.
    var looksAtRequests: Bool {
        journalPath != nil || control != nil || maximumMeteredBytes != nil
    }

    /// Where the page is if nothing is said of it.
    private static let pageAddress = Endpoint.tcp(host: "127.0.0.1", port: 0)

    /// `inherited`: sockets from the service manager, which are listened on instead of --listen.
    init(_ invocation: Invocation, inherited: [Int32] = []) throws(Failure) {
        inheritedListeners = inherited
        repeated = ProxyReproduction(invocation)
        profileReference = invocation.value("profile") ?? "none"
        settings = try invocation.profileSettings()
        faults = try invocation.faults()
        seed = try invocation.seed()
        upstreams = try invocation.upstreams()
        forward = try ForwardOptions.settings(invocation)
        if forward != nil, !upstreams.isEmpty {
            throw Failure(
                .usage,
                "--upstream and --\(invocation.has("forward") ? "forward" : "socks") exclude each"
                    + " other: clients of a forward proxy name the server themselves"
            )
        }
        via = try ViaOption.proxy(invocation, environment: CurrentProcess.environment)
        try ViaOption.check(invocation, forwards: forward != nil, upstreams: upstreams)
        tls = try TLSOptions(
            invocation,
            hasSecureUpstream: upstreams.contains { $0.name != nil },
            opensTunnels: forward != nil
        )
        listens = try Self.endpoints(invocation, "listen")
        lookups = try LookupOptions.settings(invocation)
        allowsRemote = invocation.has("allow-remote")
        rewrites = RequestRewrites(
            host: try invocation.requestHost(),
            addsHints: invocation.has("hints")
        )
        maximumMeteredBytes = try invocation.byteCount("max-metered")
        maximumMemoryBytes = try invocation.maximumMemoryBytes()
        durationMilliseconds = try invocation.duration("duration").map {
            UInt64(max(1, $0.nanoseconds / 1_000_000))
        }
        isDryRun = invocation.has("dry-run")
        journalPath = invocation.value("journal")
        journalParts = try JournalParts(invocation)
        readyFile = invocation.value("ready-file")
        readyDescriptor = try invocation.count("ready-fd", in: 0...65_535).map(Int32.init)
        pathSocket = invocation.value("path-socket")
        showsPage = invocation.has("ui")
        control =
            try Self.endpoints(invocation, "control").last ?? (showsPage ? Self.pageAddress : nil)
        allowedHosts = invocation.values("allow-host")
        further = try ProxyOrder.all(invocation)
        wantsLive = invocation.has("live")
        isJSON = invocation.has("json")
        isQuiet = invocation.has("quiet")
        isVerbose = invocation.has("verbose")
        datagrams = try DatagramOptions.settings(
            invocation,
            isRecorded: journalPath != nil || control != nil
        )
        try pairAddresses()
        try checkOutput()
    }

    private static func endpoints(
        _ invocation: Invocation,
        _ name: String
    ) throws(Failure) -> [Endpoint] {
        var endpoints: [Endpoint] = []
        for option in invocation.options(name) {
            do throws(ProxyError) {
                endpoints.append(try Endpoint(parsing: option.value))
            } catch {
                throw option.origin.failure(name, error.description)
            }
        }
        return endpoints
    }

    /// Lets listeners and upstreams pair up one to one.
    private mutating func pairAddresses() throws(Failure) {
        if !inheritedListeners.isEmpty {
            guard listens.isEmpty else {
                throw Failure(
                    .usage,
                    "--listen and sockets of the service manager (LISTEN_FDS) exclude each other;"
                        + " leave one out"
                )
            }
            // The proxy says where they are, once it has them.
            let unknown = Endpoint.tcp(host: "127.0.0.1", port: 0)
            listens = inheritedListeners.map { _ in unknown }
        }
        if listens.isEmpty {
            let free = Endpoint.tcp(host: "127.0.0.1", port: 0)
            listens = Array(repeating: free, count: max(1, upstreams.count))
        }
        if upstreams.count == 1 {
            upstreams = Array(repeating: upstreams[0], count: listens.count)
        }
        guard upstreams.isEmpty || upstreams.count == listens.count else {
            throw Failure(
                .usage,
                "\(listens.count) --listen and \(upstreams.count) --upstream do not pair up;"
                    + " give as many of each, or one --upstream for all"
            )
        }
        for upstream in upstreams.map(\.endpoint) {
            if case .tcp(_, port: 0) = upstream {
                throw Failure(
                    .usage,
                    "--upstream \(upstream): port 0 is not a server's port; name the port"
                )
            }
        }
        for (listen, upstream) in zip(listens, upstreams) where listen == upstream.endpoint {
            throw Failure(
                .usage,
                "--upstream \(upstream.endpoint) is the address to listen on;"
                    + " name the server's own address, or another --listen"
            )
        }
    }

    private func checkOutput() throws(Failure) {
        if wantsLive && isJSON { throw Failure(.usage, "--live and --json exclude each other") }
        if journalPath == "-" && (isJSON || wantsLive) {
            throw Failure(
                .usage,
                "--journal - and --\(isJSON ? "json" : "live") both want standard output;"
                    + " give the journal a file"
            )
        }
        try OutputPlace.requireDistinct(("--ready-file", readyFile), ("--journal", journalPath))
        if wantsLive && isQuiet { throw Failure(.usage, "--live and --quiet exclude each other") }
        if let descriptor = readyDescriptor, descriptor < 3 {
            throw Failure(
                .usage,
                "--ready-fd \(descriptor): 0, 1 and 2 are taken; open another one"
            )
        }
        // Asked before anything of our own is open, which must not be taken for the caller's.
        if let descriptor = readyDescriptor, !CurrentProcess.hasOpen(descriptor) {
            throw Failure(
                .usage,
                "--ready-fd \(descriptor): not open; open it for linkcond, as in \(descriptor)>FILE"
            )
        }
    }
}
