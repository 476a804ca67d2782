internal import Arguments
internal import Basics
internal import ControlAPI
internal import Faults
internal import LinkProfile
internal import Origin
internal import Profiles
internal import Proxy
internal import SystemIO

// Control from outside, if it is asked for.
extension ProxyRun {
    /// Listens for control; nothing is answered before the loop runs.
    func startControl() throws(Failure) {
        guard let endpoint = options.control else {
            if !options.further.isEmpty { native = makeNative() }
            return
        }
        let address = try controlAddress(endpoint)
        let policy = try controlPolicy(address)
        let api = makeNative()
        let dashboard = options.showsPage ? Dashboard(token: policy.token) : nil
        do throws(SystemError) {
            control = try ControlServer(
                loop: loop,
                address: address,
                policy: policy
            ) { [weak api] request in
                dashboard?.answer(request) ?? api?.answer(request)
                    ?? .problem(Problem(503, "ended", "The run is over."))
            }
        } catch {
            throw Failure(.unavailable, "--control \(endpoint): \(error)")
        }
        if let dashboard { control?.hasSession = { dashboard.hasSession($0) } }
        self.dashboard = dashboard
        native = api
        api.paths.onChange = { [weak self, weak api] _ in
            guard let self, let api else { return }
            pathReporter?.override = api.paths.override
            recordPath()
        }
        refuseControlAsUpstream()
        tellControl()
    }

    private func makeNative() -> NativeAPI {
        NativeAPI(fleet: fleet, program: program, startedAt: startedAt)
    }

    private func controlAddress(_ endpoint: Endpoint) throws(Failure) -> SocketAddress {
        guard let address = endpoint.numericAddress else {
            throw Failure(
                .usage,
                "--control \(endpoint): give a numeric address, as 127.0.0.1:0, or unix:/path"
            )
        }
        if options.showsPage, address.isUnix {
            throw Failure(
                .usage,
                "--control \(endpoint): no browser reaches a socket file; --ui needs 127.0.0.1:PORT"
            )
        }
        guard address.isLoopback || options.allowsRemote else {
            throw Failure(
                .usage,
                "--control \(endpoint): other machines could reach it; use 127.0.0.1 or unix:/path,"
                    + " or allow it with --allow-remote"
            )
        }
        return address
    }

    private func controlPolicy(_ address: SocketAddress) throws(Failure) -> AccessPolicy {
        var token: AccessToken?
        if let chosen = CurrentProcess.environment(Self.tokenVariable) {
            token = AccessToken(chosen: chosen)
            guard token != nil else {
                throw Failure(
                    .usage,
                    "\(Self.tokenVariable): expected 16 to 256 letters, digits or -._~+/="
                )
            }
        }
        // Only the owner of the socket's file can connect to it.
        var policy = AccessPolicy(token: address.isUnix ? nil : token ?? AccessToken())
        policy.openPaths = ["/healthz", "/readyz"]
        if options.showsPage { policy.openPaths.formUnion(Dashboard.openPaths) }
        policy.allowedHosts = Set(options.allowedHosts.map { $0.lowercased() })
        policy.allowsNumericHosts = !address.isLoopback
        policy.contentTypes = ["application/yaml", "application/x-yaml"]
        return policy
    }

    private static let tokenVariable = "LINKCOND_CONTROL_TOKEN"

    /// Nobody reaches control through the proxies' ports.
    private func refuseControlAsUpstream() {
        if let control { fleet.controlAddresses = [control.address] }
    }

    private func tellControl() {
        guard let address = control?.address else { return }
        switch address {
        case .unix(let path): description.control = "unix:\(path)"
        case .ipv4, .ipv6:
            let host =
                address.isWildcard ? SocketAddress.loopback(port: address.port ?? 0) : address
            description.control = "http://\(host)"
            if dashboard != nil {
                description.page = Dashboard.address(of: host, token: control?.policy.token)
            }
        }
        description.controlToken = control?.policy.token?.text
        if !address.isLoopback, !options.isQuiet {
            console.log("other machines can reach control at \(address); keep its token secret")
        }
    }

    private var program: NativeAPI.Program {
        let catalog = catalog
        return NativeAPI.Program(
            version: Version.number,
            seed: description.seed,
            command: { [options, description] faults in
                options.repeated.line(faults: faults, seed: description.seed)
            },
            profileNames: { catalog.userNames + Profiles.all.map(\.name) },
            profileCards: { catalog.cards() },
            loadProfile: { name, settings throws(ProfileError) in
                try catalog.profile(name, settings: settings)
            },
            // Whoever controls the proxy need not be able to read our files.
            readProfile: { text throws(ProfileError) in
                try ProfileLibrary.builtinOnly().load(text)
            },
            onProfile: { [weak self] in self?.took($0) },
            makeServer: { [weak self] configuration throws(ProxyError) in
                guard let self else { throw ProxyError(.internal, "the run is over") }
                return try makeServer(configuration)
            },
            allowsRemote: options.allowsRemote,
            testServer: origin?.addresses.first.map { Endpoint($0).description },
            commandLine: { ShellText.line([CommandSet.program] + $0) }
        )
    }

    /// Makes a further proxy under the rules of this run.
    private func makeServer(
        _ wanted: ProxyConfiguration
    ) throws(ProxyError) -> ProxyServer {
        var configuration = wanted
        configuration.allowsRemote = options.allowsRemote
        configuration.rewrites.addsHints = options.rewrites.addsHints
        configuration.observesRequests = true
        configuration.startedAt = startedAt
        return try ProxyServer(loop: loop, configuration: configuration) { [weak self] in
            self?.record($0, at: $1)
        }
    }

    private func took(_ profile: Profile) {
        description.profile = profile
        lookAtPath()
    }

    /// Tells what the path is like now; of what was put, control knows.
    func lookAtPath() {
        if recordedPath != nil { recordPath() }
        native?.paths.look()
        pathReporter?.look()
    }
}
