internal import Arguments
internal import Faults
internal import LinkProfile
internal import Proxy
internal import SystemIO

/// `linkcond proxy`: from options to a run.
struct ProxyCommand {
    let console: Console
    let catalog: ProfileCatalog

    func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        let environment = CurrentProcess.environment
        let notifier = ServiceNotifier(environment: environment)
        var options = try ProxyOptions(
            invocation,
            inherited: ServiceManager.takeListeners(environment: environment)
        )
        ServiceManager.forgetEnvironment()
        options.forward?.networks = try invocation.hostNetworks(from: catalog)
        let secondPath = try invocation.secondPath(from: catalog)
        let profile = try invocation.profile(from: catalog)
        // A short number is easy to type again.
        let seed = options.seed ?? UInt64.random(in: 1...999_999)
        var description = RunDescription(
            profile: profile,
            seed: seed,
            faults: options.faults + profile.faults,
            routes: routes(options),
            reproduction: options.repeated.line(
                faults: options.faults.map(\.canonicalText),
                seed: seed
            )
        )
        description.changes = options.settings.map { "\($0.key)=\($0.value)" }
        description.networks = options.forward?.networks ?? []
        description.secondPath = secondPath
        description.pathSocket = options.pathSocket
        description.via = options.via
        description.leadNames(by: options.lookups)
        let isLive = try wantsLiveView(options)
        func run(isLive: Bool) throws(Failure) -> ProxyRun {
            try ProxyRun(
                options: options,
                description: description,
                console: console,
                catalog: catalog,
                notifier: notifier,
                isLive: isLive
            )
        }
        if options.isDryRun {
            try run(isLive: false).checkStart()
            let origins = SettingOrigins(settings: options.settings) { settings in
                try? catalog.load(options.profileReference, settings: settings)
            }
            let dryRun = DryRun(
                description: description,
                invocation: invocation,
                options: options,
                origins: origins
            )
            try console.write(dryRun.lines())
            return .success
        }
        return try run(isLive: isLive).runToEnd()
    }

    private func routes(_ options: ProxyOptions) -> [RunDescription.Route] {
        options.listens.enumerated().flatMap { index, listen -> [RunDescription.Route] in
            if let forward = options.forward { return [.init(listen: listen, forward: forward)] }
            guard !options.upstreams.isEmpty else { return [.init(listen: listen, upstream: nil)] }
            return RunDescription.Route.routes(listen: listen, to: options.upstreams[index])
        }
    }

    private func wantsLiveView(_ options: ProxyOptions) throws(Failure) -> Bool {
        let isTerminal = console.output.isTerminal
        if options.wantsLive && !isTerminal {
            throw Failure(.usage, "--live needs a terminal on standard output; leave it out")
        }
        if options.wantsLive { return true }
        // A job in the background writes lines, and goes on with them.
        return isTerminal && Screen.isOurs && !options.isJSON && !options.isQuiet
            && options.journalPath != "-" && CurrentProcess.environment("TERM") != "dumb"
    }
}
