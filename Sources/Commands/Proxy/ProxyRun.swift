internal import Arguments
internal import Basics
internal import ControlAPI
internal import Exploration
internal import Faults
internal import Journal
internal import LinkEngine
internal import LinkProfile
internal import Origin
internal import Proxy
internal import SystemIO
internal import Trials

/// One run of the proxy, from its first line to its summary.
///
/// Everything happens on the loop's thread. Its parts: `+Start`, what signals and keys do in `+Signals`
/// and `+Keys`, which proxy those are for in `+Proxies`, what people and journals are told in `+Events`,
/// and `+End`.
final class ProxyRun: LiveRun {
    let options: ProxyOptions
    let console: Console
    let loop: EventLoop
    var description: RunDescription
    var state = LiveState()
    var controls = LiveControls()
    let catalog: ProfileCatalog
    let notifier: ServiceNotifier
    let startedAt: Instant
    /// Every proxy of the run.
    let fleet: ProxyFleet<SteeredProxy>
    var origin: OriginServer?
    /// Lets faults make the origin crash.
    private var crashes: OriginCrashes?
    var journal: JournalFile?
    /// What the journal knows of the path.
    var recordedPath: PathReport?
    /// What is to be recorded after the start; nil once that is.
    var early: [(record: JournalRecord, time: Instant)]? = []
    /// Of the latest record; times in a journal never decrease.
    var recordedAt = Instant.start
    var pathReporter: PathReporter?
    /// Nil unless names are answered, too.
    var lookups: LookupService?
    /// Nil unless control was asked for.
    var control: ControlServer?
    /// Nil unless a page was asked for.
    var dashboard: Dashboard?
    var native: NativeAPI?
    /// The proxies that clients made, as far as the live view knows them.
    var further: [FurtherProxy] = []
    /// The one of them that is shown and steered; nil for the run's own.
    var chosen: FurtherProxy?
    /// The one for which profiles are listed.
    var listing: FurtherProxy?
    var screen: Screen?
    let terminal = ControllingTerminal()
    var tally = RunTally()
    var progress = ProgressLine()
    var timers: [Timer] = []
    var watchers: [SignalWatcher] = []
    var outcome: ExitCode?
    var isJournalFailureTold = false
    var isWasteTold = false
    /// Why connections were opaque, as far as that was told.
    var opaqueTold: Set<String> = []
    var upstreamNotices = UpstreamNotices()
    /// Whether it was said that one side speaks TLS and the other one does not.
    var isMismatchTold = false
    var latenessTold: Instant?
    var status: String?
    /// What told people what the end waits for.
    var drainNotice: DrainNotice?
    /// The exit code that the end has, which `status` tells of.
    var drainCode: ExitCode?

    /// More connections than a terminal has lines.
    static let sampledRows = 256
    /// Seconds between two lines about a busy machine.
    static let latenessInterval = Duration.seconds(10)
    /// Descriptors that are not for connections.
    static let reservedDescriptors = 64

    init(
        options: ProxyOptions,
        description: RunDescription,
        console: Console,
        catalog: ProfileCatalog,
        notifier: ServiceNotifier,
        isLive: Bool
    ) throws(Failure) {
        self.options = options
        self.console = console
        self.catalog = catalog
        self.notifier = notifier
        self.description = description
        loop = try .forRun(maximumMemoryBytes: options.maximumMemoryBytes)
        if options.upstreams.isEmpty, options.forward == nil {
            let plan = FaultPlan(faults: description.faults, seed: description.seed)
            origin = try OriginCommand.embedded(
                on: loop,
                seed: description.seed,
                faults: OriginFault.all(in: plan)
            )
            crashes = origin.map { OriginCrashes($0) }
        }
        startedAt = loop.now
        // A record is worth making only if somebody hears of it.
        let isUnheard = options.isQuiet && !options.looksAtRequests
        let inbox = isUnheard ? nil : RecordInbox()
        var configuration = try Self.configuration(options, description, console, origin: origin)
        // The live view shows what connections ask for.
        if isLive { configuration.observesRequests = true }
        do throws(ProxyError) {
            let server = try ProxyServer(
                loop: loop,
                configuration: configuration,
                onRecord: inbox.map { inbox in { inbox.take($0, $1) } }
            )
            fleet = ProxyFleet(
                own: SteeredProxy(
                    name: NativeAPI.proxyName,
                    server: server,
                    profileReference: options.profileReference,
                    settings: options.settings
                )
            )
        } catch {
            throw Failure(Self.exitCode(of: error.kind), error.description)
        }
        server.faults.origin = crashes
        server.faults.hasNameServer = options.lookups != nil
        origin?.onFault = { [weak server] in server?.faults.firedAtServer($0) }
        if isLive { screen = Screen(output: console.output, style: console.outputStyle) }
        inbox?.take = { [weak self] in self?.record($0, at: $1) }
    }

    /// Where the server's records go; the server is made before the run that hears them.
    private final class RecordInbox {
        var take: (JournalRecord, Instant) -> Void = { _, _ in }
    }

    private static func configuration(
        _ options: ProxyOptions,
        _ description: RunDescription,
        _ console: Console,
        origin: OriginServer?
    ) throws(Failure) -> ProxyConfiguration {
        var routes = description.routes.map { route in
            if let forward = route.forward {
                return ProxyConfiguration.Route(listen: route.listen, forward: forward)
            }
            var result = ProxyConfiguration.Route(
                listen: route.listen,
                upstream: route.upstream
                    ?? origin?.addresses.first.map { Endpoint($0) } ?? route.listen,
                upstreamName: route.upstreamName
            )
            result.carriesDatagrams = route.carriesDatagrams
            result.sharesPort = route.sharesPort
            return result
        }
        for (index, descriptor) in options.inheritedListeners.enumerated() {
            routes[index].descriptor = descriptor
        }
        var configuration = ProxyConfiguration(routes: routes)
        configuration.profile = description.profile
        configuration.secondPath = description.secondPath
        configuration.faults = description.faults
        configuration.seed = description.seed
        configuration.allowsRemote = options.allowsRemote
        configuration.rewrites = options.rewrites
        configuration.via = options.via
        configuration.observesRequests = options.looksAtRequests
        configuration.datagrams = options.datagrams
        configuration.tls = try options.tls.configuration(console)
        if origin != nil {
            // A connection then has a third socket, the origin's.
            let available = DescriptorLimit.raise() - reservedDescriptors
            configuration.limits.connections = max(1, available / 3)
        }
        return configuration
    }

    /// Runs until it is told to end.
    func runToEnd() throws(Failure) -> ExitCode {
        do throws(Failure) {
            try start()
        } catch {
            shutDown()
            throw error
        }
        if outcome == nil { loop.run() }
        return finish()
    }

    /// The run's own proxy.
    var server: ProxyServer { fleet.own.server }

    var elapsed: Duration { loop.now - startedAt }

    static func exitCode(of kind: ProxyError.Kind) -> ExitCode {
        switch kind {
        case .badEndpoint, .refused: .usage
        case .addressUnavailable, .upstreamUnavailable: .unavailable
        case .internal: .internalError
        }
    }
}
