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
        var requests: [ExchangeID: (line: Int, words: ExchangeWords)] = [:]
        for record in trial.records.lazy.map(\.record) {
            switch record {
            case .request(let report):
                requests[report.exchange] = (lines.count, ExchangeWords(report))
                lines.append("")
            case .response(let report): requests[report.exchange]?.words.add(report)
            case .body(let report): requests[report.exchange]?.words.add(report)
            case .fault(let report): lines.append(text(report))
            case .connectionEnd(let end) where requests.isEmpty:
                lines.append(
                    "c\(end.connection.ordinal): \(end.up.bytes) B up, \(end.down.bytes) B down"
                )
            default: break
            }
        }
        for (line, words) in requests.values { lines[line] = words.text }
        lines += trial.oracles.filter { $0.verdict == .fail }.map { "\($0.name): \($0.words)" }
        if let ending = trial.serverEnding { lines.append("the server ended by itself: \(ending)") }
        return cut(lines)
    }

    private static func text(_ report: FaultReport) -> String {
        switch report.state {
        case .fired: "\(report.id): fired"
        case .undelivered: "\(report.id): acted, but bytes before it were not acknowledged"
        case .unreached(let reason): "\(report.id): did not act (\(reason))"
        }
    }

    private static func cut(_ lines: [String]) -> [String] {
        let lines = folded(lines)
        let shown = lines.prefix(evidenceLimit).map { line in
            line.count > lineLimit ? line.prefix(lineLimit - 1) + "…" : line
        }
        let rest = lines.count - shown.count
        return shown + (rest > 0 ? ["and \(rest) lines more"] : [])
    }

    // MARK: The same again and again

    /// A request with its faults takes at most this many lines.
    private static let longestBlock = 3
    /// What comes at least so often is shown twice.
    private static let leastBlocks = 4
    private static let shownBlocks = 2

    /// What comes again and again but for its numbers, told twice and then counted.
    static func folded(_ lines: [String]) -> [String] {
        let shapes = lines.map(shape)
        var result: [String] = []
        var index = 0
        while index < lines.count {
            guard let (length, count) = repetition(shapes[index...]) else {
                result.append(lines[index])
                index += 1
                continue
            }
            result += lines[index..<(index + shownBlocks * length)]
            result.append("and \(count - shownBlocks * length) lines more like these")
            index += count
        }
        return result
    }

    /// Of how many lines the block consists that these begin with again and again, and how many lines
    /// that is in all, with a beginning of another one; nil if there is none.
    private static func repetition(
        _ shapes: ArraySlice<String>
    ) -> (length: Int, count: Int)? {
        for length in 1...longestBlock {
            let count = zip(shapes, shapes.dropFirst(length)).prefix { $0 == $1 }.count + length
            if count >= leastBlocks * length, count <= shapes.count { return (length, count) }
        }
        return nil
    }

    /// A line without its numbers; a status says what came, and stays.
    private static func shape(_ line: String) -> String {
        line.split(separator: " ", omittingEmptySubsequences: false).reduce(into: "") {
            shape,
            word in
            let isStatus = shape.hasSuffix("→ ")
            shape += isStatus ? String(word) : word.filter { !$0.isNumber }
            shape += " "
        }
    }
}
