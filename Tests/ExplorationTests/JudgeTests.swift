import Analysis
import Testing

@testable import Exploration

@Suite struct JudgeTests {
    private static let passing = "lc1;c1/r1:resp.body+1=fin"
    private static let changing = "\(passing);obj(/a)#2=mutate(grow)"
    private static let lasting = "lc1;GET(/a)#*:resp.body+1=fin"

    private func judge(
        _ line: String,
        _ ending: PointOutcome.Ending,
        _ content: PointOutcome.Content,
        _ change: (inout PointOutcome) -> Void = { _ in }
    ) throws -> PointJudgement {
        let point = try Point(parsing: line)
        var outcome = PointOutcome(ending: ending, content: content)
        outcome.faults = point.faults.map { _ in .fired }
        change(&outcome)
        return Judge().judge(point, outcome)
    }

    @Test(arguments: [
        (passing, PointOutcome.Ending.exited(0), PointOutcome.Content.right, "pass"),
        (passing, .exited(0), .unknown, "pass"),
        (passing, .exited(0), .wrong, "corrupt"),
        (passing, .exited(0), .partial, "dishonest"),
        (passing, .exited(0), .missing, "dishonest"),
        (passing, .exited(1), .partial, "giveup"),
        (passing, .exited(1), .wrong, "dishonest"),
        (passing, .signal(11), .missing, "crash"),
        (passing, .deadline, .partial, "hang"),
        (lasting, .exited(0), .right, "pass"),
        (lasting, .exited(1), .partial, "honest"),
        (lasting, .exited(1), .missing, "honest"),
        (lasting, .exited(1), .wrong, "dishonest"),
        (lasting, .exited(0), .wrong, "corrupt"),
        (lasting, .signal(6), .partial, "crash"),
        (lasting, .deadline, .missing, "hang"),
        ("lc1;c1/r1:req.head=status(503)", .exited(1), .missing, "giveup"),
        ("lc1;c1/r1:req.head=status(404)", .exited(1), .missing, "honest"),
        ("lc1;c1/r1:req.head=status(408)", .exited(1), .missing, "honest"),
        ("lc1;c1/r1:req.head=status(503,retry-after=5)", .exited(1), .missing, "giveup"),
        (
            "lc1;c1/r1:req.head=status(503,retry-after=99999999999999)", .exited(1), .missing,
            "honest"
        ),
        (
            "lc1;c1/r1:req.head=status(503,retry-after=99999999999999)", .deadline, .missing,
            "honest"
        ),
        ("lc1;c1/r1:req.head=status(503,retry-after=5)", .deadline, .missing, "hang"),
        // What had arrived of an upload is gone for good.
        ("lc1;obj(/u/*)#1=expire", .exited(1), .missing, "honest"),
        ("lc1;c1/r1:req.body~500=crash(loss=all)", .exited(1), .missing, "honest"),
        ("lc1;c1/r1:req.body~500=crash(loss=meta)", .exited(1), .missing, "giveup"),
        ("lc1;c1/r1:req.head=status(404)", .exited(0), .wrong, "corrupt"),
        (changing, .exited(1), .partial, "honest"),
        ("\(passing);c2/r1:resp.body+1=fin", .exited(1), .partial, "giveup"),
        ("\(passing);c2/r1:resp.body+1=fin;c3/r1:resp.body+1=fin", .exited(1), .partial, "honest"),
        (changing, .exited(0), .wrong, "corrupt"),
        (changing, .deadline, .partial, "hang"),
    ])
    func `a fault that passes is outlasted, one that lasts is failed honestly`(
        line: String,
        ending: PointOutcome.Ending,
        content: PointOutcome.Content,
        word: String
    ) throws {
        #expect(try judge(line, ending, content).word == word)
    }

