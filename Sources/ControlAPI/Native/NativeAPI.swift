internal import Analysis
package import Basics
internal import HTTPWire
package import Journal
package import LinkProfile
package import Proxy
internal import SystemIO

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
        /// The same with their kinds and figures; more work, so only for who asks.
        package var profileCards: () -> [ProfileCard]
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
        /// Where the test server of the run is behind its proxies; nil if it has none.
        package var testServer: String?
        /// Words after the program's own as a command line.
        package var commandLine: ([String]) -> String

        package init(
            version: String,
            seed: UInt64,
            command: @escaping ([String]) -> String,
            profileNames: @escaping () -> [String],
            profileCards: @escaping () -> [ProfileCard],
            loadProfile: @escaping (String, [ProfileSetting]) throws(ProfileError) -> Profile,
            readProfile: @escaping (ProfileText) throws(ProfileError) -> Profile,
            onProfile: @escaping (Profile) -> Void,
            makeServer: @escaping (ProxyConfiguration) throws(ProxyError) -> ProxyServer,
            allowsRemote: Bool = false,
            testServer: String? = nil,
            commandLine: @escaping ([String]) -> String
        ) {
            self.version = version
            self.seed = seed
            self.command = command
            self.profileNames = profileNames
            self.profileCards = profileCards
            self.loadProfile = loadProfile
            self.readProfile = readProfile
            self.onProfile = onProfile
            self.makeServer = makeServer
            self.allowsRemote = allowsRemote
            self.testServer = testServer
            self.commandLine = commandLine
        }
    }

    /// The name of the run's own proxy.
    package static let proxyName = "default"

    private let run: ControlledRun
    private let faults: FaultsResource
    private let events: EventsResource
    private let meter: MeterResource
    private let metrics: MetricsResource
    private let schedule: ScheduleResource
    private let waits: WaitResource
    private let history: HistoryResource
    /// What the path is like.
    package let paths: PathKeeper
    private var table = RouteTable()

    /// - Parameters:
    ///   - fleet: what is controlled.
    ///   - program: what the program around it knows.
    ///   - startedAt: when the run began, on the loop's clock.
    package init(
        fleet: ProxyFleet<SteeredProxy>,
        program: Program,
        startedAt: Instant
    ) {
        run = ControlledRun(fleet, program: program, startedAt: startedAt)
        paths = PathKeeper(fleet.own.server)
        faults = FaultsResource(run)
        meter = MeterResource(run, paths)
        metrics = MetricsResource(run, meter)
        events = EventsResource(run: run) { [metrics] in metrics.counters }
        schedule = ScheduleResource(run: run)
        waits = WaitResource(run, faults)
        history = HistoryResource(run)
        faults.nameFaults()
        run.hub.sample = { [weak self] in self?.sample(of: $0) ?? .null }
        run.hub.hasProxy = { [weak run] in run?.fleet.proxy(at: $0) != nil }
        addRoutes()
    }

    /// Every proxy of the run.
    package var fleet: ProxyFleet<SteeredProxy> { run.fleet }

    /// Whether the proxies have ended, and the last listeners only look at what they did.
    private var isOver = false

    /// Answers a request.
    package func answer(_ request: ControlRequest) -> ControlAnswer {
        guard !isOver || ["GET", "HEAD"].contains(request.head.method) else {
            return .problem(Problem(503, "ended", "The run is over."))
        }
        return table.answer(request)
    }

    /// Rates and states of the moment, small enough to be sent again and again.
    ///
    /// - Parameter number: of a proxy; nil for sums over all, with the conditions of the run's own.
    /// - Returns: the document.
    package func sample(of number: UInt32?) -> JSONValue { events.sample(of: number) }

    /// Takes the next record of the run, of this moment of the loop's clock.
    package func take(_ record: JournalRecord, now: Instant) {
        // Keys and signals change what a tag stands for, too.
        if case .change(let change) = record, change.by != .control { run.noteChange() }
        let time = run.journalTime(now)
        let proxy = proxy(of: record)
        proxy?.take(record, at: time)
        metrics.receive(record)
        meter.receive(record, at: time, of: proxy)
        schedule.noteFurther(record, proxy)
        // Connections of a proxy that is gone may end later than it did.
        let number = proxy?.number ?? record.connection?.listener
        run.hub.take(record, at: time, of: number)
        if record.connection != nil { history.noteActivity() }
        if case .change = record { history.noteCeilings() }
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

    /// Records that a proxy imitates another network, though no client of the API asked for it.
    ///
    /// - Parameters:
    ///   - reference: how the profile was asked for.
    ///   - settings: what lies over it.
    ///   - proxy: the one; nil for the run's own.
    package func follow(
        profileReference reference: String,
        settings: [ProfileSetting] = [],
        of proxy: SteeredProxy? = nil
    ) {
        let proxy = proxy ?? fleet.own
        proxy.profileReference = reference
        proxy.settings = settings
        faults.nameFaults()
        history.noteCeilings()
        run.noteChange()
    }

    /// Ends the further proxies; nothing can be changed any more.
    package func stopProxies() {
        isOver = true
        fleet.stop()
    }

    /// Runs the loop until listeners have what happened up to now, and pages have left.
    ///
    /// The run's own proxy has ended, too.
    package func conclude() {
        let loop = run.server.loop
        run.hub.conclude(limitMilliseconds: Self.lastMilliseconds) { loop.stop() }
        if run.hub.isConcluding { loop.run() }
    }

    /// How long a listener can hold up the end of the program.
    private static let lastMilliseconds: UInt64 = 1_500

    /// Ends all streams, waits and further proxies.
    package func stop() {
        stopProxies()
        run.hub.stop()
        paths.close()
        metrics.close()
        waits.close()
        history.close()
    }

    // MARK: Routes

    private func addRoutes() {
        table.add("GET", "/v1") { [weak self] _, _ throws(Problem) in
            guard let self else { throw Problem(503, "ended", "The run is over.") }
            return root
        }
        let profiles = ProfilesResource(run)
        let proxies = ProxiesResource(
            run: run,
            profiles: profiles,
            faults: faults,
            linkMeter: metrics.linkMeter
        )
        proxies.addRoutes(to: &table)
        profiles.addRoutes(to: &table)
        ConnectionsResource(run: run).addRoutes(to: &table)
        meter.addRoutes(to: &table)
        history.addRoutes(to: &table)
        faults.addRoutes(to: &table)
        ActionsResource(run: run, proxies: proxies).addRoutes(to: &table)
        events.addRoutes(to: &table)
        ExportsResource(run: run).addRoutes(to: &table)
        PathResource(run: run, paths: paths).addRoutes(to: &table)
        waits.addRoutes(to: &table)
        table.add("GET", "/v1/openapi.json") { [run] _, _ in
            .json(OpenAPI.document(version: run.program.version))
        }
        schedule.addRoutes(to: &table)
        metrics.addRoutes(to: &table)
        addProbes()
    }

    private func addProbes() {
        table.add("GET", "/healthz") { _, _ in Self.plain("ok\n") }
        table.add("GET", "/readyz") { [run] _, _ in
            run.server.isAccepting
                ? Self.plain("ready\n") : Self.plain("not ready\n", status: 503)
        }
    }

    private static func plain(_ text: String, status: Int = 200) -> ControlAnswer {
        .text(text, type: "text/plain; charset=utf-8", status: status)
    }

    private var root: ControlAnswer {
        let links = table.patterns.map { pattern -> JSONValue in
            [
                "path": .string(pattern.path),
                "methods": .array(pattern.methods.map { .string($0) }),
            ]
        }
        return .json([
            "name": "linkcond", "version": .string(run.program.version), "api": 1,
            "seed": .number(run.program.seed), "command": .string(schedule.command),
            "profile": .string(run.server.profile.name),
            "elapsedMilliseconds": .number(run.elapsedMilliseconds),
            "resources": .array(links),
        ])
    }
}
