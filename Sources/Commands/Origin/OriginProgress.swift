internal import Origin

/// What an origin has done, in a line now and then.
struct OriginProgress {
    private var requests = 0
    private var bytesIn: UInt64 = 0
    private var bytesOut: UInt64 = 0
    private var cut = 0
    private var told = 0

    mutating func add(_ record: AccessRecord) {
        requests += 1
        bytesIn += record.bytesIn
        bytesOut += record.bytesOut
        if record.outcome != .answered { cut += 1 }
    }

    /// A line if something has happened since the last one.
    mutating func news() -> String? {
        guard requests > told else { return nil }
        told = requests
        return text
    }

    var summary: String { "summary origin: \(text)" }

    private var text: String {
        let ended = cut > 0 ? ", \(cut) cut short" : ""
        return "\(Figures.count(requests, "request"))\(ended), \(Figures.bytes(bytesIn)) received,"
            + " \(Figures.bytes(bytesOut)) sent"
    }

    /// A request as one line of the log.
    static func line(_ record: AccessRecord) -> String {
        let status = record.status.map(String.init) ?? "-"
        let outcome = record.outcome == .answered ? "" : " \(record.outcome.rawValue)"
        let protocolName = record.protocol.map { " \($0)" } ?? ""
        return "\(record.method) \(record.target) \(status)\(protocolName)"
            + " in \(record.bytesIn) out \(record.bytesOut)\(outcome)"
    }
}
