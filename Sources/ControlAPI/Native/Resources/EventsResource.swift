internal import FaultInjection
internal import HTTPWire
package import Journal
internal import LinkEngine
internal import LinkProfile
internal import Proxy

// What happens, and what was done.
extension NativeAPI {
    /// Bytes of one answer with records.
    private static let answerBytes = 4 << 20

    /// `?after=N&follow=true&proxy=NAME`: records of all or of one proxy, as lines, or as
    /// server-sent events for who accepts them.
    func events(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let query = try RequestQuery(request, ["after", "follow", "proxy"])
        let after = try query.number("after", in: UInt64(0)...UInt64(Int64.max))
        let follows = try query.truth("follow") ?? false
        let proxy = query.value("proxy") == nil ? nil : try proxy(in: query).number
        for proxy in fleet.all { proxy.server.flushRecords() }
        if request.head.fields.list("Accept", hasToken: ServerSentEvents.type) {
            return eventStream(request, after, of: proxy)
        }
        let first = after.map { $0 + 1 } ?? 0
        let head = ControlAnswer.head(200, "application/jsonl", firstRecord(first))
        guard follows else {
            let excerpt = hub.history.excerpt(
                from: first,
                byteLimit: Self.answerBytes,
                of: proxy
            )
            return .complete(head, excerpt.lines.flatMap(\.bytes))
        }
        return .stream(head) { [hub] feed in hub.add(feed, .lines, from: first, of: proxy) }
    }

    private func eventStream(
        _ request: ControlRequest,
        _ after: UInt64?,
        of proxy: UInt32?
    ) -> ControlAnswer {
        // What a client had last when its connection broke; else from now on.
        let last = request.head.fields["Last-Event-ID"].flatMap { UInt64($0) } ?? after
        let first = last.map { $0 &+ 1 } ?? hub.history.nextNumber
        let head = ControlAnswer.head(200, ServerSentEvents.type)
        return .stream(head) { [hub] feed in hub.add(feed, .events, from: first, of: proxy) }
    }

    /// Says from where on records are known, if some are forgotten.
    func firstRecord(_ wanted: UInt64) -> HeaderFields {
        let first = hub.history.firstNumber
        return first > wanted ? ["Linkcond-First-Record": "\(first)"] : [:]
    }

    /// Rates and states of the moment, small enough to be sent again and again.
    ///
    /// - Parameter number: of a proxy; nil for sums over all, with the conditions of the run's own.
    /// - Returns: the document.
    package func sample(of number: UInt32?) -> JSONValue {
        let proxy = number.flatMap(fleet.proxy(at:))
        let snapshot = proxy?.server.snapshot(rows: 0) ?? fleet.snapshot(rows: 0)
        let (server, metrics) = proxy.map { ($0.server, $0.metrics) } ?? (server, metrics)
        return .object([
            "proxy": proxy.map { .string($0.name) },
            "elapsedMilliseconds": .number(elapsedNanoseconds / 1_000_000),
            "profile": .string(server.profile.name),
            "bytesUp": .number(snapshot.up.bytes), "bytesDown": .number(snapshot.down.bytes),
            "queuedBytesUp": .number(snapshot.up.queuedBytes),
            "queuedBytesDown": .number(snapshot.down.queuedBytes),
            "queuedPacketsUp": .number(snapshot.up.queuedPackets),
            "queuedPacketsDown": .number(snapshot.down.queuedPackets),
            "openConnections": .number(snapshot.openConnections),
            "totalConnections": .number(snapshot.totalConnections),
            "faultsFired": .number(metrics.fired.values.reduce(0, +)),
            "paused": .bool(server.isPaused), "outage": .bool(server.outage.isPresent),
            "troubles": .number(snapshot.troubles),
            "record": .number(hub.history.nextNumber),
        ])
    }
}
