internal import Basics
internal import SystemIO

/// Code of this process that is the client of a trial.
final class CodeClient {
    private let code: any ClientCode
    private let place: TrialPlace
    private let loop: EventLoop
    private let alarms: TimerQueue
    private let graceTime: Duration
    private var onEnd: ((ClientEnding) -> Void)?
    private var killAlarm = TimerQueue.Token.none

    /// - Parameters:
    ///   - code: what to run.
    ///   - place: what it is told.
    ///   - sandbox: where it runs.
    ///   - onEnd: called once, on the loop.
    init(
        _ code: any ClientCode,
        at place: TrialPlace,
        in sandbox: Sandbox,
        onEnd: @escaping (ClientEnding) -> Void
    ) {
        self.code = code
        self.place = place
        loop = sandbox.loop
        alarms = sandbox.alarms
        graceTime = .milliseconds(clamping: sandbox.settings.graceMilliseconds)
        self.onEnd = onEnd
    }

    func start() {
        code.start(place) { [weak self] code in self?.finish(.exited(code)) }
    }

    /// Tells it to end, and goes on without it if it does not within the time of grace.
    func end() {
        guard killAlarm == .none else { return }
        killAlarm = alarms.set(after: graceTime) { [weak self] in self?.kill() }
        code.cancel()
    }

    /// Goes on without it.
    func kill() { finish(.stuck) }

    /// Says nothing more.
    func close() {
        guard onEnd != nil else { return }
        onEnd = nil
        alarms.cancel(killAlarm)
        code.cancel()
    }

    private func finish(_ ending: ClientEnding) {
        guard let onEnd else { return }
        self.onEnd = nil
        alarms.cancel(killAlarm)
        onEnd(ending)
    }
}
