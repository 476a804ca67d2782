internal import Basics

internal import Faults
internal import HTTPWire
internal import Journal
internal import Proxy
internal import SystemIO

/// The run that is controlled: its proxies, its records, and the count of what was changed.
///
/// Every resource works on it.
final class ControlledRun {
    /// Every proxy of the run.
    let fleet: ProxyFleet<SteeredProxy>
    let program: NativeAPI.Program
    let hub: EventHub
    private let startedAt: Instant
    /// Counts changes, for `ETag`.
    private var revision: UInt64 = 1

    /// - Parameters:
    ///   - fleet: the proxies.
    ///   - program: what the program around them knows.
    ///   - startedAt: when the run began, on the loop's clock.
    init(_ fleet: ProxyFleet<SteeredProxy>, program: NativeAPI.Program, startedAt: Instant) {
        self.fleet = fleet
        self.program = program
        self.startedAt = startedAt
        hub = EventHub(loop: fleet.own.server.loop)
    }

    /// The run's own proxy.
    var server: ProxyServer { fleet.own.server }

    /// Since the run began.
    var elapsed: Duration { server.loop.now.elapsed(since: startedAt) }

    var elapsedMilliseconds: UInt64 { UInt64(elapsed.wholeMilliseconds) }

    var journalNow: Instant { .start + elapsed }

    /// What the journal's clock shows at a time of the loop's.
    func journalTime(_ now: Instant) -> Instant { .start + now.elapsed(since: startedAt) }

    /// Counts a change that we have not recorded.
    func noteChange() { revision += 1 }

    // MARK: Proxies

    /// A proxy by its name; the run's own without one.
    ///
    /// - Parameters:
    ///   - name: what the request says.
    ///   - pointer: where it says so; empty for its path.
    /// - Returns: the proxy.
    /// - Throws: a problem that names those that there are.
    func proxy(named name: String?, at pointer: String = "") throws(Problem) -> SteeredProxy {
        guard let name else { return fleet.own }
        if let proxy = fleet[name] { return proxy }
        throw unknown(name, at: pointer)
    }

    /// The proxy that a query's `proxy` names; the run's own without it.
    func proxy(in query: RequestQuery) throws(Problem) -> SteeredProxy {
        try proxy(named: query.value("proxy"), at: "?proxy")
    }

    func unknown(_ name: String, at pointer: String = "") -> Problem {
        let names = fleet.all.map(\.name)
        let nearest = NearestName.of(name, among: names)
        let hint = nearest.map { " Did you mean '\($0)'?" } ?? ""
        let more = names.count - Self.shownNames
        let rest = more > 0 ? " and \(more) more; GET /v1/proxies lists them" : ""
        let known = names.prefix(Self.shownNames).joined(separator: ", ") + rest
        var problem = Problem.notFound("There is no proxy of this name.\(hint) Known: \(known).")
        if !pointer.isEmpty {
            let message = "unknown proxy (known: \(known))"
            problem.mistakes = [.init(pointer, message, suggestion: nearest)]
        }
        return problem
    }

    private static let shownNames = 8

    // MARK: Changes

    /// Records a change and answers with its number.
    func record(
        _ action: String,
        _ detail: JSONObject = [:],
        _ places: [ManualPlace] = [],
        on proxy: SteeredProxy? = nil
    ) -> UInt64 {
        revision += 1
        let proxy = proxy ?? fleet.own
        var detail = detail
        if proxy !== fleet.own { detail.append("proxy", .string(proxy.name)) }
        proxy.server.manual.record(
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

    /// The tag of the current state.
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

    /// The answer to what took effect on connections: the record's number, who they were, and the
    /// faults that do the same again.
    func outcome(
        _ action: String,
        _ detail: JSONObject,
        _ places: [ManualPlace],
        _ further: [String] = [],
        on proxy: SteeredProxy
    ) -> ControlAnswer {
        let faults = places.flatMap(\.faults) + further
        let number = record(action, detail, places, on: proxy)
        let shown = places.prefix(ChangeReport.placeLimit).map { place -> JSONValue in
            .object([
                "id": .string(ConnectionName.text(place.connection)),
                "bytesUp": .number(place.up), "bytesDown": .number(place.down),
                "heldMilliseconds": place.held.map { .number($0.wholeMilliseconds) },
            ])
        }
        return .json([
            "action": .string(action), "proxy": .string(proxy.name), "record": .number(number),
            "affected": .number(places.count), "connections": .array(shown),
            "faults": .array(faults.prefix(ChangeReport.placeLimit).map { .string($0) }),
        ])
    }

    // MARK: Records

    /// Where the known records begin, if some are forgotten.
    func firstRecord(_ wanted: UInt64) -> HeaderFields {
        let first = hub.history.firstNumber
        return first > wanted ? ["Linkcond-First-Record": "\(first)"] : [:]
    }
}
