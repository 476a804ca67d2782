internal import Arguments
internal import Basics
internal import ControlAPI
internal import LinkProfile
internal import Proxy
internal import SystemIO

/// One run of `linkcond top`: asks a running linkcond, and shows what it says.
///
/// Everything happens on the loop's thread. What keys and signals do is in `+Keys`, which proxy is
/// shown in `+Proxies`, how in `+Showing`.
final class TopRun: LiveRun {
    enum Form: Hashable, Sendable {
        /// The live view.
        case screen
        /// A line now and then.
        case lines
        /// An object a second.
        case json
        /// One look in words.
        case text
    }

    let options: TopOptions
    let form: Form
    let console: Console
    let loop: EventLoop
    let client: ControlClient
    /// What `/v1` said.
    private(set) var root = JSONObject()
    /// Nil until linkcond has said what it is.
    var remote: RemoteRun?
    /// The proxy that is to be shown next, while it is asked about.
    var coming: String?
    /// Whether the one that is shown has ended.
    var hasLost = false
    /// What is to be told once the earlier events of a proxy are.
    var news: String?
    /// Keys that are meant for it.
    var waiting: [LiveCommand] = []
    /// The proxy for which profiles are listed.
    var listing: String?
    private var stopFollowing: (() -> Void)?
    var controls = LiveControls()
    var liveState: LiveState { remote?.state ?? LiveState() }
    var screen: Screen?
    var progress = ProgressLine()
    let terminal = ControllingTerminal()
    private var timers: [Timer] = []
    var watchers: [SignalWatcher] = []
    private(set) var result: Result<ExitCode, Failure>?
    private var hasConnections = false

    /// More connections than a terminal has lines.
    private static let connectionLimit = 256
    /// Records from before this run that may still be of interest.
    private static let earlierRecords: UInt64 = 200
    /// A rate needs some time to be measured.
    private static let onceTime = Duration.milliseconds(800)

    init(_ options: TopOptions, form: Form, console: Console) throws(Failure) {
        self.options = options
        self.form = form
        self.console = console
        do throws(SystemError) {
            loop = try EventLoop()
            client = try ControlClient(
                loop: loop,
                address: options.address,
                token: options.token
            )
        } catch {
            throw Failure(.internalError, "cannot start the event loop: \(error)")
        }
    }

    func runToEnd() throws(Failure) -> ExitCode {
        do throws(Failure) {
            try watchSignals()
            meet()
            loop.run()
        } catch {
            result = .failure(error)
        }
        shutDown()
        return try (result ?? .success(.success)).get()
    }

    // MARK: Beginning

    /// Asks who is there.
    private func meet() {
        ask("/v1") { run, root in
            guard root.text("name") == CommandSet.program else {
                return run.end(.foreign)
            }
            run.root = root
            run.show(run.options.proxy ?? (run.form == .screen ? NativeAPI.proxyName : nil))
        }
    }

    /// Shows a proxy, or all, in place of what was shown.
    func begin(_ remote: RemoteRun) {
        let isFirst = self.remote == nil
        self.remote = remote
        hasConnections = false
        follow()
        listConnections()
        guard isFirst else { return }
        do throws(Failure) {
            try startTimers()
        } catch {
            end(.failure(error))
        }
    }

    private func follow() {
        stopFollowing?()
        stopFollowing = client.follow(target("/v1/events")) { [weak self] event in
            self?.receive(event)
        } onEnd: { [weak self] failure in
            self?.streamEnded(failure)
        }
    }

    private func startTimers() throws(Failure) {
        if form != .lines {
            try addTimer(every: 1_000) { $0.listConnections() }
        }
        switch form {
        case .screen:
            screen = Screen(output: console.output, style: console.outputStyle)
            screen?.enter()
            try addTimer(every: 250) { $0.redraw() }
            try addTimer(every: 1_000) { $0.listProxies() }
            try addTimer(every: 50) { if $0.takeKeys() { $0.redraw() } }
        case .lines:
            console.log(
                "following \(options.address): its events, and what moves; Control-C stops watching"
            )
            try addTimer(every: 10_000) { $0.printProgress() }
        case .json: if !options.isOnce { try addTimer(every: 1_000) { $0.printJSON() } }
        case .text: break
        }
    }

    private func addTimer(
        every milliseconds: UInt64,
        _ action: @escaping (TopRun) -> Void
    ) throws(Failure) {
        do throws(SystemError) {
            let timer = try Timer(loop: loop) { [weak self] in
                if let self { action(self) }
            }
            timer.start(afterMilliseconds: milliseconds, repeatMilliseconds: milliseconds)
            timers.append(timer)
        } catch {
            throw Failure(.internalError, "cannot start a timer: \(error)")
        }
    }

