internal import Arguments
internal import Basics
internal import Exploration
internal import SystemIO

/// `linkcond report merge`: the reports of several shards as one.
struct MergeCommand {
    let console: Console

    /// The most bytes of one report that are read.
    private static let sizeLimit = 1 << 30

    /// - Parameters:
    ///   - invocation: whose options say where the report goes.
    ///   - paths: of reports that `explore --report` wrote.
    /// - Returns: as `explore` would have ended.
    /// - Throws: what is wrong with a report, or that they are not of one exploration.
    func run(_ invocation: Invocation, _ paths: [String]) throws(Failure) -> ExitCode {
        var reports: [CampaignReport] = []
        for path in paths { reports.append(try read(path)) }
        guard let first = reports.first else {
            throw Failure(.usage, "give the reports to merge: linkcond report merge FILE...")
        }
        for (path, report) in zip(paths, reports) { try check(report, path, against: first) }
        let report = CampaignReport.merged(reports)
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

    private func ending(_ report: CampaignReport) -> (ExitCode, String) {
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

    private func read(_ path: String) throws(Failure) -> CampaignReport {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try FileSystem.read(path, limit: Self.sizeLimit)
        } catch {
            throw Failure(.inputMissing, "cannot read report '\(path)': \(error)")
        }
        var reader = ReportReader()
        // What follows the last line end was cut off.
        let whole = bytes.lastIndex(of: UInt8(ascii: "\n")).map { bytes[...$0] } ?? []
        for (number, line) in whole.split(separator: UInt8(ascii: "\n")).enumerated() {
            try read(line, &reader) { column, words in
                "\(path):\(number + 1):\(column): error: \(words)"
            }
        }
        guard let report = reader.report else {
            throw Failure(.configuration, "the report '\(path)' is empty: no exploration wrote it")
        }
        return report
    }

    private func read(
        _ line: ArraySlice<UInt8>,
        _ reader: inout ReportReader,
        _ diagnostic: (Int, String) -> String
    ) throws(Failure) {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONParser.parse(line)
        } catch {
            throw Failure(
                .configuration,
                diagnostics: [diagnostic(error.column, error.description)]
            )
        }
        guard case .object(let object) = value else {
            throw Failure(.configuration, diagnostics: [diagnostic(1, "expected an object")])
        }
        do throws(ReportReader.Problem) {
            try reader.take(object)
        } catch {
            throw Failure(.configuration, diagnostics: [diagnostic(1, error.words)])
        }
    }

    /// Shards of different explorations do not make one.
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
