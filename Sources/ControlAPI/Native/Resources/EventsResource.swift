internal import Basics
internal import HTTPWire
internal import Journal
internal import LinkEngine
internal import LinkProfile
internal import Proxy

/// `/v1/events`: what happens, as it happens.
struct EventsResource {
    let run: ControlledRun
    /// The counters of all proxies together.
    let metrics: () -> MetricsCounters

    func addRoutes(to table: inout RouteTable) {
        table.add("GET", "/v1/events") { request, _ throws(Problem) in try events(request) }
    }

    /// Bytes of one answer with records.
    private static let answerBytes = 4 << 20

    /// `?after=N&follow=true&proxy=NAME`: records of all or of one proxy, as lines, or as
    /// server-sent events for who accepts them.
    private func events(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let query = try RequestQuery(request, ["after", "follow", "proxy"])
        let after = try query.number("after", in: UInt64(0)...UInt64(Int64.max))
        let follows = try query.truth("follow") ?? false
        let proxy = query.value("proxy") == nil ? nil : try run.proxy(in: query).number
        for proxy in run.fleet.all { proxy.server.flushRecords() }
        if request.head.fields.list("Accept", hasToken: ServerSentEvents.type) {
            return eventStream(request, after, of: proxy)
        }
        let first = after.map { $0 + 1 } ?? 0
        let head = ControlAnswer.head(200, "application/jsonl", run.firstRecord(first))
        guard follows else {
            let excerpt = run.hub.history.excerpt(
                from: first,
                byteLimit: Self.answerBytes,
                of: proxy
            )
            return .complete(head, excerpt.lines.flatMap(\.bytes))
        }
        return .stream(head) { [hub = run.hub] feed in hub.add(feed, .lines, from: first, of: proxy)
        }
    }

    private func eventStream(
        _ request: ControlRequest,
        _ after: UInt64?,
        of proxy: UInt32?
    ) -> ControlAnswer {
        // What a client had last when its connection broke; else from now on.
        let last = request.head.fields["Last-Event-ID"].flatMap { UInt64($0) } ?? after
        let first = last.map { $0 &+ 1 } ?? run.hub.history.nextNumber
        let head = ControlAnswer.head(200, ServerSentEvents.type)
        return .stream(head) { [hub = run.hub] feed in
            hub.add(feed, .events, from: first, of: proxy)
        }
    }

    /// Rates and states of the moment, small enough to be sent again and again.
    ///
    /// - Parameter number: of a proxy; nil for sums over all, with the conditions of the run's own.
    /// - Returns: the document.
    func sample(of number: UInt32?) -> JSONValue {
        let proxy = number.flatMap(run.fleet.proxy(at:))
        let snapshot = proxy?.server.snapshot(rows: 0) ?? run.fleet.snapshot(rows: 0)
        let ceilings = (proxy ?? run.fleet.own).ceilings
        let (server, counters) = proxy.map { ($0.server, $0.metrics) } ?? (run.server, metrics())
        return .object([
            "proxy": proxy.map { .string($0.name) },
            "elapsedMilliseconds": .number(run.elapsedMilliseconds),
            "profile": .string(server.profile.name),
            "bytesUp": .number(snapshot.up.bytes), "bytesDown": .number(snapshot.down.bytes),
            "queuedBytesUp": .number(snapshot.up.queuedBytes),
            "queuedBytesDown": .number(snapshot.down.queuedBytes),
            "queuedPacketsUp": .number(snapshot.up.queuedPackets),
            "queuedPacketsDown": .number(snapshot.down.queuedPackets),
            "openConnections": .number(snapshot.openConnections),
            "totalConnections": .number(snapshot.totalConnections),
            "openFlows": snapshot.flows.map { .number($0.open) },
            "totalFlows": snapshot.flows.map { .number($0.total) },
            "ceilingDown": ceilings.down.map { .number($0) },
            "ceilingUp": ceilings.up.map { .number($0) },
            "faultsFired": .number(counters.fired.values.reduce(0, +)),
            "paused": .bool(server.manual.isPaused), "outage": .bool(server.link.outage.isPresent),
            "troubles": .number(snapshot.troubles),
            "record": .number(run.hub.history.nextNumber),
        ])
    }
}
