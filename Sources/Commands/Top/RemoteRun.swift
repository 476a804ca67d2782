internal import Arguments
internal import Basics
internal import ControlAPI
internal import Journal
internal import LinkProfile
internal import Proxy

/// A run of linkcond as its control API tells of it.
struct RemoteRun {
    private(set) var state = LiveState()
    private(set) var description: RunDescription
    /// The proxy that is shown, as it is called now; nil for all.
    private(set) var name: String?
    /// Of all proxies, the run's own first.
    private(set) var names: [String] = []
    private var isEnabled = true
    /// The latest sample as it came.
    private(set) var sample = JSONObject()
    /// The latest list of connections as it came.
    private(set) var connectionDocuments: [JSONObject] = []
    /// What lies between the first sample and the latest one.
    private(set) var observed = Duration.zero
    private var connections: [ProxySnapshot.Connection] = []
    private var details: [ConnectionID: LiveState.Detail] = [:]
    /// A sample after the list of connections tells how old they are by now.
    private var listedAt = Duration.zero
    private var hasBegun = false

    /// - Parameters:
    ///   - root: the document `/v1`.
    ///   - proxies: the document `/v1/proxies`.
    ///   - profile: the document `/v1/profiles/current`, of the proxy.
    ///   - name: the proxy; nil for all.
    init?(root: JSONObject, proxies: JSONObject, profile: JSONObject, of name: String? = nil) {
        guard root.text("name") == CommandSet.program, let seed: UInt64 = root.number("seed")
        else {
            return nil
        }
        self.name = name
        description = RunDescription(
            profile: Self.profile(profile),
            seed: seed,
            faults: [],
            routes: [],
            reproduction: root.text("command") ?? ""
        )
        update(proxies: proxies)
        guard !description.routes.isEmpty else { return nil }
    }

    /// Takes the document `/v1/proxies`.
    mutating func update(proxies document: JSONObject) {
        let all = document.objects("proxies")
        names = all.compactMap { $0.text("name") }
        let own = all.filter { name == nil || $0.text("name") == name }
        // One that is not there any more is shown as it was.
        guard !own.isEmpty else { return }
        description.routes = own.flatMap { $0.objects("listeners") }.compactMap(Self.route)
        isEnabled = own.contains { $0.truth("enabled") ?? true }
        if name != nil, let seed: UInt64 = own[0].number("seed") { description.seed = seed }
    }

    /// Which of several proxies it is; nil if there is but one, or all are shown.
    var shown: ShownProxy? {
        name.flatMap { ShownProxy($0, among: names, isEnabled: isEnabled) }
    }

    var isPaused: Bool { state.isPaused }
    var isOut: Bool { state.isOut }

    /// Takes a sample of rates.
    ///
    /// - Returns: whether the run imitates another profile than the one that is known.
    mutating func update(sample: JSONObject) -> Bool {
        self.sample = sample
        // It may have been renamed.
        if name != nil { name = sample.text("proxy") ?? name }
        var snapshot = ProxySnapshot()
        snapshot.up.bytes = sample.number("bytesUp") ?? 0
        snapshot.down.bytes = sample.number("bytesDown") ?? 0
        snapshot.up.queuedBytes = sample.number("queuedBytesUp") ?? 0
        snapshot.down.queuedBytes = sample.number("queuedBytesDown") ?? 0
        snapshot.up.queuedPackets = sample.number("queuedPacketsUp") ?? 0
        snapshot.down.queuedPackets = sample.number("queuedPacketsDown") ?? 0
        snapshot.openConnections = sample.number("openConnections") ?? 0
        snapshot.totalConnections = sample.number("totalConnections") ?? 0
        snapshot.connections = connections
        let now = Duration.milliseconds(clamping: sample.number("elapsedMilliseconds") ?? 0)
        state.isPaused = sample.truth("paused") ?? false
        state.isOut = sample.truth("outage") ?? false
        if hasBegun {
            observed = min(observed + max(.zero, now - state.elapsed), .century)
        } else {
            hasBegun = true
            state.begin(snapshot, at: now)
        }
        state.take(snapshot, at: now, details: aged(now))
        return sample.text("profile").map { $0 != description.profile.name } ?? false
    }

