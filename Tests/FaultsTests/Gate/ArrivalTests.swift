import Basics
import FaultSupport
import Faults
import TestSupport
import Testing

/// The same conversation, however its bytes arrive at the gate.
@Suite struct ArrivalTests {
    @Test func `faults act alike however the bytes of requests and answers arrive`() throws {
        // One seed for every run; more draws of it with a larger scale.
        var numbers = SeededRandom.fixed(1)
        var faults = FaultGenerator(SeededRandom(seed: numbers.next()))
        let count = 120 * testScale
        var acting = 0
        for _ in 0..<count {
            let dialogue = Dialogue(using: &numbers)
            let schedule = (0..<1 + numbers.below(3)).map { _ in faults.next().canonicalText }
            if try isActing(dialogue, schedule, pieces: numbers.next()) { acting += 1 }
        }
        #expect(acting > count / 4)
    }

    /// Each was once another thing when bytes came one by one, or all requests at once.
    @Test(arguments: [
        // What changes an interim response that the client never gets has not acted.
        Case(["c1/r1=strip(1xx)", "c1/r1:req.body+9=crash"], [.putWithProgress, .put]),
        // The line of a chunk is known after the head before it.
        Case(["c1/r1:req.size[1]+0=status(503)", "c1/r1:req.head=early(413)"], [.putChunked]),
        // What acts before the first byte does so before the request is whole.
        Case(["c1/r1=buffer(req)", "c1/r1:req.head+0=crash"], [.put, .get]),
        // A message inside is known after the head before it.
        Case(["c1/r1:ws.down[1]+0=close(1011)", "c1/r1:resp.end=fin"], [.webSocket]),
        Case(["c1/r1:ws.down[1]+0=close(1011)", "c1/r1:idle=fin"], [.webSocket]),
        // The last byte of an answer lets the next request begin, and the fault there ends both.
        Case(["PUT(*)#9:idle=fin", "c1:down+49=fin"], [.get, .get, .get]),
        // Nothing begins in a direction that a fault has closed.
        Case(["PUT(*)#9:idle=fin", "c1:up+35=hole(both)"], [.get, .get]),
        // A size line has not begun a chunk before it is whole.
        Case(["c1:up+75=fin"], [.putChunked, .get]),
        // A client that does not wait for its 100 may have all of it, or what a stall leaves.
        Case(
            ["c1/r1:req.end=fin", "c1/r1:interim(100)-4=stall(5s)"],
            [.putExpecting, .get]
        ),
        // That the place does not come is said, not that the answer did not.
        Case(
            [
                "c1/r1:req.size[2]+40=late(5,until=c9:down+1),see=104",
                "c1/r1:req.size[1]=status(503)",
            ],
            [.putChunked]
        ),
    ])
    func `a difference does not come back`(_ example: Case) throws {
        #expect(try isActing(Dialogue(example.kinds), example.schedule, pieces: 1))
    }

    struct Case: Sendable {
        let schedule: [String]
        let kinds: [Dialogue.Kind]

        init(_ schedule: [String], _ kinds: [Dialogue.Kind]) {
            self.schedule = schedule
            self.kinds = kinds
        }
    }

    /// Compares all arrivals; answers whether a fault has acted.
    private func isActing(_ dialogue: Dialogue, _ schedule: [String], pieces: UInt64) throws -> Bool
    {
        let spaced = try Conversation.outcome(dialogue, schedule, arrival: .spaced)
        for arrival: Conversation.Arrival in [.atOnce, .byteByByte, .inPieces(seed: pieces)] {
            let outcome = try Conversation.outcome(dialogue, schedule, arrival: arrival)
            #expect(
                outcome == spaced || outcome.isMarked || spaced.isMarked,
                "\(schedule) \(arrival) of \(dialogue): \(outcome.differences(from: spaced))"
            )
        }
        return spaced.hasActed
    }
}
