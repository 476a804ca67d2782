import Analysis
import Exploration
import Proxy
import Testing
import Trials

/// What several oracles together say of one trial.
@Suite struct PointOutcomeTests {
    private func result(
        _ verdict: OracleResult.Verdict,
        name: String = "same",
        flaw: OracleResult.Flaw? = nil,
        subject: String? = nil
    ) -> OracleResult {
        var result = OracleResult(name: name, verdict: verdict, words: "", flaw: flaw)
        result.subject = subject
        return result
    }

    private func trial(_ oracles: [OracleResult]) -> TrialOutcome {
        let place = TrialPlace(
            listen: .tcp(host: "127.0.0.1", port: 1),
            folder: "/x",
            seed: 1,
            schedule: "lc1"
        )
        var trial = TrialOutcome(place: place, ending: .exited(0))
        trial.oracles = oracles
        return trial
    }

    private func content(_ oracles: OracleResult...) -> PointOutcome.Content {
        PointOutcome(trial(oracles)).content
    }

    @Test func `content is right if an oracle passes and none fails`() {
        #expect(content() == .unknown)
        #expect(content(result(.inconclusive)) == .unknown)
        #expect(content(result(.pass), result(.inconclusive)) == .right)
    }

    @Test func `the pass of one oracle does not hide the fail of another`() {
        let pass = result(.pass, subject: "{out}")
        #expect(content(pass, result(.fail, subject: "other")) == .wrong)
        #expect(content(result(.fail, subject: "other"), pass) == .wrong)
        #expect(content(result(.pass), result(.fail)) == .wrong)
        let check = result(.fail, name: "server-check")
        #expect(content(pass, check) == .denied)
        #expect(PointOutcome(trial([pass, check])).isOriginSide)
    }

    @Test func `of several files compared with one result, one must be the same`() {
        let fail = result(.fail, flaw: .different, subject: "{out}")
        let pass = result(.pass, subject: "{out}")
        #expect(content(fail, pass) == .right)
        #expect(content(pass, fail) == .right)
        #expect(content(fail, fail) == .wrong)
    }

    @Test func `the worst flaw counts`() {
        let missing = result(.fail, flaw: .missing, subject: "a")
        let partial = result(.fail, flaw: .beginning, subject: "b")
        let wrong = result(.fail, flaw: .different, subject: "c")
        #expect(content(missing) == .missing)
        #expect(content(missing, partial) == .partial)
        #expect(content(partial, wrong, missing) == .wrong)
    }

    @Test func `evidence matches only if every oracle passes`() {
        #expect(Evidence(trial([])).oracle == .unknown)
        #expect(Evidence(trial([result(.pass), result(.pass)])).oracle == .matches)
        #expect(Evidence(trial([result(.pass), result(.inconclusive)])).oracle == .unknown)
        #expect(
            Evidence(trial([result(.pass), result(.fail, flaw: .missing)])).oracle == .missing
        )
    }

    @Test func `a server is right only if every check of it passes`() {
        func check(_ verdicts: OracleResult.Verdict...) -> Evidence.ServerCheck {
            Evidence(trial(verdicts.map { result($0, name: "server-check") })).serverCheck
        }
        #expect(check() == .notRun)
        #expect(check(.pass, .pass) == .pass)
        #expect(check(.pass, .inconclusive) == .unknown)
        #expect(check(.inconclusive, .fail, .pass) == .fail)
    }
}
