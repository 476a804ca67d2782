internal import Exploration

/// The line of progress: one that is written over on a terminal, one each ten seconds elsewhere.
struct ExploreProgress {
    private let isTerminal: Bool
    private var lastNanoseconds: Int64 = 0
    private var shown = ""
    private var remaining: RemainingTime

    private static let terminalPause: Int64 = 250_000_000
    private static let plainPause: Int64 = 10_000_000_000

    /// - Parameters:
    ///   - isTerminal: whether a line may be written over.
    ///   - limitNanoseconds: when the search ends at the latest; nil for no limit.
    init(isTerminal: Bool, limitNanoseconds: Int64? = nil) {
        self.isTerminal = isTerminal
        remaining = RemainingTime(limitNanoseconds: limitNanoseconds)
    }

    /// What to write now; nil if nothing is due or nothing has changed.
    mutating func next(_ state: CampaignProgress, elapsedNanoseconds now: Int64) -> String? {
        remaining.update(state, elapsedNanoseconds: now)
        let pause = isTerminal ? Self.terminalPause : Self.plainPause
        guard now - lastNanoseconds >= pause else { return nil }
        lastNanoseconds = now
        let line = Self.line(state, elapsedNanoseconds: now, remaining: remaining.words)
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
        elapsedNanoseconds: Int64,
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
        return "\(Figures.clock(nanoseconds: elapsedNanoseconds))  "
            + parts.joined(separator: ", ")
    }
}