    // MARK: What linkcond says

    private func receive(_ event: ServerEvent) {
        switch (event.name, try? JSONParser.parse(event.data[...], .document)) {
        case ("sample", .object(let sample)): update(sample)
        case ("records", .array(let records)): for record in records { add(record) }
        case ("gap", .object(let gap)):
            let missed: UInt64 = gap.number("missed") ?? 0
            remote?.add("too busy: \(Figures.grouped(missed)) records were left out")
        case ("gone", _):
            stopFollowing?()
            hasEnded()
        case ("ended", _):
            stopFollowing?()
            linkcondHasEnded()
        default: break
        }
    }

    private func update(_ sample: JSONObject) {
        let isFirst = remote?.sample.isEmpty ?? true
        if remote?.update(sample: sample) == true { refreshProfile() }
        if isFirst {
            recall(before: sample.number("record") ?? 0)
            takeWaiting()
            redraw()
        }
        if options.isOnce, hasConnections,
            (remote?.observed ?? .zero) >= Self.onceTime
        {
            printSnapshot()
            end(.success(.success))
        }
    }

    private func add(_ record: JSONValue) {
        guard case .object(let object) = record, let added = remote?.add(record: object) else {
            return
        }
        if added.changesProfile { refreshProfile() }
        if form == .lines, let line = added.line { printLine(line) }
    }

    /// What happened shortly before, for the list of events.
    private func recall(before number: UInt64) {
        guard number > 0, form == .screen || form == .text else { return }
        let first = number - min(number, Self.earlierRecords)
        let name = remote?.name
        client.lines(target("/v1/events", first > 0 ? ["after=\(first - 1)"] : [])) {
            [weak self] answer in
            guard self?.remote?.name == name else { return }
            defer { self?.showNews() }
            guard case .success(let bytes) = answer else { return }
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                guard case .object(let object) = try? JSONParser.parse(line),
                    (object.number("n") ?? 0) < number
                else { continue }
                self?.remote?.add(record: object)
            }
        }
    }

    private func refreshProfile() {
        look(target("/v1/profiles/current")) { run, profile in run.remote?.update(profile: profile)
        }
    }

    private func listConnections() {
        look(target("/v1/connections", ["limit=\(Self.connectionLimit)"])) { run, document in
            run.remote?.update(connections: document)
            run.hasConnections = true
        }
    }

    private func listProxies() {
        look("/v1/proxies") { run, document in run.remote?.update(proxies: document) }
    }

    /// Where to ask for something of the proxy that is shown.
    private func target(_ path: String, _ query: [String] = []) -> String {
        Self.target(path, query, of: remote?.name)
    }

    static func target(_ path: String, _ query: [String] = [], of proxy: String?) -> String {
        let query = query + (proxy.map { ["proxy=\($0)"] } ?? [])
        return query.isEmpty ? path : path + "?" + query.joined(separator: "&")
    }

    /// Gets a document of what is shown, as long as that is shown and there.
    private func look(_ target: String, then take: @escaping (TopRun, JSONObject) -> Void) {
        let name = remote?.name
        client.get(target) { [weak self] answer in
            guard let self, result == nil, remote?.name == name else { return }
            switch answer {
            case .success(let document): take(self, document)
            // The stream of events tells that a proxy has ended.
            case .failure(.refused(404, _)) where name != nil: break
            case .failure(let failure): end(failure)
            }
        }
    }

    /// Gets a document that has to be there.
    private func ask(_ target: String, then take: @escaping (TopRun, JSONObject) -> Void) {
        client.get(target) { [weak self] answer in
            guard let self, result == nil else { return }
            switch answer {
            case .success(let document): take(self, document)
            case .failure(let failure): end(failure)
            }
        }
    }

    // MARK: The end

    private func streamEnded(_ failure: ControlFailure?) {
        if case .refused(404, _)? = failure, remote?.name != nil { return hasEnded() }
        if let failure { return end(failure) }
        linkcondHasEnded()
    }

    private func linkcondHasEnded() {
        end(.failure(Failure(.unavailable, "the linkcond at \(options.address) has ended")))
    }

    func end(_ failure: ControlFailure) {
        // Which of the connections hears of it first, and how, is chance.
        if remote != nil, failure.meansNobodyIsThere { return linkcondHasEnded() }
        end(.failure(failure.failure(options.address)))
    }

    /// Ends the run; the first reason counts.
    func end(_ result: Result<ExitCode, Failure>) {
        if self.result == nil { self.result = result }
        loop.stop()
    }

    private func shutDown() {
        screen?.leave()
        screen = nil
        for timer in timers { timer.close() }
        for watcher in watchers { watcher.close() }
        client.close()
        loop.finishClosing()
    }
}
