/// The table of places and effects in plain text, no wider than a terminal.
struct MatrixText {
    private let matrix: Matrix
    private let width: Int

    /// - Parameters:
    ///   - matrix: what to show.
    ///   - width: how many columns of characters there are.
    init(_ matrix: Matrix, width: Int) {
        self.matrix = matrix
        self.width = width
    }

    /// The table in bands of neighbouring effects, as many side by side as fit; a band has the places
    /// where one of its effects was tried.
    var lines: [String] {
        var bands: [[String]] = []
        var start = 0
        while start < matrix.columns.count {
            var end = start + 1
            while end < matrix.columns.count, fits(start..<end + 1) { end += 1 }
            bands.append(Band(matrix, start..<end).lines)
            start = end
        }
        return Array(bands.joined(separator: [""]))
    }

    private func fits(_ columns: Range<Int>) -> Bool {
        let band = Band(matrix, columns)
        return ([band.heading] + band.rows.map(\.line)).allSatisfy { $0.count <= width }
    }
}

/// Some of the columns of a table, and the rows that have letters in them.
private struct Band {
    let heading: String
    let rows: [(row: Matrix.Row, line: String)]

    init(_ matrix: Matrix, _ columns: Range<Int>) {
        let rows = matrix.rows.filter { row in columns.contains { row.letters[$0] != " " } }
        let margin = rows.map { Self.label($0).count }.max() ?? 0
        let names = matrix.columns[columns]
        heading = Self.padded("", margin) + names.map { "  \($0)" }.joined()
        self.rows = rows.map { row in
            let cells = zip(names, row.letters[columns]).map(Self.cell).joined()
            let count = row.places > 1 ? "  \(row.places) places" : ""
            return (row, Self.trimmed(Self.padded(Self.label(row), margin) + cells + count))
        }
    }

    /// With a line for each group, which may be as long as it likes.
    var lines: [String] {
        var lines = [heading]
        var group: String?
        for (row, line) in rows {
            if row.group != group, !row.place.isEmpty { lines.append(row.group) }
            group = row.group
            lines.append(line)
        }
        return lines
    }

    private static func cell(_ name: String, _ letter: Character) -> String {
        "  " + padded(String(repeating: " ", count: name.count / 2) + String(letter), name.count)
    }

    /// A row that is all of its group has no line of the group's above it.
    private static func label(_ row: Matrix.Row) -> String {
        row.place.isEmpty ? row.group : "  \(row.place)"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func trimmed(_ text: String) -> String {
        var text = text[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
