internal import FaultInjection
internal import HTTPWire
internal import Journal
internal import Proxy

// Faults.
extension NativeAPI {
    /// Gives faults that came without us their short names.
    func nameFaults() {
        for (id, _) in server.faults where !faultNames.contains(id) { faultNames.append(id) }
    }

    var faults: ControlAnswer {
        nameFaults()
        let present = Set(server.faults.map(\.id))
        let rows = faultNames.indices.filter { place in
            present.contains(faultNames[place]) || row(faultNames[place]) != nil
        }
        return .json(["faults": .array(rows.map { document($0, present) })], fields: ["ETag": tag])
    }

    func fault(_ parameters: RouteTable.Parameters) throws(Problem) -> ControlAnswer {
        let place = try place(parameters)
        return .json(document(place, Set(server.faults.map(\.id))))
    }

    /// Takes `{"fault": TEXT}`.
    func addFault(_ request: ControlRequest) throws(Problem) -> ControlAnswer {
        var body = try RequestObject(try request.json())
        let text = body.text("fault")
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
        let (name, armed) = try arm(fault)
        let number = record("fault", ["add": .string(fault.canonicalText)])
        return .json(
            [
                "id": .string(name), "fault": .string(fault.canonicalText),
                "record": .number(number),
                "armedOn": .array(armed.map { .string(ConnectionName.text($0)) }),
            ],
            status: 201,
            fields: ["Location": "/v1/faults/\(name)"]
        )
    }

    /// Adds a fault; answers with its short name and the open connections that it is armed on.
    func arm(_ fault: Fault) throws(Problem) -> (name: String, armed: [ConnectionID]) {
        guard server.faults.count < ScheduleLimits.faults else {
            throw Problem(409, "full", "There are \(ScheduleLimits.faults) faults; remove some.")
        }
        do throws(ProxyError) {
            let (id, armed) = try server.add(fault)
            faultNames.append(id)
            return ("f\(faultNames.count)", armed)
        } catch {
            throw .invalid("/fault", error.description)
        }
    }

    func removeFault(_ parameters: RouteTable.Parameters) throws(Problem) -> ControlAnswer {
        let place = try place(parameters)
        let id = faultNames[place]
        let fault = server.faults.first { $0.id == id }?.fault
        guard let fault, server.remove(id) else {
            throw .notFound("Fault f\(place + 1) was removed before.")
        }
        _ = record("fault", ["remove": .string(fault.canonicalText)])
        return .empty()
    }

    private func place(_ parameters: RouteTable.Parameters) throws(Problem) -> Int {
        try place(parameters["id"] ?? "")
    }

    /// The identity of a fault by its short name.
    func faultIdentity(_ name: String) throws(Problem) -> String { faultNames[try place(name)] }

    private func place(_ name: String) throws(Problem) -> Int {
        nameFaults()
        if name.hasPrefix("f"), let number = Int(name.dropFirst()),
            faultNames.indices.contains(number - 1)
        {
            return number - 1
        }
        if let place = faultNames.firstIndex(of: name) { return place }
        throw .notFound("There is no such fault; GET /v1/faults lists them, as f1.")
    }

    private func row(_ id: String) -> FaultLedger.Row? {
        server.ledger.rows.first { $0.id == id }
    }

    private func document(_ place: Int, _ present: Set<String>) -> JSONValue {
        let id = faultNames[place]
        let row = row(id)
        var object: JSONObject = [
            "id": .string("f\(place + 1)"), "fault": .string(id),
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
