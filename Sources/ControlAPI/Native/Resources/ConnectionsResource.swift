internal import Basics
internal import HTTPWire
internal import Journal
internal import Proxy
internal import SystemIO

/// `/v1/connections`: those that are open.
struct ConnectionsResource {
    let run: ControlledRun

    func addRoutes(to table: inout RouteTable) {
        table.add("GET", "/v1/connections") { request, _ throws(Problem) in try list(request) }
        table.add("GET", "/v1/connections/{id}") { _, p throws(Problem) in try show(p) }
        table.add("DELETE", "/v1/connections/{id}") { request, p throws(Problem) in
            try cut(request, p)
        }
    }

    private static let pageLimit = 1_000

    /// `?limit=N&after=cN&proxy=NAME`: some of the open connections, of one proxy or of all, by
    /// listener and in the order of acceptance.
    private func list(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let query = try RequestQuery(request, ["limit", "after", "proxy"])
        let limit = try query.number("limit", in: 1...Self.pageLimit) ?? 100
        let after = try query.value("after").map(Self.identity)
        let proxies = query.value("proxy") == nil ? run.fleet.all : [try run.proxy(in: query)]
        var rows: [JSONValue] = []
        var last: ConnectionID?
        var hasMore = false
        // Listeners are numbered in the order of their proxies.
        for proxy in proxies {
            let page = proxy.server.page(after: after, limit: limit - rows.count)
            rows += page.rows.map { document($0, of: proxy) }
            last = page.rows.last?.id ?? last
            hasMore = hasMore || page.hasMore
        }
        var object: JSONObject = [
            "open": .number(proxies.reduce(0) { $0 + $1.server.openConnections }),
            "total": .number(proxies.reduce(0) { $0 + $1.server.totalConnections }),
            "connections": .array(rows),
        ]
        if hasMore, let last { object.append("next", .string(ConnectionName.text(last))) }
        return .json(.object(object))
    }

    private func show(_ parameters: RouteTable.Parameters) throws(Problem) -> ControlAnswer {
        let id = try Self.identity(parameters["id"] ?? "")
        guard let proxy = run.fleet.proxy(of: id), let row = proxy.server.row(id) else {
            throw Self.notOpen(id)
        }
        return .json(document(row, of: proxy))
    }

    /// `?kind=rst|fin|hole`.
    private func cut(
        _ request: ControlRequest,
        _ parameters: RouteTable.Parameters
    ) throws(Problem) -> ControlAnswer {
        let id = try Self.identity(parameters["id"] ?? "")
        let query = try RequestQuery(request, ["kind"])
        let kind = try query.choice("kind", ManualCut.self) ?? .rst
        guard let proxy = run.fleet.proxy(of: id) else { throw Self.notOpen(id) }
        let places = proxy.server.manual.cut(.connection(id), kind)
        guard !places.isEmpty else { throw Self.notOpen(id) }
        return run.outcome("cut", ["kind": .string(kind.rawValue)], places, on: proxy)
    }

    static func identity(_ text: String) throws(Problem) -> ConnectionID {
        if let id = ConnectionName.parse(text) { return id }
        throw .notFound("A connection's name is like c3, or l2c3 at the second listener.")
    }

    static func notOpen(_ id: ConnectionID) -> Problem {
        .notFound("Connection \(ConnectionName.text(id)) is not open.")
    }

    private func document(
        _ row: ProxySnapshot.Connection,
        of proxy: SteeredProxy
    ) -> JSONValue {
        let page = proxy.book.pages[row.id]
        var object: JSONObject = [
            "id": .string(ConnectionName.text(row.id)), "proxy": .string(proxy.name),
            "listener": .number(row.id.listener),
            "ordinal": .number(row.id.ordinal),
            "client": .optional(row.client?.description),
            "state": .string(row.state.rawValue),
            "bytesUp": .number(row.upBytes), "bytesDown": .number(row.downBytes),
            "path": row.isOnSecondPath ? .string("second") : nil,
        ]
        guard let page else { return .object(object) }
        let age = run.journalNow.elapsed(since: page.openedAt)
        object.append("ageMilliseconds", .number(age.wholeMilliseconds))
        object.append("requests", .number(page.requests))
        object.append("latestRequest", .optional(page.latestRequest))
        object.append("latestStatus", .optional(page.latestStatus))
        return .object(object)
    }
}
