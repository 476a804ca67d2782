internal import Basics
internal import Faults
internal import Journal
package import LinkProfile
internal import NameService
internal import Origin
internal import Proxy
internal import SystemIO

// What a trial opens before its client starts.
extension RunningTrial {
    /// Opens everything; closes all of it again if anything fails.
    func prepare() throws(SandboxError) {
        do throws(SandboxError) {
            try takeFolder()
            let upstream = try openServer()
            serverEndpoint = upstream
            try openProxy(to: upstream)
            try openLookups()
            record(.start(runStart(upstream)))
            recordPath()
        } catch {
            closeServers()
            throw error
        }
    }

    private func takeFolder() throws(SandboxError) {
        if let folder = trial.folder {
            outcome.place.folder = folder
            return
        }
        let made = try sandbox.makeFolder()
        ownFolder = made.name
        outcome.place.folder = made.path
    }

    /// Longer than any run.
    private static let noLimitSeconds = 1_000_000

    private func openServer() throws(SandboxError) -> Endpoint {
        var configuration: OriginConfiguration
        switch trial.server {
        case .upstream(let endpoint): return endpoint
        case .command(let command, let crash): return try takePort(for: command, crash)
        case .embedded(let given): configuration = given
        }
        configuration.listens = [.loopback(port: 0)]
        configuration.temporaryFolder = sandbox.rootPath
        if let path = trial.uploadFolder { try keepUploads(in: path, &configuration) }
        // A limit of the server's would race with one of the client's, mostly as round, and the
        // same run would end in two ways.
        configuration.limits.headSeconds = Self.noLimitSeconds
        configuration.limits.idleSeconds = Self.noLimitSeconds
        let plan = FaultPlan(faults: trial.schedule.faults, seed: trial.seed)
        configuration.faults = OriginFault.all(in: plan)
        // Names that a server gives are part of what happens, which is the same every time.
        if configuration.naming == .random { configuration.naming = .seeded(trial.seed) }
        do throws(OriginError) {
            let origin = try OriginServer(loop: loop, configuration: configuration)
            self.origin = origin
            origin.onAccess = { [weak self] in self?.watch.note($0) }
            guard let address = origin.addresses.first else {
                throw OriginError(.internal, "the origin does not listen")
            }
            outcome.place.origin = "http://\(address)"
            return Endpoint(address)
        } catch {
            throw SandboxError(error)
        }
    }

    private func keepUploads(
        in path: String,
        _ configuration: inout OriginConfiguration
    ) throws(SandboxError) {
        do throws(SystemError) {
            _ = try Folder.make(path)
        } catch {
            throw SandboxError(.folder, "cannot make the folder '\(path)': \(error)")
        }
        configuration.uploadFolder = path
        // It has to outlive trials, not the machine's power.
        configuration.commit = .write
    }

    /// Where the trial's own server will listen; it starts in front of the client.
    private func takePort(
        for command: TrialCommand,
        _ crash: TrialCommand?
    ) throws(SandboxError) -> Endpoint {
        do throws(SystemError) {
            let port = try sandbox.takeServerPort()
            server = TrialServer(
                command,
                crash: crash,
                port: port,
                takesDatagrams: trial.transport == .datagrams,
                at: outcome.place,
                in: sandbox
            )
            return .tcp(host: "127.0.0.1", port: UInt16(clamping: port))
        } catch {
            throw SandboxError(.unavailable, "no port is free for the server: \(error)")
        }
    }

    /// Starts the trial's own server, if it has one, and then the client.
    func begin() {
        guard let server else { return startClient() }
        server.start { [weak self] problem in
            guard let self, !isOver else { return }
            guard let problem else { return later { [self] in startClient() } }
            outcome.troubles.append(problem)
            later { [self] in drained() }
        }
    }

    private func openProxy(to upstream: Endpoint) throws(SandboxError) {
        let route = route(to: upstream)
        var configuration = ProxyConfiguration(
            // Datagrams to any server come by the relays of a forward proxy.
            routes: trial.forward == nil ? route.carrying(trial.transport) : [route],
            profile: trial.profile
        )
        configuration.secondPath = trial.secondPath
        configuration.faults = trial.schedule.faults
        configuration.seed = trial.seed
        configuration.allowsRemote = trial.allowsRemote
        configuration.rewrites.host = trial.requestHost
        configuration.observesRequests = true
        configuration.datagrams = datagrams()
        configuration.startedAt = startedAt
        configuration.limits.connections = sandbox.settings.connectionsPerTrial
        configuration.tls = try tlsConfiguration()
        configuration.via = nextProxy(to: upstream)
        do throws(ProxyError) {
            let proxy = try ProxyServer(loop: loop, configuration: configuration) {
                [weak self] in self?.record($0, at: $1)
            }
            self.proxy = proxy
            crashes = originFaults
            proxy.faults.hasNameServer = trial.lookups != nil
            proxy.faults.origin = crashes
            files = RunFiles(outcome.place.folder)
            proxy.faults.files = files
            origin?.onFault = { [weak proxy] in proxy?.faults.firedAtServer($0) }
            proxy.paths.onChange = { [weak self] in
                guard let self, path != recordedAttributes else { return }
                recordCurrentPath()
            }
            if origin != nil { proxy.onUpstreamConnection = { [weak self] in self?.watch.add($0) } }
            if let endpoint = try proxy.start().first { outcome.place.listen = endpoint }
            outcome.place.test = trial.test
            outcome.place.transport = trial.transport
        } catch {
            throw SandboxError(error)
        }
    }

