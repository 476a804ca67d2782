internal import FaultInjection
internal import HTTPWire
internal import Journal
internal import Libuv
internal import Proxy

// Connections.
extension NativeAPI {
    private static let pageLimit = 1_000

    /// `?limit=N&after=cN`: some of the open connections, in the order of acceptance.
    func connections(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let query = try RequestQuery(request, ["limit", "after"])
        let limit = try query.number("limit", in: 1...Self.pageLimit) ?? 100
        let after = try query.value("after").map(Self.identity)
        let page = server.page(after: after, limit: limit)
        var object: JSONObject = [
            "open": .number(server.openConnections),
            "total": .number(server.totalConnections),
            "connections": .array(page.rows.map(document)),
        ]
        if page.hasMore, let last = page.rows.last {
            object.append("next", .string(ConnectionName.text(last.id)))
        }
        return .json(.object(object))
    }

    func connection(_ parameters: RouteTable.Parameters) throws(Problem) -> ControlAnswer {
        let id = try Self.identity(parameters["id"] ?? "")
        guard let row = server.row(id) else { throw Self.notOpen(id) }
        return .json(document(row))
    }

    /// `?kind=rst|fin|hole`.
    func cutConnection(
        _ request: ControlRequest,
        _ parameters: RouteTable.Parameters
    ) throws(Problem) -> ControlAnswer {
        let id = try Self.identity(parameters["id"] ?? "")
        let query = try RequestQuery(request, ["kind"])
        let kind = try query.choice("kind", LiveCut.self) ?? .rst
        let places = server.cut(.connection(id), kind)
        guard !places.isEmpty else { throw Self.notOpen(id) }
        return outcome("cut", ["kind": .string(kind.rawValue)], places)
    }

    static func identity(_ text: String) throws(Problem) -> ConnectionID {
        if let id = ConnectionName.parse(text) { return id }
        throw .notFound("A connection's name is like c3, or l2c3 at the second listener.")
    }

    private static func notOpen(_ id: ConnectionID) -> Problem {
        .notFound("Connection \(ConnectionName.text(id)) is not open.")
    }

    private func document(_ row: ProxySnapshot.Connection) -> JSONValue {
        let page = book.pages[row.id]
        var object: JSONObject = [
            "id": .string(ConnectionName.text(row.id)), "listener": .number(row.id.listener),
            "ordinal": .number(row.id.ordinal),
            "client": .optional(row.client?.description),
            "state": .string(row.state.rawValue),
            "bytesUp": .number(row.upBytes), "bytesDown": .number(row.downBytes),
        ]
        guard let page else { return .object(object) }
        let age = elapsedNanoseconds - min(elapsedNanoseconds, page.openedNanoseconds)
        object.append("ageMilliseconds", .number(age / 1_000_000))
        object.append("requests", .number(page.requests))
        object.append("latestRequest", .optional(page.latestRequest))
        object.append("latestStatus", .optional(page.latestStatus))
        return .object(object)
    }

    /// The answer to what took effect on connections: the record's number, who they were, and the
    /// faults that do the same again.
    func outcome(
        _ action: String,
        _ detail: JSONObject,
        _ places: [LivePlace],
        _ further: [String] = []
    ) -> ControlAnswer {
        let faults = places.flatMap(\.faults) + further
        let number = record(action, detail, places)
        let shown = places.prefix(ChangeReport.placeLimit).map { place -> JSONValue in
            .object([
                "id": .string(ConnectionName.text(place.connection)),
                "bytesUp": .number(place.up), "bytesDown": .number(place.down),
                "heldMilliseconds": place.heldNanoseconds.map { .number($0 / 1_000_000) },
            ])
        }
        return .json([
            "action": .string(action), "record": .number(number),
            "affected": .number(places.count), "connections": .array(shown),
            "faults": .array(faults.prefix(ChangeReport.placeLimit).map { .string($0) }),
        ])
    }
}
