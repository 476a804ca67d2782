internal import Analysis
internal import Arguments
internal import Basics
internal import Journal
internal import SystemIO

/// `linkcond report`.
struct ReportCommand {
    let console: Console

    func run(_ invocation: Invocation) throws(Failure) -> ExitCode {
        let options = try ReportOptions(invocation)
        var runs: [JudgedRun] = []
        for path in options.journals { runs.append(try judge(path, options)) }
        let across = RunReport.compare(runs.map(\.report))
        if let path = options.pagePath {
            try write(RunReportPage(runs: runs, across: across).document(), to: path)
        }
        if let path = options.testPath {
            let lines = RunReportJUnit(runs: runs).lines()
            try write(lines.map { $0 + "\n" }.joined(), to: path)
        }
        if let path = options.archivePath, let run = runs.first {
            let archive = HARDocument(run.report.transcript, creatorVersion: Version.number)
            try write(archive.json.text + "\n", to: path)
        }
        if let path = options.capturePath, let run = runs.first {
            let transcript = run.report.transcript
            try write(PacketCapture(transcript, creatorVersion: Version.number).bytes, to: path)
        }
        if options.isJSON {
            try console.write([RunReportJSON.document(runs, across: across).text])
        } else if !options.writesToOutput {
            try console.write(text(of: runs, across: across))
        }
        return code(of: runs, across: across)
    }

    // MARK: Reading

    /// The most bytes of a file that is compared.
    private static let sizeLimit = 1 << 30

    private func judge(_ path: String, _ options: ReportOptions) throws(Failure) -> JudgedRun {
        let files = JournalFiles(path)
        if let note = files.note {
            console.log("\(CommandSet.program): note: '\(path)' \(note)")
        }
        var reading = RunReading(isForArchive: options.archivePath != nil)
        // A page shows the records that a finding points to.
        var records: [Timed<JournalRecord>] = []
        let keepsRecords = options.pagePath != nil && !JournalInput.canBeReadAgain(path)
        let truncatedBytes = try JournalInput.read(path) { entry in
            guard let record = Timed(entry) else { return }
            reading.add(record)
            if keepsRecords { records.append(record) }
        }
        var evidence = options.evidence
        if let (expected, result) = options.comparison {
            evidence.oracle = try compare(expected, result)
        }
        let report = RunReport(emptying: &reading, evidence: evidence)
        var run = JudgedRun(
            name: path,
            report: report,
            expectation: options.expectation,
            truncatedBytes: truncatedBytes
        )
        // No name tells which part is the last.
        let lacksEnd = files.areParts && report.transcript.end == nil
        run.isPartial = files.note != nil || lacksEnd
        if options.pagePath != nil {
            if !keepsRecords { records = try cited(by: report, in: path) }
            run.evidence = EvidenceRecords(report, records)
        }
        return run
    }

    /// The records that findings and checks point at, from a journal that was read before.
    private func cited(
        by report: RunReport,
        in path: String
    ) throws(Failure) -> [Timed<JournalRecord>] {
        let wanted = report.citedLines
        guard let last = wanted.max() else { return [] }
        var records: [Timed<JournalRecord>] = []
        var isThrough = false
        _ = try JournalInput.read(path) { entry in
            isThrough = isThrough || entry.line >= last
            guard wanted.contains(entry.line), let record = Timed(entry) else { return }
            records.append(record)
        } while: {
            !isThrough
        }
        return records
    }

    private func compare(_ expected: String, _ result: String) throws(Failure) -> Evidence.Oracle {
        let wanted: [UInt8]
        do throws(SystemError) {
            wanted = try FileSystem.read(expected, limit: Self.sizeLimit)
        } catch {
            throw Failure(.inputMissing, "cannot read '\(expected)': \(error)")
        }
        let got: [UInt8]
        do throws(SystemError) {
            got = try FileSystem.read(result, limit: Self.sizeLimit)
        } catch .noSuchFile {
            return .missing
        } catch {
            throw Failure(.inputMissing, "cannot read '\(result)': \(error)")
        }
        guard wanted != got else { return .matches }
        let same = zip(wanted, got).prefix { $0 == $1 }.count
        return .differs(
            "differs from byte \(same) on; \(got.count) bytes where \(wanted.count) should be"
        )
    }

    // MARK: Writing

    private func write(_ text: String, to path: String) throws(Failure) {
        try write(Array(text.utf8), to: path)
    }

    private func write(_ bytes: [UInt8], to path: String) throws(Failure) {
        if path == "-" { return try console.write(bytes: bytes) }
        do throws(SystemError) {
            try FileSystem.replace(path, with: bytes)
        } catch {
            throw Failure(.cannotCreate, "cannot write '\(path)': \(error)")
        }
    }

    private func text(of runs: [JudgedRun], across: [CheckResult]) -> [String] {
        let width = console.reportWidth
        var lines: [StyledLine] = []
        for run in runs {
            if !lines.isEmpty { lines += [StyledLine(), StyledLine()] }
            lines += RunReportText(run: run, width: width, usesUnicode: console.usesUnicode).lines()
        }
        if !across.isEmpty { lines.append(StyledLine()) }
        for result in across {
            var line = StyledLine(result.verdict.rawValue, result.verdict.role)
            line.add(": \(result.check.rawValue) over all runs, \(result.check.title):")
            line.add(" \(result.observed)")
            lines.append(line)
        }
        return lines.map { $0.rendered(limit: .max, style: console.outputStyle) }
    }

    /// The worst of all runs.
    private func code(of runs: [JudgedRun], across: [CheckResult]) -> ExitCode {
        let verdicts = runs.map(\.verdict) + across.filter { !$0.check.isAdvisory }.map(\.verdict)
        if verdicts.contains(.fail) { return .findings }
        return verdicts.contains(.inconclusive) ? .inconclusive : .success
    }
}
