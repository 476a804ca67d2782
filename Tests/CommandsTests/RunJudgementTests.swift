import Basics
import Analysis
import Exploration
import Faults
import Journal
import Proxy
import Testing
import Trials

@testable import Arguments
@testable import Commands

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
        let id = ConnectionID(ordinal: 1)
        let delivered = ConnectionEnd.Delivered(bytes: 100, isExact: true)
        let end = ConnectionEnd(
            connection: id,
            by: .client,
            how: .fin,
            down: delivered,
            up: delivered
        )
        outcome.records = [
            TrialRecord(.connection(id, environment: [:]), at: Instant(nanoseconds: 1)),
            TrialRecord(.connectionEnd(end), at: Instant(nanoseconds: 2)),
        ]
        change(&outcome)
        return outcome
    }

    private func demands(_ arguments: String...) throws -> RunDemands {
        let invocation = try ArgumentParser.parse(["run"] + arguments + ["--", "true"]) { _ in nil }
        return try #require(try RunDemands(invocation, hasOracles: false))
    }

    private func judge(_ outcome: TrialOutcome, _ expectation: String) throws -> RunJudgement {
        RunJudgement(outcome, demands: try demands("--expect", expectation))
    }

    private func silentFault(_ text: String) throws -> [FaultLedger.Row] {
        FaultLedger(plan: FaultPlan(faults: [try Fault(parsing: text)], seed: 1)).rows
    }

    private func oracle(_ verdict: OracleResult.Verdict) -> OracleResult {
        OracleResult(name: "same", verdict: verdict, words: "words")
    }

    @Test func `every limit that is given reaches the checks`() throws {
        let demands = try demands(
            "--expect",
            "pass",
            "--cap",
            "7s",
            "--max-resent",
            "3kB",
            "--max-stalled-attempts",
            "4",
            "--max-metered",
            "5kB"
        )
        let evidence = demands.evidence(of: outcome())
        #expect(evidence.cap == .seconds(7) && evidence.mustSucceed)
        #expect(evidence.maximumResentBytes == 3_000 && evidence.maximumTries == 4)
        #expect(evidence.maximumMeteredBytes == 5_000)
    }

    @Test func `a success with the right result is a pass`() throws {
        let judgement = try judge(outcome { $0.oracles = [oracle(.pass)] }, "pass")
        #expect(judgement.verdict == .pass && judgement.line == "pass", "\(judgement.line)")
    }

    @Test func `success of which nobody saw the result is no pass`() throws {
        let judgement = try judge(outcome(), "pass")
        #expect(judgement.verdict == .inconclusive && judgement.line.contains("R2"))
        #expect(try judge(outcome(), "exit=0").verdict == .pass)
    }

    @Test(arguments: [
        ("exit=0", ClientEnding.exited(0), true), ("exit=0", .exited(1), false),
        ("exit=0", .killed(signal: 9), false), ("exit=3", .exited(3), true),
        ("exit=3", .exited(0), false), ("exit=137", .killed(signal: 9), true),
        ("exit!=0", .exited(1), true), ("exit!=0", .exited(0), false),
        ("exit!=0", .killed(signal: 11), true), ("exit=0", .notFound("'x': gone"), false),
        ("exit=0,connections<=1", .exited(0), true), ("exit=0,connections>1", .exited(0), false),
    ])
    func `an ending is what was asked for, or a failure`(
        text: String,
        ending: ClientEnding,
        isRight: Bool
    ) throws {
        #expect(try judge(outcome(ending), text).verdict == (isRight ? .pass : .fail))
    }

    @Test func `the deadline is a failure, whatever was expected`() throws {
        let late = outcome(.killed(signal: 15)) { $0.isTimedOut = true }
        let judgement = try judge(late, "exit!=0")
        #expect(judgement.line == "fail: the deadline came before the command ended")
    }

    @Test func `an oracle counts, whatever was expected`() throws {
        let wrong = outcome { $0.oracles = [oracle(.pass), oracle(.fail)] }
        #expect(try judge(wrong, "exit=0").line == "fail: same: words")
        let unclear = outcome { $0.oracles = [oracle(.inconclusive)] }
        #expect(try judge(unclear, "exit=0").line == "inconclusive: same: words")
        let both = outcome { $0.oracles = [oracle(.inconclusive), oracle(.fail)] }
        #expect(try judge(both, "exit=0").verdict == .fail)
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
            let judgement = try judge(outcome, "exit=0")
            #expect(judgement.verdict == .inconclusive && judgement.line.contains(words))
        }
    }

    @Test func `a success without the fault that was given is inconclusive unasked`() throws {
        let silent = try silentFault("c1:down+5=rst")
        let missed = outcome { $0.faults = silent }
        let advice = "let the fault act where the command gets to, or leave it out"
        #expect(
            RunJudgement.missingProof(missed)
                == ["c1:down+5=rst never fired (no connection)", advice]
        )
        #expect(
            RunJudgement.missingProof(missed, hasCommand: false).last
                == "let the fault act where the client gets to, or leave it out"
        )
        let unused = outcome {
            $0.faults = silent
            $0.connections = 0
        }
        #expect(
            RunJudgement.missingProof(unused)
                == ["nothing came through linkcond; does the command use {url}?"]
        )
    }

    @Test func `the command's exit code stands where no success is hollow`() throws {
        let silent = try silentFault("c1:down+5=rst")
        // Nobody gave a fault, or only the profile has one.
        #expect(RunJudgement.missingProof(outcome { $0.connections = 0 }).isEmpty)
        let missed = outcome { $0.faults = silent }
        #expect(RunJudgement.missingProof(missed, optional: ["c1:down+5=rst"]).isEmpty)
        #expect(!RunJudgement.missingProof(missed, optional: ["c1:down+6=rst"]).isEmpty)
        // It failed anyway.
        #expect(RunJudgement.missingProof(outcome(.exited(3)) { $0.faults = silent }).isEmpty)
        #expect(
            RunJudgement.missingProof(outcome(.killed(signal: 9)) { $0.faults = silent }).isEmpty
        )
        var ledger = FaultLedger(
            plan: FaultPlan(faults: [try Fault(parsing: "c1:down+5=rst")], seed: 1)
        )
        ledger.fired("c1:down+5=rst")
        let fired = ledger.rows
        #expect(RunJudgement.missingProof(outcome { $0.faults = fired }).isEmpty)
    }

    @Test func `late packets prove nothing of times, and leave everything else as it is`() throws {
        let late = outcome {
            $0.disturbances = ["packets left 120 ms late: a busy machine"]
            $0.records.append(
                TrialRecord(.trouble(.latePacing, words: "late"), at: Instant(nanoseconds: 3))
            )
            $0.oracles = [oracle(.pass)]
        }
        #expect(try judge(late, "exit=0").verdict == .pass)
        #expect(try judge(late, "connections<=1").verdict == .pass)
        for demand in ["time<=30s", "B1", "retry-after=honoured"] {
            let judgement = try judge(late, demand)
            #expect(judgement.verdict == .inconclusive, "\(demand)")
            #expect(judgement.line.contains("times prove nothing"))
        }
    }

    @Test func `without a command nothing is said of one`() throws {
        let silent = outcome { $0.connections = 0 }
        #expect(
            RunJudgement.doubts(silent, hasCommand: true)
                == ["nothing came through linkcond; does the command use {url}?"]
        )
        #expect(
            RunJudgement.doubts(silent, hasCommand: false) == ["nothing came through linkcond"]
        )
    }

    @Test func `what never started is not doubted besides`() throws {
        let missing = outcome(.notFound("'x': gone")) { $0.connections = 0 }
        #expect(RunJudgement.doubts(missing).isEmpty)
    }

    @Test func `options that say a limit are demands, too`() throws {
        #expect(
            try demands("--require-resume").expectation.items.map(\.text) == [
                "exit=0", "resumes>=1",
            ]
        )
        #expect(
            try demands("--expect", "exit=0", "--max-wire", "1.5").expectation.items.map(\.text)
                == ["exit=0", "wire<=1.5"]
        )
        let limits = try demands(
            "--expect",
            "pass",
            "--max-resent",
            "10kB",
            "--max-stalled-attempts",
            "7",
            "--cap",
            "2s"
        )
        #expect(limits.evidence.maximumResentBytes == 10_000 && limits.evidence.maximumTries == 7)
        #expect(limits.evidence.cap == .seconds(2) && limits.evidence.mustSucceed)
    }

    @Test(arguments: [
        ("nonsense", "column 1"), ("exit=0,R99", "column 8"), ("exit", "needs a limit"),
    ])
    func `what cannot be demanded is told with its place`(text: String, words: String) throws {
        let failure = #expect(throws: Failure.self) { try demands("--expect", text) }
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    }
}
