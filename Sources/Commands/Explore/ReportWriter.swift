internal import Analysis
internal import Arguments
internal import Basics
internal import Exploration
internal import Journal
internal import Reports
internal import SystemIO

/// Writes the report of an exploration in all the forms that were asked for.
struct ReportWriter {
    private let output: ExploreOutput
    private let console: Console

    init(_ output: ExploreOutput, console: Console) {
        self.output = output
        self.console = console
    }

    /// - Parameters:
    ///   - report: what was found.
    ///   - server: the checks of its server; nil if none were asked for.
    ///   - code: how the program ends.
    ///   - reason: why, for the last line.
    /// - Throws: `cannotCreate` or `writeError` for the output that cannot be written.
    func write(
        _ report: SuiteReport,
        _ server: ServerReview? = nil,
        code: ExitCode,
        reason: String
    ) throws(Failure) {
        if output.isJSON {
            let ending = ReportLines.ending(report, exitCode: Int(code.rawValue))
            try console.write(ending.map { JSONValue.object($0).text })
        } else {
            try console.write(SuiteText(report, width: console.reportWidth).lines)
        }
        if let path = output.junit {
            try replace(path, with: ReportJUnit.document(report, further: server?.suites ?? []))
        }
        if let path = output.page {
            let page = ReportPage.document(report, further: server?.sections ?? []) {
                $0.journal.flatMap(Self.ladders)
            }
            try replace(path, with: page)
        }
        if output.forGitHub { try writeGitHub(report, server) }
        if output.isJSON {
            console.log("\(CommandSet.program): \(reason)")
        } else {
            try console.write([reason])
        }
    }

    /// The ladders of the run that shows a finding, from the journal that was kept of it.
    private static func ladders(of journal: String) -> String? {
        var records: [Timed<JournalRecord>] = []
        let rest = try? JournalInput.read(journal) { entry in
            if let record = Timed(entry) { records.append(record) }
        }
        let report = RunReport(records)
        guard rest != nil, !report.transfers.isEmpty else { return nil }
        let lines = Set(report.checks.filter { $0.verdict == .fail }.flatMap(\.lines))
        return LadderDrawing.patterns
            + report.transfers.prefix(shownTransfers).map { transfer in
                "<h3>\(transfer.kind.rawValue) <code>\(MarkupText.escaped(transfer.target))</code></h3>"
                    + LadderDrawing(transfer, evidence: lines).text
            }.joined() + LadderDrawing.legend
    }

    private static let shownTransfers = 8

    /// Writes a whole file.
    func replace(_ path: String, with lines: [String]) throws(Failure) {
        do throws(SystemError) {
            try FileSystem.replace(path, with: Console.bytes(lines))
        } catch {
            throw Failure(.cannotCreate, "cannot write '\(path)': \(error)")
        }
    }

    private func writeGitHub(_ report: SuiteReport, _ server: ServerReview?) throws(Failure) {
        let annotations = ReportGitHub.annotations(report)
        // A job's runner reads both streams, and on standard output are objects only.
        try console.writeAnnotations(annotations, toErrors: output.isJSON)
        try GitHubJob.appendToSummary(ReportGitHub.summary(report) + (server?.summary ?? []))
    }
}
