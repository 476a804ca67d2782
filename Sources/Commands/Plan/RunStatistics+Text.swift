internal import Basics
internal import Faults
internal import Planning

/// Many runs as JSON and as text.
extension RunStatistics {
    func json(profile: String, model: TransferModel) -> JSONValue {
        var percentiles = JSONObject()
        for percent in Self.percentiles {
            percentiles.append("p\(percent)", nanoseconds(percentile(percent)))
        }
        return [
            "v": 1, "profile": .string(profile), "firstSeed": .number(model.seed),
            "bytes": .number(model.bytes), "direction": .string(PlanJSON.name(model.direction)),
            "connectionCount": .number(model.connections), "isHTTP": .bool(model.http != nil),
            "runCount": .number(runs.count), "failureCount": .number(failureCount),
            "meanNanoseconds": nanoseconds(mean),
            "completionNanoseconds": .object(percentiles),
            "neverReached": .array(neverReached.map(PlanJSON.fault)),
            "notPredicted": .array(notPredicted.map { .string($0) }),
            "runs": .array(
                runs.map { run in
                    [
                        "seed": .number(run.seed),
                        "completionNanoseconds": nanoseconds(run.completion),
                        "dropped": .number(run.droppedPackets), "stalls": .number(run.stalls),
                    ]
                }
            ),
        ]
    }

    private func nanoseconds(_ duration: Duration?) -> JSONValue {
        duration.map { .number($0.nanoseconds) } ?? .null
    }

    func lines(
        profile: String,
        model: TransferModel,
        width: Int,
        style: TextStyle,
        usesUnicode: Bool
    ) -> [String] {
        let way = PlanJSON.name(model.direction) + (model.http == nil ? "" : " over HTTP")
        let last = model.seed &+ UInt64(max(1, runs.count)) &- 1
        var lines = [
            "plan \(profile): \(Figures.bytes(model.bytes)) \(way), seeds \(model.seed) to \(last)",
            "",
        ]
        lines.append(
            "  completed  \(runs.count - failureCount) of \(runs.count)"
                + (mean.map { ", mean \(Figures.time($0))" } ?? "")
        )
        for percent in Self.percentiles {
            guard let time = percentile(percent) else { continue }
            lines.append("  p" + TextLayout.pad("\(percent)", to: 10) + Figures.time(time))
        }
        for (label, fault) in PlanText.faults(neverReached, notPredicted, style) {
            lines.append("  \(label)  \(fault)")
        }
        guard let chart = histogram(columns: min(max(width - 4, 10), 60), usesUnicode) else {
            return lines
        }
        return lines + [""] + chart
    }

    /// How many runs took how long, from the fastest to the slowest.
    private func histogram(columns: Int, _ usesUnicode: Bool) -> [String]? {
        let sorted = completions
        guard let first = sorted.first, let last = sorted.last, first < last else { return nil }
        let span = (last - first).nanoseconds / Int64(columns) + 1
        var counts = [UInt64](repeating: 0, count: columns)
        for time in sorted { counts[Int((time - first).nanoseconds / span)] += 1 }
        let plot = Plot(
            values: counts,
            top: counts.max() ?? 1,
            rows: 5,
            usesUnicode: usesUnicode
        )
        let begin = Figures.time(first)
        let end = Figures.time(last)
        return plot.lines().map { "  \($0)" } + [
            "  " + TextLayout.pad(begin, to: max(0, columns - end.count)) + end
        ]
    }
}