    /// A file of secrets in the trial's folder is for the client to write.
    private func datagrams() -> DatagramSettings {
        var settings = trial.datagrams
        guard let given = settings.secrets else { return settings }
        let path = outcome.place.expand(given)
        settings.secrets = path
        if given.hasPrefix("{dir}") { outcome.place.secretsPath = path }
        return settings
    }

    /// Lets names lead to addresses, and the client ask for them here, if that is wanted.
    private func openLookups() throws(SandboxError) {
        guard var settings = trial.lookups, let proxy else { return }
        for server in settings.proxied {
            settings.lead(server, to: outcome.place.listen.numericAddress)
        }
        let lookups = try LookupService(
            settings,
            beside: proxy,
            seed: trial.seed
        ) { [weak self] in self?.record($0) }
        self.lookups = lookups
        outcome.place.nameServer = lookups.address
        outcome.place.names = settings.names
        guard settings.isPrivate else { return }
        let (name, path) = try sandbox.makeFolder()
        resolverFolder = name
        do throws(SystemError) {
            resolver = try PrivateResolver(lookups.address, in: path)
        } catch {
            throw SandboxError(.folder, "cannot write to '\(path)': \(error)")
        }
    }

    /// The next proxy, which no server of the trial's own is behind.
    private func nextProxy(to upstream: Endpoint) -> NextProxy? {
        var proxy = trial.via
        if case .upstream = trial.server { return proxy }
        proxy?.exceptions.add(upstream)
        if case .tcp(_, let port) = upstream {
            proxy?.exceptions.add(.tcp(host: "localhost", port: port))
        }
        return proxy
    }

    private func route(to upstream: Endpoint) -> ProxyConfiguration.Route {
        guard let forward = trial.forward else {
            return .init(
                listen: trial.listen,
                upstream: upstream,
                upstreamName: trial.tls.upstreamName
            )
        }
        let secure = trial.tls.upstreamName == nil ? "http" : "https"
        let scheme = trial.transport == .datagrams ? "udp" : secure
        outcome.place.server = "\(scheme)://\(upstream)"
        return .init(listen: trial.listen, forward: forward)
    }

    private func tlsConfiguration() throws(SandboxError) -> TLSConfiguration? {
        guard trial.tls.opensClients || trial.tls.upstreamName != nil else { return nil }
        var configuration = TLSConfiguration()
        configuration.upstream = trial.tls.upstream
        guard trial.tls.opensClients else { return configuration }
        let authority = try sandbox.trustedAuthority()
        outcome.place.trust = authority.trust
        configuration.clients = .init(
            TLSServerSettings(
                identity: .made(authority: authority.pem, hosts: SandboxAuthority.hosts)
            )
        )
        if trial.forward == nil, case .embedded(let origin) = trial.server, origin.takesHTTP2 {
            configuration.clients?.protocols = ["h2", "http/1.1"]
        }
        // A tunnel may hold anything.
        configuration.clients?.takesPlain = trial.forward != nil
        return configuration
    }

    /// Of the server, if it is the trial's own.
    private var originFaults: (any OriginFaults)? {
        if let origin { return OriginCrashes(origin) }
        guard let server else { return nil }
        return ServerCrashes(server) { [weak self] in self?.outcome.troubles.append($0) }
    }

    /// What is asked for is worth something else if the path is expensive or constrained.
    private func recordPath() {
        guard path.isExpensive || path.isConstrained else { return }
        recordCurrentPath()
    }

    /// Writes down what the path is like now.
    func recordCurrentPath() {
        recordedAttributes = path
        record(.path(nil, path.report))
    }

    /// What the path is like: as the profile says, unless it was set.
    package var path: PathAttributes {
        setAttributes ?? proxy?.paths.condition.attributes ?? trial.profile.path
    }

    /// Sets the attributes of the path from now on, whatever the profile says.
    package func setPath(isConstrained: Bool, isExpensive: Bool) {
        var new = path
        new.isConstrained = isConstrained
        new.isExpensive = isExpensive
        guard new != path else { return }
        setAttributes = new
        recordCurrentPath()
    }

    private func runStart(_ upstream: Endpoint) -> RunStart {
        var environment: JSONObject = [
            "began_ms": .number(WallClock.timeSince1970.wholeMilliseconds),
            "listen": .array([.string(outcome.place.listen.description)]),
            "upstream": .array([.string(origin == nil ? upstream.description : "embedded")]),
        ]
        if case .command(let command) = trial.client {
            environment.append("argv", .array(command.words.map { .string($0) }))
        }
        if let lookups = trial.lookups { environment.append("dns", .object(lookups.described)) }
        if let via = trial.via { environment.append("via", .string(via.description)) }
        for member in trial.notes.members { environment.append(member.key, member.value) }
        let network = (trial.forward?.networks ?? [])
            .canonicalText(with: trial.profile, second: trial.secondPath)
        return RunStart(
            tool: sandbox.settings.tool,
            command: trial.purpose,
            seed: trial.seed,
            schedule: outcome.place.schedule,
            profile: trial.profile.name,
            profileDigest: SHA256.hexadecimal(Array(network.utf8)),
            environment: environment
        )
    }
}

extension SandboxError {
    init(_ error: OriginError) {
        let kind: Kind =
            switch error.kind {
            case .refused: .refused
            case .addressUnavailable: .unavailable
            case .folderMissing, .folderUnusable: .folder
            case .internal: .internal
            }
        self.init(kind, error.description)
    }

    init(_ error: ProxyError) {
        let kind: Kind =
            switch error.kind {
            case .badEndpoint, .refused: .refused
            case .addressUnavailable, .upstreamUnavailable: .unavailable
            case .internal: .internal
            }
        self.init(kind, error.description)
    }
}
