internal import Journal

/// What the records of a run add up to.
struct RunTally: Hashable, Sendable {
    /// How connections ended, in the order in which each way was first seen.
    private(set) var endings: [Counted] = []
    private(set) var faults: [FaultCount] = []
    /// Trouble with the upstream and with linkcond itself, the latest words of each kind.
    private(set) var troubles: [Counted] = []
    private(set) var budgetNotes: [String] = []

    /// Something that can be put in equal words, and how often it was.
    struct Counted: Hashable, Sendable {
        var words: String
        var count: Int
    }

    /// One fault's account.
    struct FaultCount: Hashable, Sendable {
        var id: String
        var fired = 0
        var undelivered = 0
        var unreached = 0
        /// Why it did not act, the last time.
        var reason = ""
    }

    /// Each fault is listed, also if nothing is ever heard of it.
    init(faults ids: [String]) { faults = ids.map { FaultCount(id: $0) } }

    mutating func add(_ record: JournalRecord) {
        switch record {
        case .connectionEnd(let end): count(EventText.ending(end), in: \.endings)
        case .fault(let report): add(report)
        case .upstream(_, let trouble, _):
            count("upstream \(EventText.words(trouble))", in: \.troubles)
        case .trouble(_, let words): count("linkcond: \(words)", in: \.troubles)
        case .budget(let limit, let bytes, _):
            budgetNotes.append("\(limit.rawValue) limit reached at \(Figures.grouped(bytes)) bytes")
        case .start, .connection, .draw, .path, .note, .end: break
        }
    }

    private mutating func add(_ report: FaultReport) {
        guard let index = faults.firstIndex(where: { $0.id == report.id }) else { return }
        switch report.state {
        case .fired: faults[index].fired += 1
        case .undelivered: faults[index].undelivered += 1
        case .unreached(let reason):
            faults[index].unreached += 1
            faults[index].reason = reason
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
