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
    /// On the loop's clock.
    private var due = Instant.never
    private var token = TimerQueue.Token.none
    private var armedFor = Instant.never

    init(loop: EventLoop, alarms: TimerQueue, onReached: @escaping () -> Void) {
        self.loop = loop
        self.alarms = alarms
        self.onReached = onReached
    }

    deinit { alarms.cancel(token) }

    /// Sets the limit, instead of the present one.
    func set(after duration: Duration) {
        set(at: loop.now.later(by: duration))
    }

    func set(at time: Instant) {
        due = time
        if due < armedFor { arm() }
    }

    func clear() { due = .never }

    private func arm() {
        alarms.cancel(token)
        armedFor = due
        token = alarms.set(at: due) { [weak self] in self?.fire() }
    }

    private func fire() {
        armedFor = .never
        token = .none
        guard due != .never else { return }
        guard due <= loop.now else { return arm() }
        due = .never
        onReached()
    }
}
