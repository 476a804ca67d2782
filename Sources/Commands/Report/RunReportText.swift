internal import Analysis
internal import Basics
internal import Journal

/// A judged run for people, in lines of plain text.
struct RunReportText {
    let run: JudgedRun
    let width: Int
    let usesUnicode: Bool

    /// The most transfers and findings that are shown in full.
    private static let shownTransfers = 20
    private static let shownFindings = 10
    private static let shownChanges = 20

    private var report: RunReport { run.report }

    func lines() -> [StyledLine] {
        head + changes + transfers + findings + checks + demands + foot
    }

    // MARK: What it was

    private var head: [StyledLine] {
        var lines = [StyledLine(run.name, .heading)]
        guard let start = report.transcript.start else { return lines }
        let exchanges = report.transcript.exchanges.count
        lines += wrapped(
            "\(start.tool) \(start.command), profile \(start.profile),"
                + " \(report.transcript.schedule ?? start.schedule)"
        )
        lines += wrapped(
            Figures.count(report.transcript.connections.count, "connection") + ", "
                + Figures.count(exchanges, "request") + ", "
                + Figures.time(report.duration)
                + (report.exitCode.map { ", exit code \($0)" } ?? "")
        )
        if let metered = MeteredText.words(report.metered) { lines += wrapped(metered) }
        if changed.path.hasChanged, let path = changed.path.words {
            lines += wrapped("path \(path)")
        }
        if run.truncatedBytes > 0 {
            lines += wrapped("the journal ends in the middle of a line, which is left out")
        }
        return lines
    }

    private var changed: LiveChanges { report.transcript.changes }

    /// The changes made by hand, and those of the path.
    private var changes: [StyledLine] {
        guard !changed.list.isEmpty else { return [] }
        let lines = changed.list.prefix(Self.shownChanges).flatMap { change in
            row(ChangeText.time(change), nil, ChangeText.words(change.value))
        }
        let left = changed.count - min(changed.count, Self.shownChanges)
        let more =
            left > 0 ? [StyledLine("  and \(Figures.count(left, "more change"))", .faint)] : []
        return [StyledLine(), StyledLine("Changes", .heading)] + lines + more
    }

    // MARK: Transfers

    private var transfers: [StyledLine] {
        guard !report.transfers.isEmpty else { return [] }
        var lines: [StyledLine] = []
        for transfer in report.transfers.prefix(Self.shownTransfers) {
            lines += [StyledLine()] + block(transfer)
        }
        if report.transfers.count > Self.shownTransfers {
            let left = Figures.count(report.transfers.count - Self.shownTransfers, "more transfer")
            lines += [StyledLine(), StyledLine("  and \(left)", .faint)]
        }
        return lines + [StyledLine(), LadderText.legend(usesUnicode: usesUnicode)]
    }

    private func block(_ transfer: Transfer) -> [StyledLine] {
        var title = StyledLine("  \(transfer.kind.rawValue) ", .heading)
        title.add(transfer.target)
        let size = transfer.size.map { "\(Figures.bytes($0)), " } ?? ""
        title.add("  \(size)\(TransferWords.state(transfer, of: report))")
        return [title] + wrapped(TransferWords.figures(transfer), indent: 2)
            + LadderText(
                transfer,
                changes: changed.list,
                width: width,
                usesUnicode: usesUnicode
            ).lines()
    }

    // MARK: Verdicts

    private var findings: [StyledLine] {
        guard !report.findings.isEmpty else { return [] }
        var lines = [StyledLine(), StyledLine("Findings", .heading)]
        for finding in report.findings.prefix(Self.shownFindings) {
            let role: TextStyle.Role = finding.kind.isFailure ? .bad : .warning
            let words = finding.check.map { Self.words(report.result($0)) }
            lines += row(
                finding.kind.rawValue,
                role,
                words ?? finding.words + Self.places(finding.lines)
            )
        }
        let left = report.findings.count - Self.shownFindings
        if left > 0 { lines.append(StyledLine("  and \(Figures.count(left, "more finding"))")) }
        return lines
    }

    private var checks: [StyledLine] {
        var lines = [StyledLine(), StyledLine("Checks", .heading)]
        let told = Set(report.findings.prefix(Self.shownFindings).compactMap(\.check))
        for verdict in [Verdict.fail, .inconclusive, .pass] {
            for result in report.checks
            where result.verdict == verdict && !told.contains(result.check) {
                // A run passes in spite of a note.
                let isNote = result.check.isAdvisory && verdict == .fail
                lines += row(
                    isNote ? result.check.level.rawValue : verdict.rawValue,
                    isNote ? .warning : verdict.role,
                    Self.words(result)
                )
            }
        }
        let skipped = report.checks.filter { $0.verdict == .skipped }.map(\.check.rawValue)
        if !skipped.isEmpty {
            lines += row("skipped", .faint, "\(skipped.joined(separator: " ")): do not apply")
        }
        return lines
    }

