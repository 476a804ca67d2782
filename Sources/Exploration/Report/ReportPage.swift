internal import Analysis
internal import Basics
internal import HTTPWire
internal import Reports
internal import SystemIO

/// The report of an exploration as one HTML page without script.
package enum ReportPage {
    package static func document(_ report: CampaignReport, replay: ReportText) -> [String] {
        let head = HTMLPage.head(
            title: "linkcond explore: \(report.verdict.reason)",
            hasScript: false
        )
        let body =
            [
                "<h1><small>linkcond explore</small> \(MarkupText.escaped(report.verdict.reason))</h1>"
            ] + about(report)
            + report.findings.flatMap { finding($0, replay) } + matrix(report)
        return cut(head + body + runs(report))
    }

    private static func about(_ report: CampaignReport) -> [String] {
        let counts = report.counts
        let command = report.settings.command.joined(separator: " ")
        var lines = [
            "<p><code>\(MarkupText.escaped(command))</code>",
            "<p>\(counts.total) points: \(counts.passed) passed, \(counts.honest) failed honestly,"
                + " \(counts.failed) failed, \(counts.inconclusive) prove nothing,"
                + " \(counts.unreached) did not act. Seed \(report.settings.seed).",
        ]
        if let baseline = report.baseline {
            lines.append(
                "<pre>\(MarkupText.escaped(baseline.exchanges.joined(separator: "\n")))</pre>"
            )
        }
        return lines
    }

    private static func finding(_ finding: Finding, _ replay: ReportText) -> [String] {
        let text = replay.text(of: finding).dropFirst().joined(separator: "\n")
        return [
            "<h2 id=\"\(finding.id)\"><b class=\"fail\">X</b> \(finding.kind.rawValue):"
                + " \(MarkupText.escaped(finding.kind.meaning))</h2>",
            "<pre>\(MarkupText.escaped(text))</pre>",
        ]
    }

    private static func matrix(_ report: CampaignReport) -> [String] {
        let matrix = Matrix(report.records)
        guard !matrix.rows.isEmpty else { return [] }
        let columns = matrix.columns.map { "<th>\(MarkupText.escaped($0))" }.joined()
        let rows = matrix.rows.map { row in
            "<tr><th>\(MarkupText.escaped(row.label))\(row.letters.map(cell).joined())"
        }
        let legend = Matrix.legend.map { "\(cell($0.letter)) \($0.meaning)" }.joined(separator: " ")
        return ["<h2>Places and effects</h2>", "<table class=\"matrix\"><tr><th>\(columns)"] + rows
            + ["</table>"]
            + ["<table class=\"matrix\"><tr>\(legend)</table>"]
    }

    private static func cell(_ letter: Character) -> String {
        let name =
            switch letter {
            case ".": "pass"
            case "h": "honest"
            case "X": "fail"
            case "?": "inconclusive"
            case "-": "skipped"
            default: ""
            }
        return name.isEmpty ? "<td>" : "<td class=\"\(name)\">\(letter)"
    }

    private static func runs(_ report: CampaignReport) -> [String] {
        ["<h2>Runs</h2>", "<table><tr><th>schedule<th>for<th>verdict<th>end<th>requests"]
            + report.records.map { record in
                "<tr><td><code>\(MarkupText.escaped(record.point.schedule))</code>"
                    + "<td>\(record.purpose.rawValue)\(cell(record.judgement.letter))"
                    + " \(MarkupText.escaped(record.judgement.word))"
                    + "<td>\(MarkupText.escaped(record.signature.ending))"
                    + "<td>\(MarkupText.escaped(requests(record.signature)))"
            } + ["</table>"]
    }

    /// In a signature status 0 stands for none.
    private static func requests(_ signature: Signature) -> String {
        signature.requests.map { $0.hasSuffix(" 0") ? "\($0.dropLast(2)), unanswered" : $0 }
            .joined(separator: ", ")
    }

    private static func cut(_ lines: [String]) -> [String] {
        var bytes = 0
        for (index, line) in lines.enumerated() {
            bytes += line.utf8.count + 1
            if bytes > HTMLPage.limit - 200 {
                return lines[..<index] + [
                    "</table>", "<p>The rest does not fit here; it is in the JSON Lines.",
                ]
            }
        }
        return lines
    }
}
