internal import Analysis
internal import Journal
internal import Trials

/// What the records of a run show of the client, in shapes to compare and in lines for people.
enum TrafficReading {
    /// Lines of evidence at most.
    static let evidenceLimit = 24
    /// Failed checks that are told as well.
    static let checkLimit = 4
    private static let lineLimit = 300

    /// Every request with what it was for and what answered it.
    ///
    /// Of traffic that was not understood: each connection, and whether anything came back.
    static func shapes(_ report: RunReport) -> [RequestShape] {
        var kinds: [ExchangeID: String] = [:]
        for attempt in report.transfers.flatMap(\.attempts) {
            if let exchange = attempt.exchange { kinds[exchange] = attempt.kind.rawValue }
        }
        let requests = report.transcript.exchanges.map { exchange in
            var shape = RequestShape(
                method: exchange.request.value.method,
                kind: kinds[exchange.id] ?? "other",
                status: UInt16(clamping: exchange.answers.last?.value.status ?? 0)
            )
            shape.isConditional = conditions.contains {
                exchange.request.value.fields[$0] != nil
            }
            return shape
        }
        guard requests.isEmpty else { return requests }
        return report.transcript.connections.compactMap(\.end).map { end in
            let kind = end.value.down.bytes > 0 ? "answered" : "unanswered"
            return RequestShape(method: "connection", kind: kind, status: 0)
        }
    }

    /// Fields that make a request fail with 412 if they do not hold (RFC 9110 §13.2.2).
    private static let conditions = ["if-match", "if-unmodified-since", "if-none-match"]

    /// What passed, one line for each request, connection or fault.
    static func evidence(_ trial: TrialOutcome) -> [String] {
        var lines: [String] = []
        var requests: [ExchangeID: Int] = [:]
        for record in trial.records.lazy.map(\.record) {
            switch record {
            case .request(let report):
                let fields = ["range", "if-range", "upload-offset"].compactMap { name in
                    report.fields[name].map { " \(name): \($0)" }
                }
                requests[report.exchange] = lines.count
                lines.append(
                    "\(place(report.exchange)) \(report.method) \(report.target)\(fields.joined())"
                )
            case .response(let report):
                if let line = requests[report.exchange] { lines[line] += " → \(report.status)" }
            case .body(let report) where report.bytes > 0:
                let end = report.isComplete ? "" : ", cut off"
                if let line = requests[report.exchange] {
                    lines[line] += " (\(report.bytes) B\(end))"
                }
            case .fault(let report): lines.append(text(report))
            case .connectionEnd(let end) where requests.isEmpty:
                lines.append(
                    "c\(end.connection.ordinal): \(end.up.bytes) B up, \(end.down.bytes) B down"
                )
            default: break
            }
        }
        lines += trial.oracles.filter { $0.verdict == .fail }.map { "\($0.name): \($0.words)" }
        if let ending = trial.serverEnding { lines.append("the server ended by itself: \(ending)") }
        return cut(lines)
    }

    private static func place(_ exchange: ExchangeID) -> String {
        "c\(exchange.connection.ordinal)/r\(exchange.ordinal)"
    }

    private static func text(_ report: FaultReport) -> String {
        switch report.state {
        case .fired: "\(report.id): fired"
        case .undelivered: "\(report.id): acted, but bytes before it were not acknowledged"
        case .unreached(let reason): "\(report.id): did not act (\(reason))"
        }
    }

    private static func cut(_ lines: [String]) -> [String] {
        let shown = lines.prefix(evidenceLimit).map { line in
            line.count > lineLimit ? line.prefix(lineLimit - 1) + "…" : line
        }
        let rest = lines.count - shown.count
        return shown + (rest > 0 ? ["and \(rest) lines more"] : [])
    }
}
