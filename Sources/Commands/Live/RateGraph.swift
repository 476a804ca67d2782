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

    func lines(_ role: TextStyle.Role) -> [StyledLine] {
        guard columns > 0, rows > 0 else { return [] }
        return rate(role) + [queue(role)]
    }

    private var columns: Int { max(0, min(LiveState.historyLength, width - Self.margin)) }

    /// The value at the top of the scale, and whether that is the ceiling.
    private var scale: (top: UInt64, isCeiling: Bool) {
        let peak = max(1, flow.history.suffix(columns).max() ?? 0)
        guard let ceiling, peak >= ceiling / Self.leastShare else { return (peak, false) }
        return (ceiling, true)
    }

    private func rate(_ role: TextStyle.Role) -> [StyledLine] {
        let (top, isCeiling) = scale
        let plot = Plot(
            // A late machine catches up in bursts, which the link as such does not allow.
            values: flow.history.suffix(columns).map { min($0, top) },
            top: top,
            rows: rows,
            usesUnicode: usesUnicode
        )
        return plot.lines().enumerated().map { row, text in
            let label = row == 0 ? Figures.rate(bitsPerSecond: top) : row == rows - 1 ? "0" : ""
            var line = axis(label, isTick: row == 0 || row == rows - 1)
            let drawn = TextLayout.padLeft(text, to: columns)
            // The ceiling is drawn where the rate leaves room.
            if row == 0, isCeiling {
                let rest = text.prefix { $0 == " " }.count + columns - text.count
                let mark = "ceiling "
                if rest > mark.count {
                    let dash = usesUnicode ? "┄" : "-"
                    line.add(String(repeating: dash, count: rest - mark.count) + mark, .faint)
                    line.add(String(drawn.dropFirst(rest)), role)
                    return line
                }
            }
            line.add(drawn, role)
            return line
        }
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
