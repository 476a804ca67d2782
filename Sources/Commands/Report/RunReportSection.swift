internal import Analysis
internal import Basics
internal import Journal
internal import Reports

/// One judged run as a section of a page.
struct RunReportSection {
    let run: JudgedRun
    /// Among all runs of the page, from 1.
    let place: Int
    /// Whether the page is about this one alone, and its title has the name.
    let isAlone: Bool

    /// The most transfers and findings that are shown.
    private static let shownTransfers = 20
    private static let shownFindings = 50
    private static let shownChanges = 200

    private let cited: EvidenceRecords

    init(run: JudgedRun, place: Int, isAlone: Bool = false) {
        self.run = run
        self.place = place
        self.isAlone = isAlone
        cited = run.evidence ?? EvidenceRecords(run.report, run.report.cited)
    }

    private var report: RunReport { run.report }

    var text: String {
        "<section id=\"run\(place)\">\n" + head + findings + changes + transfers + waterfall
            + checks
            + demands + records
            + reproduction + "</section>\n"
    }

    private var head: String {
        let verdict = run.verdict.rawValue
        var facts: [String] = []
        if let start = report.transcript.start {
            facts += ["profile \(start.profile)", "seed \(start.seed)"]
            facts.append(report.transcript.schedule ?? start.schedule)
        }
        facts.append(Figures.count(report.transcript.connections.count, "connection"))
        facts.append(Figures.count(report.transcript.exchanges.count, "request"))
        facts.append(Figures.time(report.duration))
        if let exitCode = report.exitCode { facts.append("exit code \(exitCode)") }
        let (title, more) = isAlone ? (run.reason, "") : (run.name, "<p>\(escaped(run.reason))</p>")
        return """
            <h2><span class="\(verdict)">\(verdict)</span> \(escaped(title))</h2>
            \(more)
            <p class="faint">\(escaped(facts.joined(separator: " · ")))</p>

            """
    }

    private var findings: String {
        guard !report.findings.isEmpty else { return "" }
        let rows = report.findings.prefix(Self.shownFindings).map { finding in
            let role = finding.kind.isFailure ? "fail" : "inconclusive"
            return "<tr><td class=\"word \(role)\">\(finding.kind.rawValue)</td>"
                + "<td>\(escaped(finding.words))</td>"
                + "<td class=\"faint\">\(lines(finding.lines))</td></tr>"
        }
        let left = report.findings.count - Self.shownFindings
        let more =
            left > 0 ? "<p class=\"faint\">and \(Figures.count(left, "more finding"))</p>" : ""
        return
            "<h3>Findings</h3>\n<div class=\"scroll\"><table>\(rows.joined(separator: "\n"))</table>"
            + "</div>\(more)\n"
    }

    /// The changes made by hand, and those of the path.
    private var changes: String {
        let changes = report.transcript.changes
        guard !changes.list.isEmpty else { return "" }
        let rows = changes.list.prefix(Self.shownChanges).map { change in
            "<tr><td class=\"word\">\(ChangeText.time(change))</td>"
                + "<td>\(escaped(ChangeText.words(change.value)))</td>"
                + "<td class=\"faint\">\(lines([change.line]))</td></tr>"
        }
        let left = changes.count - rows.count
        let more =
            left > 0 ? "<p class=\"faint\">and \(Figures.count(left, "more change"))</p>" : ""
        return
            "<h3>Changes</h3>\n<div class=\"scroll\"><table>\(rows.joined(separator: "\n"))</table>"
            + "</div>\(more)\n"
    }

    private var transfers: String {
        let shown = report.transfers.prefix(Self.shownTransfers).map { transfer in
            let size = transfer.size.map { "\(Figures.bytes($0)), " } ?? ""
            let state = TransferWords.state(transfer, of: report)
            return """
                <h3>\(transfer.kind.rawValue) <code>\(escaped(transfer.target))</code></h3>
                <p class="faint">\(escaped("\(size)\(state); \(TransferWords.figures(transfer))"))</p>
                \(LadderDrawing(transfer, changes: report.transcript.changes.list, evidence: evidence).text)

                """
        }
        let left = report.transfers.count - Self.shownTransfers
        let more =
            left > 0 ? "<p class=\"faint\">and \(Figures.count(left, "more transfer"))</p>\n" : ""
        return shown.joined() + more + (shown.isEmpty ? "" : LadderDrawing.legend)
    }

