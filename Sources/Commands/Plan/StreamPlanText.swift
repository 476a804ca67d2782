internal import Basics
internal import Faults
internal import LinkEngine
internal import Planning

/// A prediction of streams of datagrams, as text for a terminal of a given width.
struct StreamPlanText {
    let prediction: StreamPrediction
    let profile: String
    let width: Int
    let style: TextStyle
    let usesUnicode: Bool

    private var model: StreamModel { prediction.model }

    func lines() -> [String] {
        [title, ""] + facts() + chart.lines() + PlanText.list("Losses", losses(), style)
    }

    private var title: String {
        let streams = model.flows == 1 ? "" : "\(model.flows) streams of "
        return style(.heading, "plan") + " \(profile), seed \(model.seed): \(streams)"
            + "\(Figures.rate(bitsPerSecond: model.rate.bitsPerSecond)) "
            + "\(PlanJSON.name(model.direction)) for \(Figures.time(model.time)), in datagrams of "
            + "\(Figures.grouped(UInt64(model.length))) bytes"
    }

    // MARK: Facts

    private func facts() -> [String] {
        var lines: [String] = []
        for (index, flow) in prediction.flows.enumerated() {
            if model.flows > 1 { lines += index == 0 ? [] : [""] }
            if model.flows > 1 { lines.append("  " + style(.heading, "u\(index + 1)")) }
            lines += facts(of: flow).map { row($0.0, $0.1) }
        }
        let faults = PlanText.faults(prediction.neverReached, prediction.notPredicted, style)
        return lines + faults.map { row($0.0, $0.1) }
    }

    private func row(_ name: String, _ value: String) -> String {
        "  " + TextLayout.pad(name, to: 17) + value
    }

    private func facts(of flow: StreamPrediction.Flow) -> [(String, String)] {
        var facts = [("sent", Figures.count(Int(flow.sent), "datagram"))]
        let extra = flow.duplicates == 0 ? "" : ", and \(flow.duplicates) twice"
        let share = percent(flow.arrived, of: flow.sent)
        facts.append(("arrived", "\(flow.arrived) (\(share))\(extra)"))
        facts.append(("lost", losses(of: flow)))
        facts.append(("delay", delays(of: flow)))
        facts.append(("jitter", "\(Figures.time(flow.jitter)) (RFC 3550)"))
        facts.append(("out of order", "\(flow.late)"))
        facts.append(("longest gap", Figures.time(flow.longestGap)))
        return facts
    }

    private func percent(_ part: UInt64, of whole: UInt64) -> String {
        Figures.fixed(part * 100, scale: max(1, whole), decimals: 1) + " %"
    }

    private func losses(of flow: StreamPrediction.Flow) -> String {
        guard flow.lost > 0 else { return "0" }
        var parts: [String] = []
        if model.flows == 1 {
            let counts = prediction.packets[model.direction]
            parts = [
                ("by faults", Int(flow.dropped)), ("on the link", counts.lost),
                ("queue full", counts.full), ("outage", counts.outage),
            ].filter { $0.1 > 0 }.map { "\($0.1) \($0.0)" }
        }
        parts.append("at most \(flow.longestLoss) in a row")
        return "\(flow.lost) (\(parts.joined(separator: ", ")))"
    }

    private func delays(of flow: StreamPrediction.Flow) -> String {
        guard let longest = flow.delays.last else { return "-" }
        let parts = [("median", 50), ("p95", 95), ("p99", 99)].compactMap { name, percent in
            flow.delay(percentile: percent).map { "\(name) \(Figures.time($0))" }
        }
        return parts.joined(separator: ", ") + ", longest \(Figures.time(longest))"
    }

    // MARK: Chart and list

    private var chart: RateChart {
        RateChart(
            throughput: prediction.throughput,
            end: prediction.end,
            capacity: model.settings[model.direction].capacity,
            direction: model.direction,
            losses: prediction.packets.losses,
            stalls: [],
            width: width,
            style: style,
            usesUnicode: usesUnicode
        )
    }

    private func losses() -> [String] {
        prediction.packets.losses.map { loss in
            let flow = loss.stream.connection - Stream.firstFlow + 1
            return "\(PlanText.time(loss.enter))  u\(flow) \(PlanJSON.name(loss.stream.direction))"
                + "#\(loss.offset + 1): \(loss.fate.words)"
        }
    }
}
