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

extension CampaignReport {
    package var verdict: CampaignVerdict {
        let findings = findings
        let failures = findings.filter(\.kind.isFailure)
        let counts = counts
        if !failures.isEmpty {
            return .findings(Self.census(failures))
        }
        if let problem { return .inconclusive(problem.words) }
        if let other = findings.first {
            return .inconclusive("\(other.kind.rawValue) at \(other.position): \(other.reason)")
        }
        if let first = repetitions.different.first {
            return .inconclusive(
                "\(repetitions.different.count) of \(repetitions.all) points that were run twice"
                    + " are not deterministic; \(first.point.schedule): \(first.judgement.reason)"
            )
        }
        if counts.inconclusive > 0 {
            let first = records.first { $0.isCounted && $0.judgement.letter == "?" }
            let example = first.map { "; \($0.point.schedule): \($0.judgement.reason)" } ?? ""
            return .inconclusive(
                "\(counts.inconclusive) of \(counts.total) runs prove nothing\(example)"
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
        let end = isComplete ? "" : "; the search was cut short"
        guard counts.total > 0 else { return .passed("nothing was run\(end)") }
        let points = counts.total == 1 ? "1 point" : "\(counts.total) points"
        return .passed("\(points) passed and every fault acted\(end)")
    }

    /// As in `1 finding: corrupt` or `3 findings: 2 corrupt, 1 hang`.
    private static func census(_ findings: [Finding]) -> String {
        if findings.count == 1 { return "1 finding: \(findings[0].kind.rawValue)" }
        let kinds = FindingClass.allCases.compactMap { kind in
            let count = findings.count { $0.kind == kind }
            return count == 0 ? nil : "\(count) \(kind.rawValue)"
        }
        return "\(findings.count) findings: \(kinds.joined(separator: ", "))"
    }
}
