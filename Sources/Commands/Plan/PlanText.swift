internal import Basics
internal import Faults
internal import LinkEngine
internal import Planning

/// A prediction as text for a terminal of a given width.
struct PlanText {
    let prediction: Prediction
    let profile: String
    let width: Int
    let style: TextStyle
    let usesUnicode: Bool

    /// The most losses and stalls that are listed one by one.
    static let listLimit = 12

    private var model: TransferModel { prediction.model }

    func lines() -> [String] {
        [title, ""] + facts() + chart() + list("Losses", losses()) + list("Stalls", stalls())
    }

    private var title: String {
        let way = PlanJSON.name(model.direction)
        let each = model.connections == 1 ? "" : " each on \(model.connections) connections"
        return style(.heading, "plan") + " \(profile), seed \(model.seed): "
            + "\(Figures.bytes(model.bytes)) \(way)\(each)"
    }

    // MARK: Facts

    private func facts() -> [String] {
        var facts = [("complete after", completion)]
        if let first = prediction.connections.compactMap(\.firstByte).min() {
            facts.append(("first byte", Figures.time(first - .start)))
        }
        if let rate = prediction.goodputBitsPerSecond {
            facts.append(("goodput", Figures.rate(bitsPerSecond: rate)))
        }
        facts.append(("packets", "\(count(.down)) down, \(count(.up)) up"))
        facts.append(("dropped", "\(dropped(.down)) down, \(dropped(.up)) up"))
        facts.append(("stalls", stallSummary))
        facts += Self.faults(prediction.neverReached, prediction.notPredicted, style)
        return facts.map { "  " + TextLayout.pad($0.0, to: 17) + $0.1 }
    }

    /// The faults that changed nothing, so that a mistyped one does not look like a good one.
    static func faults(
        _ neverReached: [FaultLedger.Row],
        _ notPredicted: [String],
        _ style: TextStyle
    ) -> [(String, String)] {
        neverReached.map { ("never reached", style(.warning, "\($0.id) (\($0.reason))")) }
            + notPredicted.map { ("not predicted", $0) }
    }

    private var completion: String {
        if let completion = prediction.completion { return Figures.time(completion - .start) }
        return style(.warning, "never") + ": " + endings()
    }

    /// What became of the connections that did not complete, the first of each kind in words.
    private func endings() -> String {
        var phrases: [String] = []
        for (index, connection) in prediction.connections.enumerated() {
            guard let phrase = ending(connection) else { continue }
            if phrases.count == 3 { return phrases.joined(separator: "; ") + "; ..." }
            phrases.append("c\(index + 1) \(phrase)")
        }
        return phrases.joined(separator: "; ")
    }

    private func ending(_ connection: Prediction.Connection) -> String? {
        let received = "\(Figures.grouped(connection.delivered)) bytes"
        switch connection.ending {
        case .completed: return nil
        case .timedOut(let at): return "gives up at \(Figures.time(at - .start)) after \(received)"
        case .cut(let at, let fault):
            return "is ended by \(fault) at \(Figures.time(at - .start)) after \(received)"
        case .unfinished: return "is not done after 24 h, with \(received)"
        }
    }

    private func count(_ direction: Direction) -> String {
        Figures.grouped(UInt64(prediction.packets[direction].sent))
    }

    private func dropped(_ direction: Direction) -> String {
        let counts = prediction.packets[direction]
        let parts = [("lost", counts.lost), ("queue full", counts.full), ("outage", counts.outage)]
            .filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
        return parts.isEmpty ? "0" : "\(counts.dropped) (\(parts.joined(separator: ", ")))"
    }

    private var stallSummary: String {
        let limit = "no delivery for over \(Figures.time(model.stallThreshold))"
        guard let longest = prediction.stalls.map(\.length).max() else { return "0 (\(limit))" }
        return "\(prediction.stallCount), longest \(Figures.time(longest)) (\(limit))"
    }

    // MARK: Chart

    /// Empty if nothing would rise above its floor, as when everything came at once.
    private func chart() -> [String] {
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
        let role: TextStyle.Role = model.direction == .down ? .down : .up
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
        let end = Figures.time(prediction.end - .start)
        let axis = TextLayout.pad("0 s", to: max(0, columns - end.count)) + end
        lines.append(String(repeating: " ", count: margin + 1) + axis)
        return lines + legend(marks)
    }

    /// The mean rate at each column.
    ///
    /// A column that is shorter than four packets of the link would show packets, not a rate, so
    /// several neighbours then share one span.
    private func rates(columns: Int) -> [UInt64] {
        var spans = columns
        if case .rate(let rate) = model.settings[model.direction].capacity {
            let shortest = rate.serializationTime(bytes: 4 * 1_500).nanoseconds
            let fitting = prediction.end.nanoseconds / max(1, shortest)
            spans = min(columns, max(8, Int(clamping: fitting)))
        }
        let rates = prediction.throughput.rates(columns: spans, until: prediction.end)
        guard !rates.isEmpty else { return [] }
        return (0..<columns).map { rates[$0 * spans / columns] }
    }

    /// The highest rate, but no more than the link's own.
    ///
    /// When a lost packet arrives at last, all that waited behind it is delivered in one instant;
    /// such a burst would make the rest of the chart flat.
    private func ceiling(_ rates: [UInt64]) -> UInt64 {
        let highest = max(1, rates.max() ?? 1)
        guard case .rate(let rate) = model.settings[model.direction].capacity else {
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
        for stall in prediction.stalls {
            for column in self.column(stall.begin, columns)...self.column(stall.end, columns) {
                marks[column] = "="
            }
        }
        for loss in prediction.packets.losses where loss.enter <= prediction.end {
            marks[column(loss.enter, columns)] = "x"
        }
        return String(marks)
    }

    private func column(_ instant: Instant, _ columns: Int) -> Int {
        let share = instant.nanoseconds / max(1, prediction.end.nanoseconds / Int64(columns))
        return min(Int(share), columns - 1)
    }

    // MARK: Lists

    private func losses() -> [String] {
        prediction.packets.losses.map { loss in
            let way = PlanJSON.name(loss.stream.direction)
            let place = loss.kind == .data ? " byte \(Figures.grouped(UInt64(loss.offset)))" : ""
            let fate = loss.fate == .full ? "queue full" : loss.fate.rawValue
            return "\(time(loss.enter))  c\(loss.stream.connection + 1) \(way) "
                + "\(loss.kind.rawValue)\(place): \(fate)"
        }
    }

    private func stalls() -> [String] {
        prediction.stalls.map { stall in
            "\(time(stall.begin))  c\(stall.connection + 1): nothing for "
                + Figures.time(stall.length)
        }
    }

    private func time(_ instant: Instant) -> String {
        let seconds = Figures.fixed(
            UInt64(max(0, instant.nanoseconds)),
            scale: 1_000_000_000,
            decimals: 3
        )
        return TextLayout.padLeft(seconds, to: 9) + " s"
    }

    private func list(_ title: String, _ items: [String]) -> [String] {
        guard !items.isEmpty else { return [] }
        let more = items.count - Self.listLimit
        return ["", style(.heading, title)] + items.prefix(Self.listLimit)
            + (more > 0 ? ["      ... and \(more) more (--json or --packets has all)"] : [])
    }
}
