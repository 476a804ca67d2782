internal import Arguments
internal import Basics
internal import ResumableClient
internal import SystemIO
internal import Transfers

/// What people and programs see of the transfers of one run: lines, a bar, or records as JSON.
final class TransferOutput {
    private let options: TransferOptions
    private let console: Console
    private let loop: EventLoop
    let form: TransferOptions.ProgressForm
    private let log: TransferLog
    private let startedAt: Instant
    private var screen: ProgressScreen
    private var displays: [TransferDisplay]
    private var throttles: [ProgressThrottle]

    /// The least time between two records of progress.
    private static let progressInterval = Duration.milliseconds(100)

    init(_ options: TransferOptions, _ console: Console, _ loop: EventLoop) {
        self.options = options
        self.console = console
        self.loop = loop
        startedAt = loop.now
        log = TransferLog(explains: options.explains, showsInterim: options.showsInterim)
        form = Self.form(options, console)
        screen = ProgressScreen(console.errors, isActive: form == .bar)
        displays = options.jobs.map { TransferDisplay($0.description) }
        throttles = options.jobs.map { _ in
            ProgressThrottle(interval: Self.progressInterval)
        }
    }

    private static func form(
        _ options: TransferOptions,
        _ console: Console
    ) -> TransferOptions.ProgressForm {
        if options.isQuiet { return .none }
        guard options.progress == .auto else { return options.progress }
        let isTerminal = console.errors.isTerminal && CurrentProcess.environment("TERM") != "dumb"
        return isTerminal ? .bar : .lines
    }

    /// How often progress is shown; nil if it is not, or comes with the records.
    var intervalMilliseconds: UInt64? {
        switch form {
        case .bar: 200
        case .lines: 10_000
        case .auto, .jsonl, .none: nil
        }
    }

    func record(_ record: TransferRecord, of index: Int) {
        let now = loop.now
        displays[index].add(record, at: now)
        if form == .jsonl {
            for record in throttles[index].admit(record, at: now) {
                writeJSON(record, of: index, now)
            }
        }
        if form != .jsonl, !options.isQuiet, let line = log.line(record) {
            printLine(line, of: index)
        }
    }

    private func writeJSON(_ record: TransferRecord, of index: Int, _ now: Instant) {
        var object = RecordText.json(
            record,
            isUpload: displays[index].isUpload,
            milliseconds: UInt64((now - startedAt).wholeMilliseconds)
        )
        if options.jobs.count > 1 { object.append("transfer", .number(index + 1)) }
        console.log(JSONValue.object(object).text)
    }

    /// Says how a transfer ended.
    ///
    /// - Parameters:
    ///   - ending: how it ended.
    ///   - index: its index among the jobs.
    ///   - resumeFile: the file with the state needed to resume it; nil if there is none.
    /// - Returns: the program's exit code for this ending.
    func end(_ ending: TransferEnding, of index: Int, resumeFile: String?) -> ExitCode {
        let summary = TransferSummary(
            description: options.jobs[index].description,
            statistics: displays[index].statistics,
            ending: ending,
            elapsed: loop.now - startedAt,
            resumeFile: resumeFile
        )
        show(summary)
        return summary.exitCode
    }

    private func show(_ summary: TransferSummary) {
        screen.clear()
        let isError = summary.exitCode != .success
        let usesOutput = options.jobs.contains { $0.description.isToStandardOutput }
        if options.isJSON, !usesOutput {
            console.offer(JSONValue.object(summary.json).text)
        } else if isError {
            console.log("\(CommandSet.program): \(summary.line)")
        } else if !options.isQuiet, form != .jsonl {
            if usesOutput { console.log(summary.line) } else { console.offer(summary.line) }
        }
    }

    /// Shows how far these are; only one of them on a bar.
    func showProgress(of running: [Int]) {
        let now = loop.now
        let width = TerminalSize(descriptor: console.errors.descriptor)?.columns ?? 100
        for index in running where !displays[index].isEnded {
            let line = displays[index].line(
                at: now,
                width: form == .bar ? width - 1 : .max,
                hasBar: form == .bar,
                usesUnicode: console.usesUnicode
            )
            if form == .bar {
                screen.show(line)
                // One line of the terminal: the first of several transfers.
                return
            }
            printLine(line)
        }
    }

    private func printLine(_ line: String, of index: Int) {
        printLine(options.jobs.count > 1 ? "\(displays[index].name): \(line)" : line)
    }

    /// Prints a line with the time, where people read.
    func printLine(_ line: String) {
        guard !options.isQuiet, form != .jsonl else { return }
        screen.clear()
        console.log("\(Figures.clock(loop.now - startedAt))  \(line)")
    }

    func close() { screen.clear() }
}
