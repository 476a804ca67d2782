import Exploration
import FaultInjection
import Proxy
import Testing

@testable import CommandLineTool

@Suite struct RunJudgementTests {
    private let place = TrialPlace(
        listen: .tcp(host: "127.0.0.1", port: 1),
        folder: "/x",
        seed: 1,
        schedule: "lc1"
    )

    private func outcome(
        _ ending: ClientEnding = .exited(0),
        _ change: (inout TrialOutcome) -> Void = { _ in }
    ) -> TrialOutcome {
        var outcome = TrialOutcome(place: place, ending: ending)
        outcome.connections = 1
        change(&outcome)
        return outcome
    }

    private func silentFault(_ text: String) throws -> [FaultLedger.Row] {
        FaultLedger(plan: FaultPlan(faults: [try Fault(parsing: text)], seed: 1)).rows
    }

    private func oracle(_ verdict: OracleResult.Verdict) -> OracleResult {
        OracleResult(name: "same", verdict: verdict, words: "words")
    }

    @Test func `a success with traffic is a pass`() {
        let judgement = RunJudgement(outcome(), expectation: .pass)
        #expect(judgement.verdict == .pass && judgement.line == "pass")
    }

    @Test(arguments: [
        ("pass", ClientEnding.exited(0), true), ("pass", .exited(1), false),
        ("pass", .killed(signal: 9), false), ("exit=3", .exited(3), true),
        ("exit=3", .exited(0), false), ("exit=137", .killed(signal: 9), true),
        ("fail", .exited(1), true), ("fail", .exited(0), false),
        ("fail", .killed(signal: 11), true), ("pass", .notFound("'x': gone"), false),
    ])
    func `an ending is what was asked for, or a failure`(
        text: String,
        ending: ClientEnding,
        isRight: Bool
    ) throws {
        let expectation = try RunExpectation(parsing: text)
        let judgement = RunJudgement(outcome(ending), expectation: expectation)
        #expect(judgement.verdict == (isRight ? .pass : .fail))
    }

    @Test func `the deadline is a failure, whatever was expected`() throws {
        let late = outcome(.killed(signal: 15)) { $0.isTimedOut = true }
        let judgement = RunJudgement(late, expectation: try RunExpectation(parsing: "fail"))
        #expect(judgement.line == "fail: the deadline came before the command ended")
    }

    @Test func `an oracle decides, unless it cannot`() {
        let wrong = outcome { $0.oracles = [oracle(.pass), oracle(.fail)] }
        #expect(RunJudgement(wrong, expectation: .pass).line == "fail: same: words")
        let unclear = outcome { $0.oracles = [oracle(.inconclusive)] }
        #expect(RunJudgement(unclear, expectation: .pass).line == "inconclusive: same: words")
        let both = outcome { $0.oracles = [oracle(.inconclusive), oracle(.fail)] }
        #expect(RunJudgement(both, expectation: .pass).verdict == .fail)
    }

    @Test func `what proves nothing is never a pass`() throws {
        let faults = try silentFault("c1:down+5=rst")
        let doubtful: [(TrialOutcome, String)] = [
            (outcome { $0.connections = 0 }, "nothing came through linkcond"),
            (outcome { $0.faults = faults }, "c1:down+5=rst never fired"),
            (outcome { $0.troubles = ["no descriptor"] }, "own: no descriptor"),
            (
                outcome { $0.escapes = [.foreignRequests(count: 2, first: "GET /x")] },
                "2 requests went around linkcond, the first was GET /x"
            ),
        ]
        for (outcome, words) in doubtful {
            let judgement = RunJudgement(outcome, expectation: .pass)
            #expect(judgement.verdict == .inconclusive && judgement.line.contains(words))
        }
    }

    @Test func `what never started is not doubted besides`() {
        let judgement = RunJudgement(
            outcome(.notFound("'x': gone")) { $0.connections = 0 },
            expectation: .pass
        )
        #expect(judgement.line == "fail: not found: 'x': gone, expected 0")
    }
}
