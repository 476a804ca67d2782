internal import Analysis
internal import Basics
internal import Reports

/// A ladder as a table with drawn bars.
///
/// Places are in percent, so that a bar is as wide as its column and strokes keep their width.
struct LadderDrawing {
    private let transfer: Transfer
    private let ladder: Ladder
    /// Lines of the journal that show what is wrong; rungs with such a line are marked.
    private let evidence: Set<Int>

    /// The most rungs that are drawn: the first half and the last.
    private static let shownRungs = 200
    private static let height = 16

    /// Changes that are shown after one rung.
    private static let shownChanges = 5

    init(
        _ transfer: Transfer,
        changes: [Timed<LiveChange>] = [],
        evidence: Set<Int> = []
    ) {
        self.transfer = transfer
        self.evidence = evidence
        ladder = Ladder(transfer, changes: changes)
    }

    /// How charts show bytes that were sent again.
    static let patterns = """
        <svg class="defs" aria-hidden="true"><defs><pattern id="again" width="8" height="8" \
        patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="ground" \
        width="8" height="8"/><line class="stripe" x1="0" y1="0" x2="0" y2="8"/></pattern></defs>\
        </svg>

        """

    static let legend = """
        <p class="legend"><span>\(swatch("new")) new bytes</span>\
        <span>\(swatch("again")) sent again</span>\
        <span>\(swatch("missing")) left out</span>\
        <span><svg width="14" height="14" aria-hidden="true">\(cross(at: "7")) </svg> cut</span>\
        <span><svg width="14" height="14" aria-hidden="true">\(diamond(at: "7")) </svg> offset</span>\
        </p>

        """

    private static func swatch(_ kind: String) -> String {
        "<svg width=\"22\" height=\"12\" aria-hidden=\"true\"><rect class=\"\(kind)\" x=\"1\" y=\"1\""
            + " width=\"20\" height=\"10\"/></svg>"
    }

    private static func cross(at place: String) -> String {
        "<svg x=\"\(place)\" y=\"\(height / 2 - 1)\"><path class=\"cut\" d=\"M-5-5L5 5M-5 5L5-5\"/></svg>"
    }

    private static func diamond(at place: String) -> String {
        "<svg x=\"\(place)\" y=\"\(height / 2 - 1)\"><path class=\"told\" d=\"M0-6L6 0L0 6L-6 0Z\"/></svg>"
    }

    var text: String {
        let half = Self.shownRungs / 2
        let isLong = ladder.rungs.count > Self.shownRungs
        let shown =
            isLong ? ladder.rungs.prefix(half) + ladder.rungs.suffix(half) : ladder.rungs[...]
        let left = ladder.rungs.count - shown.count
        let note =
            left > 0 ? "<p class=\"faint\">\(left) attempts in the middle are left out.</p>" : ""
        return "<div class=\"scroll\"><table class=\"chart ladder\"><tbody>\n\(axis)\n"
            + shown.map(row).joined(separator: "\n") + "\n</tbody></table></div>\(note)"
    }

    private var axis: String {
        let marks = [
            (0, "start", UInt64(0)), (50, "middle", ladder.length / 2), (100, "end", ladder.length),
        ]
        let texts = marks.prefix(ladder.length > 0 ? marks.count : 1).map { place, anchor, offset in
            "<text x=\"\(place)%\" y=\"12\" text-anchor=\"\(anchor)\">\(offset == 0 ? "0" : Figures.bytes(offset))</text>"
        }
        return
            "<tr><td></td><td class=\"bar\"><svg width=\"100%\" height=\"16\" aria-hidden=\"true\">"
            + texts.joined() + "</svg></td><td></td><td></td><td></td><td></td></tr>"
    }

    private func row(_ rung: Ladder.Rung) -> String {
        let attempt = transfer.attempts[rung.attempt]
        let words = AttemptWords(attempt, gap: transfer.gaps.first { $0.next == rung.attempt })
        let role = attempt.failure == nil ? "" : " class=\"fail\""
        let bytes = attempt.bytes > 0 ? Figures.bytes(attempt.bytes) : ""
        let lines = attempt.line...max(attempt.line, attempt.lastLine)
        let mark = evidence.contains(where: lines.contains) ? " class=\"evidence\"" : ""
        return "<tr\(mark)><td class=\"num\">\(rung.attempt + 1)</td>"
            + "<td class=\"bar\">\(bar(rung, label: label(rung, attempt)))</td>"
            + "<td>\(MarkupText.escaped(words.kind))</td><td class=\"num\">\(bytes)</td>"
            + "<td\(role)>\(MarkupText.escaped(words.end))</td>"
            + "<td class=\"num\">\(words.wait ?? "")</td></tr>"
            + changes(after: rung)
    }

    private func changes(after rung: Ladder.Rung) -> String {
        ChangeText.lines(rung.changes, limit: Self.shownChanges).map { words in
            "\n<tr><td></td><td colspan=\"5\" class=\"inconclusive\">~"
                + " \(MarkupText.escaped(words))</td></tr>"
        }.joined()
    }

    /// What the bar shows, for who cannot see it.
    private func label(_ rung: Ladder.Rung, _ attempt: Attempt) -> String {
        guard attempt.bytes > 0 else { return "no bytes" }
        return "bytes \(attempt.start) to \(attempt.range.upperBound) of \(ladder.length)"
    }

    private func bar(_ rung: Ladder.Rung, label: String) -> String {
        let segments = rung.segments.map { segment in
            let kind =
                switch segment.kind {
                case .new: "new"
                case .again: "again"
                case .missing: "missing"
                }
            return "<rect class=\"\(kind)\" x=\"\(percent(segment.range.lowerBound))%\" y=\"2\""
                + " width=\"\(percent(UInt64(segment.range.count)))%\" height=\"\(Self.height - 4)\"/>"
        }
        let told = rung.learnt.map { Self.diamond(at: "\(percent($0))%") }
        let cut = rung.cut.map { [Self.cross(at: "\(percent($0))%")] } ?? []
        return "<svg width=\"100%\" height=\"\(Self.height)\" role=\"img\" aria-label=\"\(label)\">"
            + "<rect class=\"track\" y=\"6\" width=\"100%\" height=\"4\"/>"
            + (segments + told + cut).joined() + "</svg>"
    }

    private func percent(_ offset: UInt64) -> String {
        Percent.of(offset, ladder.length)
    }
}

/// Shares of a whole, as attributes of drawings hold them.
enum Percent {
    /// With two decimals; a whole of 0 has no shares.
    static func of(_ part: UInt64, _ whole: UInt64) -> String {
        guard whole > 0 else { return "0" }
        let hundredths = Int((Double(part) / Double(whole) * 10_000).rounded())
        return Figures.trimmed(
            Figures.fixed(UInt64(min(max(hundredths, 0), 10_000)), scale: 100, decimals: 2)
        )
    }
}
