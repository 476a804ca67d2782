internal import Basics
internal import Reports

extension ProbeReport {
    /// The report as a complete HTML page.
    ///
    /// - Parameter problem: why not all could be checked.
    /// - Returns: its lines.
    package func page(problem: String? = nil) -> [String] {
        HTMLPage.head(title: "linkcond probe: \(url): \(problem ?? summary)", hasScript: true)
            + section(problem: problem, level: 1) + [HTMLPage.script]
    }

    /// The report as a part of a page that has `HTMLPage.head` and its script.
    ///
    /// - Parameters:
    ///   - problem: why not all could be checked.
    ///   - level: of its heading, from 1.
    /// - Returns: lines: what is broken, and the rest folded.
    package func section(problem: String? = nil, level: Int = 2) -> [String] {
        let failed = results.filter(\.isFailed)
        let rest = results.filter { !$0.isFailed }
        var lines = [
            "<h\(level)><small>server</small> \(escaped(url))</h\(level)>",
            "<p>\(escaped(problem ?? summary))</p>",
        ]
        for (place, result) in failed.enumerated() {
            lines += block(result, id: "\(escaped(url))-\(place)")
        }
        guard !rest.isEmpty else { return lines }
        lines.append("<details><summary>\(rest.count) rules kept or not applicable</summary>")
        lines.append("<div class=\"scroll\"><table><tr><th>check<th>verdict<th>rule<th>source")
        lines += rest.map { result in
            "<tr><td>\(result.check.name)<td class=\"word\">\(result.word)"
                + "<td>\(escaped(result.check.rule))"
                + (result.reason.map { "<br><span class=\"faint\">\(escaped($0))</span>" } ?? "")
                + "<td>\(escaped(result.check.source))"
        }
        return lines + ["</table></div></details>"]
    }

    /// A rule that is broken, with what to type to see it again.
    private func block(_ result: ProbeResult, id: String) -> [String] {
        let isError = result.check.level == .error
        let word = isError ? "fail" : "inconclusive"
        return [
            "<h3><span class=\"word \(word)\">\(isError ? "broken" : "warning")</span>"
                + " \(result.check.name) \(escaped(result.check.rule))</h3>",
            "<p>\(escaped(result.reason ?? ""))"
                + " <span class=\"faint\">\(escaped(result.check.source))</span></p>",
            "<div class=\"copy\"><code id=\"\(id)\">"
                + "\(escaped(repetition(result.check.name)))</code>"
                + "<button type=\"button\" hidden data-for=\"\(id)\">Copy</button></div>",
        ]
    }

    private func escaped(_ text: String) -> String { MarkupText.escaped(text) }
}
