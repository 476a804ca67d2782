internal import Basics
internal import Exploration

/// The line of progress: one that is written over on a terminal, one each ten seconds elsewhere.
struct ExploreProgress {
    private let isTerminal: Bool
    private var lastShown = Duration.zero
    private var shown = ""
    private var remaining: RemainingTime

    private static let terminalPause = Duration.milliseconds(250)
    private static let plainPause = Duration.seconds(10)

    /// - Parameters:
    ///   - isTerminal: whether a line may be written over.
    ///   - limit: when the search ends at the latest; nil for no limit.
    init(isTerminal: Bool, limit: Duration? = nil) {
        self.isTerminal = isTerminal
        remaining = RemainingTime(limit: limit)
    }

    /// What to write now; nil if nothing is due or nothing has changed.
    mutating func next(_ state: CampaignProgress, elapsed now: Duration) -> String? {
        remaining.update(state, elapsed: now)
        let pause = isTerminal ? Self.terminalPause : Self.plainPause
        guard now - lastShown >= pause else { return nil }
        lastShown = now
        let line = Self.line(state, elapsed: now, remaining: remaining.words)
        guard line != shown else { return nil }
        shown = line
        return isTerminal ? "\r\u{1B}[K\(line)" : "\(line)\n"
    }

    /// What makes room for another line.
    mutating func clear() -> String? {
        guard isTerminal, !shown.isEmpty else { return nil }
        shown = ""
        return "\r\u{1B}[K"
    }

    /// As in `0:07  57 of 120 runs, 3 at work, 1 finding, about 8 s left`.
    static func line(
        _ state: CampaignProgress,
        elapsed: Duration,
        remaining: String? = nil
    ) -> String {
        let total = state.done + state.running + state.waiting
        var parts = ["\(state.done) of \(total) runs", "\(state.running) at work"]
        if state.findings > 0 { parts.append(Figures.count(state.findings, "finding")) }
        if state.unreached > 0 {
            parts.append("\(Figures.count(state.unreached, "fault")) did not act")
        }
        if state.confirmingHangs > 0 {
            let runs = Figures.count(state.confirmingHangs, "silent run")
            parts.append("\(runs) waited for up to --deadline")
        }
        if let remaining { parts.append(remaining) }
        return "\(Figures.clock(elapsed))  "
            + parts.joined(separator: ", ")
    }
}
