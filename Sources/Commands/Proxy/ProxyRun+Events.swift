internal import Analysis
internal import Basics
internal import ControlAPI
internal import Journal
internal import Proxy
internal import SystemIO

// What people and journals are told while it runs.
extension ProxyRun {
    /// Takes note of something that happened.
    ///
    /// - Parameters:
    ///   - record: what it was.
    ///   - time: when, by the loop's clock; nil for now.
    func record(_ record: JournalRecord, at time: Instant? = nil) {
        let now = time ?? loop.now
        // A journal begins with the start.
        guard early == nil else {
            early?.append((record, now))
            return
        }
        tally.add(record)
        recordedAt = max(recordedAt, now)
        journal?.write(record, now: recordedAt)
        native?.take(record, now: recordedAt)
        if let failure = journal?.failure, !isJournalFailureTold {
            isJournalFailureTold = true
            tell(
                "cannot write journal '\(journal?.path ?? "")': \(failure);"
                    + " the proxy continues without it"
            )
        }
        noteWaste()
        if options.isJSON, let line = RunSummary.event(record) { console.offer(line.text) }
        if case .trouble(.latePacing, _) = record { noteLateness() }
        if case .opaque(let report) = record { tellOpaque(report) }
        if case .connectionEnd(let end) = record { tellMismatch(end) }
        if case .fault(let report) = record { changeStates(of: record) { $0.add(report) } }
        if case .request(let report) = record, screen != nil {
            changeStates(of: record) { $0.add(report) }
        }
        guard !options.isQuiet, let line = line(of: record) else { return }
        tell(line, of: record)
    }

    private func line(of record: JournalRecord) -> String? {
        let line = EventText.line(record, isVerbose: options.isVerbose)
        if options.isVerbose { return line }
        return upstreamNotices.line(line, of: record, now: recordedAt)
    }

    /// Says once for each reason that requests of a connection cannot be seen, and what to do.
    private func tellOpaque(_ report: OpaqueReport) {
        guard !options.isQuiet, opaqueTold.insert(report.reason).inserted else { return }
        tell(EventText.opaque(report))
    }

    /// Says once that one side speaks TLS and the other one does not.
    private func tellMismatch(_ end: ConnectionEnd) {
        guard !isMismatchTold, !options.isQuiet, let words = mismatch(end) else { return }
        isMismatchTold = true
        tell(words)
    }

    private func mismatch(_ end: ConnectionEnd) -> String? {
        switch end.passedTLS {
        case .fromBoth: return nil
        case .fromClient:
            let isRefused = end.by == .upstream || end.down.bytes > 0
            return isRefused ? EventText.plainServer(end.connection) : nil
        case .none:
            // A server that speaks TLS closes on what is no hello, with an alert at most.
            guard end.by == .upstream, end.up.bytes > 0, end.down.bytes <= Self.alertBytes,
                !end.isSealed,
                let upstream = description.plainUpstream(ofListener: end.connection.listener)
            else { return nil }
            return EventText.unanswered(end, upstream: upstream)
        }
    }

    /// A record with an alert and no more (RFC 8446 §5.1, §6).
    private static let alertBytes = 7

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
        let now = loop.now
        if let last = latenessTold, now - last < Self.latenessInterval { return }
        latenessTold = now
        guard let line = EventText.lateness(server.lateness), !options.isQuiet else { return }
        tell(line)
    }

    /// A line for people: an event of the live view, or a line of the log.
    ///
    /// - Parameters:
    ///   - line: what it says.
    ///   - record: the one that it tells of; nil for something of the run as a whole.
    func tell(_ line: String, of record: JournalRecord? = nil) {
        guard screen?.isActive == true else {
            return console.log("\(Figures.clock(elapsed))  \(line)")
        }
        if let record { return changeStates(of: record) { $0.add(line) } }
        state.add(line)
        for known in further { known.state.add(line) }
    }

    func sample() {
        state.isPaused = server.manual.isPaused
        state.isOut = server.link.outage.isPresent
        state.take(server.snapshot(rows: Self.sampledRows), at: elapsed)
        sampleFurther()
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
                state: liveState,
                description: shownDescription,
                proxy: shownProxy,
                controls: controls,
                size: size,
                usesUnicode: console.usesUnicode,
                status: status
            ).lines()
        }
    }
}
