internal import Basics
internal import HTTPWire
internal import SystemIO

/// Counts the tries of a small client and waits between them: twice as long each time, give or take a
/// quarter.
final class RetryLoop {
    private let habits: ClientHabits
    private let alarms: TimerQueue
    private let random: AddressedRandom
    private var wait = TimerQueue.Token.none
    private(set) var tries = 1

    /// Before the second try; below 50 ms a server would take it for hammering.
    private static let firstWaitMilliseconds: UInt64 = 80
    private static let longestWaitMilliseconds: UInt64 = 2_000

    init(_ habits: ClientHabits, seed: UInt64, alarms: TimerQueue) {
        self.habits = habits
        self.alarms = alarms
        random = AddressedRandom(seed: seed)
    }

    /// Runs `action` after a while; false if there were tries enough.
    ///
    /// `answer` is what the server said, which may ask for patience; `least` what it said inside.
    func again(
        after answer: ResponseHead? = nil,
        atLeastMilliseconds least: UInt64 = 0,
        _ action: @escaping () -> Void
    ) -> Bool {
        if let most = habits.maximumTries, tries >= most { return false }
        if !habits.copesWithAnyRetryAfter, let answer, answer.fields["Retry-After"] != nil,
            seconds(answer) == nil
        {
            return false
        }
        let pause = habits.waitsBetweenTries ? max(milliseconds(answer), least) : 0
        tries += 1
        alarms.cancel(wait)
        wait = alarms.set(after: .milliseconds(clamping: pause), action: action)
        return true
    }

    func close() { alarms.cancel(wait) }

    private func milliseconds(_ answer: ResponseHead?) -> UInt64 {
        let doublings = min(UInt64(tries - 1), 16)
        let full = min(Self.firstWaitMilliseconds << doublings, Self.longestWaitMilliseconds)
        let draw = random.integer(
            below: full / 2 + 1,
            key: 0,
            direction: .up,
            stage: .clientBackoff,
            index: UInt64(tries)
        )
        let own = full - full / 4 + draw
        let asked = answer.flatMap(seconds) ?? 0
        return max(own, UInt64(clamping: min(asked, 86_400)) * 1_000 + own / 4)
    }

    private func seconds(_ answer: ResponseHead) -> Int? {
        let now = HTTPDate(secondsSince1970: Int(WallClock.secondsSince1970))
        return RetryAfter.seconds(answer.fields, now: now)
    }
}