    private var waterfall: String {
        let drawing = WaterfallDrawing(Waterfall(report))
        return drawing.isEmpty
            ? ""
            : "<details open><summary>Requests over time</summary>\n\(drawing.text)</details>\n"
    }

    private var checks: String {
        let order: [Verdict] = [.fail, .inconclusive, .pass]
        let judged = order.flatMap { verdict in report.checks.filter { $0.verdict == verdict } }
        let skipped = report.checks.filter { $0.verdict == .skipped }
        let count = Figures.count(skipped.count, "check")
        let others =
            skipped.isEmpty
            ? ""
            : "<details><summary>\(count) that did not apply</summary>\n\(table(skipped))</details>\n"
        return "<details open><summary>Checks</summary>\n\(table(judged))</details>\n\(others)"
    }

    private func table(_ results: [CheckResult]) -> String {
        let rows = results.map { result in
            let verdict = result.verdict.rawValue
            let note = result.check.level.rawValue
            // A run passes in spite of it.
            let isNote = result.check.isAdvisory && result.verdict == .fail
            let role = isNote ? Verdict.inconclusive.rawValue : verdict
            let word = isNote ? note : verdict
            let level =
                result.check.isAdvisory && !isNote ? " <span class=\"faint\">\(note)</span>" : ""
            let seen =
                result.verdict == .skipped
                ? result.reason.replacing("-", with: " ") : result.observed
            return
                "<tr><td class=\"word \(role)\">\(word)</td><td>\(result.check.rawValue)</td>"
                + "<td>\(escaped(result.check.title))\(level)</td><td>\(escaped(seen))</td>"
                + "<td>\(escaped(result.limit))</td>"
                + "<td class=\"faint\">\(lines(result.lines))</td></tr>"
        }
        return "<div class=\"scroll\"><table class=\"checks\"><thead><tr>"
            + "<th>verdict<th>check<th>asks that<th>seen<th>allowed<th>journal</tr></thead>\n"
            + "<tbody>\(rows.joined(separator: "\n"))</tbody></table></div>"
    }

    private var demands: String {
        let outcomes = run.outcomes
        guard !outcomes.isEmpty else { return "" }
        let rows = outcomes.map { outcome in
            "<tr><td class=\"word \(outcome.verdict.rawValue)\">\(outcome.verdict.rawValue)</td>"
                + "<td><code>\(escaped(outcome.item.text))</code></td>"
                + "<td>\(escaped(outcome.words))</td></tr>"
        }
        return "<h3>Demands</h3>\n<table>\(rows.joined(separator: "\n"))</table>\n"
    }

    private var reproduction: String {
        """
        <h3>Repeat with</h3>
        <div class="copy"><code id="repeat\(place)">\(escaped(run.reproduction))</code>\
        <button type="button" hidden data-for="repeat\(place)">Copy</button></div>
        \(run.unrepeated.map { "<p class=\"faint\">Not repeated: \(escaped($0))</p>\n" } ?? "")
        """
    }

    /// The records that findings and checks point at.
    private var records: String {
        let lines = cited.lines.sorted { $0.key < $1.key }
        guard !lines.isEmpty else { return "" }
        let rows = lines.map { line, text in
            "<tr id=\"\(anchor(line))\"><td class=\"num\">\(line)</td>"
                + "<td><code>\(escaped(text))</code></td></tr>"
        }
        return "<details open><summary>Journal lines that show the findings</summary>\n<table>"
            + "\(rows.joined(separator: "\n"))</table></details>\n"
    }

    private func anchor(_ line: Int) -> String { "run\(place)-line\(line)" }

    /// The lines that show what is wrong.
    private var evidence: Set<Int> {
        let failed = report.checks.filter { $0.verdict == .fail }
        return Set(report.findings.flatMap(\.lines) + failed.flatMap(\.lines))
    }

    /// Lines of the journal, at most five, as links to the records that are shown.
    private func lines(_ lines: [Int]) -> String {
        guard !lines.isEmpty else { return "" }
        let shown = lines.prefix(5).map { line in
            cited.lines[line] == nil
                ? "\(line)" : "<a href=\"#\(anchor(line))\">\(line)</a>"
        }.joined(separator: ", ")
        return (lines.count == 1 ? "line " : "lines ") + shown + (lines.count > 5 ? ", …" : "")
    }

    private func escaped(_ text: String) -> String { MarkupText.escaped(text) }
}
