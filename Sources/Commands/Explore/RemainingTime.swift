internal import Basics
internal import Exploration

/// How much longer an exploration takes: the runs that are known to follow, at the current pace.
///
/// Runs that only a result brings about, such as those that confirm a finding, are not in it before
/// they are known. The pace is that of the last seconds, and the estimate is rounded, so that it does not
/// jump.
struct RemainingTime: Hashable, Sendable {
    /// What had been done when the search began: the runs before it are no measure for it.
    private struct Beginning: Hashable, Sendable {
        let done: Int
        let elapsed: Duration
    }

    private var beginning: Beginning?
    private var lastDone = 0
    /// Of the last runs, in which older ones count for less and less.
    private var recentRuns = 0.0
    private var recentTime = 0.0
    private var lastUpdate = Duration.zero
    /// In seconds; nil if unknown.
    ///
    /// It rises only for a good reason: runs end in bursts.
    private var shown: Int64?
    /// Whether it is a lower bound: some runs wait for their clients.
    private var isMinimum = false
    /// When the search ends at the latest, since the start; nil for no limit.
    private let limit: Duration?

    /// Fewer runs than these tell no pace.
    private static let leastRuns = 5
    private static let leastTime = Duration.seconds(3)
    /// How long ago runs were that count for a third.
    private static let memory = Duration.seconds(8)
    private static let second: Int64 = 1_000_000_000
    /// A thousand hours.
    private static let longest = 3.6e15

    /// - Parameter limit: when the search ends at the latest, since the start.
    init(limit: Duration? = nil) { self.limit = limit }

    /// Takes in what has happened.
    ///
    /// - Parameters:
    ///   - state: what is done and what is left.
    ///   - now: the time since the start.
    mutating func update(_ state: CampaignProgress, elapsed now: Duration) {
        guard state.waiting > 0 else {
            shown = nil
            return
        }
        guard let beginning else {
            beginning = Beginning(done: state.done, elapsed: now)
            (lastDone, lastUpdate) = (state.done, now)
            return
        }
        measure(runs: state.done - lastDone, in: max(.zero, now - lastUpdate))
        (lastDone, lastUpdate) = (state.done, now)
        guard state.done - beginning.done >= Self.leastRuns,
            now - beginning.elapsed >= Self.leastTime, recentRuns > 0
        else {
            return
        }
        // What waits lasts as long as it has to, whatever the pace is.
        let patient = max(state.silent, state.confirmingHangs)
        let left = Double(state.waiting + max(0, state.running - patient))
        isMinimum = patient > 0
        show(min(recentTime / recentRuns * left, untilLimit(now)))
    }

    private func untilLimit(_ now: Duration) -> Double {
        guard let limit, limit > now else { return Self.longest }
        return Double((limit - now).nanoseconds)
    }

    private mutating func measure(runs: Int, in time: Duration) {
        let share = Double(Self.memory.nanoseconds) / Double((Self.memory + time).nanoseconds)
        recentRuns = recentRuns * share + Double(runs)
        recentTime = recentTime * share + Double(time.nanoseconds)
    }

    /// A number stays until the next lower one is reached, or one that is higher by a third.
    private mutating func show(_ nanoseconds: Double) {
        let left = max(1, (Int64(nanoseconds) + Self.second / 2) / Self.second)
        let step = Self.step(left)
        if let shown, left > shown - step, left < shown + max(step, shown / 3) { return }
        shown = max(1, (left + step / 2) / step * step)
    }

    /// The step, in seconds, to which an estimate is rounded.
    private static func step(_ seconds: Int64) -> Int64 {
        switch seconds {
        case ..<10: 1
        case ..<60: 5
        case ..<300: 10
        default: 60
        }
    }

    /// As in `about 20 s left`; nil if unknown.
    ///
    /// It is `at least 20 s left` while a run waits for its client, or for the deadline.
    var words: String? {
        guard let shown else { return nil }
        return "\(isMinimum ? "at least" : "about") \(Self.text(shown)) left"
    }

    /// As in `20 s`, `1 min`, `1 min 20 s` or `2 h 5 min`.
    private static func text(_ seconds: Int64) -> String {
        let units = [(seconds / 3_600, "h"), (seconds / 60 % 60, "min"), (seconds % 60, "s")]
        return units.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: " ")
    }
}
