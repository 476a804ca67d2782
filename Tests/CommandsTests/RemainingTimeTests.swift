import Basics
import Exploration
import Testing

@testable import Commands

@Suite struct RemainingTimeTests {

    private func state(done: Int, waiting: Int, running: Int = 0) -> CampaignProgress {
        var state = CampaignProgress()
        state.done = done
        state.running = running
        state.waiting = waiting
        return state
    }

    /// What is said each quarter of a second of a search that begins after two runs and ten seconds.
    private func course(
        seconds: Int,
        limit: Duration? = nil,
        _ state: (Double) -> CampaignProgress
    ) -> [String?] {
        var time = RemainingTime(limit: limit)
        return (0...seconds * 4).map { quarter in
            let now = Duration.seconds(10) + .milliseconds(Int64(quarter) * 250)
            time.update(state(Double(quarter) / 4), elapsed: now)
            return time.words
        }
    }

    /// The different words in their order.
    private func changes(_ words: [String?]) -> [String] {
        words.reduce(into: []) { all, next in
            if let next, next != all.last { all.append(next) }
        }
    }

    /// Ten runs a second of 402; two were made before.
    private func steady(_ seconds: Double) -> CampaignProgress {
        let done = Int(seconds * 10)
        return state(done: 2 + done, waiting: max(0, 396 - done), running: 4)
    }

    @Test func `at a steady pace it counts down to the end`() {
        let words = course(seconds: 40, steady)
        // The slow runs before the search are no measure, and the first ones tell nothing.
        #expect(words[..<12].allSatisfy { $0 == nil })
        #expect(words[12] == "about 35 s left")
        let seconds = [35, 30, 25, 20, 15, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]
        #expect(changes(words) == seconds.map { "about \($0) s left" })
        #expect(words.last == .some(nil))
    }

    @Test func `it follows another pace without a jump`() {
        // After ten seconds it continues at a quarter of the pace.
        let words = course(seconds: 30) { seconds in
            let done = Int(min(seconds, 10) * 10 + max(0, seconds - 10) * 2.5)
            return state(done: 2 + done, waiting: 296 - done, running: 4)
        }
        let numbers = changes(words).compactMap { $0.split(separator: " ").dropFirst().first }
            .compactMap { Int($0) }
        // Without the change it would say 1 in the end; the true number is 60.
        #expect((40...70).contains(numbers.last ?? 0), "\(numbers)")
        let steps = zip(numbers, numbers.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { (-5...15).contains($0) }, "\(numbers)")
    }

    @Test func `runs that come in bursts do not make it waver`() {
        let words = course(seconds: 38) { seconds in
            steady(
                seconds.rounded(.down)
                    + (seconds.truncatingRemainder(dividingBy: 1) > 0.5 ? 0.9 : 0)
            )
        }
        let said = changes(words)
        #expect(said.count == Set(said).count, "\(said)")
    }

    @Test func `while a run waits for its client it is the least`() {
        var time = RemainingTime()
        time.update(state(done: 2, waiting: 98), elapsed: .zero)
        var later = state(done: 52, waiting: 50, running: 24)
        later.silent = 24
        time.update(later, elapsed: .seconds(5))
        #expect(time.words == "at least 5 s left")
    }

    @Test func `while a hang is confirmed it is the least`() {
        var time = RemainingTime()
        time.update(state(done: 2, waiting: 98), elapsed: .zero)
        var later = state(done: 52, waiting: 46, running: 4)
        later.confirmingHangs = 2
        time.update(later, elapsed: .seconds(5))
        // Two of those at work are at the pace of the others.
        #expect(time.words == "at least 5 s left")
        later.confirmingHangs = 0
        time.update(later, elapsed: .seconds(5) + .nanoseconds(1))
        #expect(time.words == "about 5 s left")
    }

    @Test func `it is no longer than the limit of the search`() {
        let limit = Duration.seconds(20)
        // The search began after ten seconds, and has ten more.
        let words = changes(course(seconds: 9, limit: limit, steady))
        #expect(words.first == "about 7 s left" && words.last == "about 1 s left")
        // What comes after the limit is not limited.
        #expect(course(seconds: 20, limit: limit, steady).last == "about 20 s left")
    }

    @Test(arguments: [
        (3, "3 s"), (12, "10 s"), (58, "1 min"), (64, "1 min"), (83, "1 min 20 s"),
        (299, "5 min"), (1_000, "17 min"), (3_600, "1 h"), (7_500, "2 h 5 min"),
    ])
    func `an estimate is as exact as it can be`(seconds: Int, text: String) {
        var time = RemainingTime()
        time.update(state(done: 0, waiting: 1), elapsed: .zero)
        // Ten runs in ten seconds.
        time.update(state(done: 10, waiting: seconds), elapsed: .seconds(10))
        #expect(time.words == "about \(text) left")
    }
}
