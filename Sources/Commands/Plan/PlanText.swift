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
        [title, ""] + facts() + chart.lines() + list("Losses", losses()) + list("Stalls", stalls())
    }

    private var title: String {
        let way = PlanJSON.name(model.direction)
        let each = model.connections == 1 ? "" : " each on \(model.connections) connections"
        return style(.heading, "plan") + " \(profile), seed \(model.seed): "
            + "\(Figures.bytes(model.bytes)) \(way)\(model.http == nil ? "" : " over HTTP")\(each)"
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

    private var chart: RateChart {
        RateChart(
            throughput: prediction.throughput,
            end: prediction.end,
            capacity: model.settings[model.direction].capacity,
            direction: model.direction,
            losses: prediction.packets.losses,
            stalls: prediction.stalls,
            width: width,
            style: style,
            usesUnicode: usesUnicode
        )
    }

    // MARK: Lists

    private func losses() -> [String] {
        prediction.packets.losses.map { loss in
            let way = PlanJSON.name(loss.stream.direction)
            let place = loss.kind == .data ? " byte \(Figures.grouped(UInt64(loss.offset)))" : ""
            return "\(time(loss.enter))  c\(loss.stream.connection + 1) \(way) "
                + "\(loss.kind.rawValue)\(place): \(loss.fate.words)"
        }
    }

    private func stalls() -> [String] {
        prediction.stalls.map { stall in
            "\(time(stall.begin))  c\(stall.connection + 1): nothing for "
                + Figures.time(stall.length)
        }
    }

    private func time(_ instant: Instant) -> String { Self.time(instant) }

    private func list(_ title: String, _ items: [String]) -> [String] {
        Self.list(title, items, style)
    }

    // What the other kind of plan shows alike.

    static func time(_ instant: Instant) -> String {
        let seconds = Figures.fixed(
            UInt64(max(0, instant.nanoseconds)),
            scale: 1_000_000_000,
            decimals: 3
        )
        return TextLayout.padLeft(seconds, to: 9) + " s"
    }

    static func list(_ title: String, _ items: [String], _ style: TextStyle) -> [String] {
        guard !items.isEmpty else { return [] }
        let more = items.count - Self.listLimit
        return ["", style(.heading, title)] + items.prefix(Self.listLimit)
            + (more > 0 ? ["      ... and \(more) more (--json or --packets has all)"] : [])
    }
}

extension PacketRecord.Fate {
    var words: String { self == .full ? "queue full" : rawValue }
}
