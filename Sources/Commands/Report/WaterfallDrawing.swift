internal import Analysis
internal import Basics
internal import Reports

/// The exchanges of a run as drawn bars on one axis of time.
struct WaterfallDrawing {
    private let waterfall: Waterfall

    /// The most rows that are drawn.
    private static let shownRows = 200
    private static let height = 14

    init(_ waterfall: Waterfall) { self.waterfall = waterfall }

    var isEmpty: Bool { waterfall.rows.isEmpty }

    private var length: Duration { waterfall.end - waterfall.begin }

    var text: String {
        let rows = waterfall.rows.prefix(Self.shownRows).map(row).joined(separator: "\n")
        let left = waterfall.rows.count - Self.shownRows
        let note = left > 0 ? "<p class=\"faint\">and \(left) more</p>" : ""
        return "<div class=\"scroll\"><table class=\"chart times\"><tbody>\n\(axis)\n\(rows)\n"
            + "</tbody></table></div>\(note)\(Self.legend)"
    }

    private static let legend: String = {
        let swatches = Waterfall.Phase.Kind.allCases.map { kind in
            "<span><svg width=\"22\" height=\"12\" aria-hidden=\"true\"><rect class=\"\(kind.rawValue)\""
                + " width=\"22\" height=\"12\"/></svg> \(kind.rawValue)</span>"
        }
        return "<p class=\"legend\">\(swatches.joined())</p>\n"
    }()

    private var axis: String {
        let texts = [(0, "start"), (25, "middle"), (50, "middle"), (75, "middle"), (100, "end")].map
        {
            place,
            anchor in
            let part = length / 100 * Int64(place)
            let time = part == .zero ? "0" : Figures.time(part)
            return "<text x=\"\(place)%\" y=\"12\" text-anchor=\"\(anchor)\">\(time)</text>"
        }
        return "<tr><td></td><td></td><td class=\"bar\"><svg width=\"100%\" height=\"16\""
            + " aria-hidden=\"true\">\(texts.joined())</svg></td><td></td><td></td></tr>"
    }

    private func row(_ row: Waterfall.Row) -> String {
        let place =
            EventText.name(row.connection) + (row.request.map { "/r\($0)" } ?? "")
        // After a status it is no part of a sentence.
        let failure = row.failure.map { $0.hasPrefix("a ") ? String($0.dropFirst(2)) : $0 }
        let end = failure ?? (row.isOver ? "" : "open")
        let begin = row.phases.first?.begin ?? .start
        let time = (row.phases.last?.end ?? begin) - begin
        return "<tr><td class=\"num\">\(place)</td>"
            + "<td class=\"name mono\">\(MarkupText.escaped(row.name))</td>"
            + "<td class=\"bar\">\(bar(row))</td>"
            + "<td class=\"num\">\(Figures.time(time))</td>"
            + "<td\(row.failure == nil ? "" : " class=\"fail\"")>"
            + MarkupText.escaped(
                [row.status.map(String.init), end.isEmpty ? nil : end].compactMap(\.self)
                    .joined(separator: ", ")
            ) + "</td></tr>"
    }

    private func bar(_ row: Waterfall.Row) -> String {
        let phases = row.phases.map { phase in
            "<rect class=\"\(phase.kind.rawValue)\""
                + " x=\"\(percent(phase.begin - waterfall.begin))%\" y=\"1\""
                + " width=\"\(percent(phase.end - phase.begin))%\""
                + " height=\"\(Self.height - 2)\"><title>\(phase.kind.rawValue)</title></rect>"
        }
        let failed = row.failure.map { _ in
            let end = (row.phases.last?.end ?? .start) - waterfall.begin
            return "<svg x=\"\(percent(end))%\" y=\"\(Self.height / 2)\">"
                + "<path class=\"cut\" d=\"M-4-4L4 4M-4 4L4-4\"/></svg>"
        }
        return
            "<svg width=\"100%\" height=\"\(Self.height)\" role=\"img\" aria-label=\"bar of time\">"
            + phases.joined() + (failed ?? "") + "</svg>"
    }

    private func percent(_ time: Duration) -> String {
        Percent.of(time.clampedNanoseconds, length.clampedNanoseconds)
    }
}
