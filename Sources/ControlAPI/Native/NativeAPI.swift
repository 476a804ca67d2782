internal import Analysis
internal import HTTPWire
package import Journal
package import LinkProfile
internal import Libuv
package import Proxy

/// The control API of a running proxy, `/v1`.
///
/// It answers from the proxy as it is and changes it on the loop's thread, so that each change is
/// complete before its answer. What was changed is recorded, and kept as faults that do the same
/// again. How requests come in is `ControlServer`'s affair.
package final class NativeAPI {
    /// What the program around the proxy knows and does.
    package struct Program {
        package var version: String
        package var seed: UInt64
        /// The command line that does the same again, with these faults.
        package var command: ([String]) -> String
        /// Names of the profiles that can be loaded.
        package var profileNames: () -> [String]
        /// Loads a profile by name.
        package var loadProfile: (String, [ProfileSetting]) throws(ProfileError) -> Profile
        /// Reads a profile from YAML or JSON.
        package var readProfile: (ProfileText) throws(ProfileError) -> Profile
        /// Told when another profile is imitated.
        package var onProfile: (Profile) -> Void
        /// Makes a further proxy, whose records go where those of the run go.
        package var makeServer: (ProxyConfiguration) throws(ProxyError) -> ProxyServer
        /// Whether other machines may reach what listens.
        package var allowsRemote: Bool
        /// Words after the program's own as a command line.
        package var commandLine: ([String]) -> String

        package init(
            version: String,
            seed: UInt64,
            command: @escaping ([String]) -> String,
            profileNames: @escaping () -> [String],
            loadProfile: @escaping (String, [ProfileSetting]) throws(ProfileError) -> Profile,
            readProfile: @escaping (ProfileText) throws(ProfileError) -> Profile,
            onProfile: @escaping (Profile) -> Void,
            makeServer: @escaping (ProxyConfiguration) throws(ProxyError) -> ProxyServer,
            allowsRemote: Bool = false,
            commandLine: @escaping ([String]) -> String
        ) {
            self.version = version
            self.seed = seed
            self.command = command
            self.profileNames = profileNames
            self.loadProfile = loadProfile
            self.readProfile = readProfile
            self.onProfile = onProfile
            self.makeServer = makeServer
            self.allowsRemote = allowsRemote
            self.commandLine = commandLine
        }
    }

    /// The name of the run's own proxy.
    package static let proxyName = "default"

    /// Every proxy of the run.
    package let fleet: ProxyFleet
    let program: Program
    let hub: EventHub
    let startNanoseconds: UInt64
    var metrics = MetricsCounters()
    var transfers = TransferBook()
    var meter = PathMeter()
    /// What was asked for on an expensive or constrained path.
    var metered = MeteredTraffic()
    let linkMeter = LinkMeter()
    let lagMeter: LoopLagMeter
    /// What the path is like.
    package let paths: PathKeeper
    let waits: WaitDesk
    /// Faults in the order of their short names, `f1` first.
    var namedFaults: [NamedFault] = []
    /// Profiles of this run alone.
    var ownProfiles: [String: Profile] = [:]
    /// Counts changes, for `ETag`.
    var revision: UInt64 = 1
    private(set) var table = RouteTable()

    /// - Parameters:
    ///   - server: what is controlled.
    ///   - program: what the program around it knows.
    ///   - profileReference: how the profile of now was asked for.
    ///   - settings: what lies over it.
    ///   - startNanoseconds: when the run began, on the loop's clock.
    package init(
        server: ProxyServer,
        program: Program,
        profileReference: String,
        settings: [ProfileSetting],
        startNanoseconds: UInt64
    ) {
        fleet = ProxyFleet(
            own: SteeredProxy(
                name: Self.proxyName,
                server: server,
                profileReference: profileReference,
                settings: settings
            )
        )
        paths = PathKeeper(server)
        waits = WaitDesk(loop: server.loop)
        lagMeter = LoopLagMeter(server.loop)
        server.linkMeter = linkMeter
        self.program = program
        self.startNanoseconds = startNanoseconds
        hub = EventHub(loop: server.loop)
        nameFaults()
        hub.sample = { [weak self] in self?.sample(of: $0) ?? .null }
        hub.hasProxy = { [weak self] in self?.fleet.proxy(at: $0) != nil }
        paths.onState = { [weak self] in self?.pathChanged($0) }
        addRoutes()
    }

    /// Answers a request.
    package func answer(_ request: ControlRequest) -> ControlAnswer { table.answer(request) }

    /// Takes the next record of the run, of this moment of the loop's clock.
    package func take(_ record: JournalRecord, nowNanoseconds now: UInt64) {
        // Keys and signals change what a tag stands for, too.
        if case .change(let change) = record, change.by != .control { revision += 1 }
        let elapsed = now - min(now, startNanoseconds)
        let proxy = proxy(of: record)
        proxy?.take(record, elapsedNanoseconds: elapsed)
        metrics.take(record)
        transfers.take(record, elapsedNanoseconds: elapsed)
        takeMetered(record, of: proxy)
        noteFurther(record, proxy)
        // Connections of a proxy that is gone may end later than it did.
        let number = proxy?.number ?? record.connection?.listener
        hub.take(record, elapsedNanoseconds: elapsed, of: number)
    }

    /// The proxy that a record is of; nil for the run as a whole, and for one that is gone.
    package func proxy(of record: JournalRecord) -> SteeredProxy? {
        if let id = record.connection { return fleet.proxy(of: id) }
        switch record {
        // The origin, and the path that is told, are the run's own proxy's.
        case .fault, .path: return fleet.own
        case .change(let change):
            guard !Self.actionsOfFleet.contains(change.action) else { return nil }
            guard case .string(let name)? = change.detail["proxy"] else { return fleet.own }
            return fleet[name]
        default: return nil
        }
    }

    /// Changes of which proxies there are.
    private static let actionsOfFleet: Set<String> = [
        "create-proxy", "change-proxy", "delete-proxy",
    ]

    /// The path is that of the run's own proxy.
    private func takeMetered(_ record: JournalRecord, of proxy: SteeredProxy?) {
        // What the path is like is told by `paths`, which knows more than the profile.
        if case .path = record { return }
        guard record.connection == nil || proxy === fleet.own else { return }
        metered.take(record)
    }

    /// Ends all streams, waits and further proxies.
    package func stop() {
        fleet.stop()
        hub.stop()
        paths.close()
        lagMeter.close()
        waits.close()
    }

    /// The run's own proxy.
    var server: ProxyServer { fleet.own.server }

    var elapsedNanoseconds: UInt64 {
        server.loop.nowNanoseconds - min(server.loop.nowNanoseconds, startNanoseconds)
    }

    // MARK: Routes

    private typealias Handler = (NativeAPI, ControlRequest, RouteTable.Parameters)
        throws(Problem) -> ControlAnswer

    private func add(_ method: String, _ path: String, _ handler: @escaping Handler) {
        table.add(method, path) { [weak self] request, parameters throws(Problem) in
            guard let self else { throw Problem(503, "ended", "The run is over.") }
            return try handler(self, request, parameters)
        }
    }

    private func addRoutes() {
        add("GET", "/v1") { api, _, _ in api.root }
        add("GET", "/v1/proxies") { api, _, _ in api.proxies }
        add("POST", "/v1/proxies") { api, request, _ throws(Problem) in
            try api.addProxy(request)
        }
        add("GET", "/v1/proxies/{proxy}") { api, _, p throws(Problem) in try api.proxy(p) }
        add("PUT", "/v1/proxies/{proxy}") { api, request, p throws(Problem) in
            try api.change(request, p, isWhole: true)
        }
        add("PATCH", "/v1/proxies/{proxy}") { api, request, p throws(Problem) in
            try api.change(request, p, isWhole: false)
        }
        add("DELETE", "/v1/proxies/{proxy}") { api, request, p throws(Problem) in
            try api.removeProxy(request, p)
        }
        add("GET", "/v1/profiles") { api, request, _ throws(Problem) in
            try api.profiles(request)
        }
        add("GET", "/v1/profiles/{name}") { api, request, p throws(Problem) in
            try api.profile(request, p)
        }
        add("PUT", "/v1/profiles/{name}") { api, request, p throws(Problem) in
            try api.putProfile(request, p)
        }
        add("GET", "/v1/connections") { api, request, _ throws(Problem) in
            try api.connections(request)
        }
        add("GET", "/v1/connections/{id}") { api, _, p throws(Problem) in try api.connection(p) }
        add("DELETE", "/v1/connections/{id}") { api, request, p throws(Problem) in
            try api.cutConnection(request, p)
        }
        add("GET", "/v1/transfers") { api, _, _ in .json(api.transfers.read()) }
        add("GET", "/v1/meter") { api, _, _ in api.meterDocument }
        add("GET", "/v1/faults") { api, request, _ throws(Problem) in try api.faults(request) }
        add("POST", "/v1/faults") { api, request, _ throws(Problem) in try api.addFault(request) }
        add("GET", "/v1/faults/{id}") { api, _, p throws(Problem) in try api.fault(p) }
        add("DELETE", "/v1/faults/{id}") { api, _, p throws(Problem) in try api.removeFault(p) }
        add("POST", "/v1/actions") { api, request, _ throws(Problem) in try api.act(request) }
        add("GET", "/v1/events") { api, request, _ throws(Problem) in try api.events(request) }
        add("GET", "/v1/exports/{form}") { api, _, p throws(Problem) in try api.export(p) }
        add("GET", "/v1/path") { api, _, _ in api.pathDocument }
        add("PUT", "/v1/path") { api, request, _ throws(Problem) in try api.putPath(request) }
        add("GET", "/v1/path/stream") { api, _, _ in api.pathStream }
        add("GET", "/v1/wait") { api, request, _ throws(Problem) in try api.wait(request) }
        add("GET", "/v1/openapi.json") { api, _, _ in
            .json(OpenAPI.document(version: api.program.version))
        }
        add("GET", "/v1/schedule") { api, request, _ throws(Problem) in
            try api.schedule(request)
        }
        add("POST", "/v1/schedule") { api, request, _ throws(Problem) in
            try api.controlSchedule(request)
        }
        add("GET", "/metrics") { api, _, _ in api.metricsText }
        add("GET", "/healthz") { _, _, _ in .text("ok\n", type: "text/plain; charset=utf-8") }
        add("GET", "/readyz") { api, _, _ in api.readiness }
    }

    private var readiness: ControlAnswer {
        server.isAcceptingNow
            ? .text("ready\n", type: "text/plain; charset=utf-8")
            : .text("not ready\n", type: "text/plain; charset=utf-8", status: 503)
    }

    private var root: ControlAnswer {
        let links = table.patterns.map { pattern -> JSONValue in
            [
                "path": .string(pattern.path),
                "methods": .array(pattern.methods.map { .string($0) }),
            ]
        }
        return .json([
            "name": "linkcond", "version": .string(program.version), "api": 1,
            "seed": .number(program.seed), "command": .string(command),
            "profile": .string(server.profile.name),
            "elapsedMilliseconds": .number(elapsedNanoseconds / 1_000_000),
            "resources": .array(links),
        ])
    }

    // MARK: Changes

    /// Records a change and answers with its number.
    func record(
        _ action: String,
        _ detail: JSONObject = [:],
        _ places: [LivePlace] = [],
        on proxy: SteeredProxy? = nil
    ) -> UInt64 {
        revision += 1
        let proxy = proxy ?? fleet.own
        var detail = detail
        if proxy !== fleet.own { detail.append("proxy", .string(proxy.name)) }
        proxy.server.record(
            ChangeReport(
                action,
                by: .control,
                detail: detail,
                places: places.map { .init($0.connection, up: $0.up, down: $0.down) }
            )
        )
        proxy.server.flushRecords()
        return hub.history.nextNumber - min(1, hub.history.nextNumber)
    }

    /// The tag of the state as it is now.
    var tag: String { "\"\(revision)\"" }

    /// Refuses a change of what is not any more what the client has seen (RFC 9110 §13.1.1).
    func checkTag(_ request: ControlRequest) throws(Problem) {
        guard let wanted = request.head.fields.combined("If-Match"), wanted != "*" else { return }
        let tags = wanted.split(separator: ",").map { item in
            item.drop { $0 == " " }.prefix { $0 != " " }
        }
        guard !tags.contains(Substring(tag)) else { return }
        throw Problem(
            412,
            "changed",
            "Somebody has changed this since; get it again. Its tag is \(tag) now."
        )
    }
}
