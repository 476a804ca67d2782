internal import Analysis
internal import Basics
internal import HTTPWire
internal import Reports
internal import SystemIO

/// The report of an exploration as one HTML page, whose script only copies.
package enum ReportPage {
    /// - Parameters:
    ///   - report: what was found.
    ///   - further: sections of other checks, such as those of the server, as lines of HTML.
    ///   - picture: draws the run that shows a finding; nil where its journal was not kept.
    /// - Returns: the page's lines.
    package static func document(
        _ report: SuiteReport,
        further: [String] = [],
        picture: (Finding) -> String? = { _ in nil }
    ) -> [String] {
        let reason = MarkupText.escaped(report.verdict.reason)
        let replay = SuiteText(report)
        var lines = HTMLPage.head(
            title: "linkcond explore: \(report.verdict.reason)",
            hasScript: true
        )
        lines.append("<h1><small>linkcond explore</small> \(reason)</h1>")
        if !report.isOfTests { lines.append(command(of: report.tests[0])) }
        lines += report.findings.flatMap { finding($0, replay, picture($0.finding)) }
        lines += comparison(report)
        if report.isOfTests { lines += tests(report) } else { lines += about(report.tests[0]) }
        for (index, test) in report.tests.enumerated()
        where test.isExplored || !report.isOfTests {
            if let name = test.settings.test {
                lines += ["<h2>\(MarkupText.escaped(name))</h2>", command(of: test)]
                lines += about(test)
            }
            lines += advice(test, index) + matrix(test) + runs(test)
        }
        return cut(lines + further) + [HTMLPage.script]
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
        var lines = [
            "<p>\(counts.total) points: \(counts.passed) passed, \(counts.honest) failed honestly,"
                + " \(counts.failed) failed, \(counts.inconclusive) prove nothing,"
                + " \(counts.unreached) did not act. Seed \(report.settings.seed)."
        ]
        if let baseline = report.baseline {
            lines.append(
                "<pre>\(MarkupText.escaped(baseline.exchanges.joined(separator: "\n")))</pre>"
            )
        }
        return lines
    }

    private static func command(of report: CampaignReport) -> String {
        let command = report.settings.command.joined(separator: " ")
        return "<p><code>\(MarkupText.escaped(command))</code>"
    }

    /// Rules that are broken without failing the exploration of a test, which has this index in its suite.
    private static func advice(_ report: CampaignReport, _ index: Int) -> [String] {
        let advice = report.advice
        let replay = ReportText(report)
        guard !advice.isEmpty else { return [] }
        return ["<h2>Warnings and notes</h2>"]
            + advice.map { one in
                let check = one.check.rawValue
                let points =
                    "\(one.points) point\(one.points == 1 ? "" : "s")"
                    + (one.repetition.map { "; \($0)" } ?? "")
                let level = one.level.rawValue.uppercased()
                return "<p><b class=\"word inconclusive\">\(level)</b>"
                    + " \(check): \(MarkupText.escaped(one.words))<br><span class=\"faint\">\(points);"
                    + " <code>--expect \(check)</code> makes it a finding</span>"
                    + copied("advice-\(index)-\(check)", replay.command(for: one))
            }
    }

    /// What the text has after labels of one width, as a list that fits any width.
    private static func facts(_ lines: some Sequence<String>) -> [String] {
        let labelWidth = 12
        let items = lines.map { line in
            let label = line.prefix(labelWidth).drop { $0 == " " }
            let text = line.dropFirst(labelWidth).drop { $0 == " " }
            let words = "<dd>\(MarkupText.escaped(String(text)))"
            let name = label.prefix { $0 != " " }
            return name.isEmpty ? words : "<dt>\(MarkupText.escaped(String(name)))\(words)"
        }
        return ["<dl class=\"facts\">"] + items + ["</dl>"]
    }

    private static func finding(
        _ shared: SharedFinding,
        _ replay: SuiteText,
        _ picture: String?
    ) -> [String] {
        let finding = shared.finding
        // The command to repeat it has a line with a button.
        let duration = replay.duration(of: shared)
        let text = replay.text(of: shared).dropFirst().filter {
            !$0.hasPrefix("  repeat ") && $0 != duration.map { "            \($0)" }
        }
        let pictures =
            picture.map { [$0] } ?? [
                "<p class=\"faint\">Run with --traces FOLDER to see the ladder here.</p>"
            ]
        return [
            "<h2 id=\"\(finding.id)\"><b class=\"fail\">X</b> \(finding.kind.rawValue):"
                + " \(MarkupText.escaped(finding.meaning))"
                + " <code class=\"faint\">\(finding.id)</code></h2>"
        ] + facts(text) + [
            "<p class=\"faint\">Repeat it with\(duration.map { " (\($0))" } ?? "")</p>",
            copied("repeat-\(finding.id)", replay.command(for: shared)),
        ] + pictures
    }

    /// A line with a button that copies it.
    private static func copied(_ name: String, _ text: String) -> String {
        "<div class=\"copy\"><code id=\"\(name)\">\(MarkupText.escaped(text))</code>"
            + "<button type=\"button\" hidden data-for=\"\(name)\">Copy</button></div>"
    }

    private static func matrix(_ report: CampaignReport) -> [String] {
        let matrix = Matrix(report.records)
        guard !matrix.rows.isEmpty else { return [] }
        let columns = matrix.columns.map { "<th>\(MarkupText.escaped($0))" }.joined()
        let rows = matrix.rows.map { row in
            "<tr><th>\(label(row))\(row.letters.map(cell).joined())"
        }
        let legend = Matrix.legend.map { letter, meaning in
            "<span><b class=\"\(name(of: letter))\">\(letter)</b> \(meaning)</span>"
        }.joined(separator: " ")
        return [
            "<h2>Places and effects</h2>",
            "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Table of places and effects\">",
        ]
            + ["<table class=\"matrix\"><tr><th>\(columns)"] + rows
            + ["</table></div>", "<p class=\"legend\">\(legend)"]
    }

    /// Runs of one row that are listed.
    private static let runsPerRow = 60

    /// The places of a row; what was run there folds out.
    private static func label(_ row: Matrix.Row) -> String {
        let runs = row.runs.prefix(runsPerRow).map { run in
            let reason = run.reason.isEmpty ? "" : " \(MarkupText.escaped(run.reason))"
            let schedule = MarkupText.escaped(run.schedule)
            return "<li>\(run.letter) <code>\(schedule)</code>\(reason)</li>"
        }
        let left = row.runs.count - runs.count
        let more = left > 0 ? "<li>and \(left) more, under Runs</li>" : ""
        return "<details><summary>\(MarkupText.escaped(row.label))</summary>"
            + "<ul>\(runs.joined())\(more)</ul></details>"
    }

    /// How the style names what a letter stands for.
    private static func name(of letter: Character) -> String {
        switch letter {
        case ".": "pass"
        case "h": "honest"
        case "X": "fail"
        case "?": "inconclusive"
        case "-": "skipped"
        default: ""
        }
    }

    private static func cell(_ letter: Character) -> String {
        let name = name(of: letter)
        return name.isEmpty ? "<td>" : "<td class=\"\(name)\">\(letter)"
    }

    private static func runs(_ report: CampaignReport) -> [String] {
        [
            "<h2>Runs</h2>",
            "<details><summary>All \(report.records.count), in their order</summary>",
            "<div class=\"scroll\"><table><tr><th>schedule<th>why it was run<th>verdict<th>end"
                + "<th>requests",
        ]
            + report.records.map { record in
                "<tr><td><code>\(MarkupText.escaped(record.point.schedule))</code>"
                    + "<td>\(words(for: record.purpose))\(cell(record.judgement.letter))"
                    + " \(MarkupText.escaped(record.judgement.word))"
                    + "<td class=\"end\">\(MarkupText.escaped(record.signature.ending))"
                    + "<td>\(MarkupText.escaped(requests(record.signature)))"
            } + ["</table></div></details>"]
    }

    private static func words(for purpose: PointRecord.Purpose) -> String {
        switch purpose {
        case .remembered: "failed before"
        case .boundary: "a place to interrupt"
        case .edge: "between places that differ"
        case .pair: "a second fault"
        case .random: "random"
        case .shrink: "to make a finding smaller"
        case .verify: "to confirm a finding"
        case .repetition: "again, for the same messages"
        case .speed: "again at real speed"
        }
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
            if bytes > HTMLPage.limit - 2_000 {
                return lines[..<index] + [
                    "</table></div></details>",
                    "<p>The rest does not fit here; it is in the JSON Lines.",
                ]
            }
        }
        return lines
    }
}
