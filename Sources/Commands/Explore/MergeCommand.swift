internal import Arguments
internal import Basics
internal import Exploration
internal import SystemIO

/// `linkcond report merge`: the reports of several shards as one.
struct MergeCommand {
    let console: Console

    /// - Parameters:
    ///   - invocation: whose options say where the report goes.
    ///   - paths: of reports that `explore --report` wrote.
    /// - Returns: as `explore` would have ended.
    /// - Throws: what is wrong with a report, or that they are not of one exploration.
    func run(_ invocation: Invocation, _ paths: [String]) throws(Failure) -> ExitCode {
        var reports: [SuiteReport] = []
        for path in paths { reports.append(try ReportFile.read(path)) }
        guard let first = reports.first else {
            throw Failure(.usage, "give the reports to merge: linkcond report merge FILE...")
        }
        for (path, report) in zip(paths, reports) { try check(report, path, against: first) }
        var report = SuiteReport.merged(reports)
        if let path = invocation.value("baseline-report") {
            report.compare(with: try ReportFile.read(path), named: path)
        }
        let output = ExploreOutput(invocation)
        let (code, reason) = ending(report)
        let writer = ReportWriter(output, console: console)
        if let path = invocation.value("output") {
            let lines = ReportLines.all(report, exitCode: Int(code.rawValue))
            try writer.replace(path, with: lines.map { JSONValue.object($0).text })
        }
        try writer.write(report, code: code, reason: reason)
        return code
    }

    private func ending(_ report: SuiteReport) -> (ExitCode, String) {
        let missing = report.missingShards
        switch report.verdict {
        case .passed(let reason) where missing.isEmpty: return (.success, reason)
        case .passed:
            let names = missing.map(String.init).joined(separator: ", ")
            return (.inconclusive, "shard \(names) is missing; the others passed")
        case .findings(let reason): return (.findings, reason)
        case .inconclusive(let reason): return (.inconclusive, reason)
        }
    }

    /// Shards of different explorations do not make one.
    private func check(
        _ report: SuiteReport,
        _ path: String,
        against first: SuiteReport
    ) throws(Failure) {
        for test in report.tests {
            guard let other = first.tests.first(where: { $0.settings.test == test.settings.test })
            else { continue }
            try check(test, path, against: other)
        }
        guard report.isOfTests == first.isOfTests else {
            throw Failure(
                .configuration,
                "'\(path)' is of another exploration: only one of the two is of a list of tests"
            )
        }
    }

    private func check(
        _ report: CampaignReport,
        _ path: String,
        against first: CampaignReport
    ) throws(Failure) {
        guard report.settings.isComparable(with: first.settings) else {
            throw Failure(
                .configuration,
                "'\(path)' is of another exploration: its command, effects, depth or seed differ"
            )
        }
        guard Set(report.shards.map(\.count)) == Set(first.shards.map(\.count)) else {
            throw Failure(
                .configuration,
                "'\(path)' is shard \(report.shards.map(\.text).joined(separator: ", ")); the first"
                    + " report is \(first.shards.map(\.text).joined(separator: ", "))"
            )
        }
        if let base = report.baseline?.base, let other = first.baseline?.base, base != other {
            console.log(
                "\(CommandSet.program): note: '\(path)' had other messages than the first report"
                    + " (base \(base), \(other)); some points may be missing"
            )
        }
    }
}
