internal import Faults

/// What each place and each effect came to, as a table of letters.
package struct Matrix: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        /// Whose traffic it is, and how the faults there act: `c1/r1` or `GET(/a)#1, times=2`.
        package let group: String
        /// Where in it, the first and the last of several places with equal letters: `resp.body+1 … +99`;
        /// empty for all of it.
        package fileprivate(set) var place: String
        /// One letter for each column; a space where nothing was run.
        package fileprivate(set) var letters: [Character]
        /// How many places this is.
        package fileprivate(set) var places = 1
        /// What was run, in the order of places and columns.
        package fileprivate(set) var runs: [Run]

        /// Group and place in one line.
        package var label: String { place.isEmpty ? group : "\(group): \(place)" }
    }

    /// One run of the table: a letter with the schedule that it is of.
    package struct Run: Hashable, Sendable {
        package let letter: Character
        package let schedule: String
        package let reason: String
    }

    /// Effects with their arguments, the simplest first; the forms of one effect share a column where they
    /// come to the same at every place.
    package let columns: [String]
    /// Those of one group stand together.
    package let rows: [Row]

    /// Places with the same letters next to each other become one row.
    package init(_ records: [PointRecord]) {
        let cells = MatrixCells(records)
        let columns = cells.foldedColumns
        self.columns = columns.map(\.name)
        rows = cells.groups.flatMap { group, places in
            Self.rows(group, places.map { ($0, cells.runs(at: $0, of: group)) }, columns)
        }
    }

    private static func rows(
        _ group: MatrixCells.Group,
        _ places: [(address: FaultAddress, runs: [String: Run])],
        _ columns: [MatrixCells.Column]
    ) -> [Row] {
        var rows: [(first: FaultAddress, row: Row)] = []
        for (address, known) in places {
            let letters = columns.map {
                $0.forms.lazy.compactMap { known[$0]?.letter }.first ?? " "
            }
            let runs = columns.flatMap(\.forms).compactMap { known[$0] }
            if let (first, previous) = rows.last, previous.letters == letters,
                first.message == address.message
            {
                rows[rows.count - 1].row.place = first.anchor.text(to: address.anchor)
                rows[rows.count - 1].row.places += 1
                rows[rows.count - 1].row.runs += runs
            } else {
                let row = Row(
                    group: group.text,
                    place: address.anchor.canonicalText,
                    letters: letters,
                    runs: runs
                )
                rows.append((address, row))
            }
        }
        return rows.map(\.row)
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
            .map { "\(ReportText.proveNothing($0.value)): \($0.key)" }
    }

    private static let shownDoubts = 3

    /// What the letters mean.
    package static let legend: [(letter: Character, meaning: String)] = [
        (".", "passed"), ("h", "failed honestly"), ("X", "finding"), ("?", "proves nothing"),
        ("-", "did not act"),
    ]
}

extension Anchor {
    /// As in `resp.body+1 … +99`: what both have in common is said once.
    fileprivate func text(to last: Anchor) -> String {
        let (first, last) = (canonicalText, last.canonicalText)
        let isOffset = { (character: Character) in "+-~".contains(character) }
        guard let start = first.firstIndex(where: isOffset),
            let rest = last.firstIndex(where: isOffset), first[..<start] == last[..<rest]
        else {
            return "\(first) … \(last)"
        }
        return "\(first) … \(last[rest...])"
    }
}
