internal import HTTPTransport
internal import HTTPWire

/// `/events/N?retry=MS`: N server-sent events, with ids from 1 (WHATWG HTML §9.2).
struct EventFeed {
    /// The most events that one request gets.
    static let maximumEvents: UInt64 = 10_000
    private static let maximumRetry: UInt64 = 3_600_000

    private let count: UInt64
    private let retryMilliseconds: UInt64?

    /// Nil for a path that is another object's.
    init?(_ path: ObjectPath) throws(ObjectProblem) {
        guard path.names.count == 2, path.names[0] == "events", !path.isFolder,
            let count = UInt64(path.names[1])
        else { return nil }
        guard count <= Self.maximumEvents else {
            throw ObjectProblem(404, "N in /events/N is at most \(Self.maximumEvents).")
        }
        self.count = count
        var retry: UInt64?
        for item in (path.query ?? "").split(separator: "&") {
            guard item.hasPrefix("retry="), let time = UInt64(item.dropFirst(6)),
                time <= Self.maximumRetry
            else {
                throw ObjectProblem(
                    400,
                    "The only query is ?retry=MS, a number up to \(Self.maximumRetry)."
                )
            }
            retry = time
        }
        retryMilliseconds = retry
    }

    /// The answer to a request that may name the last event that came before.
    func answer(_ request: RequestHead, framing: ContentFraming) -> (ResponseHead, MessageBody) {
        let last = request.fields["Last-Event-ID"].flatMap { UInt64($0) } ?? 0
        let retry = retryMilliseconds.map { "retry: \($0)\n\n" }
        let events =
            last < count ? (last + 1...count).map { "id: \($0)\ndata: event \($0)\n\n" } : []
        var body = MessageBody(([retry].compactMap(\.self) + events).map { .bytes(Array($0.utf8)) })
        // With a length its client would not have to wait for the end.
        body.framing = framing == .length ? .chunked : framing
        let fields: HeaderFields = [
            "Content-Type": "text/event-stream", "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
        ]
        return (ResponseHead(200, fields: fields), body)
    }
}
