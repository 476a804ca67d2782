internal import Basics
internal import Journal
internal import Origin
internal import Proxy
internal import ResumableServer
internal import SystemIO

// From the end of the client to the outcome.
extension RunningTrial {
    /// Lets bytes that are still on the link arrive; nobody connects any more.
    func drain() {
        guard let proxy, !isOver else { return }
        proxy.drain(limitMilliseconds: sandbox.settings.drainMilliseconds) { [weak self] in
            self?.later { self?.drained() }
        }
    }

    /// No connection is left.
    func drained() {
        guard let proxy, !isOver else { return }
        lookups?.finish()
        proxy.stop()
        outcome.queries = lookups?.queries ?? 0
        lookups = nil
        let snapshot = proxy.snapshot(rows: 0)
        self.proxy = nil
        recordCommand()
        outcome.faults = snapshot.faults
        outcome.lateness = snapshot.lateness
        outcome.connections = snapshot.totalConnections
        outcome.flows = snapshot.flows
        outcome.upBytes = snapshot.up.bytes
        outcome.downBytes = snapshot.down.bytes
        watch.isWatching = false
        outcome.escapes = watch.escapes
        takeOutput()
        guard let origin, !isAbandoned else { return judge() }
        origin.state { [weak self] state in
            self?.later {
                self?.take(state)
                self?.judge()
            }
        }
    }

    private func take(_ state: OriginState) {
        outcome.origin = state
        guard case .embedded(let configuration) = trial.server else { return }
        let prefix = configuration.uploads.resourcePrefix
        for report in OriginAccount.records(of: state, prefix: prefix) { record(report) }
    }

    /// The journal's last record but the end.
    private func recordCommand() {
        guard case .command(let command) = trial.client else { return }
        var report = CommandReport(command.words, isTimedOut: outcome.isTimedOut)
        report.startedAt = .start + clientStartedAfter
        switch outcome.ending {
        case .killed(let signal): report.signal = UInt8(clamping: signal)
        default: report.exitCode = UInt8(clamping: outcome.ending.exitCode)
        }
        record(.command(report))
    }

    /// Asks the oracles, one after the other, while the server is still there.
    private func judge() {
        guard !trial.oracles.isEmpty, !outcome.isInterrupted, hasBegun else {
            return conclude()
        }
        origin?.answerChecks()
        oracleRun = OracleRun(
            trial,
            at: outcome.place,
            server: serverEndpoint,
            objects: requestedObjects,
            in: sandbox
        ) { [weak self] results in
            self?.later {
                self?.outcome.oracles = results
                self?.conclude()
            }
        }
        oracleRun?.start()
    }

    /// What the client asked for, each target once.
    private var requestedObjects: [String] {
        var targets: [String] = []
        for case .request(let request) in outcome.records.lazy.map(\.record)
        where request.method == "GET" && request.target.hasPrefix("/") {
            guard targets.count < Self.objectLimit else { break }
            if !targets.contains(request.target) { targets.append(request.target) }
        }
        return targets
    }

    private static var objectLimit: Int { 8 }

    /// Closes what is open and removes the trial's folder.
    func closeServers() {
        oracleRun?.close()
        oracleRun = nil
        lookups?.close()
        lookups = nil
        proxy?.stop()
        proxy = nil
        origin?.close()
        origin = nil
        server?.close()
        server = nil
        if let ownFolder { sandbox.removeFolder(ownFolder) }
        ownFolder = nil
        if let resolverFolder { sandbox.removeFolder(resolverFolder) }
        resolverFolder = nil
    }

    private func takeOutput() {
        guard case .command(let command) = trial.client else { return }
        if command.output == .kept { outcome.output = tail("stdout") }
        if command.error == .kept { outcome.errorOutput = tail("stderr") }
    }

    private func tail(_ name: String) -> [UInt8] {
        guard let file = try? File("\(outcome.place.folder)/\(name)", for: .reading),
            let size = try? file.size()
        else {
            return []
        }
        let count = min(size, UInt64(sandbox.settings.outputLimit))
        return (try? file.read(at: size - count, count: Int(count))) ?? []
    }
}
