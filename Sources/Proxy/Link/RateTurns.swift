internal import Basics
internal import Faults
internal import SystemIO

/// A rate that many connections share in one direction: who has nothing to spend waits for a turn.
final class RateTurns {
    private let loop: EventLoop
    private let timers: TimerQueue
    private var pace: Pace
    /// In the order in which they came, each once.
    private var waiting: [InspectedConnection] = []
    private var isTimerSet = false

    /// Begins to earn now.
    init(rate: BitRate, loop: EventLoop, timers: TimerQueue) {
        self.loop = loop
        self.timers = timers
        pace = Pace(rate: rate, now: loop.now)
    }

    /// How many of `wanted` bytes may pass now.
    func allowance(_ wanted: Int) -> Int {
        pace.allowance(wanted, now: loop.now)
    }

    /// Says that so many bytes passed.
    func spend(_ count: Int) { pace.spend(count) }

    /// Lets a session work again when it is its turn.
    func wait(_ session: InspectedConnection) {
        if !waiting.contains(where: { $0 === session }) { waiting.append(session) }
        setTimer()
    }

    private func setTimer() {
        let time = pace.nextTime(.max)
        guard !isTimerSet, !waiting.isEmpty, time != .never else { return }
        isTimerSet = true
        _ = timers.set(at: time) { [weak self] in self?.wakeNext() }
    }

    /// One at a time: the first takes what was earned and goes to the end of the line.
    private func wakeNext() {
        isTimerSet = false
        while !waiting.isEmpty {
            waiting.removeFirst().makeProgress()
            guard allowance(.max) > 0 else { break }
        }
        setTimer()
    }
}
