internal import Analysis
internal import HTTPWire
internal import Journal
internal import Proxy

// The records of the run in forms that other programs read.
extension NativeAPI {
    private enum Export: String, CaseIterable { case journal, har }

    /// The records that are still known: of a long run not all, and a field says so.
    func export(_ parameters: RouteTable.Parameters) throws(Problem) -> ControlAnswer {
        let name = parameters["form"] ?? ""
        guard let export = Export(rawValue: name) else {
            let names = Export.allCases.map(\.rawValue).joined(separator: ", ")
            throw .notFound("There is no export '\(name)'; there are \(names).")
        }
        for proxy in fleet.all { proxy.server.flushRecords() }
        let bytes = hub.history.journal
        switch export {
        case .journal:
            return .complete(ControlAnswer.head(200, "application/jsonl", firstRecord(0)), bytes)
        case .har: return try archive(bytes)
        }
    }

    private func archive(_ journal: [UInt8]) throws(Problem) -> ControlAnswer {
        let records: [Timed<JournalRecord>]
        do throws(JournalError) {
            records = try Timed.reading(journal)
        } catch {
            throw Problem(503, "internal", "\(error)")
        }
        let document = HARDocument(Transcript(records), creatorVersion: program.version)
        return .json(document.json, fields: firstRecord(0))
    }
}
