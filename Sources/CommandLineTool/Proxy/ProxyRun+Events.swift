internal import Analysis
internal import ControlAPI
internal import Journal
internal import Libuv
internal import Proxy

// What people and journals are told while it runs.
extension ProxyRun {
    /// Takes note of something that happened.
    func record(_ record: JournalRecord) {
        tally.add(record)
        let now = loop.nowNanoseconds
        journal?.write(record, nowNanoseconds: now)
        native?.take(record, nowNanoseconds: now)
        if let failure = journal?.failure, !isJournalFailureTold {
            isJournalFailureTold = true
            tell(
                "cannot write journal '\(journal?.path ?? "")': \(failure);"
                    + " the proxy goes on without it"
            )
        }
        noteWaste()
        if options.isJSON, case .fault = record {
            console.offer(RunSummary.event("fault", record).text)
        }
        if case .trouble(.latePacing, _) = record { noteLateness() }
        if case .fault(let report) = record { state.add(report) }
        if case .request(let report) = record, screen != nil { state.add(report) }
        guard let line = EventText.line(record, isVerbose: options.isVerbose) else { return }
        if !options.isQuiet { tell(line) }
    }

    /// More on a metered path than --max-metered allows, in words; nil if it is not.
    var waste: String? {
        guard let limit = options.maximumMeteredBytes, tally.metered.either.bytes > limit,
            let words = MeteredText.words(tally.metered)
        else { return nil }
        return "waste: \(words); --max-metered allows \(Figures.bytes(limit))"
    }

    private func noteWaste() {
        guard !isWasteTold, let waste else { return }
        isWasteTold = true
        if !options.isQuiet { tell(waste) }
    }

    /// Says that the machine is busy, once in a while.
    private func noteLateness() {
        let now = loop.nowNanoseconds
        if let last = latenessTold, now - last < Self.latenessInterval * 1_000_000_000 { return }
        latenessTold = now
        guard let line = EventText.lateness(server.lateness), !options.isQuiet else { return }
        tell(line)
    }

    /// A line for people: an event of the live view, or a line of the log.
    func tell(_ line: String) {
        if screen?.isActive == true {
            state.add(line)
        } else {
            console.log("\(Figures.clock(nanoseconds: elapsedNanoseconds))  \(line)")
        }
    }

    func sample() {
        state.isPaused = server.isPaused
        state.isOut = server.outage.isPresent
        state.take(server.snapshot(rows: Self.sampledRows), atNanoseconds: elapsedNanoseconds)
    }

    func tellProgress() {
        if let line = progress.next(state) { console.log(line) }
    }

    func redraw() {
        takeKeys()
        sample()
        draw()
    }

    /// Shows what was sampled last.
    func draw() {
        guard let screen else { return }
        screen.draw { size in
            LiveFrame(
                state: state,
                description: description,
                controls: controls,
                size: size,
                usesUnicode: console.usesUnicode,
                status: status
            ).lines()
        }
    }
}
