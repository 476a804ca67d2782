internal import Analysis

/// A report of all tests in plain text, for a terminal or a log.
package struct SuiteText {
    private let report: SuiteReport
    private let width: Int

    /// The most tests that the line of a finding names.
    private static let namedTests = 3

    /// - Parameters:
    ///   - report: what to tell.
    ///   - width: how many columns a table may take.
    package init(_ report: SuiteReport, width: Int = ReportText.fileWidth) {
        self.report = report
        self.width = width
    }

    /// Everything but the reason for the exit code, which comes last.
    package var lines: [String] {
        guard report.isOfTests else {
            let known = report.comparison?.known ?? []
            let text = ReportText(report.tests[0], known: known, width: width)
            return text.lines.dropLast() + comparison
        }
        return tests + findings + comparison
    }

    // MARK: Tests

    private var tests: [String] {
        let explored = report.tests.filter(\.isExplored)
        let late = report.tests.count(where: \.isUnreached)
        let idle = report.tests.filter(\.isWithoutTraffic)
        let broken = report.tests.filter { $0.problem != nil && !$0.isWithoutTraffic }
        let parts = [
            (explored.count, "explored"), (idle.count, "without traffic"),
            (broken.count, "cannot be explored"), (late, "not reached in time"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let count = report.tests.count
        var lines = ["\(count) test\(count == 1 ? "" : "s"): \(parts.joined(separator: ", "))"]
        lines += explored.map { "  \($0.settings.test ?? "")  \(summary(of: $0))" }
        for test in broken {
            lines.append("  \(test.settings.test ?? "")  \(test.problem?.words ?? "")")
        }
        return lines + Matrix.doubts(report.tests.flatMap(\.records)) + [""]
    }

    private func summary(of test: CampaignReport) -> String {
        let exchanges = test.baseline?.exchanges.count ?? 0
        let isStable = test.baseline?.isStable ?? true
        return "\(exchanges) exchange\(exchanges == 1 ? "" : "s")"
            + (isStable ? "" : ", which differ from run to run")
            + "; \(ReportText.counts(of: test))"
    }

    // MARK: Findings

    private var findings: [String] {
        let shown = report.findings.prefix(ReportText.fullFindings).flatMap { text(of: $0) + [""] }
        let rest = report.findings.dropFirst(ReportText.fullFindings).map { shared in
            let finding = shared.finding
            return "\(finding.id)  \(finding.kind.rawValue) at \(finding.position),"
                + " \(count(shared)): \(finding.minimal.schedule)"
        }
        return shown + rest + (rest.isEmpty ? [] : [""])
    }

    /// One finding in full.
    package func text(of shared: SharedFinding) -> [String] {
        var lines = replay(shared).text(of: shared.finding)
        guard report.isOfTests else { return lines }
        let place = lines.firstIndex { $0.hasPrefix("  why ") } ?? lines.count
        lines.insert("  tests     \(names(shared))", at: place)
        return lines
    }

    /// The command line that repeats a finding.
    func command(for shared: SharedFinding) -> String {
        replay(shared).command(for: shared.finding)
    }

    /// How long that takes, if it waits for the deadline.
    func duration(of shared: SharedFinding) -> String? {
        replay(shared).duration(of: shared.finding)
    }

    private func replay(_ shared: SharedFinding) -> ReportText {
        ReportText(report.tests[shared.smallest], known: report.comparison?.known ?? [])
    }

    private func count(_ shared: SharedFinding) -> String {
        "\(shared.tests.count) test\(shared.tests.count == 1 ? "" : "s")"
    }

    /// As in `3, the smallest a::b; also a::c, a::d`.
    private func names(_ shared: SharedFinding) -> String {
        let names = { (index: Int) in report.tests[index].settings.test ?? "" }
        let others = shared.tests.filter { $0 != shared.smallest }
        guard !others.isEmpty else { return names(shared.smallest) }
        let more =
            others.count > Self.namedTests ? " and \(others.count - Self.namedTests) more" : ""
        let named = others.prefix(Self.namedTests).map(names).joined(separator: ", ")
        return "\(shared.tests.count), the smallest \(names(shared.smallest)); also \(named)\(more)"
    }

    // MARK: What differs

    var comparison: [String] {
        guard let comparison = report.comparison else { return [] }
        let new = report.findings.count {
            $0.finding.kind.isFailure && !comparison.known.contains($0.finding.id)
        }
        return comparison.lines(new: new)
    }
}
