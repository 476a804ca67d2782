import Analysis
import Basics
import Journal
import Testing

/// Q1 to Q3.
@Suite struct DatagramChecksTests {
    private static func flow(_ number: UInt32) -> ConnectionID {
        ConnectionID(ordinal: number, isFlow: true)
    }

    /// A flow from 10 ms on that ends at 9 s.
    private static func story(
        faults: [(effect: String, at: Int)] = [],
        delivered: UInt64 = 5,
        lastDown: Int = 100,
        connects: [Int] = [],
        exitCode: UInt8? = nil,
        unvalidated: FlowEnd.Unvalidated? = nil,
        lastOutage: Int? = nil
    ) -> Story {
        var story = Story()
        story.add(.flow(flow(1), environment: [:]), at: 10)
        story.add(.quic(flow(1), QUICReport(version: "1")), at: 10)
        for fault in faults {
            story.add(
                .fault(
                    FaultReport(
                        connection: flow(1),
                        request: nil,
                        id: "u1:up#1=\(fault.effect)",
                        address: "up#1",
                        effect: fault.effect,
                        state: .fired,
                        offset: nil,
                        isRacy: false
                    )
                ),
                at: fault.at
            )
        }
        for (number, time) in connects.enumerated() { story.connect(number + 1, at: time) }
        if let exitCode {
            story.add(
                .command(CommandReport(["client"], exitCode: exitCode)),
                at: 8_900
            )
        }
        var down = FlowEnd.Tally()
        down.count = 5
        down.delivered = delivered
        var up = FlowEnd.Tally()
        up.count = 5
        var end = FlowEnd(flow: flow(1), cause: .shutdown, down: down, up: up)
        end.unvalidated = unvalidated
        end.lastOutageAt = lastOutage.map { .start + .milliseconds(Int64($0)) }
        end.lastDownAt = .start + .milliseconds(Int64(lastDown))
        story.add(.flowEnd(end), at: 9_000)
        return story
    }

    @Test(arguments: [
        (UInt64(3_600), Verdict.pass), (3_601, .fail),
    ])
    func `a server may send three times what reached it`(sent: UInt64, verdict: Verdict) {
        let story = Self.story(unvalidated: .init(received: 1_200, sent: sent))
        let result = story.report().result(.q1)
        #expect(result.verdict == verdict)
        #expect(result.reason == (verdict == .fail ? "amplifies" : ""))
    }

    @Test func `without a QUIC handshake no server is judged`() {
        #expect(Self.story().report().result(.q1).verdict == .skipped)
    }

    @Test(arguments: ["hole(2s)", "hole(both,2s)"])
    func `what comes within a silence is no recovery`(effect: String) {
        func verdict(_ lastDown: Int, exitCode: UInt8? = 1) -> Verdict {
            Self.story(faults: [(effect, 1_000)], lastDown: lastDown, exitCode: exitCode)
                .report().result(.q2).verdict
        }
        #expect(verdict(2_999) == .fail)
        #expect(verdict(3_000) == .fail)
        #expect(verdict(3_001) == .pass)
        #expect(verdict(2_999, exitCode: 0) == .pass)
        #expect(verdict(2_999, exitCode: nil) == .inconclusive)
    }

    @Test func `after an outage of the link something arrives`() {
        func verdict(_ lastDown: Int, _ exitCode: UInt8 = 1) -> Verdict {
            Self.story(lastDown: lastDown, exitCode: exitCode, lastOutage: 2_000)
                .report().result(.q2).verdict
        }
        #expect(verdict(2_001) == .pass)
        #expect(verdict(2_000) == .fail)
        #expect(verdict(2_000, 0) == .pass)
    }

    @Test(arguments: ["rebind(port)", "rebind(address)", "forget"])
    func `after a new address something arrives`(effect: String) {
        func verdict(_ lastDown: Int, connects: [Int] = []) -> Verdict {
            Self.story(
                faults: [(effect, 1_000)],
                lastDown: lastDown,
                connects: connects,
                exitCode: 1
            )
            .report().result(.q2).verdict
        }
        #expect(verdict(1_001) == .pass)
        #expect(verdict(1_000) == .fail)
        #expect(verdict(1_000, connects: [4_000]) == .pass)
    }

    @Test(arguments: ["drop", "hole", "dup", "corrupt"])
    func `other faults interrupt nothing that could go on`(effect: String) {
        let story = Self.story(faults: [(effect, 1_000)], exitCode: 1)
        #expect(story.report().result(.q2).verdict == .skipped)
    }

    @Test func `a client whose datagrams get no answer connects`() {
        func result(_ connects: [Int], delivered: UInt64 = 0, takes: Bool = true) -> CheckResult {
            Self.story(
                faults: [("hole", 20)],
                delivered: delivered,
                connects: connects,
                exitCode: 1
            )
            .report { $0.takesConnections = takes }.result(.q3)
        }
        #expect(result([350]).verdict == .pass)
        #expect(result([350]).observed == "a connection after 340 ms")
        #expect(result([5]).verdict == .fail)
        #expect(result([]).reason == "no-fallback")
        #expect(result([], takes: false).verdict == .skipped)
        #expect(result([], delivered: 1).verdict == .skipped)
    }
}
