internal import Basics
internal import DNS

/// How many queries got an answer of each source.
struct QueryTally: Hashable, Sendable {
    private var counts: [QueryReport.Source: Int] = [:]

    private static let sources: [(source: QueryReport.Source, words: String)] = [
        (.name, "from names"), (.upstream, "from upstream"), (.fault, "by faults"),
        (.none, "refused"),
    ]

    mutating func add(_ source: QueryReport.Source) { counts[source, default: 0] += 1 }

    /// As in `3: 2 from names, 1 by faults`.
    var words: String {
        let parts = Self.sources.compactMap { source, words in
            counts[source].map { "\($0) \(words)" }
        }
        return "\(counts.values.reduce(0, +))" + (parts.isEmpty ? "" : ": ")
            + parts.joined(separator: ", ")
    }

    var json: JSONValue {
        .object(
            Self.sources.reduce(into: JSONObject()) { object, row in
                object.append(row.source.rawValue, .number(counts[row.source] ?? 0))
            }
        )
    }
}
