internal import Basics
internal import Faults
internal import HTTPWire
internal import Journal
internal import Proxy

/// `/v1/faults`: what goes wrong, under short names.
final class FaultsResource {
    private let run: ControlledRun
    /// Faults in the order of their short names, `f1` first.
    private var namedFaults: [NamedFault] = []

    init(_ run: ControlledRun) { self.run = run }

    func addRoutes(to table: inout RouteTable) {
        table.add("GET", "/v1/faults") { [self] request, _ throws(Problem) in try list(request) }
        table.add("POST", "/v1/faults") { [self] request, _ throws(Problem) in try add(request) }
        table.add("GET", "/v1/faults/{id}") { [self] _, p throws(Problem) in try show(p) }
        table.add("DELETE", "/v1/faults/{id}") { [self] _, p throws(Problem) in try remove(p) }
    }

    /// Gives faults that came without us their short names.
    func nameFaults() {
        for proxy in run.fleet.all {
            let known = Set(namedFaults.filter { $0.proxy === proxy }.map(\.id))
            for (id, _) in proxy.server.faults.all where !known.contains(id) { name(id, of: proxy) }
        }
    }

    private func name(_ id: String, of proxy: SteeredProxy) {
        namedFaults.append(NamedFault(proxy: proxy, id: id))
    }

    /// `?proxy=NAME`: faults of one proxy, or of all.
    private func list(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        let query = try RequestQuery(request, ["proxy"])
        let only = query.value("proxy") == nil ? nil : try run.proxy(in: query)
        nameFaults()
        var accounts: [ObjectIdentifier: FaultAccount] = [:]
        for proxy in run.fleet.all where only == nil || only === proxy {
            accounts[ObjectIdentifier(proxy)] = FaultAccount(proxy)
        }
        let rows = namedFaults.indices.compactMap { place -> JSONValue? in
            let fault = namedFaults[place]
            guard let proxy = fault.proxy, let account = accounts[ObjectIdentifier(proxy)],
                account.knows(fault.id)
            else { return nil }
            return account.document("f\(place + 1)", fault.id)
        }
        return .json(["faults": .array(rows)], fields: ["ETag": run.tag])
    }

    private func show(_ parameters: RouteTable.Parameters) throws(Problem) -> ControlAnswer {
        let (place, proxy) = try place(parameters["id"] ?? "")
        return .json(FaultAccount(proxy).document("f\(place + 1)", namedFaults[place].id))
    }

    /// Takes `{"fault": TEXT, "proxy": NAME}`.
    private func add(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        var body = try RequestObject(try request.json())
        let text = body.text("fault")
        let name = body.text("proxy")
        let given = body.require("fault", text, "a fault, as c1:down+1024=rst")
        var fault: Fault?
        if let given {
            do throws(ScheduleError) {
                fault = try Fault(parsing: given)
            } catch {
                body.note("fault", "column \(error.column): \(error.description)")
            }
        }
        try body.finish()
        guard let fault else { throw .invalid("/fault", "is missing") }
        return try add(fault, to: try run.proxy(named: name, at: "/proxy"))
    }

    private func add(_ fault: Fault, to proxy: SteeredProxy) throws(Problem) -> ControlAnswer {
        let (name, armed) = try arm(fault, on: proxy)
        let text = JSONValue.string(fault.canonicalText)
        let number = run.record("fault", ["add": text], on: proxy)
        return .json(
            [
                "id": .string(name), "fault": text, "proxy": .string(proxy.name),
                "record": .number(number),
                "armedOn": .array(armed.map { .string(ConnectionName.text($0)) }),
            ],
            status: 201,
            fields: ["Location": "/v1/faults/\(name)"]
        )
    }

    /// Adds a fault; answers with its short name and the open connections that it is armed on.
    func arm(
        _ fault: Fault,
        on proxy: SteeredProxy
    ) throws(Problem) -> (name: String, armed: [ConnectionID]) {
        guard proxy.server.faults.all.count < ScheduleLimits.faults else {
            throw Problem(409, "full", "There are \(ScheduleLimits.faults) faults; remove some.")
        }
        do throws(ProxyError) {
            let (id, armed) = try proxy.server.faults.add(fault)
            name(id, of: proxy)
            return ("f\(namedFaults.count)", armed)
        } catch {
            throw .invalid("/fault", error.description)
        }
    }

    private func remove(_ parameters: RouteTable.Parameters) throws(Problem) -> ControlAnswer {
        let (place, proxy) = try place(parameters["id"] ?? "")
        let id = namedFaults[place].id
        let fault = proxy.server.faults.all.first { $0.id == id }?.fault
        guard let fault, proxy.server.faults.remove(id) else {
            throw .notFound("Fault f\(place + 1) was removed before.")
        }
        _ = run.record("fault", ["remove": .string(fault.canonicalText)], on: proxy)
        return .empty()
    }

    // MARK: Finding

    /// The proxy and the identity of a fault by its short name.
    func faultIdentity(_ name: String) throws(Problem) -> (proxy: SteeredProxy, id: String) {
        let (place, proxy) = try place(name)
        return (proxy, namedFaults[place].id)
    }

    private func place(_ name: String) throws(Problem) -> (Int, SteeredProxy) {
        nameFaults()
        if name.hasPrefix("f"), let number = Int(name.dropFirst()),
            namedFaults.indices.contains(number - 1), let proxy = owner(number - 1)
        {
            return (number - 1, proxy)
        }
        for place in namedFaults.indices where namedFaults[place].id == name {
            if let proxy = owner(place) { return (place, proxy) }
        }
        throw .notFound("There is no such fault; GET /v1/faults lists them, as f1.")
    }

    /// The proxy of a fault, if it is still there.
    private func owner(_ place: Int) -> SteeredProxy? {
        let proxy = namedFaults[place].proxy
        return run.fleet.all.contains { $0 === proxy } ? proxy : nil
    }
}

/// A fault that has a short name.
private struct NamedFault {
    /// Nil once the proxy is gone; its faults are then as good as never named.
    weak var proxy: SteeredProxy?
    /// The fault's identity within its proxy.
    let id: String
}

/// What there is to say of the faults of a proxy.
private struct FaultAccount {
    private let proxy: SteeredProxy
    private let present: Set<String>
    private let rows: [String: FaultLedger.Row]

    init(_ proxy: SteeredProxy) {
        self.proxy = proxy
        present = Set(proxy.server.faults.all.map(\.id))
        rows = Dictionary(proxy.server.faults.ledger.rows.map { ($0.id, $0) }) { first, _ in first }
    }

    func knows(_ id: String) -> Bool { present.contains(id) || rows[id] != nil }

    func document(_ name: String, _ id: String) -> JSONValue {
        let row = rows[id]
        var object: JSONObject = [
            "id": .string(name), "fault": .string(id), "proxy": .string(proxy.name),
            "state": .string(Self.state(row, isPresent: present.contains(id))),
            "fired": .number(row?.fired ?? 0), "undelivered": .number(row?.undelivered ?? 0),
            "unreached": .number(row?.unreached ?? 0),
        ]
        if let row, row.fired == 0, row.undelivered == 0 {
            object.append("reason", .string(row.reason.description))
        }
        return .object(object)
    }

    private static func state(_ row: FaultLedger.Row?, isPresent: Bool) -> String {
        guard let row else { return isPresent ? "armed" : "removed" }
        if row.fired > 0 { return "fired" }
        if row.undelivered > 0 { return "undelivered" }
        if !isPresent { return "removed" }
        return row.unreached > 0 ? "unreached" : "armed"
    }
}
