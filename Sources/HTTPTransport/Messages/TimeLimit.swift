internal import Basics
internal import SystemIO

/// A time limit that is moved often and seldom reached.
///
/// Moving it on costs no system call and no alarm: the alarm that is set looks, when it fires,
/// whether the limit is where it was.
final class TimeLimit {
    private let alarms: TimerQueue
    private let loop: EventLoop
    private let onReached: () -> Void
    /// In the loop's nanoseconds; `.max` for none.
    private var due = UInt64.max
    private var token = TimerQueue.Token.none
    private var armedFor = UInt64.max

    init(loop: EventLoop, alarms: TimerQueue, onReached: @escaping () -> Void) {
        self.loop = loop
        self.alarms = alarms
        self.onReached = onReached
    }

    deinit { alarms.cancel(token) }

    /// Sets the limit, instead of the present one.
    func set(after duration: Duration) {
        set(at: loop.nowNanoseconds &+ duration.clampedNanoseconds)
    }

    func set(at nanoseconds: UInt64) {
        due = nanoseconds
        if due < armedFor { arm() }
    }

    func clear() { due = .max }

    private func arm() {
        alarms.cancel(token)
        armedFor = due
        token = alarms.set(atNanoseconds: due) { [weak self] in self?.fire() }
    }

    private func fire() {
        armedFor = .max
        token = .none
        guard due != .max else { return }
        guard due <= loop.nowNanoseconds else { return arm() }
        due = .max
        onReached()
    }
}
