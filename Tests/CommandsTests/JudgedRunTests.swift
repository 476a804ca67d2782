import Journal
import Testing

@testable import Commands

/// Of what was not seen nothing is a pass.
@Suite struct JudgedRunTests {
    @Test func `a journal that is not whole passes no demand, and fails one as before`() throws {
        for (demands, verdict) in [("attempts<=5", "pass"), ("attempts<=1", "fail")] {
            let whole = try ReportSamples.run(demands: demands)
            #expect(whole.verdict.rawValue == verdict)
            let cut = JudgedRun(
                name: whole.name,
                report: whole.report,
                expectation: whole.expectation,
                truncatedBytes: 7
            )
            var partial = whole
            partial.isPartial = true
            for (run, reason) in [
                (cut, "the journal ends in the middle of a line"),
                (partial, "parts of the journal are missing"),
            ] {
                let isPass = verdict == "pass"
                #expect(run.verdict == (isPass ? .inconclusive : whole.verdict))
                #expect(run.reason == (isPass ? reason : whole.reason))
            }
        }
    }
}
