internal import Analysis
internal import Exploration
internal import HTTPWire
internal import Journal
internal import Libuv

/// Judged runs as one HTML page that needs nothing else and may load nothing else.
struct RunReportPage {
    let runs: [JudgedRun]
    /// What was judged over all runs.
    let across: [CheckResult]

    /// The most bytes of a page.
    static let limit = 5_000_000

    func document() -> String {
        var text = head + top
        for (place, run) in runs.enumerated() {
            let section = RunReportSection(run: run, place: place + 1).text
            guard text.utf8.count + section.utf8.count < Self.limit - 1_000 else {
                let left = Figures.count(runs.count - place, "more journal")
                text += "<section><p>\(left) would make this page too large.</p></section>\n"
                break
            }
            text += section
        }
        return text + "<script>\(PageStyle.script)</script>\n</html>\n"
    }

    private var head: String {
        let title = MarkupText.escaped("linkcond report: \(summary)")
        return """
            <!doctype html>
            <html lang="en">
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src \
            '\(Self.source(PageStyle.style))'; script-src '\(Self.source(PageStyle.script))'">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(title)</title>
            <style>\(PageStyle.style)</style>
            <svg class="defs" aria-hidden="true"><defs><pattern id="again" width="8" height="8" \
            patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="ground" \
            width="8" height="8"/><line class="stripe" x1="0" y1="0" x2="0" y2="8"/></pattern></defs>\
            </svg>

            """
    }

    /// What a policy names an inline style or script by.
    private static func source(_ text: String) -> String {
        "sha256-\(Base64.encode(SHA256.digest(Array(text.utf8))))"
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
        guard runs.count > 1 else { return "" }
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
        return "<h1>\(MarkupText.escaped(summary))</h1>\n"
            + "<div class=\"scroll\"><table>\(rows.joined(separator: "\n"))</table></div>\n"
            + together.joined(separator: "\n")
    }
}
