internal import Analysis

/// What an exploration comes to, with the reason for its exit code in words.
package enum CampaignVerdict: Hashable, Sendable {
    case passed(String)
    case findings(String)
    case inconclusive(String)

    package var reason: String {
        switch self {
        case .passed(let reason), .findings(let reason), .inconclusive(let reason): reason
        }
    }
}

extension CampaignReport.Counts {
    /// Points at which the command did what is right.
    var judged: Int { passed + honest }

    /// Which of them were failures, as in `; in 89 of these runs the command gave up and said so`; empty if
    /// none was.
    var surrenders: String {
        guard honest > 0 else { return "" }
        let place = judged == 1 ? "" : " in \(honest == judged ? "all" : "\(honest)") of these runs"
        return ";\(place) the command gave up and said so"
    }

    /// What there is besides, as in `; 2 faults did not act`; empty if there is nothing.
    var remainder: String {
        var text = ""
        if tireless > 0 {
            let (prove, them) = tireless == 1 ? ("proves", "it") : ("prove", "them")
            text +=
                "; \(tireless) more \(prove) nothing: still retrying or waiting when ended; a longer"
                + " --deadline judges \(them)"
        }
        if unreached > 0 { text += "; \(unreached) fault\(unreached == 1 ? "" : "s") did not act" }
        return text
    }
}

extension CampaignReport {
    package var verdict: CampaignVerdict { verdict(without: nil) }

    /// - Parameter known: ids of findings that are no reason to fail; nil if there is no earlier report.
    /// - Returns: what it comes to without them.
    func verdict(without known: Set<String>?) -> CampaignVerdict {
        let all = findings
        let findings = all.filter { known?.contains($0.id) != true }
        let counts = counts
        if findings.contains(where: \.kind.isFailure) {
            return .findings(Self.census(findings, isNew: known != nil))
        }
        if let problem { return .inconclusive(problem.words) }
        if let other = findings.first {
            let place = findings.count == 1 ? "at" : "the first at"
            return .inconclusive(
                "\(Self.census(findings, isNew: known != nil)); \(place) \(other.position):"
                    + " \(other.reason)"
            )
        }
        if let first = repetitions.different.first {
            return .inconclusive(
                "\(repetitions.different.count) of \(repetitions.all) points that were run twice"
                    + " are not deterministic; \(first.point.schedule): \(first.judgement.reason)"
            )
        }
        if let reason = speedDoubt { return .inconclusive(reason) }
        // A client that is still retrying or waiting has neither failed nor succeeded.
        let tireless = counts.tireless
        if counts.inconclusive > tireless {
            let first = records.first {
                $0.isCounted && $0.judgement.letter == "?" && !$0.isTireless
            }
            let example = first.map { "; \($0.point.schedule): \($0.judgement.reason)" } ?? ""
            let prove = counts.inconclusive == 1 ? "proves" : "prove"
            return .inconclusive(
                "\(counts.inconclusive) of \(counts.total) points \(prove) nothing\(example)"
            )
        }
        if counts.unreached > settings.allowedUnreached {
            let first = records.first { $0.isCounted && !$0.isGuess && $0.judgement.letter == "-" }
            let example = first.map { "; \($0.judgement.reason)" } ?? ""
            return .inconclusive(
                "\(counts.unreached) of \(counts.total) faults did not act"
                    + " (--allow-unreached \(settings.allowedUnreached))\(example)"
            )
        }
        if !isComplete, settings.requiresComplete {
            return .inconclusive("the search was cut short (--require-complete)")
        }
        let end = counts.remainder + (isComplete ? "" : "; \(Self.cutShort(remainingPoints))")
        guard counts.total > 0 else { return nothingRun }
        guard counts.total > tireless else {
            return .inconclusive(
                "all \(tireless) runs were ended while the command retried or waited; a longer"
                    + " --deadline judges them"
            )
        }
        let old = all.count - findings.count
        guard old == 0 else {
            let run = counts.judged + counts.failed
            let points = run == 1 ? "1 point was" : "\(run) points were"
            return .passed("no new finding, \(old) known; \(points) run\(end)")
        }
        return .passed("no failure at \(Self.places(counts.judged))\(counts.surrenders)\(end)")
    }

    /// No point proves nothing, unless it is a share of a search whose points belong to other shards.
    var nothingRun: CampaignVerdict {
        if let shard = shards.first, shards.count == 1, shard.count > 1 {
            return .passed("no point belongs to shard \(shard.text)")
        }
        return .inconclusive(
            isComplete
                ? "nothing was run: none of the effects has a place in what the command does"
                : "no point was run before the search was cut short; give it more time"
        )
    }

    /// As in `the search was cut short, with at least 80 points left`.
    static func cutShort(_ remaining: Int) -> String {
        let words = "the search was cut short"
        guard remaining > 0 else { return words }
        return "\(words), with at least \(remaining) point\(remaining == 1 ? "" : "s") left"
    }

    /// As in `any of 160 points`.
    static func places(_ points: Int) -> String {
        points == 1 ? "1 point" : "any of \(points) points"
    }

    /// Why what was seen with a faster clock may not be so.
    private var speedDoubt: String? {
        if let first = speedChecks.different.first {
            return
                "\(speedChecks.different.count) of \(speedChecks.all) passes differ at real speed"
                + " (--warp \(settings.warp)); \(first.point.schedule): \(first.judgement.reason)"
        }
        guard settings.warp > 1, counts.failed > 0 else { return nil }
        return "\(counts.failed) failures were not confirmed at real speed; leave --warp out"
    }

    /// As in `1 finding: corrupt` or `3 findings: 2 corrupt, 1 hang`.
    static func census(_ findings: [Finding], isNew: Bool) -> String {
        let new = isNew ? "new " : ""
        if findings.count == 1 { return "1 \(new)finding: \(findings[0].kind.rawValue)" }
        let kinds = FindingClass.allCases.compactMap { kind in
            let count = findings.count { $0.kind == kind }
            return count == 0 ? nil : "\(count) \(kind.rawValue)"
        }
        return "\(findings.count) \(new)findings: \(kinds.joined(separator: ", "))"
    }
}
