import Analysis
import Journal
import Testing

/// R2 and R10.
@Suite struct ResultChecksTests {
    @Test(arguments: [
        (Evidence.Oracle.matches, 0, Verdict.pass, ""),
        (.matches, 1, .pass, ""),
        (.differs("at byte 400"), 0, .fail, "differs"),
        (.differs("at byte 400"), 1, .fail, "left-behind"),
        (.beginning("400 bytes"), 0, .fail, "partial"),
        (.beginning("400 bytes"), 1, .skipped, "the command failed and left a beginning"),
        (.missing, 0, .fail, "missing"),
        (.missing, 1, .skipped, "the command failed and left no result"),
        (.unknown, 0, .inconclusive, "no-oracle"),
    ])
    func `the result is compared`(
        oracle: Evidence.Oracle,
        code: Int,
        verdict: Verdict,
        reason: String
    ) {
        var story = Story()
        story.get(1, at: 0)
        let result = story.report {
            $0.oracle = oracle; $0.exitCode = code
        }.result(.r2)
        #expect(result.verdict == verdict)
        #expect(result.reason == reason)
    }

    @Test func `of an upload the server's check says whether it is right`() {
        func result(_ send: (inout Story) -> Void) -> CheckResult {
            var story = Story()
            send(&story)
            return story.report {
                $0.serverCheck = .pass; $0.exitCode = 0
            }.result(.r2)
        }
        let upload = result { $0.send(1, "PUT", "/x", [], length: 10, status: 201, at: 0) }
        #expect(upload.verdict == .skipped)
        #expect(result { $0.get(1, at: 0) }.verdict == .inconclusive)
    }

    @Test func `an incomplete message is completed, admitted or a lie`() {
        func result(completed: Bool, exit code: Int?) -> CheckResult {
            var story = Story()
            story.get(1, delivered: 400, .cut("fin"), at: 0)
            if completed { story.get(2, from: 400, at: 100) }
            return story.report { $0.exitCode = code }.result(.r10)
        }
        #expect(result(completed: true, exit: 0).verdict == .pass)
        #expect(result(completed: false, exit: 1).verdict == .pass)
        #expect(result(completed: false, exit: 0).verdict == .fail)
        #expect(result(completed: false, exit: 0).lines == [6])
        #expect(result(completed: false, exit: nil).verdict == .inconclusive)
    }

    @Test func `a result that is right lacks nothing of a message that was cut`() {
        var story = Story()
        story.get(1, delivered: 400, .cut("fin"), at: 0)
        let result = story.report {
            $0.exitCode = 0; $0.oracle = .matches
        }.result(.r10)
        #expect(result.verdict == .pass && result.observed == "the result is right")
    }

    @Test func `a refusal that is cut is a refusal`() {
        for (status, verdict) in [(404, Verdict.skipped), (200, .fail), (206, .fail)] {
            var story = Story()
            story.connect(1, at: 0)
            story.request(1, "GET", "/optional", at: 1)
            story.respond(1, status, framing: .length(50), at: 2)
            story.body(1, .response, 7, isComplete: false, at: 3)
            story.fault(1, "fin", at: 4)
            story.end(1, by: .fault, .fin, at: 5)
            #expect(story.report { $0.exitCode = 0 }.result(.r10).verdict == verdict)
        }
    }

    @Test func `the rest of another version leaves every version incomplete`() {
        func observed(tag: String) -> String {
            var story = Story()
            story.get(1, delivered: 400, .cut("fin"), at: 0)
            story.get(2, from: 400, answer: [("ETag", tag)], delivered: 599, .cut("fin"), at: 100)
            return story.report { $0.exitCode = 0 }.result(.r10).observed
        }
        #expect(observed(tag: "\"v1\"") == "success, but /big is incomplete")
        #expect(
            observed(tag: "\"v2\"")
                == "success, but no version of /big came whole, the last one lacks 401 bytes"
        )
    }

    @Test func `who leaves on its own took what it wanted, who was left in silence did not`() {
        for (effect, verdict) in [("hole", Verdict.fail), ("slow(1kbit/s)", .skipped)] {
            var story = Story()
            story.connect(1, at: 0)
            story.request(1, "GET", "/x", at: 1)
            story.respond(1, 200, framing: .length(1_000), at: 2)
            story.fault(1, effect, at: 3)
            story.body(1, .response, 77, isComplete: false, at: 2_000)
            story.end(1, by: .client, at: 2_000)
            #expect(story.report { $0.exitCode = 0 }.result(.r10).verdict == verdict)
        }
    }

    @Test(arguments: [
        (ReportedFraming.close, "fin", ConnectionEnd.Manner.fin, Verdict.skipped),
        (.close, "truncate", .fin, .skipped), (.close, "rst", .rst, .fail),
        (.chunked, "truncate", .fin, .fail), (.length(1_000), "fin", .fin, .fail),
    ])
    func `content up to a FIN is complete as far as anybody can tell, if nothing else tells`(
        framing: ReportedFraming,
        effect: String,
        how: ConnectionEnd.Manner,
        verdict: Verdict
    ) {
        var story = Story()
        story.connect(1, at: 0)
        story.request(1, "GET", "/x", at: 1)
        story.respond(1, 200, framing: framing, at: 2)
        story.body(1, .response, 77, isComplete: false, at: 3)
        story.fault(1, effect, at: 4)
        story.end(1, by: .fault, how, at: 5)
        #expect(story.report { $0.exitCode = 0 }.result(.r10).verdict == verdict)
    }

    @Test func `the journal's own record of the command counts`() {
        var story = Story()
        story.get(1, delivered: 400, .cut("fin"), at: 0)
        story.command(exit: 0, at: 100)
        #expect(story.report().result(.r10).verdict == .fail)
        var killed = Story()
        killed.get(1, delivered: 400, .cut("fin"), at: 0)
        killed.command(signal: 9, at: 100)
        #expect(killed.report().result(.r10).verdict == .pass)
        #expect(killed.report().exitCode == 137)
    }

    @Test func `what came whole more than once after a cut is to be taken`() {
        func result(
            _ tags: [String],
            exit code: Int = 1,
            isCut: Bool = true,
            encoding: String? = nil
        ) -> CheckResult {
            var story = Story()
            if isCut { story.get(1, delivered: 400, .cut("rst"), at: 0) }
            for (index, tag) in tags.enumerated() {
                let coding = encoding.map { [("Content-Encoding", $0)] } ?? []
                let answer = [("ETag", "\"\(tag)\"")] + coding
                story.get(index + 2, status: 200, answer: answer, at: 1_000 * (index + 1))
            }
            return story.report { $0.exitCode = code }.result(.r11)
        }
        let failed = result(["v2", "v2"])
        #expect(failed.verdict == .fail)
        #expect(failed.observed == "/big came whole 2 times, and the command failed")
        #expect(result(["v2"]).verdict == .pass)
        #expect(result(["v2", "v3"]).verdict == .pass)
        #expect(result(["v2", "v2"], exit: 0).verdict == .skipped)
        #expect(result(["v2", "v2"], isCut: false).verdict == .skipped)
        #expect(result(["v2", "v2"], encoding: "gzip").verdict == .skipped)
        #expect(result([]).verdict == .skipped)
    }
}
