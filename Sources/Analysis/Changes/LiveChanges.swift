internal import Faults
package import Journal

/// The changes during a run, in order, and the schedule after them.
package struct LiveChanges: Hashable, Sendable {
    /// The largest number that is kept.
    package static let limit = 1_000

    package private(set) var list: [Timed<LiveChange>] = []
    /// Later ones that are only counted.
    package private(set) var leftOut = 0
    package private(set) var path = PathCourse()
    private var steered = SteeredSchedule()

    package init() {}

    /// Takes the next record of a run.
    package mutating func take(_ record: Timed<JournalRecord>) {
        if steered.changeCount < ScheduleLimits.faults { steered.take(record.value) }
        if let path = path.take(record.value) { add(record.with(LiveChange(path))) }
        if case .change(let change) = record.value { add(record.with(LiveChange(change))) }
    }

    /// The number of all changes, kept or not.
    package var count: Int { list.count + leftOut }

    /// The schedule that repeats the run: that of its start, with what was added and removed since, by
    /// hand; nil without a start.
    package var schedule: String? {
        guard steered.changeCount > 0, let text = steered.text else { return steered.start }
        // In the order in which the control API has it.
        return (try? FaultSchedule(parsing: text))?.canonicalText ?? text
    }

    /// Faults that were added since the start, as text.
    package var addedFaults: [String] { steered.added }

    private mutating func add(_ change: Timed<LiveChange>) {
        if let last = list.last, change.value.explains(last.value) { list.removeLast() }
        guard list.count < Self.limit else {
            leftOut += 1
            return
        }
        list.append(change)
    }
}
