internal import Basics
internal import LinkEngine

/// One direction of the link on several lines: its rate over time under its ceiling, and its queue.
struct RateGraph {
    let flow: LiveState.Flow
    /// What the link allows; nil for no limit.
    let ceiling: UInt64?
    let width: Int
    /// Lines of the rate.
    let rows: Int
    let usesUnicode: Bool

    /// Columns of the scale with its line.
    private static let margin = 15
    /// Below this share of the ceiling the scale follows the rate, or nothing would be seen.
    private static let leastShare: UInt64 = 20
    /// Rates above the ceiling by no more than this share of it are drawn as high as the ceiling.
    private static let burstShare: UInt64 = 8

    func lines(_ role: TextStyle.Role) -> [StyledLine] {
        guard columns > 0, rows > 0 else { return [] }
        return rate(role) + [queue(role)]
    }

    private var columns: Int { max(0, min(LiveState.historyLength, width - Self.margin)) }

    /// The value at the top of the scale, and the row of the ceiling; nil where it is not drawn.
    private var scale: (top: UInt64, ceilingRow: Int?) {
        let shown = Array(flow.history.suffix(columns))
        let peak = max(1, shown.max() ?? 0)
        guard let ceiling, ceiling > 0, peak >= ceiling / Self.leastShare else {
            return (peak, nil)
        }
        // A late machine catches up in a burst, which the link as such does not allow: one sample.
        // What lasts longer was under another ceiling.
        let lasting =
            shown.indices.dropFirst(2).map { place in
                shown[place - 2...place].sorted()[1]
            }.max() ?? 0
        guard lasting > ceiling + ceiling / Self.burstShare else { return (ceiling, 0) }
        let (high, low) = ceiling.multipliedFullWidth(by: UInt64(rows))
        let row = Int(lasting.dividingFullWidth((high, low)).quotient)
        return (lasting, rows - 1 - min(rows - 1, row))
    }

    private func rate(_ role: TextStyle.Role) -> [StyledLine] {
        let (top, ceilingRow) = scale
        let plot = Plot(
            values: flow.history.suffix(columns).map { min($0, top) },
            top: top,
            rows: rows,
            usesUnicode: usesUnicode
        )
        return plot.lines().enumerated().map { row, text in
            let label = row == 0 ? Figures.rate(bitsPerSecond: top) : row == rows - 1 ? "0" : ""
            var line = axis(label, isTick: row == 0 || row == rows - 1)
            let drawn = TextLayout.padLeft(text, to: columns)
            guard row == ceilingRow else {
                line.add(drawn, role)
                return line
            }
            let rate = row == 0 ? nil : ceiling.map { Figures.rate(bitsPerSecond: $0) }
            addCeiling(rate, around: drawn, role, to: &line)
            return line
        }
    }

    /// The ceiling is drawn where the rate leaves room, with its name in the widest gap.
    private func addCeiling(
        _ rate: String?,
        around drawn: String,
        _ role: TextStyle.Role,
        to line: inout StyledLine
    ) {
        let pieces = Self.pieces(of: drawn)
        let gaps = pieces.indices.filter { pieces[$0].first == " " }
        let widest = gaps.max { pieces[$0].count < pieces[$1].count }
        let names = [rate.map { " ceiling \($0) " }, " ceiling "].compactMap(\.self)
        let name = names.first { $0.count < widest.map { pieces[$0].count } ?? 0 } ?? ""
        let dash = usesUnicode ? "┄" : "-"
        for (place, piece) in pieces.enumerated() {
            guard piece.first == " " else {
                line.add(piece, role)
                continue
            }
            let own = place == widest ? name : ""
            line.add(String(repeating: dash, count: piece.count - own.count) + own, .faint)
        }
    }

    /// A line in pieces that are all spaces or have none.
    private static func pieces(of text: String) -> [String] {
        var pieces: [String] = []
        for character in text {
            if let last = pieces.last?.last, (last == " ") == (character == " ") {
                pieces[pieces.count - 1].append(character)
            } else {
                pieces.append(String(character))
            }
        }
        return pieces
    }

    private func queue(_ role: TextStyle.Role) -> StyledLine {
        let values = Array(flow.queueHistory.suffix(columns))
        let top = max(1, values.max() ?? 0)
        let label = top > 1 ? "queue \(Figures.bytes(top))" : "queue 0"
        var line = axis(label, isTick: true)
        let text = Plot.sparkline(values, top: top, usesUnicode: usesUnicode)
        line.add(TextLayout.padLeft(text, to: columns), .faint)
        return line
    }

    private func axis(_ label: String, isTick: Bool) -> StyledLine {
        let tick = usesUnicode ? (isTick ? "┤" : "│") : "|"
        let text = TextLayout.clip(label, to: Self.margin - 1)
        return StyledLine(TextLayout.padLeft(text, to: Self.margin - 1) + tick, .faint)
    }
}
