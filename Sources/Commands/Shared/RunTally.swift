internal import Analysis
internal import DNS
internal import Journal

/// What the records of a run add up to.
struct RunTally: Hashable, Sendable {
    /// How connections ended, in the order in which each way was first seen.
    private(set) var endings: [Counted] = []
    /// Trouble with the upstream and with linkcond itself, but for lateness.
    private(set) var troubles: [Counted] = []
    private(set) var budgetNotes: [String] = []
    /// Name lookups by whose answer they got.
    private(set) var queries = QueryTally()
    /// What was asked for on an expensive or constrained path, if requests are looked at.
    private(set) var metered = MeteredTraffic()
    /// The path at the start, and at the end.
    private(set) var path = PathCourse()

    /// Something that can be put in equal words, and how often it was.
    struct Counted: Hashable, Sendable {
        var words: String
        var count: Int
    }

    mutating func add(_ record: JournalRecord) {
        metered.take(record)
        path.take(record)
        switch record {
        case .dns(let report, _):
            if let source = QueryReport.Source(rawValue: report.source) { queries.add(source) }
        case .connectionEnd(let end): count(EventText.ending(end), in: \.endings)
        case .upstream(_, _, let words): count(words, in: \.troubles)
        // Lateness comes in swarms; the proxy itself counts it.
        case .trouble(.latePacing, _): break
        case .trouble(_, let words): count(words, in: \.troubles)
        case .budget(let limit, let bytes, _):
            budgetNotes.append("\(limit.rawValue) limit reached at \(Figures.grouped(bytes)) bytes")
        case .start, .connection, .flow, .flowEnd, .quic, .quicPacket, .datagram, .fault, .draw,
            .path, .note, .request,
            .response, .body, .messages, .opaque, .origin, .command, .verdict, .change, .end:
            break
        }
    }

    private mutating func count(
        _ words: String,
        in list: WritableKeyPath<RunTally, [Counted]>
    ) {
        if let index = self[keyPath: list].firstIndex(where: { $0.words == words }) {
            self[keyPath: list][index].count += 1
        } else {
            self[keyPath: list].append(Counted(words: words, count: 1))
        }
    }
}
