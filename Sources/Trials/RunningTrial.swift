package import Basics
internal import Faults
internal import Journal
internal import LinkProfile
internal import NameService
internal import Origin
package import Proxy
package import SystemIO

/// A trial under way: listener and server, then the client, then what it left, then the oracles.
///
/// Its parts: what it opens in `+Start`, how it ends in `+Ending`.
package final class RunningTrial: ReadinessHandler {
    let trial: Trial
    unowned let sandbox: Sandbox
    package var outcome: TrialOutcome
    var origin: OriginServer?
    /// A program that is the trial's own server, until it has ended.
    var server: TrialServer?
    /// Where whatever answers behind the proxy is.
    var serverEndpoint: Endpoint?
    var watch = OriginWatch()
    package var proxy: ProxyServer?
    /// Answers the client's name lookups.
    var lookups: LookupService?
    /// Lets the client ask nobody else.
    var resolver: PrivateResolver?
    /// Of the files for that.
    var resolverFolder: String?
    /// Lets faults make the server crash.
    var crashes: (any OriginFaults)?
    /// Lets faults remove the client's files.
    var files: RunFiles?
    /// Of a folder that goes with the trial.
    var ownFolder: String?
    /// What the path was set to be like; nil for as the profile says.
    var setAttributes: PathAttributes?
    /// As the journal has them last; those that a run begins with need not be in it.
    lazy var recordedAttributes = trial.profile.path
    let startedAt: Instant
    private(set) var clientStartedAfter = Duration.zero
    private let onRecord: (TrialRecord) -> Void
    private let onEnd: (RunningTrial) -> Void
    private var client: Client?
    private var deadlineAlarm = TimerQueue.Token.none
    /// Whether the client was started.
    private(set) var hasBegun = false
    /// Whether nothing is waited for any more.
    private(set) var isAbandoned = false
    /// Whether the outcome is complete, or nobody wants it any more.
    private(set) var isOver = false
    /// What to do in the next turn of the loop, when nothing of ours is at work.
    private var steps: [() -> Void] = []
    var oracleRun: OracleRun?

    private enum Client {
        case command(CommandClient)
        case code(CodeClient)
    }

    init(
        _ trial: Trial,
        in sandbox: Sandbox,
        onRecord: @escaping (TrialRecord) -> Void,
        onEnd: @escaping (RunningTrial) -> Void
    ) {
        self.trial = trial
        self.sandbox = sandbox
        self.onRecord = onRecord
        self.onEnd = onEnd
        startedAt = sandbox.loop.now
        let place = TrialPlace(
            listen: trial.listen,
            folder: "",
            ordinal: trial.ordinal,
            seed: trial.seed,
            schedule: trial.schedule.canonicalText,
            journalPath: trial.journalPath
        )
        outcome = TrialOutcome(place: place, ending: .stuck)
    }

    /// Of the latest record, since the start.
    private var recordedAt = Instant.start

    var loop: EventLoop { sandbox.loop }

    var elapsed: Duration { loop.now - startedAt }

    // MARK: The client

    func startClient() {
        hasBegun = true
        clientStartedAfter = elapsed
        if let limit = trial.deadlineMilliseconds {
            deadlineAlarm = sandbox.alarms.set(after: .milliseconds(clamping: limit)) {
                [weak self] in self?.deadlineCame()
            }
        }
        switch trial.client {
        case .command(let command):
            let client = CommandClient(
                command,
                at: outcome.place,
                in: sandbox,
                resolver: resolver
            ) { [weak self] ending, leftProcesses in
                self?.outcome.leftProcesses = leftProcesses
                self?.clientEnded(ending)
            }
            self.client = .command(client)
            client.start()
        case .code(let code):
            let client = CodeClient(code, at: outcome.place, in: sandbox) { [weak self] in
                self?.clientEnded($0)
            }
            self.client = .code(client)
            client.start()
        }
    }

    /// For how long the client has run; zero if it does not run.
    package var clientTime: Duration {
        hasClient ? elapsed - clientStartedAfter : .zero
    }

    /// Whether the client has begun and not ended.
    package var hasClient: Bool { client != nil }

    /// The number of the client's process group, if it is a program that runs.
    package var processGroup: Int? {
        if case .command(let client) = client { client.group } else { nil }
    }

    private func deadlineCame() {
        outcome.isTimedOut = true
        endClient()
    }

    /// Ends a client in which nothing happens any more, as if its deadline had come.
    package func endSilence() {
        outcome.isSilent = true
        deadlineCame()
    }

    /// Ends a client as if its deadline had come.
    package func endLate() { deadlineCame() }

    private func endClient() {
        switch client {
        case .command(let client): client.end()
        case .code(let client): client.end()
        case nil: break
        }
    }

    /// Passes a signal on to the client; the trial ends as usual once the client has.
    package func interrupt(_ signal: ChildProcess.Signal) {
        outcome.isInterrupted = true
        switch client {
        case .command(let client): client.send(signal)
        case .code(let client): client.end()
        case nil: if oracleRun != nil { conclude() } else if proxy != nil { drained() }
        }
    }

    /// Passes a signal on that is not meant to end anything.
    package func pass(_ signal: ChildProcess.Signal) {
        if case .command(let client) = client { client.send(signal) }
    }

    /// Kills the client, and ends without waiting for connections and oracles.
    package func abandon() {
        outcome.isInterrupted = true
        isAbandoned = true
        switch client {
        case .command(let client): client.kill()
        case .code(let client): client.kill()
        case nil: proxy == nil ? conclude() : drained()
        }
    }

    private func clientEnded(_ ending: ClientEnding) {
        outcome.ending = ending
        client = nil
        sandbox.alarms.cancel(deadlineAlarm)
        later { [self] in isAbandoned ? drained() : drain() }
    }

    // MARK: The end

    /// Closes what is left, and hands over the outcome in a turn of its own.
    func conclude() {
        guard !isOver else { return }
        if let server, !isAbandoned {
            guard !server.isEnding else { return }
            if hasBegun { outcome.serverEnding = server.ownEnding }
            return server.end { [weak self] in
                self?.later {
                    self?.server = nil
                    self?.conclude()
                }
            }
        }
        outcome.elapsed = elapsed
        closeServers()
        steps.removeAll()
        later { [self] in onEnd(self) }
        isOver = true
    }

    /// Ends everything at once and says nothing.
    func closeAll() {
        isOver = true
        steps.removeAll()
        switch client {
        case .command(let client): client.close()
        case .code(let client): client.close()
        case nil: break
        }
        client = nil
        closeServers()
    }

    // MARK: Records

    /// Takes a record.
    ///
    /// - Parameters:
    ///   - record: of what has happened.
    ///   - time: when, by the loop's clock; nil for now. Times never decrease.
    func record(_ record: JournalRecord, at time: Instant? = nil) {
        let now = time ?? loop.now
        recordedAt = max(recordedAt, .start + now.elapsed(since: startedAt))
        let entry = TrialRecord(record, at: recordedAt)
        keep(entry)
        if case .trouble(let kind, let words) = record {
            if kind.isDisturbance {
                outcome.disturbances.append(words)
            } else {
                outcome.troubles.append(words)
            }
        }
        onRecord(entry)
    }

    /// Keeps a record for judging, if there is room.
    private func keep(_ entry: TrialRecord) {
        // Single datagrams are asked for, and may be many more than all else.
        let limit = sandbox.settings.recordLimit * (trial.datagrams.recordsDatagrams ? 20 : 1)
        guard outcome.records.count <= limit else { return }
        if outcome.records.count == limit { outcome.troubles.append("more than \(limit) records") }
        outcome.records.append(entry)
    }

    // MARK: Steps

    func later(_ step: @escaping () -> Void) {
        guard !isOver else { return }
        if steps.isEmpty { loop.runLater(self) }
        steps.append(step)
    }

    package func ready(_ readiness: Readiness, tag: UInt32) {
        let due = steps
        steps.removeAll()
        for step in due { step() }
    }
}
