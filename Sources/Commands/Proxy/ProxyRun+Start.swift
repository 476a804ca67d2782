internal import ControlAPI
internal import Arguments
internal import Basics
internal import Journal
internal import LinkProfile
internal import Proxy
internal import SystemIO
internal import Trials

// From nothing to accepted connections.
extension ProxyRun {
    func start() throws(Failure) {
        if let path = options.journalPath {
            journal = try JournalFile(
                path,
                in: options.journalParts,
                on: loop,
                startedAt: startedAt,
                waitMilliseconds: min(options.durationMilliseconds ?? .max, 5_000)
            ) { console.log($0) }
        }
        // A file of an earlier run must not be taken for this one's.
        if let path = options.readyFile { FileSystem.removeFormer(path) }
        try open()
        server.paths.onChange = { [weak self] in self?.lookAtPath() }
        try watchSignals()
        // The first line comes first, also where the journal follows it on standard output.
        try announce()
        recordStart()
        try startTimers()
        screen?.enter()
        redraw()
        // The live view and the page have lists to choose from.
        if screen != nil || dashboard != nil { ProfileCatalog.prepareCards() }
    }

    /// Opens all that others reach: control, the proxies, the path's socket and the name server.
    func open() throws(Failure) {
        try startControl()
        do throws(ProxyError) {
            let listening = try server.start()
            for (index, endpoint) in listening.enumerated() {
                description.routes[index].listen = endpoint
            }
        } catch {
            throw Failure(Self.exitCode(of: error.kind), error.description)
        }
        pathReporter = try options.pathSocket.map { path throws(Failure) in
            try PathReporter(at: path, server: server)
        }
        try startFurther()
        try startLookups()
    }

    private func recordStart() {
        let waiting = early ?? []
        early = nil
        record(.start(runStart), at: waiting.first?.time)
        for (record, time) in waiting { self.record(record, at: time) }
        recordPath()
    }

    /// Records what the path is like, as its profile and control have it, if that has changed.
    func recordPath() {
        var path = server.paths.condition.attributes.report
        native?.paths.override.apply(to: &path)
        guard path != recordedPath else { return }
        recordedPath = path
        record(.path(nil, path))
    }

    private var runStart: RunStart {
        var environment: JSONObject = [
            "pid": .number(CurrentProcess.identifier),
            "began_ms": .number(WallClock.timeSince1970.wholeMilliseconds),
            "listen": .array(description.routes.map { .string($0.listen.description) }),
            "upstream": .array(description.routes.map { .string($0.upstreamText) }),
            "repeat": .string(description.reproduction),
        ]
        if let lookups = options.lookups { environment.append("dns", .object(lookups.described)) }
        if let via = description.via { environment.append("via", .string(via.description)) }
        return RunStart(
            tool: "\(CommandSet.program) \(Version.number)",
            command: "proxy",
            seed: description.seed,
            schedule: description.scheduleText,
            profile: description.profile.name,
            profileDigest: description.profileDigest,
            environment: environment
        )
    }

    /// The first line comes first; whoever waits for a file or descriptor may connect then, too.
    private func announce() throws(Failure) {
        let lines =
            options.isJSON
            ? [description.json.text]
            : description.listeningLines + description.furtherLines + description.controlLines
                + description.lookupLines
        do throws(SystemError) {
            try console.announce(lines)
        } catch {
            console.log("cannot write to standard output: \(error); the proxy continues")
        }
        try ReadyNotice.give(
            description.json,
            file: options.readyFile,
            descriptor: options.readyDescriptor,
            isPrivate: description.controlToken != nil
        )
        let addresses = description.routes.map(\.listen.description).joined(separator: ", ")
        if let trouble = notifier.ready("listening on \(addresses)") { console.log(trouble) }
        guard screen == nil, !options.isQuiet else { return }
        for line in description.advice { console.log(line) }
    }

    private func startTimers() throws(Failure) {
        if screen != nil {
            try addTimer(after: 250, repeating: 250) { [weak self] in self?.redraw() }
            // What is typed is seen at once.
            try addTimer(after: 50, repeating: 50) { [weak self] in
                if self?.takeKeys() == true { self?.draw() }
            }
        } else {
            try addTimer(after: 1_000, repeating: 1_000) { [weak self] in self?.sample() }
            if !options.isQuiet {
                try addTimer(after: 10_000, repeating: 10_000) { [weak self] in
                    self?.tellProgress()
                }
            }
        }
        if let limit = options.durationMilliseconds {
            try addTimer(after: limit, repeating: 0) { [weak self] in self?.end(.success) }
        }
    }

    private func addTimer(
        after milliseconds: UInt64,
        repeating interval: UInt64,
        _ action: @escaping () -> Void
    ) throws(Failure) {
        do throws(SystemError) {
            let timer = try Timer(loop: loop, onFire: action)
            timer.start(afterMilliseconds: milliseconds, repeatMilliseconds: interval)
            timers.append(timer)
        } catch {
            throw Failure(.internalError, "cannot start a timer: \(error)")
        }
    }
}
