package import Basics
package import Journal

/// What the records tell of the connections that are open: since when, and what was asked for.
package struct ConnectionBook: Sendable {
    package struct Page: Hashable, Sendable {
        package var openedAt: Instant
        package var requests = 0
        /// Method and target of the latest request, credentials left out.
        package var latestRequest: String?
        /// Status of the latest final response.
        package var latestStatus: Int?
    }

    package private(set) var pages: [ConnectionID: Page] = [:]
    /// Connections that were opened, and that ended in each way.
    package private(set) var opened: UInt64 = 0
    package private(set) var ended: [String: UInt64] = [:]
    /// Requests that were answered, by method and class of status, as `GET 2xx`.
    package private(set) var requests: [String: UInt64] = [:]

    private static let requestLength = 200
    private static let openRequestLimit = 65_536

    package init() {}

    package mutating func take(_ record: JournalRecord, at time: Instant) {
        switch record {
        case .connection(let id, _):
            opened += 1
            pages[id] = Page(openedAt: time)
        case .flow(let id, _):
            pages[id] = Page(openedAt: time)
        case .flowEnd(let end):
            pages[end.flow] = nil
        case .connectionEnd(let end):
            pages[end.connection] = nil
            ended[Self.outcome(end), default: 0] += 1
        case .request(let report):
            let id = report.exchange.connection
            pages[id]?.requests += 1
            let line = "\(report.method) \(report.target)"
            pages[id]?.latestRequest = String(line.prefix(Self.requestLength))
            let method = Self.methods.contains(report.method) ? report.method : "other"
            methods[report.exchange] = method
            // Unanswered requests must not pile up.
            if methods.count > Self.openRequestLimit { methods.removeAll() }
        case .response(let report) where report.interimOrdinal == nil:
            pages[report.exchange.connection]?.latestStatus = report.status
            let method = methods.removeValue(forKey: report.exchange) ?? "other"
            requests["\(method) \(report.status / 100)xx", default: 0] += 1
        default: break
        }
    }

    /// The methods of requests that have no final response yet.
    private var methods: [ExchangeID: String] = [:]

    /// Counted by name; a client could make up any number of others.
    private static let methods: Set<String> = [
        "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS",
    ]

    private static func outcome(_ end: ConnectionEnd) -> String {
        switch (end.by, end.how) {
        case (.upstream, .rst) where end.down.bytes == 0 && end.up.bytes == 0: "error"
        case (_, .fin): end.by == .fault ? "fin" : "ok"
        case (_, .refused): "refused"
        case (.fault, .rst): "rst"
        case (_, .rst): end.by == .shutdown ? "shutdown" : "rst"
        case (_, .hole): "hole"
        case (_, .timeout): "timeout"
        }
    }
}
