import Basics
import TestSupport
import Testing

@testable import Faults

struct FlowExitTests {
    private typealias Exit = FlowExit<Int>

    private static func verdict(_ change: (inout FlowGate.Verdict) -> Void) -> FlowGate.Verdict {
        var verdict = FlowGate.Verdict()
        change(&verdict)
        return verdict
    }

    private static func taken(_ exit: inout Exit) -> [Int] {
        var taken: [Int] = []
        while let next = exit.next() { taken.append(next) }
        return taken
    }

    @Test func `without a verdict each leaves at once, in its turn`() {
        var exit = Exit()
        for number in 1...3 { exit.pass(number, .init(), at: .start) }
        #expect(Self.taken(&exit) == [1, 2, 3])
        #expect(exit.nextDeadline == nil && exit.isIdle)
    }

    @Test func `a doubled one leaves twice in a row`() {
        var exit = Exit()
        exit.pass(1, Self.verdict { $0.isDoubled = true }, at: .start)
        exit.pass(2, .init(), at: .start)
        #expect(Self.taken(&exit) == [1, 1, 2])
    }

    @Test func `a delayed one leaves at its time, however late the driver comes`() {
        var exit = Exit()
        exit.pass(1, Self.verdict { $0.delay = .milliseconds(30) }, at: .start)
        exit.pass(2, .init(), at: .start)
        #expect(Self.taken(&exit) == [2])
        #expect(exit.nextDeadline == .start + .milliseconds(30))
        exit.advance(to: .start + .microseconds(29_999))
        #expect(Self.taken(&exit).isEmpty)
        exit.advance(to: .start + .seconds(9))
        #expect(Self.taken(&exit) == [1] && exit.isIdle)
    }

    @Test func `those that are held until one moment keep their order`() {
        var exit = Exit()
        let end = Instant.start + .milliseconds(50)
        for number in 1...3 {
            exit.pass(number, Self.verdict { $0.heldUntil = end }, at: .start + .milliseconds(1))
        }
        exit.pass(4, .init(), at: end)
        #expect(Self.taken(&exit) == [1, 2, 3, 4])
    }

    @Test(arguments: 1...5)
    func `one is overtaken by as many as it says`(count: Int) {
        var exit = Exit()
        exit.pass(0, Self.verdict { $0.overtakers = count }, at: .start)
        for number in 1...6 { exit.pass(number, .init(), at: .start) }
        #expect(Self.taken(&exit) == Array(1...count) + [0] + Array(count + 1..<7))
    }

    @Test func `one that is not overtaken leaves when its patience ends`() {
        var exit = Exit()
        exit.pass(1, Self.verdict { $0.overtakers = 9 }, at: .start)
        exit.pass(2, .init(), at: .start)
        #expect(Self.taken(&exit) == [2])
        #expect(exit.nextDeadline == .start + Exit.patience)
        exit.advance(to: .start + Exit.patience)
        #expect(Self.taken(&exit) == [1])
    }

    @Test func `what is held for ever leaves when it is released`() {
        var exit = Exit()
        let held = Self.verdict {
            $0.heldUntil = .never
            $0.delay = .milliseconds(3)
        }
        exit.pass(1, held, at: .start)
        exit.pass(2, Self.verdict { $0.delay = .seconds(1) }, at: .start)
        exit.pass(3, held, at: .start)
        #expect(exit.nextDeadline == .start + .seconds(1) && exit.count == 3)
        exit.release(at: .start + .milliseconds(500))
        #expect(Self.taken(&exit) == [1, 3])
        exit.advance(to: .start + .seconds(1))
        #expect(Self.taken(&exit) == [2])
    }

    @Test func `nothing is lost, doubled or early, whatever the verdicts`() {
        var random = SeededRandom(seed: 11)
        for _ in 0..<300 {
            var exit = Exit()
            var now = Instant.start
            var expected: [Int: (count: Int, earliest: Instant)] = [:]
            var left: [Int: Int] = [:]
            func drain() {
                while let number = exit.next() {
                    left[number, default: 0] += 1
                    #expect(now >= expected[number]?.earliest ?? .never)
                }
            }
            for number in 0..<20 {
                now = now + .milliseconds(Int64.random(in: 0...20, using: &random))
                let verdict = Self.verdict {
                    $0.isDoubled = Int.random(in: 0..<5, using: &random) == 0
                    $0.overtakers = Int.random(in: 0..<4, using: &random)
                    $0.delay = .milliseconds(Int64.random(in: 0...2, using: &random) * 15)
                }
                expected[number] = (verdict.isDoubled ? 2 : 1, now + verdict.delay)
                exit.pass(number, verdict, at: now)
                drain()
            }
            while let next = exit.nextDeadline {
                now = max(now, next)
                exit.advance(to: now)
                drain()
            }
            #expect(left == expected.mapValues(\.count))
            #expect(exit.isIdle)
        }
    }
}