    /// Each ending with each content, without and with a way to success: all that is wrong.
    @Test func `the outcome alone decides what is wrong`() {
        typealias Content = PointOutcome.Content
        func words(
            _ ending: PointOutcome.Ending,
            _ content: Content,
            _ isOriginSide: Bool,
            _ canSucceed: Bool
        ) -> String {
            let result = Judge.Result(
                ending: ending,
                content: content,
                isOriginSide: isOriginSide,
                canSucceed: canSucceed
            )
            return Judge.verdict(result).map(\.kind.rawValue).joined(separator: " ")
        }
        let success: [Content: (own: String, origin: String)] = [
            .right: ("", ""), .unknown: ("", ""), .wrong: ("corrupt", "corrupt"),
            .partial: ("dishonest", "lost"), .missing: ("dishonest", "lost"),
            .denied: ("lost", "lost"),
        ]
        #expect(Set(success.keys) == Set(Content.allCases))
        for content in Content.allCases {
            for canSucceed in [false, true] {
                #expect(words(.exited(0), content, false, canSucceed) == success[content]?.own)
                #expect(words(.exited(0), content, true, canSucceed) == success[content]?.origin)
                for isOriginSide in [false, true] {
                    #expect(words(.signal(11), content, isOriginSide, canSucceed) == "crash")
                    #expect(words(.deadline, content, isOriginSide, canSucceed) == "hang")
                    let lie = content == .wrong && !isOriginSide ? ["dishonest"] : []
                    let failure = (lie + (canSucceed ? ["giveup"] : [])).joined(separator: " ")
                    #expect(words(.exited(7), content, isOriginSide, canSucceed) == failure)
                }
            }
        }
    }

    @Test func `a rule about the wire explains an outcome that is known, and does not overrule it`()
        throws
    {
        func word(_ content: PointOutcome.Content, _ kind: FindingClass, demanded: Bool = false)
            throws -> String
        {
            var check = PointOutcome.FailedCheck(name: "R10", kind: kind, reason: "cut")
            check.isDemanded = demanded
            let failed = [check]
            return try judge(Self.passing, .exited(0), content) { $0.failedChecks = failed }.word
        }
        for kind in [FindingClass.corrupt, .lost, .dishonest] {
            #expect(try word(.right, kind) == "pass")
            #expect(try word(.right, kind, demanded: true) == kind.rawValue)
            #expect(try word(.unknown, kind) == kind.rawValue)
        }
        #expect(try word(.right, .protocol) == "protocol")
        #expect(try word(.right, .duplicate) == "duplicate")
        // How it ended is always known.
        #expect(try word(.unknown, .hang) == "pass")
    }

    @Test func `who must not repeat a request may fail, but not lie`() throws {
        func word(_ content: PointOutcome.Content) throws -> String {
            try judge(Self.passing, .exited(1), content) { $0.mayHaveActed = true }.word
        }
        #expect(try word(.missing) == "honest")
        #expect(try word(.wrong) == "dishonest")
    }

    @Test func `a client that comes forward with each try does not hang`() throws {
        let judgement = try judge(Self.lasting, .deadline, .partial) {
            $0.isStillProgressing = true
        }
        let reason = "still progressing at the deadline; a longer --deadline judges it"
        #expect(judgement == .inconclusive(reason: reason))
    }

    @Test func `a client between two of a few tries is not found to hang`() throws {
        let judgement = try judge(Self.lasting, .deadline, .partial) { $0.isStillRetrying = true }
        #expect(judgement.word == "inconclusive" && judgement.reason.contains("--deadline"))
    }

