internal import Arguments
internal import Basics
internal import ControlAPI
internal import Faults
internal import Journal
internal import LinkProfile
internal import Origin
internal import Proxy
internal import SystemIO
internal import Trials

// From the reason to end to the last line.
extension ProxyRun {
    /// Ends the run; the first reason counts, but for a signal that follows.
    func end(_ code: ExitCode) {
        outcome = code
        loop.stop()
    }

    func finish() -> ExitCode {
        let elapsed = elapsed
        if drainCode == nil { notifier.stopping() }
        stopWork()
        let snapshot = fleet.snapshot()
        var code = outcome ?? .success
        if code == .success, waste != nil { code = .findings }
        let digest = journal?.digest
        let unrepeated = unrepeated
        recordEnd(code, digest, unrepeated)
        journal?.finish()
        var summary = RunSummary(
            description: description,
            tally: tally,
            snapshot: snapshot,
            elapsed: elapsed,
            journal: journal.map { ($0.path, digest) }
        )
        summary.details = waste.map { [("found", $0)] } ?? []
        summary.unrepeated = unrepeated
        summary.isForTerminal = console.output.isTerminal
        summary.members = ["findings": .array(waste.map { [.string($0)] } ?? [])]
        if !options.isQuiet { show(summary) }
        if let failure = console.output.failure {
            code = .writeError
            console.report(Failure(code, "cannot write to standard output: \(failure)"))
        }
        if let journal, let failure = journal.failure {
            code = .writeError
            console.report(Failure(code, "journal '\(journal.path)' is not complete: \(failure)"))
        }
        // Last: pages are shown everything up to the end, and a slow one holds up nothing else.
        native?.conclude()
        stopControl()
        return code
    }

    /// Records the end, with the command that repeats the run if it is another one by now.
    private func recordEnd(_ code: ExitCode, _ digest: String?, _ unrepeated: [String]) {
        let line = options.repeated.line(
            faults: server.manual.schedule.faults(without: server.faults.startProfile.faults)
                .map(\.canonicalText),
            seed: description.seed
        )
        let isAnother = line != description.reproduction
        description.reproduction = line
        record(
            .end(
                RunEnd(
                    exitCode: UInt8(code.rawValue),
                    digest: digest,
                    reproduction: isAnother ? line : nil,
                    unrepeated: unrepeated.isEmpty ? nil : unrepeated.joined(separator: "; ")
                )
            )
        )
    }

    /// What was done by hand that the command line of the summary does not do.
    private var unrepeated: [String] {
        let recorder = server.manual.recorder
        return recorder.remarks + recorder.differences
    }

    /// Prints the summary; on standard error if standard output is the journal's, or is gone.
    private func show(_ summary: RunSummary) {
        func lines(_ style: TextStyle) -> [String] {
            options.isJSON ? [summary.json.text] : summary.lines(style: style)
        }
        if options.journalPath != "-" {
            for line in lines(console.outputStyle) { console.offer(line) }
            console.output.flush(milliseconds: 2_000)
            if console.output.failure == nil { return }
        }
        for line in lines(console.errorStyle) { console.log(line) }
    }

    /// Closes everything, and lets the loop see that it is closed.
    func shutDown() {
        stopWork()
        stopControl()
    }

    /// Closes all but control, which tells of it.
    private func stopWork() {
        screen?.leave()
        screen = nil
        for timer in timers { timer.close() }
        drainNotice = nil
        for watcher in watchers { watcher.close() }
        pathReporter?.close()
        native?.stopProxies()
        lookups?.finish()
        server.stop()
        origin?.stop()
        loop.finishClosing()
    }

    private func stopControl() {
        native?.stop()
        control?.stop()
        loop.finishClosing()
    }
}
