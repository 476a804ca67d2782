internal import Analysis
internal import Arguments
internal import Basics
internal import Exploration
internal import SystemIO

/// What people and programs are told of an exploration: progress and findings as they come on
/// standard error, the report at the end on standard output and in files.
final class ExploreReporter {
    private let options: ExploreOptions
    /// Of each test.
    private let settings: [ReportSettings]
    private let console: Console
    private let lines: OutputFile?
    private var linesFailure: SystemError?
    private var outputFailure: Failure?
    private var isEnding = false
    private var progress: ExploreProgress
    /// The ids of findings that were told, which other tests may have, too.
    private var told: Set<String> = []

    /// - Throws: if a report cannot be created.
    init(
        _ options: ExploreOptions,
        _ settings: [ReportSettings],
        console: Console
    ) throws(Failure) {
        self.options = options
        self.settings = settings
        self.console = console
        progress = ExploreProgress(
            isTerminal: console.errors.isTerminal,
            limit: options.searchMilliseconds.map { .milliseconds(clamping: $0) }
        )
        lines = try options.output.report.map { path throws(Failure) in
            do throws(SystemError) {
                return try OutputFile(creating: path)
            } catch {
                throw Failure(.cannotCreate, "cannot create the report '\(path)': \(error)")
            }
        }
        for settings in settings { write(ReportLines.start(settings, options.campaign.shard)) }
    }

    // MARK: While it runs

    func report(_ news: CampaignNews, of test: Int) {
        let settings = settings[test]
        switch news {
        case .baseline(let baseline): write(ReportLines.baseline(baseline, settings))
        case .run(let record): write(ReportLines.run(record, settings))
        case .minimum(let minimum): write(ReportLines.minimum(minimum, settings))
        case .found(let kind, let id, let position, let point, let reason):
            guard told.insert(id).inserted, !options.output.isQuiet else {
                return
            }
            clearProgress()
            let title = console.errorStyle(.bad, "found \(kind.rawValue)")
            console.log("\(title) at \(position): \(reason)")
            console.log("  \(point.schedule)" + (settings.test.map { "  in \($0)" } ?? ""))
        }
    }

    func showProgress(_ state: CampaignProgress, elapsed: Duration) {
        guard !options.output.isQuiet else { return }
        if let text = progress.next(state, elapsed: elapsed) {
            console.errors.offer(Array(text.utf8))
        }
    }

    func clearProgress() {
        if let text = progress.clear() { console.errors.offer(Array(text.utf8)) }
    }

    /// Writes a line of the report; the first failure is told at the end.
    private func write(_ line: JSONObject) {
        let bytes = Console.bytes([JSONValue.object(line).text])
        do throws(Failure) {
            if options.output.isJSON, !isEnding, outputFailure == nil {
                try console.write(bytes: bytes)
            }
        } catch {
            outputFailure = error
        }
        guard let lines, linesFailure == nil else { return }
        do throws(SystemError) {
            try lines.writeAll(bytes)
        } catch {
            linesFailure = error
        }
    }

    // MARK: At the end

    func reportEnd(
        _ report: SuiteReport,
        _ server: ServerReview?,
        code: ExitCode,
        reason: String
    ) throws(Failure) {
        // On standard output these lines are the writer's.
        isEnding = true
        for line in ReportLines.ending(report, exitCode: Int(code.rawValue)) { write(line) }
        if let outputFailure { throw outputFailure }
        let writer = ReportWriter(options.output, console: console)
        try writer.write(report, server, code: code, reason: reason)
        if let linesFailure {
            throw Failure(
                .writeError,
                "the report '\(options.output.report ?? "")' is not complete: \(linesFailure)"
            )
        }
    }
}