    /// Takes the document `/v1/connections`.
    mutating func update(connections document: JSONObject) {
        connectionDocuments = document.objects("connections")
        connections = []
        details = [:]
        listedAt = state.elapsed
        for row in connectionDocuments {
            guard let connection = Self.connection(row) else { continue }
            connections.append(connection)
            let age: UInt64? = row.number("ageMilliseconds")
            details[connection.id] = .init(
                age: age.map { .milliseconds(clamping: $0) },
                request: row.text("latestRequest")
            )
        }
    }

    /// Takes the document `/v1/profiles/current`.
    mutating func update(profile document: JSONObject) {
        description.profile = Self.profile(document)
    }

    /// Takes a record of the journal.
    ///
    /// - Returns: what it tells people, and whether the profile may have changed.
    @discardableResult
    mutating func add(record object: JSONObject) -> (line: String?, changesProfile: Bool) {
        guard let record = JournalEntry(alone: object).flatMap({ JournalRecord($0) }) else {
            return (nil, false)
        }
        if case .fault(let report) = record { state.add(report) }
        let line = EventText.line(record, isVerbose: false)
        if let line {
            state.add(line, at: object.number("at_ns").map { .nanoseconds(clamping: $0) })
        }
        guard case .change(let report) = record else { return (line, false) }
        changed(report.action)
        return (line, report.action == "profile")
    }

    /// Takes note of an action ahead of the next sample, so that a key pressed twice undoes itself.
    mutating func changed(_ action: String) {
        switch action {
        case "pause": state.isPaused = true
        case "resume": state.isPaused = false
        case "outage": state.isOut = true
        case "restore": state.isOut = false
        case "reset":
            state.isPaused = false
            state.isOut = false
        default: break
        }
    }

    /// Says something of this side.
    mutating func add(_ text: String) { state.add(text) }

    // MARK: Documents

    private func aged(_ now: Duration) -> [ConnectionID: LiveState.Detail] {
        let since = max(.zero, now - listedAt)
        guard since > .zero else { return details }
        return details.mapValues { detail in
            var detail = detail
            detail.age = detail.age.map { $0 + since }
            return detail
        }
    }

    private static func route(_ object: JSONObject) -> RunDescription.Route? {
        guard let text = object.text("listen"), let listen = try? Endpoint(parsing: text) else {
            return nil
        }
        if object.text("testServer") != nil {
            return RunDescription.Route(listen: listen, upstream: nil)
        }
        let upstream = object.text("upstream").flatMap { try? UpstreamOption(parsing: $0) }
        var route = RunDescription.Route(listen: listen, upstream: upstream?.endpoint ?? listen)
        route.carriesDatagrams = upstream?.transport == .datagrams
        return route
    }

    private static func connection(_ object: JSONObject) -> ProxySnapshot.Connection? {
        guard let id = object.text("id").flatMap(ConnectionName.parse) else { return nil }
        let client = object.text("client").flatMap { try? Endpoint(parsing: $0) }
        return ProxySnapshot.Connection(
            id: id,
            ordinal: id.ordinal,
            client: client?.numericAddress,
            state: object.text("state").flatMap { .init(rawValue: $0) } ?? .open,
            upBytes: object.number("bytesUp") ?? 0,
            downBytes: object.number("bytesDown") ?? 0
        )
    }

    /// The profile with its link, which rates are shown against; without if it cannot be read here.
    private static func profile(_ object: JSONObject) -> Profile {
        let name = object.text("name") ?? "?"
        let text = ProfileText(file: name, bytes: Array((object.text("yaml") ?? "").utf8))
        var profile = (try? ProfileLibrary.builtinOnly().load(text)) ?? Profile(name: name)
        profile.name = name
        return profile
    }
}
