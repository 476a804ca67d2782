internal import Analysis
internal import Basics
internal import Faults

// The first lines of a report: what was tried and found, what was not tried and why, and what to do.
extension ReportText {
    var opening: [String] {
        guard report.baseline != nil else { return [] }
        return ["tried      \(tried)", "found      \(found)"] + warnings
            + cautions.map { "caution    \($0)" }
            + (notTried.isEmpty ? [] : ["not tried  \(notTried.joined(separator: "; "))"])
            + ["next       \(next)", ""]
    }

    /// Effects that had a place.
    private var usedEffects: Set<Effect.Kind> {
        Set(report.records.filter(\.isCounted).flatMap { $0.point.faults.map(\.effect.kind) })
    }

    /// Those of them that acted alone, and those that only acted beside another.
    private var effectNames: String {
        let single = Set(
            report.records.filter { $0.isCounted && $0.isSingle }
                .flatMap { $0.point.faults.map(\.effect.kind) }
        )
        let used = usedEffects
        let all = Effect.Kind.searched.filter { used.contains($0) }
        let names = { (kinds: [Effect.Kind]) in kinds.map(\.name).joined(separator: ", ") }
        let alone = names(all.filter { single.contains($0) })
        let beside = names(all.filter { !single.contains($0) })
        guard !beside.isEmpty else { return alone }
        return alone.isEmpty ? beside : "\(alone) (only with another fault: \(beside))"
    }

    private var tried: String {
        let names = effectNames
        let points = "\(report.counts.total) point\(report.counts.total == 1 ? "" : "s")"
        let time = report.elapsedMilliseconds.map { " in \(($0 + 500) / 1_000) s" } ?? ""
        let speed =
            report.settings.warp > 1
            ? ", \(report.settings.warp) times as fast, findings at real speed" : ""
        return points + (names.isEmpty ? "" : " of \(names)") + time + speed + again
    }

    /// As in `; the first 2 failed in an earlier exploration`.
    private var again: String {
        let count = report.records.count { $0.purpose == .remembered }
        guard count > 0 else { return "" }
        return "; the first \(count == 1 ? "one" : "\(count)") failed in an earlier exploration"
    }

    /// Rules that fail nothing, but are worth a look: what a server asks for may be among them.
    private var warnings: [String] {
        let names = report.advice.filter { $0.level == .warning }.map(\.check.rawValue)
        return names.isEmpty ? [] : ["warnings   \(names.joined(separator: ", ")); see below"]
    }

    private var found: String {
        switch report.verdict {
        case .passed(let reason), .findings(let reason): reason
        case .inconclusive(let reason) where !report.findings.isEmpty: reason
        case .inconclusive(let reason):
            (report.counts.failed == 0 ? "no failure, but " : "nothing certain: ") + reason
        }
    }

    /// What makes the rest worth less than it looks.
    private var cautions: [String] {
        var lines: [String] = []
        if let refusal = report.baseline?.refusal {
            lines.append("without faults the server answers \(refusal); is the path right?")
        }
        if let alteration = report.baseline?.alteration {
            lines.append(
                "without faults {out} has \(alteration); if it should be the same, give"
                    + " --fetch-check '{out}=PATH'"
            )
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
        let idle = report.settings.effects.filter { !used.contains($0) }
        var parts: [String] = []
        if !report.isComplete {
            parts.append(
                (idle.isEmpty ? "" : "\(Self.names(idle)), and ")
                    + "\(remainder): the search was cut short"
            )
        } else if !idle.isEmpty {
            parts.append("\(Self.names(idle)): nothing to act on here")
        }
        // Who names a few effects knows that there are others.
        let isOfAFew = Effect.Kind.standard.contains {
            $0 != .query && !report.settings.effects.contains($0)
        }
        if !untriedEffects.isEmpty, !isOfAFew {
            parts.append("\(Self.names(untriedEffects)): --effects all")
        }
        if report.settings.depth == 1 {
            let faults = hasSecondCuts ? "other second faults" : "a second fault"
            parts.append("\(faults) in a recovery: --depth 2")
        }
        return parts
    }

    /// Whether what was left of a limit went to second faults, cuts among them.
    private var hasSecondCuts: Bool {
        report.records.contains { $0.purpose == .pair && $0.point.families == [.end] }
    }

    /// Effects that were not asked for; lookups are tried only where linkcond answers them.
    private var untriedEffects: [Effect.Kind] {
        let used = usedEffects
        return Effect.Kind.searched.filter {
            $0 != .query && !report.settings.effects.contains($0) && !used.contains($0)
        }
    }

    /// What is left of a search that was cut short; more would have followed from it.
    private var remainder: String {
        let count = report.remainingPoints
        guard count > 0 else { return "the rest of the points" }
        return "at least \(count) more point\(count == 1 ? "" : "s")"
    }

    /// The first names, and how many there are besides; the help has the list.
    private static func names(_ effects: [Effect.Kind]) -> String {
        effects.map(\.name).shortList(atMost: namedEffects, separator: ", ")
    }

    private static let namedEffects = 4

    private var next: String {
        let findings = report.findings.filter { !known.contains($0.id) }
        if let first = findings.first(where: \.kind.isFailure) {
            return findings.allSatisfy { $0.remedy != nil }
                ? "follow the remedy below, then explore again"
                : "run the repeat line of \(first.id)"
        }
        let further = "search on, with a longer --time or more --runs"
        switch report.verdict {
        case .inconclusive where !report.isComplete:
            return "\(further); the last line says what proves nothing"
        case .inconclusive: return "see the last line for what proves nothing"
        case .passed where !report.isComplete: return further
        case .passed, .findings: break
        }
        guard known.isEmpty else { return "nothing new; the known findings remain" }
        let options =
            (report.settings.depth == 1 ? ["--depth 2"] : [])
            + (untriedEffects.isEmpty ? [] : ["--effects all"])
        guard options.isEmpty else { return options.joined(separator: ", or ") }
        return (report.hasMore ? "\(further), or " : "")
            + "put the command line into continuous integration"
    }
}
