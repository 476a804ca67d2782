internal import Analysis
internal import Basics
internal import HTTPWire
internal import Journal
internal import Reports
internal import SystemIO

/// Judged runs as one HTML page that needs nothing else and may load nothing else.
struct RunReportPage {
    let runs: [JudgedRun]
    /// What was judged over all runs.
    let across: [CheckResult]
    /// Sections of other checks, such as those of the server, as lines of HTML.
    var further: [String] = []

    func document() -> String {
        var text = head + top
        for (place, run) in runs.enumerated() {
            let section = RunReportSection(
                run: run,
                place: place + 1,
                isAlone: runs.count == 1
            ).text
            guard text.utf8.count + section.utf8.count < HTMLPage.limit - 1_000 else {
                let left = Figures.count(runs.count - place, "more journal")
                text += "<section><p>\(left) would make this page too large.</p></section>\n"
                break
            }
            text += section
        }
        text += further.map { "\($0)\n" }.joined()
        return text + "\(HTMLPage.script)\n</html>\n"
    }

    private var head: String {
        let lines = HTMLPage.head(title: "linkcond report: \(summary)", hasScript: true)
        return lines.joined(separator: "\n") + "\n" + LadderDrawing.patterns
    }

    private var summary: String {
        let counts: [String] = [Verdict.fail, .inconclusive, .pass].compactMap { verdict in
            let count = runs.count { $0.verdict == verdict }
            return count > 0 ? "\(count) \(verdict.rawValue)" : nil
        }
        if runs.count == 1, let run = runs.first { return "\(run.verdict.rawValue), \(run.name)" }
        return counts.joined(separator: ", ")
    }

    private var top: String {
        let title = runs.count == 1 ? runs[0].name : summary
        let heading = "<h1><small>linkcond report</small> \(MarkupText.escaped(title))</h1>\n"
        guard runs.count > 1 else { return heading }
        let rows = runs.enumerated().map { place, run in
            "<tr><td class=\"word \(run.verdict.rawValue)\">\(run.verdict.rawValue)</td>"
                + "<td><a href=\"#run\(place + 1)\">\(MarkupText.escaped(run.name))</a></td>"
                + "<td>\(MarkupText.escaped(run.reason))</td></tr>"
        }
        let together = across.map { result in
            "<p><b class=\"word \(result.verdict.rawValue)\">\(result.verdict.rawValue)</b> "
                + MarkupText.escaped(
                    "\(result.check.rawValue) over all runs, \(result.check.title):"
                        + " \(result.observed)"
                ) + "</p>"
        }
        return heading
            + "<div class=\"scroll\"><table>\(rows.joined(separator: "\n"))</table></div>\n"
            + together.joined(separator: "\n")
    }
}
