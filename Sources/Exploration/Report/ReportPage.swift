internal import Analysis
internal import HTTPWire
internal import Libuv

/// A report as one HTML page that needs nothing else: no script, no network.
package enum ReportPage {
    /// The most bytes of a page.
    package static let limit = 5_000_000

    package static func document(_ report: CampaignReport, replay: ReportText) -> [String] {
        let head = [
            "<!doctype html>", "<html lang=\"en\">", "<meta charset=\"utf-8\">",
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';"
                + " style-src 'sha256-\(Base64.encode(SHA256.digest(Array(style.utf8))))'\">",
            "<meta name=\"viewport\" content=\"width=device-width\">",
            "<title>linkcond explore: \(MarkupText.escaped(report.verdict.reason))</title>",
            "<style>\(style)</style>",
        ]
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
            "<h2 id=\"\(finding.id)\"><b class=\"x\">X</b> \(finding.kind.rawValue):"
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
        return ["<h2>Places and effects</h2>", "<table><tr><th>\(columns)"] + rows + ["</table>"]
            + ["<table class=\"legend\"><tr>\(legend)</table>"]
    }

    private static func cell(_ letter: Character) -> String {
        let name =
            switch letter {
            case ".": "p"
            case "h": "h"
            case "X": "x"
            case "?": "q"
            case "-": "n"
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
            if bytes > limit - 200 {
                return lines[..<index] + [
                    "</table>", "<p>The rest does not fit here; it is in the JSON Lines.",
                ]
            }
        }
        return lines
    }

    private static let style = """
        body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:70em;padding:0 1em}\
        pre,code{font:13px/1.5 ui-monospace,monospace}pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#8881;padding:1em}\
        table{border-collapse:collapse}td,th{padding:.1em .6em;text-align:left;font-weight:normal}\
        small{font-size:15px;font-weight:normal;display:block}.legend{margin-top:.8em}\
        .p{color:#176f2c}.h{color:#0a5a8a}.x{background:#b3261e;color:#fff}.q{background:#f2c94c;\
        color:#000}.n{color:#777}@media(prefers-color-scheme:dark){body{background:#121212;color:#eee}\
        .p{color:#7bd88f}.h{color:#8ecbff}}
        """
}
