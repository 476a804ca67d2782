/// What each place and each effect came to, as a table of letters.
package struct Matrix: Hashable, Sendable {
    package struct Row: Hashable, Sendable {
        /// The place, or the first and the last of several with equal letters.
        package var label: String
        /// One letter for each column; a space where nothing was run.
        package var letters: [Character]
        /// How many places this is.
        package var places: Int
    }

    /// Effects with their arguments, the simplest first.
    package let columns: [String]
    package let rows: [Row]

    /// Places with the same letters next to each other become one row.
    package init(_ records: [PointRecord]) {
        let single = records.filter { $0.isCounted && $0.isSingle }
        var cells: [FaultPlace: [String: Character]] = [:]
        for record in single {
            guard let fault = record.point.faults.first else { continue }
            cells[fault.place, default: [:]][fault.deed] = record.judgement.letter
        }
        let columns = Set(single.compactMap { $0.point.faults.first?.deed }).sorted {
            (Self.rank($0), $0) < (Self.rank($1), $1)
        }
        self.columns = columns
        var rows: [(first: FaultPlace, last: FaultPlace, row: Row)] = []
        for place in cells.keys.sorted() {
            let letters = columns.map { cells[place]?[$0] ?? " " }
            if let previous = rows.last, previous.row.letters == letters,
                previous.first.message == place.message
            {
                rows[rows.count - 1].last = place
                rows[rows.count - 1].row.places += 1
            } else {
                let row = Row(label: place.text, letters: letters, places: 1)
                rows.append((place, place, row))
            }
        }
        self.rows = rows.map { first, last, row in
            var row = row
            if first != last { row.label += " … \(last.part?.text ?? "")\(last.offset.text)" }
            return row
        }
    }

    private static func rank(_ deed: String) -> Int {
        PointEffect.rank(of: String(deed.prefix { $0 != "(" && $0 != "," }))
    }

    /// What the letters mean.
    package static let legend: [(letter: Character, meaning: String)] = [
        (".", "passed"), ("h", "failed honestly"), ("X", "finding"), ("?", "proves nothing"),
        ("-", "did not act"),
    ]
}
