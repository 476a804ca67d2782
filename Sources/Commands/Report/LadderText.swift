internal import Analysis
internal import Basics

/// A ladder in characters: `=` first-time bytes, `#` bytes sent again, `.` left out, `x` a cut, `o` an
/// offset that the server told; better-looking ones where the terminal has them.
struct LadderText {
    let transfer: Transfer
    private let ladder: Ladder
    private let usesUnicode: Bool
    private let barWidth: Int
    private let labelWidth: Int
    private let width: Int
    /// By the attempt that follows.
    private let gaps: [Int: RetryGap]

    /// More lines than these are left out in the middle.
    private static let shownRungs = 40
    /// Changes that are shown after one rung.
    private static let shownChanges = 5

    init(
        _ transfer: Transfer,
        changes: [Timed<LiveChange>] = [],
        width: Int,
        usesUnicode: Bool
    ) {
        self.transfer = transfer
        self.width = width
        ladder = Ladder(transfer, changes: changes)
        gaps = Dictionary(transfer.gaps.map { ($0.next, $0) }) { first, _ in first }
        self.usesUnicode = usesUnicode
        labelWidth = width < 70 ? 20 : width < 100 ? 34 : 44
        barWidth = max(10, min(width, 200) - Self.margin - 1 - labelWidth)
    }

    private static let margin = 5

    /// What the characters mean, once for a report.
    static func legend(usesUnicode: Bool) -> StyledLine {
        let marks = Marks(usesUnicode: usesUnicode)
        var line = StyledLine("     ")
        for (mark, role, words) in [
            (marks.new, .good, "new"), (marks.again, .warning, "again"),
            (marks.missing, .bad, "left out"), (marks.cut, .bad, "cut"),
            (marks.learnt, .down, "offset"),
        ] as [(Character, TextStyle.Role, String)] {
            line.add(String(mark), role)
            line.add(" \(words)   ", .faint)
        }
        return line
    }

    func lines() -> [StyledLine] {
        var rungs: [StyledLine] = []
        var rest = ladder.rungs[...]
        while let first = rest.first {
            var alike = rest.prefix { isAlike($0, first) }
            if let changed = alike.firstIndex(where: { !$0.changes.isEmpty }) {
                alike = alike[...changed]
            }
            // One line may as well be the rung itself.
            let shown = alike.count > 2 ? 1 : alike.count
            rungs += alike.prefix(shown).map(line)
            if shown < alike.count { rungs.append(note("\(alike.count - shown) more alike")) }
            rungs += changes(after: alike.last)
            rest = rest.dropFirst(alike.count)
        }
        let left = rungs.count - Self.shownRungs
        guard left > 1 else { return [axis] + rungs }
        let half = Self.shownRungs / 2
        return [axis] + rungs.prefix(half) + [note("\(left) lines left out")] + rungs.suffix(half)
    }

    private func changes(after rung: Ladder.Rung?) -> [StyledLine] {
        ChangeText.lines(rung?.changes ?? [], limit: Self.shownChanges).map { words in
            let mark = String(repeating: " ", count: Self.margin) + "~ "
            return StyledLine(TextLayout.clip(mark + words, to: width), .warning)
        }
    }

    private func note(_ words: String) -> StyledLine {
        StyledLine(String(repeating: " ", count: Self.margin) + "… \(words)", .faint)
    }

    /// Whether two attempts look the same but for their times.
    private func isAlike(_ one: Ladder.Rung, _ other: Ladder.Rung) -> Bool {
        let (first, second) = (transfer.attempts[one.attempt], transfer.attempts[other.attempt])
        let words = [first, second].map { AttemptWords($0, gap: nil).text(width: 100) }
        return words[0] == words[1] && one.segments == other.segments && one.cut == other.cut
            && one.learnt == other.learnt
    }

    private var axis: StyledLine {
        var line = StyledLine("     0", .faint)
        let end = Figures.bytes(ladder.length)
        if barWidth >= 40 {
            let half = Figures.bytes(ladder.length / 2)
            line.pad(to: Self.margin + (barWidth - half.count) / 2)
            line.add(half, .faint)
        }
        line.pad(to: Self.margin + barWidth - end.count)
        line.add(end, .faint)
        return line
    }

    private func line(_ rung: Ladder.Rung) -> StyledLine {
        let attempt = transfer.attempts[rung.attempt]
        var line = StyledLine(TextLayout.padLeft("\(rung.attempt + 1) ", to: Self.margin), .faint)
        var cells = cells(rung)[...]
        while let first = cells.first {
            let run = cells.prefix { $0.role == first.role }
            line.add(String(run.map(\.character)), first.role)
            cells = cells.dropFirst(run.count)
        }
        line.add(" ")
        let label = AttemptWords(attempt, gap: gaps[rung.attempt])
        line.add(TextLayout.clip(label.text(width: labelWidth), to: labelWidth), label.role)
        return line
    }

    private struct Cell {
        var character: Character
        var role: TextStyle.Role?
    }

    private func cells(_ rung: Ladder.Rung) -> [Cell] {
        let marks = Marks(usesUnicode: usesUnicode)
        var cells = [Cell](repeating: Cell(character: " ", role: nil), count: barWidth)
        for segment in rung.segments {
            let (character, role): (Character, TextStyle.Role) =
                switch segment.kind {
                case .new: (marks.new, .good)
                case .again: (marks.again, .warning)
                case .missing: (marks.missing, .bad)
                }
            for column in columns(segment.range) {
                cells[column] = Cell(character: character, role: role)
            }
        }
        for offset in rung.learnt {
            cells[column(offset)] = Cell(character: marks.learnt, role: .down)
        }
        if let cut = rung.cut { cells[column(cut)] = Cell(character: marks.cut, role: .bad) }
        return cells
    }

    /// The column of an offset; the end is in the last one.
    private func column(_ offset: UInt64) -> Int {
        guard ladder.length > 0 else { return 0 }
        let place = Int(Double(offset) / Double(ladder.length) * Double(barWidth))
        return min(max(place, 0), barWidth - 1)
    }

    /// The columns of a range, at least one.
    private func columns(_ range: Range<UInt64>) -> ClosedRange<Int> {
        let first = column(range.lowerBound)
        return first...max(first, column(range.upperBound - min(1, UInt64(range.count))))
    }

    private struct Marks {
        let new: Character
        let again: Character
        let missing: Character
        let cut: Character
        let learnt: Character

        init(usesUnicode: Bool) {
            (new, again, missing, cut, learnt) =
                usesUnicode ? ("█", "▒", "·", "×", "◆") : ("=", "#", ".", "x", "o")
        }
    }
}
