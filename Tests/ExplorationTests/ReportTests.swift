import Analysis
import Basics
import Exploration
import Faults
import Journal
import Reports
import Testing

/// What a report looks like in each of its forms.
@Suite struct ReportTests {
    private static func report(_ client: SimulatedClient, _ effects: [Effect.Kind])
        -> CampaignReport
    {
        var settings = CampaignSettings()
        settings.effects = effects
        var campaign = Campaign(settings)
        client.run(&campaign)
        return CampaignReport(of: campaign)
    }

    private static var splice: CampaignReport { report(.splicer, [.finish]) }

    private static func text(_ report: CampaignReport) -> ReportText {
        ReportText(report)
    }

    @Test func `the text has the matrix, the finding and the reason`() {
        let lines = Self.text(Self.splice).lines
        #expect(lines.joined(separator: "\n") == Self.golden)
    }

    private static let golden = """
        tried      29 points of fin
        found      1 finding: corrupt
        not tried  a second fault in a recovery: --depth 2
        next       run the repeat line of bedc74cb60

        baseline 159ea5b0b47cc9cf: two runs exchanged the same messages
          c1/r1 GET /object: 80 + 0 B; 200: 121 + 1500 B

                                   fin
        c1/r1
          req.head+0 … +79          .   2 places
          req.end                   .
          resp.head+0 … resp.head   .   4 places
          resp.body+1 … +1499       X   13 places
          resp.end                  .
        GET(/object)#1, times=2
          req.head+0                .
          resp.head+0               .
          resp.body+1 … ~500        X   2 places
        GET(/object)#*
          req.head+0                .
          resp.head+0               .
          resp.body+1 … ~500        X   2 places
        . passed   h failed honestly   X finding   ? proves nothing   - did not act

        FINDING bedc74cb60  corrupt: ends in success with wrong content
          where     GET /object resp.body: fin; fin,times=2
                      fin: c1/r1:resp.body+1 … resp.body+1499
          why       exit 0, but the content is no version of the object
          smallest  lc1;c1/r1:resp.body+1=fin  (again: 3/3)
          repeat    linkcond replay 'lc1;seed=1;c1/r1:resp.body+1=fin' -- get

        29 points: 12 passed, 17 failed; seed 1
        1 finding: corrupt
        """

