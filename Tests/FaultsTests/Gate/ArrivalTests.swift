import Basics
import FaultSupport
import Faults
import TestSupport
import Testing

/// The same conversation, however its bytes arrive at the gate.
@Suite struct ArrivalTests {
    @Test func `faults act alike however the bytes of requests and answers arrive`() throws {
        // One seed for every run; more draws of it with a larger scale.
        var numbers = SeededRandom(seed: 1)
        var faults = FaultGenerator(SeededRandom(seed: numbers.next()))
        let count = 120 * testScale
        var acting = 0
        for _ in 0..<count {
            let dialogue = Dialogue(using: &numbers)
            let schedule = (0..<1 + numbers.below(3)).map { _ in faults.next().canonicalText }
            let spaced = try Conversation.outcome(dialogue, schedule, arrival: .spaced)
            if spaced.hasActed { acting += 1 }
            for arrival: Conversation.Arrival in [
                .atOnce, .byteByByte, .inPieces(seed: numbers.next()),
            ] {
                let outcome = try Conversation.outcome(dialogue, schedule, arrival: arrival)
                #expect(
                    outcome == spaced || outcome.isMarked || spaced.isMarked,
                    "\(schedule) \(arrival) of \(dialogue): \(outcome.differences(from: spaced))"
                )
            }
        }
        #expect(acting > count / 4)
    }
}
