internal import Basics
internal import LinkEngine
internal import Planning

/// What was delivered over time, as columns, with losses and stalls below.
struct RateChart {
    let throughput: ThroughputSeries
    let end: Instant
    let capacity: Capacity
    let direction: Direction
    let losses: [PacketRecord]
    let stalls: [Prediction.Stall]
    let width: Int
    let style: TextStyle
    let usesUnicode: Bool

    /// Empty if nothing would rise above its floor, as when everything came at once.
    func lines() -> [String] {
        let margin = 14
        let columns = min(max(width - margin - 2, 10), 120)
        let rates = rates(columns: columns)
        guard rates.contains(where: { $0 > 0 }) else { return [] }
        let ceiling = ceiling(rates)
        let plot = Plot(
            values: rates.map { min($0, ceiling) },
            top: ceiling,
            rows: 8,
            usesUnicode: usesUnicode
        )
        let (wall, corner, floor) = usesUnicode ? ("│", "└", "─") : ("|", "+", "-")
        let role: TextStyle.Role = direction == .down ? .down : .up
        var lines = [""]
        lines += plot.lines().enumerated().map { row, text in
            let label = row == 0 ? Figures.rate(bitsPerSecond: ceiling) : ""
            return TextLayout.padLeft(label, to: margin - 1) + " " + wall + style(role, text)
        }
        lines.append(
            TextLayout.padLeft("0", to: margin - 1) + " " + corner
                + String(repeating: floor, count: columns)
        )
        let marks = marks(rates.map { $0 > ceiling })
        if marks.contains(where: { $0 != " " }) {
            lines.append(String(repeating: " ", count: margin + 1) + style(.warning, marks))
        }
        let last = Figures.time(end - .start)
        let axis = TextLayout.pad("0 s", to: max(0, columns - last.count)) + last
        lines.append(String(repeating: " ", count: margin + 1) + axis)
        return lines + legend(marks)
    }

    /// The mean rate at each column.
    ///
    /// A column that is shorter than four packets of the link would show packets, not a rate, so
    /// several neighbours then share one span.
    private func rates(columns: Int) -> [UInt64] {
        var spans = columns
        if case .rate(let rate) = capacity {
            let shortest = rate.serializationTime(bytes: 4 * 1_500).nanoseconds
            let fitting = end.nanoseconds / max(1, shortest)
            spans = min(columns, max(8, Int(clamping: fitting)))
        }
        let rates = throughput.rates(columns: spans, until: end)
        guard !rates.isEmpty else { return [] }
        return (0..<columns).map { rates[$0 * spans / columns] }
    }

    /// The highest rate, but no more than the link's own.
    ///
    /// When a lost packet arrives at last, all that waited behind it is delivered in one instant;
    /// such a burst would make the rest of the chart flat.
    private func ceiling(_ rates: [UInt64]) -> UInt64 {
        let highest = max(1, rates.max() ?? 1)
        guard case .rate(let rate) = capacity else {
            return highest
        }
        return min(highest, rate.bitsPerSecond)
    }

    private func legend(_ marks: String) -> [String] {
        let meanings = [("x", "loss"), ("=", "stall"), ("^", "burst above the chart")]
            .filter { marks.contains($0.0) }.map { "\($0.0) \($0.1)" }
        guard !meanings.isEmpty else { return [] }
        return [String(repeating: " ", count: 15) + meanings.joined(separator: "   ")]
    }

    private func marks(_ bursts: [Bool]) -> String {
        let columns = bursts.count
        var marks: [Character] = bursts.map { $0 ? "^" : " " }
        for stall in stalls {
            for column in self.column(stall.begin, columns)...self.column(stall.end, columns) {
                marks[column] = "="
            }
        }
        for loss in losses where loss.enter <= end {
            marks[column(loss.enter, columns)] = "x"
        }
        return String(marks)
    }

    private func column(_ instant: Instant, _ columns: Int) -> Int {
        let share = instant.nanoseconds / max(1, end.nanoseconds / Int64(columns))
        return min(Int(share), columns - 1)
    }
}
