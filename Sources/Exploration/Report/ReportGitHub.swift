internal import Analysis
internal import Reports

/// A report for GitHub Actions: annotations on standard output, and a step summary in Markdown.
package enum ReportGitHub {
    /// GitHub shows ten annotations of each kind for a step; one is kept for the sum.
    package static let annotations = 9
    /// Below GitHub's limit of 1 MiB for a step.
    package static let summaryBytes = 1_000_000

    package static func annotations(_ report: CampaignReport, replay: ReportText) -> [String] {
        let findings = report.findings
        let shown = findings.prefix(annotations).map { finding in
            let title = "\(finding.kind.rawValue): \(finding.position)"
            let text = [finding.reason, replay.command(for: finding)].joined(
                separator: "\n"
            )
            return GitHubCommand.annotation(
                finding.kind.isFailure ? .error : .warning,
                title: title,
                text
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

    package static func summary(_ report: CampaignReport, replay: ReportText) -> [String] {
        let counts = report.counts
        var lines = [
            "### linkcond explore: \(GitHubCommand.escaped(report.verdict.reason))", "",
            "\(counts.total) points: \(counts.passed) passed, \(counts.honest) failed honestly,"
                + " \(counts.failed) failed, \(counts.inconclusive) prove nothing,"
                + " \(counts.unreached) did not act",
        ]
        let findings = report.findings
        guard !findings.isEmpty else { return lines }
        lines += ["", "| class | where | why | again |", "|---|---|---|---|"]
        lines += findings.map { finding in
            let cells = [finding.kind.rawValue, finding.position, finding.reason]
            return "| " + cells.map(GitHubCommand.escaped).joined(separator: " | ")
                + " | \(finding.confirmations.text) |"
        }
        for finding in findings {
            let title = "**\(finding.kind.rawValue)** at \(GitHubCommand.escaped(finding.position))"
            lines += ["", title, ""] + GitHubCommand.fenced(replay.text(of: finding))
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
