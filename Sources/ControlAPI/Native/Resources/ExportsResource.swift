internal import Analysis
internal import HTTPWire
internal import Journal
internal import Proxy

/// `/v1/exports`: the records of the run in forms that other programs read.
struct ExportsResource {
    let run: ControlledRun

    func addRoutes(to table: inout RouteTable) {
        table.add("GET", "/v1/exports/{form}") { _, p throws(Problem) in try export(p) }
    }

    private enum Export: String, CaseIterable { case journal, har, pcapng }

    /// The records that are still known: of a long run not all, and a field says so.
    private func export(_ parameters: RouteTable.Parameters) throws(Problem) -> ControlAnswer {
        let name = parameters["form"] ?? ""
        guard let export = Export(rawValue: name) else {
            let names = Export.allCases.map(\.rawValue).joined(separator: ", ")
            throw .notFound("There is no export '\(name)'; there are \(names).")
        }
        for proxy in run.fleet.all { proxy.server.flushRecords() }
        let bytes = run.hub.history.journal
        switch export {
        case .journal:
            return .complete(
                ControlAnswer.head(200, "application/jsonl", run.firstRecord(0)),
                bytes
            )
        case .har:
            let document = HARDocument(try transcript(bytes), creatorVersion: run.program.version)
            return .json(document.json, fields: run.firstRecord(0))
        case .pcapng:
            let capture = PacketCapture(try transcript(bytes), creatorVersion: run.program.version)
            let head = ControlAnswer.head(200, "application/x-pcapng", run.firstRecord(0))
            return .complete(head, capture.bytes)
        }
    }

    private func transcript(_ journal: [UInt8]) throws(Problem) -> Transcript {
        do throws(JournalError) {
            return Transcript(try Timed.reading(journal))
        } catch {
            throw Problem(503, "internal", "\(error)")
        }
    }
}
