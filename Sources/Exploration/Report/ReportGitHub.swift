internal import Analysis
internal import Reports

/// A report for GitHub Actions: annotations on standard output, and a step summary in Markdown.
package enum ReportGitHub {
    /// GitHub shows ten annotations of each kind for a step; one is kept for the sum.
    package static let annotations = 9
    /// Below GitHub's limit of 1 MiB for a step.
    package static let summaryBytes = 1_000_000

    package static func annotations(_ report: SuiteReport) -> [String] {
        let replay = SuiteText(report)
        let shown = report.findings.prefix(annotations).map { shared in
            let finding = shared.finding
            let isFailure = finding.kind.isFailure && !report.isKnown(shared)
            return GitHubCommand.annotation(
                isFailure ? .error : .warning,
                title: "\(finding.kind.rawValue): \(finding.position)",
                [finding.reason, replay.command(for: shared)].joined(separator: "\n")
            )
        }
        let level: GitHubCommand.Level =
            switch report.verdict {
            case .passed: .notice
            case .findings: .error
            case .inconclusive: .warning
            }
        let sum = GitHubCommand.annotation(
            level,
            title: "linkcond explore",
            report.verdict.reason
        )
        return shown + [sum]
    }

    package static func summary(_ report: SuiteReport) -> [String] {
        var counts = CampaignReport.Counts()
        for test in report.tests { counts.add(test.counts) }
        var lines = [
            "### linkcond explore: \(GitHubCommand.escaped(report.verdict.reason))", "",
            "\(counts.total) points: \(counts.passed) passed, \(counts.honest) failed honestly,"
                + " \(counts.failed) failed, \(counts.inconclusive) prove nothing,"
                + " \(counts.unreached) did not act",
        ]
        guard !report.findings.isEmpty else { return lines }
        lines += ["", "| class | where | why | again |", "|---|---|---|---|"]
        lines += report.findings.map { shared in
            let finding = shared.finding
            let known = report.isKnown(shared) ? " (known)" : ""
            let cells = [finding.kind.rawValue + known, finding.position, finding.reason]
            return "| " + cells.map(GitHubCommand.escaped).joined(separator: " | ")
                + " | \(finding.confirmations.text) |"
        }
        let replay = SuiteText(report)
        for shared in report.findings {
            let finding = shared.finding
            let title = "**\(finding.kind.rawValue)** at \(GitHubCommand.escaped(finding.position))"
            lines += ["", title, ""] + GitHubCommand.fenced(replay.text(of: shared))
        }
        return cut(lines)
    }

    /// What fits; the last line says if something does not.
    private static func cut(_ lines: [String]) -> [String] {
        var bytes = 0
        for (index, line) in lines.enumerated() {
            bytes += line.utf8.count + 1
            if bytes > summaryBytes {
                let isOpen = !lines[..<index].count { $0 == "```" }.isMultiple(of: 2)
                return lines[..<index] + (isOpen ? ["```"] : []) + [
                    "", "The rest does not fit here.",
                ]
            }
        }
        return lines
    }
}
