internal import Analysis
internal import Basics
internal import HTTPWire
internal import Reports
internal import SystemIO

/// The report of an exploration as one HTML page without script.
package enum ReportPage {
    package static func document(_ report: SuiteReport) -> [String] {
        let reason = MarkupText.escaped(report.verdict.reason)
        let replay = SuiteText(report)
        var lines = HTMLPage.head(
            title: "linkcond explore: \(report.verdict.reason)",
            hasScript: false
        )
        lines.append("<h1><small>linkcond explore</small> \(reason)</h1>")
        if report.isOfTests { lines += tests(report) } else { lines += about(report.tests[0]) }
        lines += report.findings.flatMap { finding($0, replay) } + comparison(report)
        for test in report.tests where test.isExplored || !report.isOfTests {
            if let name = test.settings.test {
                lines.append("<h2>\(MarkupText.escaped(name))</h2>")
                lines += about(test)
            }
            lines += matrix(test) + runs(test)
        }
        return cut(lines)
    }

    private static func tests(_ report: SuiteReport) -> [String] {
        ["<table><tr><th>test<th>exchanges<th>result"]
            + report.tests.map { test in
                let result = test.problem?.words ?? ReportText.counts(of: test)
                return "<tr><td><code>\(MarkupText.escaped(test.settings.test ?? ""))</code>"
                    + "<td>\(test.baseline?.exchanges.count ?? 0)<td>\(MarkupText.escaped(result))"
            } + ["</table>"]
    }

    private static func comparison(_ report: SuiteReport) -> [String] {
        guard report.comparison != nil else { return [] }
        let text = SuiteText(report).comparison.joined(separator: "\n")
        return ["<h2>What differs</h2>", "<pre>\(MarkupText.escaped(text))</pre>"]
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

    private static func finding(_ shared: SharedFinding, _ replay: SuiteText) -> [String] {
        let finding = shared.finding
        let text = replay.text(of: shared).dropFirst().joined(separator: "\n")
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
