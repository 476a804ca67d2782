internal import Analysis
internal import Basics
internal import Journal

/// The changes during a run, in words for people.
enum ChangeText {
    /// As in `at 2.00 s: stall, for 5s, on c3, by control`.
    static func line(_ change: Timed<LiveChange>) -> String {
        "at \(time(change)): \(words(change.value))"
    }

    /// Since the start of the run.
    static func time(_ change: Timed<LiveChange>) -> String {
        Figures.time(change.at.elapsed(since: .start))
    }

    /// As in `stall, for 5s, on c3, by control`.
    static func words(_ change: LiveChange) -> String {
        let by =
            switch change.by {
            case .control: ", by control"
            case .key: ", by a key"
            case .signal: ", by a signal"
            case nil: ""
            }
        return change.words + by
    }

    /// A line for each change, as many as are shown, and one for the rest.
    static func lines(_ changes: [Timed<LiveChange>], limit: Int, leftOut: Int = 0) -> [String] {
        let left = changes.count - min(limit, changes.count) + leftOut
        return changes.prefix(limit).map(line)
            + (left > 0 ? ["and \(Figures.count(left, "more change"))"] : [])
    }
}
