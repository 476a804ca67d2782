/// How busy a session of processes has been until now, to see later whether it has done anything since.
///
/// A detached child leads a session, which takes more than its group: `timeout` makes a group of its own.
/// As Linux tells it; elsewhere nothing can be said.
package struct SessionActivity: Hashable, Sendable {
    /// Its processes that have not ended.
    package internal(set) var processes: Set<Int> = []
    /// Processor time of them and of children that they waited for, in clock ticks.
    package internal(set) var ticks: UInt64 = 0
    /// Whether one of them runs at this moment, wants to, or waits for a disk.
    package internal(set) var isBusy = false

    /// Whether nothing was done between an earlier look and this one.
    package func isQuiet(since earlier: SessionActivity) -> Bool {
        !isBusy && !earlier.isBusy && self == earlier && !processes.isEmpty
    }
}
