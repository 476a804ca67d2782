internal import Faults

/// What each place and each effect came to, as a table of letters.
package struct Matrix: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        /// The place, or the first and the last of several with equal letters.
        package var label: String
        /// One letter for each column; a space where nothing was run.
        package var letters: [Character]
        /// How many places this is.
        package var places: Int
        /// What was run, in the order of places and columns.
        package var runs: [Run] = []
    }

    /// One run of the table: a letter with the schedule that it is of.
    package struct Run: Hashable, Sendable {
        package var letter: Character
        package var schedule: String
        package var reason: String
    }

    /// Effects with their arguments, the simplest first.
    package let columns: [String]
    package let rows: [Row]

    /// Places with the same letters next to each other become one row.
    package init(_ records: [PointRecord]) {
        let single = records.filter { $0.isCounted && $0.isSingle }
        var cells: [FaultAddress: [String: Run]] = [:]
        for record in single {
            guard let fault = record.point.faults.first else { continue }
            let run = Run(
                letter: record.judgement.letter,
                schedule: record.point.schedule,
                reason: record.judgement.reason
            )
            let known = cells[fault.address]?[fault.column]
            let isWorse = known.map { Self.weight(run.letter) > Self.weight($0.letter) } ?? true
            if isWorse { cells[fault.address, default: [:]][fault.column] = run }
        }
        let columns = Self.columns(single.compactMap(\.point.faults.first))
        self.columns = columns
        var rows: [(first: FaultAddress, last: FaultAddress, row: Row)] = []
        for place in cells.keys.sorted() {
            let runs = columns.compactMap { cells[place]?[$0] }
            let letters = columns.map { cells[place]?[$0]?.letter ?? " " }
            if let previous = rows.last, previous.row.letters == letters,
                previous.first.message == place.message
            {
                rows[rows.count - 1].last = place
                rows[rows.count - 1].row.places += 1
                rows[rows.count - 1].row.runs += runs
            } else {
                let row = Row(
                    label: place.canonicalText,
                    letters: letters,
                    places: 1,
                    runs: runs
                )
                rows.append((place, place, row))
            }
        }
        self.rows = rows.map { first, last, row in
            var row = row
            if first != last { row.label += " … \(last.anchor.canonicalText)" }
            return row
        }
    }

    /// What the faults do, the simplest first.
    private static func columns(_ faults: [Fault]) -> [String] {
        let ranks = Dictionary(faults.map { ($0.column, $0.effect.kind.searchRank) }) { rank, _ in
            rank
        }
        return ranks.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map(\.key)
    }

    /// Of several forms of an effect at one place, the worst is shown.
    private static func weight(_ letter: Character) -> Int {
        [".", "h", "-", "?", "X"].firstIndex(of: letter) ?? 0
    }

    /// Why points prove nothing, the most frequent reasons first: `3 prove nothing: ...`.
    static func doubts(_ records: [PointRecord]) -> [String] {
        var counts: [String: Int] = [:]
        for record in records where record.isCounted && record.judgement.letter == "?" {
            if case .inconclusive(let reason) = record.judgement {
                counts[reason, default: 0] += 1
            }
        }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(shownDoubts)
            .map { "\($0.value) prove\($0.value == 1 ? "s" : "") nothing: \($0.key)" }
    }

    private static let shownDoubts = 3

    /// What the letters mean.
    package static let legend: [(letter: Character, meaning: String)] = [
        (".", "passed"), ("h", "failed honestly"), ("X", "finding"), ("?", "proves nothing"),
        ("-", "did not act"),
    ]
}

extension Fault {
    /// What stands at the head of its column: the forms of one effect on a whole message share theirs.
    fileprivate var column: String {
        let isAtBytes = effect.kind.isByteWise || address.anchor == .connect
        return isAtBytes || effect.kind == .query ? deed : effect.kind.name + options.canonicalText
    }
}