    private static func words(_ result: CheckResult) -> String {
        let isKnown = result.verdict == .fail || !result.check.isAdvisory
        let level = isKnown ? "" : " (\(result.check.level.rawValue))"
        let limit =
            result.verdict == .pass || result.limit.isEmpty ? "" : "; allowed: \(result.limit)"
        let shown = result.verdict == .pass ? "" : places(result.lines)
        return
            "\(result.check.rawValue)\(level) \(result.check.title): \(result.observed)\(limit)\(shown)"
    }

    /// Lines of the journal, at most five.
    private static func places(_ lines: [Int]) -> String {
        guard !lines.isEmpty else { return "" }
        let more = lines.count > 5 ? ", …" : ""
        return " (\(lines.count == 1 ? "line" : "lines")"
            + " \(lines.prefix(5).map(String.init).joined(separator: ", "))\(more))"
    }

    private var demands: [StyledLine] {
        let outcomes = run.outcomes
        guard !outcomes.isEmpty else { return [] }
        return [StyledLine(), StyledLine("Demands", .heading)]
            + outcomes.flatMap {
                row($0.verdict.rawValue, $0.verdict.role, "\($0.item.text): \($0.words)")
            }
    }

    private var foot: [StyledLine] {
        var last = StyledLine(run.verdict.rawValue, run.verdict.role)
        last.add(": \(run.reason)")
        let doubts = run.verdict == .inconclusive ? report.doubts.dropFirst() : []
        return [StyledLine()] + doubts.flatMap { wrapped("also open: \($0)") }
            + wrapped("repeat with: \(run.reproduction)")
            + (run.unrepeated.map { wrapped("not repeated: \($0)") } ?? []) + [last]
    }

    // MARK: Layout

    private static let column = 15

    /// A word in a column of its own, and text beside it.
    private func row(_ word: String, _ role: TextStyle.Role?, _ text: String) -> [StyledLine] {
        let body = TextLayout.wrap(text, width: max(20, width - Self.column))
        return body.enumerated().map { place, text in
            var line = StyledLine()
            if place == 0 { line.add("  \(word)", role) }
            line.pad(to: Self.column)
            line.add(text)
            return line
        }
    }

    private func wrapped(_ text: String, indent: Int = 0) -> [StyledLine] {
        TextLayout.wrap(text, width: width - indent - 2).map {
            StyledLine(String(repeating: " ", count: indent + 2) + $0, .faint)
        }
    }
}

extension Verdict {
    /// How it is stressed.
    var role: TextStyle.Role {
        switch self {
        case .pass: .good
        case .fail: .bad
        case .inconclusive: .warning
        case .skipped: .faint
        }
    }
}

/// Figures of a transfer in words.
enum TransferWords {
    /// Whether all of it arrived, and as it was sent.
    static func state(_ transfer: Transfer, of report: RunReport) -> String {
        let state = transfer.isComplete ? "complete" : "incomplete"
        return report.isCorrupted(transfer) ? "\(state), corrupted by a fault" : state
    }

    static func figures(_ transfer: Transfer) -> String {
        var parts = [transfer.tryCount == 1 ? "1 try" : "\(transfer.tryCount) tries"]
        for kind in [Attempt.Kind.resumed, .overlap, .restarted, .forcedRestart, .gap] {
            let count = transfer.count(kind)
            if count > 0 { parts.append("\(count) \(kind.rawValue)") }
        }
        guard transfer.kind != .opaque else { return parts.joined(separator: ", ") }
        let figures = transfer.figures
        parts.append("\(Figures.bytes(figures.wire)) on the wire\(ratio(figures))")
        for (bytes, words) in [
            (figures.resentAvoidable, "sent again needlessly"),
            (figures.resentForced, "sent again unavoidably"),
            (figures.abandoned, "wasted"),
        ] where bytes > 0 {
            parts.append("\(Figures.bytes(bytes)) \(words)")
        }
        return parts.joined(separator: ", ")
    }

    /// ` (1.40 times the payload)`, or nothing.
    private static func ratio(_ figures: Transfer.Figures) -> String {
        guard figures.payload > 0, figures.wire != figures.payload,
            figures.wire / figures.payload < 1_000_000
        else {
            return ""
        }
        let ratio = Figures.fixed(figures.wire, scale: figures.payload, decimals: 2)
        return " (\(ratio) times the payload)"
    }
}
