internal import Analysis
internal import Basics
internal import Faults

// The first lines of a report: what was tried and found, what was not tried and why, and what to do.
extension ReportText {
    var opening: [String] {
        guard report.baseline != nil else { return [] }
        return ["tried      \(tried)", "found      \(found)"]
            + cautions.map { "caution    \($0)" }
            + (notTried.isEmpty ? [] : ["not tried  \(notTried.joined(separator: "; "))"])
            + ["next       \(next)", ""]
    }

    /// Effects that had a place, in order of simplicity.
    private var usedEffects: Set<Effect.Kind> {
        Set(report.records.filter(\.isCounted).flatMap { $0.point.faults.map(\.effect.kind) })
    }

    private var tried: String {
        let used = usedEffects
        let names = Effect.Kind.searched.filter(used.contains).map(\.name)
        let points = "\(report.counts.total) point\(report.counts.total == 1 ? "" : "s")"
        let time = report.elapsedMilliseconds.map { " in \(($0 + 500) / 1_000) s" } ?? ""
        let speed =
            report.settings.warp > 1
            ? ", \(report.settings.warp) times as fast, findings at real speed" : ""
        return points + (names.isEmpty ? "" : " of \(names.joined(separator: ", "))") + time + speed
    }

    private var found: String {
        guard case .findings(let census) = report.verdict else {
            return "no failure: \(report.verdict.reason)"
        }
        return census
    }

    /// What makes the rest worth less than it looks.
    private var cautions: [String] {
        var lines: [String] = []
        if let refusal = report.baseline?.refusal {
            lines.append("without faults the server answers \(refusal); is the path right?")
        }
        if report.baseline?.oracle == BaselineSummary.Oracle.none {
            lines.append(
                "nothing says whether a result is right: write {out} in CMD for its file, or give"
                    + " --same, --fetch-check or --server-check"
            )
        }
        return lines
    }

    private var notTried: [String] {
        let used = usedEffects
        let idle = report.settings.effects.filter { !used.contains($0) }.map(\.name)
        // Lookups are tried only where linkcond answers them.
        let others = Effect.Kind.searched.filter {
            $0 != .query && !report.settings.effects.contains($0) && !used.contains($0)
        }.map(\.name)
        var parts: [String] = []
        if !report.isComplete {
            let names = Self.names(idle)
            parts.append(
                (idle.isEmpty ? "" : "\(names), and ")
                    + "the rest of the points: the search was cut short"
            )
        } else if !idle.isEmpty {
            parts.append("\(Self.names(idle)): nothing here to apply them to")
        }
        if !others.isEmpty { parts.append("\(Self.names(others)): --effects all") }
        if report.settings.depth == 1 { parts.append("a second fault in a recovery: --depth 2") }
        return parts
    }

    /// A few names; the help has the list.
    private static func names(_ names: [String]) -> String {
        guard names.count > namedEffects else { return names.joined(separator: ", ") }
        return names.prefix(namedEffects).joined(separator: ", ")
            + " and \(names.count - namedEffects) more effects"
    }

    private static let namedEffects = 5

    private var next: String {
        let findings = report.findings.filter { !known.contains($0.id) }
        if let first = findings.first(where: \.kind.isFailure) {
            return findings.allSatisfy { $0.remedy != nil }
                ? "follow the remedy below, then explore again"
                : "run the repeat line of \(first.id)"
        }
        guard known.isEmpty else { return "nothing new; the known findings remain" }
        switch report.verdict {
        case .inconclusive: return "see the last line for what proves nothing"
        case .passed where !report.isComplete: return "run it again with more time (--time)"
        case .passed where report.settings.depth == 1: return "--depth 2, or --effects all"
        case .passed, .findings: return "put the command line into continuous integration"
        }
    }
}