    @Test func `an origin without all of it has lost an upload that is said to be done`() throws {
        #expect(
            try judge(Self.passing, .exited(0), .partial) { $0.isOriginSide = true }.word == "lost"
        )
        #expect(
            try judge(Self.passing, .exited(0), .missing) { $0.isOriginSide = true }.word == "lost"
        )
        // What the origin has is nothing that the client left lying around.
        #expect(try judge(Self.lasting, .exited(1), .wrong) { $0.isOriginSide = true } == .honest)
    }

    @Test(arguments: [
        (PointOutcome.Ending.exited(0), PointOutcome.Content.right, "honest"),
        (.exited(0), .wrong, "corrupt"), (.exited(0), .partial, "dishonest"),
        (.exited(3), .partial, "giveup"), (.deadline, .partial, "hang"),
        (.exited(0), .denied, "lost"), (.signal(6), .partial, "crash"),
    ])
    func `after a fault that lasted a run without faults finishes`(
        ending: PointOutcome.Ending,
        content: PointOutcome.Content,
        word: String
    ) throws {
        let judgement = try judge(Self.lasting, .exited(1), .partial) {
            $0.recovery = .init(ending: ending, content: content)
        }
        #expect(judgement.word == word)
    }

    @Test func `the worst of several wrongs names the class`() throws {
        let judgement = try judge(Self.passing, .exited(0), .wrong) {
            $0.failedChecks = [
                .init(name: "R1", kind: .waste, reason: "sent twice"),
                .init(name: "R5", kind: .protocol, reason: "no If-Range"),
            ]
        }
        #expect(judgement.failure == .corrupt)
        let other = try judge(Self.passing, .exited(0), .right) {
            $0.failedChecks = [
                .init(name: "B1", kind: .protocol, reason: "hammer"),
                .init(name: "R1", kind: .waste, reason: "sent twice"),
            ]
        }
        #expect(other == .failure(.waste, reason: "R1: sent twice"))
    }

    /// Whoever gives an answer two minutes does not hang after one.
    @Test func `a client that waits for a time of its own is not judged before its end`() throws {
        let line = "lc1;c1/r1:req.head+0=hole"
        #expect(try judge(line, .deadline, .unknown).word == "hang")
        let judgement = try judge(line, .deadline, .unknown) { $0.patienceSeconds = 120 }
        #expect(judgement.letter == "?" && judgement.reason.contains("gives an answer 120 s"))
    }

    @Test func `a run proves nothing if its faults did not act or we had trouble`() throws {
        let unreached = try judge(Self.passing, .exited(0), .right) {
            $0.faults = [.unreached(reason: "no such request")]
        }
        #expect(unreached == .unreached(reason: "c1/r1:resp.body+1=fin: no such request"))
        let failing = try judge(Self.passing, .exited(1), .missing) {
            $0.faults = [.unreached(reason: "no such request")]
        }
        #expect(failing.word == "flaky")
        #expect(failing.letter == "?")
        #expect(
            try judge(Self.passing, .exited(0), .right) { $0.faults = [.undelivered] }.letter == "?"
        )
        #expect(
            try judge(Self.passing, .exited(0), .wrong) { $0.troubles = ["descriptors"] }.letter
                == "?"
        )
        #expect(
            try judge(Self.passing, .exited(0), .right) { $0.doubts = ["R5: no tag"] }.letter == "?"
        )
        #expect(
            try judge(Self.passing, .exited(0), .wrong) { $0.escape = "Location" }.word == "escaped"
        )
    }

    /// How a client ended, and what it has, does not depend on when packets left.
    @Test(arguments: [
        (PointOutcome.Ending.exited(0), PointOutcome.Content.right, "pass"),
        (.exited(0), .wrong, "corrupt"), (.exited(0), .partial, "dishonest"),
        (.exited(1), .partial, "giveup"), (.signal(11), .missing, "crash"),
        (.deadline, .partial, "inconclusive"),
    ])
    func `a busy machine takes back no verdict but those of times`(
        ending: PointOutcome.Ending,
        content: PointOutcome.Content,
        word: String
    ) throws {
        let late = "packets left 92 ms late: a busy machine"
        let judgement = try judge(Self.passing, ending, content) { $0.disturbance = late }
        #expect(judgement.word == word)
        let timed = try judge(Self.passing, ending, content) {
            $0.disturbance = late
            $0.hasCheckOfTimes = true
        }
        #expect(timed == (timed.failure == nil ? .inconclusive(reason: late) : judgement))
        let later = try judge(Self.lasting, .exited(1), .partial) {
            $0.disturbance = late
            $0.recovery = .init(ending: ending, content: content)
        }
        let undisturbed = try judge(Self.lasting, .exited(1), .partial) {
            $0.recovery = .init(ending: ending, content: content)
        }
        #expect(later == (ending == .deadline ? .inconclusive(reason: late) : undisturbed))
        let unreached = try judge(Self.passing, .deadline, .missing) {
            $0.disturbance = late
            $0.faults = [.unreached(reason: "no such request")]
        }
        #expect(unreached == .inconclusive(reason: late))
    }

    @Test func `a class that is accepted is right`() throws {
        let point = try Point(parsing: Self.passing)
        var outcome = PointOutcome(ending: .exited(7), content: .partial)
        outcome.faults = [.fired]
        #expect(Judge(accepted: [.giveup]).judge(point, outcome) == .honest)
    }

    @Test func `a judgement is read from its word`() {
        for judgement in [
            PointJudgement.pass, .honest, .failure(.hang, reason: "r"), .inconclusive(reason: "r"),
            .unreached(reason: "r"), .failure(.flaky, reason: "r"),
        ] {
            #expect(PointJudgement(word: judgement.word, reason: judgement.reason) == judgement)
        }
        #expect(PointJudgement(word: "fine", reason: "") == nil)
    }

    @Test func `classes are ordered, the worst first`() {
        #expect(FindingClass.allCases == FindingClass.allCases.sorted())
        #expect(FindingClass.allCases.prefix { $0.isFailure }.last == .protocol)
    }
}
