internal import Analysis
internal import Basics
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
            let level = finding.kind.isFailure ? "error" : "warning"
            return "::\(level) title=\(property(title))::\(data(text))"
        }
        let level: String
        switch report.verdict {
        case .passed: level = "notice"
        case .findings: level = "error"
        case .inconclusive: level = "warning"
        }
        return shown + ["::\(level) title=linkcond explore::\(data(report.verdict.reason))"]
    }

    package static func summary(_ report: CampaignReport, replay: ReportText) -> [String] {
        let counts = report.counts
        var lines = [
            "### linkcond explore: \(escaped(report.verdict.reason))", "",
            "\(counts.total) points: \(counts.passed) passed, \(counts.honest) failed honestly,"
                + " \(counts.failed) failed, \(counts.inconclusive) prove nothing,"
                + " \(counts.unreached) did not act",
        ]
        let findings = report.findings
        guard !findings.isEmpty else { return lines }
        lines += ["", "| class | where | why | again |", "|---|---|---|---|"]
        lines += findings.map {
            "| \($0.kind.rawValue) | \(escaped($0.position)) | \(escaped($0.reason))"
                + " | \($0.confirmations.text) |"
        }
        for finding in findings {
            lines += [
                "", "**\(finding.kind.rawValue)** at \(escaped(finding.position))", "", "```",
            ]
            lines += replay.text(of: finding).map { $0.replacing("```", with: "'''") } + ["```"]
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

    /// A table's cell.
    private static func escaped(_ text: String) -> String {
        MarkupText.escaped(text).replacing("|", with: "\\|").replacing("\n", with: " ")
    }

    private static func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