    @Test func `the first lines say what makes the rest worth less`() {
        var report = Self.splice
        report.baseline?.oracle = .none
        report.baseline?.refusal = "404 for GET /nope"
        report.baseline?.alteration = "9 bytes, the answer to GET /nope 10"
        report.isComplete = false
        let lines = Self.text(report).lines
        #expect(
            lines[2].hasPrefix("caution    without faults the server answers 404 for GET /nope;")
        )
        #expect(
            lines[3]
                == "caution    without faults {out} has 9 bytes, the answer to GET /nope 10; if it"
                + " should be the same, give --fetch-check '{out}=PATH'"
        )
        #expect(
            lines[4].hasPrefix("caution    nothing says whether a result is right: write {out}")
        )
        #expect(lines[5].contains("the rest of the points: the search was cut short"))
        #expect(!lines[5].contains("nothing here"))
    }

    private func fails(_ kind: FindingClass) -> SimulatedClient {
        SimulatedClient(map: SimulatedClient.download()) { point in
            guard point.faults.first?.address.isIn(.head) == true else {
                return SimulatedClient.outcome()
            }
            var outcome = SimulatedClient.outcome()
            outcome.failedChecks = [
                .init(name: "B1", kind: .protocol, reason: "a <b> & \"c\" ]]> \u{1}|\nd")
            ]
            outcome.evidence = ["GET /object%20x", "```"]
            return outcome
        }
    }

    @Test func `JSON Lines are read back as the same report`() throws {
        var changing = Self.splice
        changing.baseline?.object = "/object"
        changing.baseline?.uploads = ["ab12"]
        changing.settings.deadlineMilliseconds = 1_500
        changing.isComplete = false
        changing.remainingPoints = 7
        let broken = Self.report(fails(.protocol), Effect.Kind.standard)
        var reports = [Self.splice, changing, broken]
        for problem in Self.problems {
            var report = Self.splice
            report.problem = problem
            reports.append(report)
        }
        for report in reports {
            var reader = ReportReader()
            for line in ReportLines.all(SuiteReport([report]), exitCode: 1) {
                let bytes = Array(JSONValue.object(line).text.utf8)
                guard case .object(let parsed) = try JSONParser.parse(bytes[...]) else {
                    Issue.record("a line is an object")
                    return
                }
                try reader.take(parsed)
            }
            #expect(reader.report == SuiteReport([report]))
        }
    }

    @Test func `lines that are no report are refused in words`() throws {
        var reader = ReportReader()
        #expect(throws: ReportReader.Problem.self) { try reader.take(["t": .string("run")]) }
        #expect(throws: ReportReader.Problem.self) {
            try reader.take(["t": .string("start"), "v": .number(2)])
        }
        #expect(reader.report == nil)
    }

    private static let problems: [BaselineProblem] = [
        .failed(reason: "it ends with exit 3"), .disturbed(reason: "late"), .noTraffic,
        .unreachable(reason: "refused"),
    ]

    @Test(arguments: problems)
    func `a baseline that says nothing is told in every form`(problem: BaselineProblem) {
        var report = Self.splice
        report.records = []
        report.minima = []
        report.problem = problem
        #expect(report.verdict == .inconclusive(problem.words))
        let text = Self.text(report)
        #expect(text.lines.last == problem.words)
        let end = ReportLines.ending(SuiteReport([report]), exitCode: 4).last
        #expect(end?["reason"] == .string(problem.words))
        let cases = ReportJUnit.document(SuiteReport([report]))
        #expect(cases.count { $0.contains("<error type=\"baseline\"") } == 1)
        #expect(cases[1].hasPrefix("<testsuites tests=\"1\" failures=\"0\" errors=\"1\""))
        let words = problem.words.prefix(20)
        #expect(ReportPage.document(SuiteReport([report])).joined().contains(words))
    }

    @Test func `a shard whose baseline failed is no pass of the whole`() {
        let patient = SimulatedClient(map: SimulatedClient.download()) { _ in
            SimulatedClient.outcome()
        }
        let good = Self.report(patient, [.finish])
        var bad = good
        bad.baseline = nil
        bad.records = []
        bad.problem = .failed(reason: "it ends with exit 3")
        for reports in [[good, bad], [bad, good]] {
            let merged = CampaignReport.merged(reports)
            #expect(merged.verdict == .inconclusive("without any fault: it ends with exit 3"))
            #expect(merged.baseline == good.baseline)
        }
        // What another shard has found is found.
        #expect(CampaignReport.merged([bad, Self.splice]).verdict == Self.splice.verdict)
    }

    @Test func `JUnit has a test case for each point`() throws {
        let report = Self.report(fails(.protocol), [.finish])
        let lines = ReportJUnit.document(SuiteReport([report]))
        #expect(lines.count { $0.contains("<testcase ") } == report.counts.total)
        #expect(lines.count { $0.contains("<failure ") } == report.counts.failed)
        let failure = try #require(lines.first { $0.contains("<failure ") })
        #expect(failure.contains("type=\"protocol\""))
        #expect(failure.contains("a &lt;b&gt; &amp; &quot;c&quot; ]]&gt; \u{FFFD}|"))
        #expect(!lines.joined().contains("\u{1}"))
    }

    @Test func `annotations stay below GitHub's limit and on their lines`() {
        let report = Self.report(fails(.protocol), [.finish])
        let lines = ReportGitHub.annotations(SuiteReport([report]))
        #expect(lines.count <= 10)
        #expect(lines.allSatisfy { $0.hasPrefix("::") && !$0.contains("\n") })
        #expect(lines[0].hasPrefix("::error title=protocol%3A GET /object resp.head::B1: a <b>"))
        #expect(lines[0].contains("|%0Ad%0A"))
        #expect(lines.last == "::error title=linkcond explore::1 finding: protocol")
    }

    @Test func `the step summary is a table, and never too long`() {
        var report = Self.report(fails(.protocol), [.finish])
        let lines = ReportGitHub.summary(SuiteReport([report]))
        #expect(lines.contains { $0.hasPrefix("| protocol | GET /object resp.head | B1: a &lt;b") })
        #expect(lines.count { $0 == "```" }.isMultiple(of: 2))
        for index in report.records.indices {
            report.records[index].evidence = [String(repeating: "x", count: 2_000_000)]
        }
        let long = ReportGitHub.summary(SuiteReport([report]))
        #expect(long.reduce(0) { $0 + $1.utf8.count + 1 } < 1 << 20)
        #expect(long.count { $0 == "```" }.isMultiple(of: 2))
    }

    @Test func `the page needs nothing from elsewhere and hides nothing behind colour`() {
        let report = Self.report(fails(.protocol), Effect.Kind.standard)
        let page = ReportPage.document(SuiteReport([report])).joined(separator: "\n")
        #expect(page.contains("default-src 'none'"))
        #expect(page.ranges(of: "<script").count == 1)
        #expect(!page.contains("http:") && !page.contains("https:"))
        // The runs of a row fold out, and each finding can be copied.
        #expect(page.contains("<details><summary>") && page.contains("data-for=\"repeat-"))
        #expect(page.contains("Run with --traces FOLDER"))
        // Whoever reads the text report finds what it names.
        for finding in report.findings {
            #expect(page.contains("<code class=\"faint\">\(finding.id)</code></h2>"))
        }
        #expect(page.contains("<dt>smallest<dd>lc1;"))
        #expect(page.contains("<details><summary>All \(report.records.count), in their order"))
        let drawn = ReportPage.document(SuiteReport([report])) { "<i>\($0.id)</i>" }
        #expect(drawn.contains { $0.hasPrefix("<i>") })
        #expect(page.contains("<td class=\"fail\">X"))
        #expect(page.contains("a &lt;b&gt; &amp;"))
        #expect(page.utf8.count < HTMLPage.limit)
    }

    @Test func `a page of many runs is cut`() {
        var report = Self.splice
        report.records = Array(repeating: report.records, count: 2_000).flatMap { $0 }
        let page = ReportPage.document(SuiteReport([report])).joined(separator: "\n")
        #expect(page.utf8.count <= HTMLPage.limit)
        #expect(page.contains("it is in the JSON Lines."))
    }

    @Test func `the verdict says why it is what it is`() throws {
        var report = Self.report(
            SimulatedClient(map: SimulatedClient.download()) { _ in SimulatedClient.outcome() },
            [.finish]
        )
        let total = report.counts.total
        #expect(report.verdict == .passed("no failure at any of \(total) points"))
        var empty = report
        empty.records = []
        #expect(
            empty.verdict
                == .inconclusive(
                    "nothing was run: none of the effects has a place in what the command does"
                )
        )
        #expect(SuiteReport([empty]).verdict == empty.verdict)
        #expect(Self.text(empty).lines.contains("0 points; seed \(report.settings.seed)"))
        empty.shards = [try #require(Shard(index: 2, count: 3))]
        #expect(empty.verdict == .passed("no point belongs to shard 2/3"))
        empty.shards = [.whole]
        empty.isComplete = false
        #expect(empty.verdict.reason.hasPrefix("no point was run before"))
        report.isComplete = false
        #expect(report.verdict.reason.hasSuffix("the search was cut short"))
        report.settings.requiresComplete = true
        #expect(report.verdict == .inconclusive("the search was cut short (--require-complete)"))
        report.records[0].judgement = .unreached(reason: "gone")
        #expect(
            report.verdict
                == .inconclusive("1 of \(total) faults did not act (--allow-unreached 0); gone")
        )
        report.settings.allowedUnreached = 1
        report.isComplete = true
        report.records[1].judgement = .inconclusive(reason: "no tag")
        #expect(report.verdict.reason.hasPrefix("1 of \(total) points proves nothing; lc1;"))
    }
}
