internal import FaultInjection
internal import LinkEngine
internal import Libuv

/// A rate that many connections share in one direction: who has nothing to spend waits for a turn.
final class RateTurns {
    private let loop: EventLoop
    private let alarms: Alarms
    private var pace: Pace
    /// In the order in which they came, each once.
    private var waiting: [GatedSession] = []
    private var isAlarmSet = false

    /// Begins to earn now.
    init(rate: BitRate, loop: EventLoop, alarms: Alarms) {
        self.loop = loop
        self.alarms = alarms
        pace = Pace(rate: rate, nowNanoseconds: loop.nowNanoseconds)
    }

    /// How many of `wanted` bytes may pass now.
    func allowance(_ wanted: Int) -> Int {
        pace.allowance(wanted, nowNanoseconds: loop.nowNanoseconds)
    }

    /// Says that so many bytes passed.
    func spend(_ count: Int) { pace.spend(count) }

    /// Lets a session work again when it is its turn.
    func wait(_ session: GatedSession) {
        if !waiting.contains(where: { $0 === session }) { waiting.append(session) }
        setAlarm()
    }

    private func setAlarm() {
        let time = pace.nextTime(.max)
        guard !isAlarmSet, !waiting.isEmpty, time != .max else { return }
        isAlarmSet = true
        _ = alarms.set(atNanoseconds: time) { [weak self] in self?.wakeNext() }
    }

    /// One at a time: the first takes what was earned and goes to the end of the line.
    private func wakeNext() {
        isAlarmSet = false
        while !waiting.isEmpty {
            waiting.removeFirst().work()
            guard allowance(.max) > 0 else { break }
        }
        setAlarm()
    }
}
