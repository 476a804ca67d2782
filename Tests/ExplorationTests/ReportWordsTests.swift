import Analysis
import Basics
import Faults
import Testing

@testable import Exploration

/// What the lines of a report say beside its table.
@Suite struct ReportWordsTests {
    private static func report(
        _ effects: [Effect.Kind],
        _ behave: @escaping (Point) -> PointOutcome
    ) -> CampaignReport {
        var settings = CampaignSettings()
        settings.effects = effects
        var campaign = Campaign(settings)
        let client = SimulatedClient(map: SimulatedClient.download(), behave: behave)
        client.run(&campaign)
        var report = CampaignReport(of: campaign)
        report.settings.effects = effects
        return report
    }

    private static var patient: CampaignReport {
        report([.finish]) { $0.isPermanent ? outcome(.exited(1), .missing) : outcome() }
    }

    private static func outcome(
        _ ending: PointOutcome.Ending = .exited(0),
        _ content: PointOutcome.Content = .right
    ) -> PointOutcome {
        SimulatedClient.outcome(ending, content)
    }

    private static func line(_ label: String, of report: CampaignReport) -> String? {
        ReportText(report).lines.first { $0.hasPrefix("\(label) ") }
            .map { String($0.dropFirst(11)) }
    }

    private static func record(
        _ schedule: String,
        _ judgement: PointJudgement,
        _ purpose: PointRecord.Purpose = .pair
    ) throws -> PointRecord {
        let point = try Point(parsing: schedule)
        return PointRecord(
            point: point,
            purpose: purpose,
            judgement: judgement,
            signature: Signature(judgement, outcome()),
            positions: point.faults.map(\.address.message)
        )
    }

    // MARK: Counts

    @Test func `a search without a finding counts what passed and what failed honestly`() {
        let report = Self.patient
        let (passed, honest) = (report.counts.passed, report.counts.honest)
        #expect(passed > 0 && honest > 0)
        let words =
            "no failure at any of \(passed + honest) points; in \(honest) of these runs the command"
            + " gave up and said so"
        #expect(report.verdict == .passed(words))
        #expect(Self.line("found", of: report) == words)
        let lines = ReportText(report).lines
        #expect(
            lines.dropLast().last
                == "\(passed + honest) points: \(passed) passed, \(honest) failed honestly; seed 1"
        )
    }

    @Test func `what may stay unreached is not among what was tried`() {
        var report = Self.report([.finish]) { _ in Self.outcome() }
        let total = report.counts.total
        report.settings.allowedUnreached = 2
        report.records[0].judgement = .unreached(reason: "gone")
        #expect(
            report.verdict
                == .passed("no failure at any of \(total - 1) points; 1 fault did not act")
        )
        report.records[1].judgement = .unreached(reason: "gone")
        #expect(report.verdict.reason.hasSuffix("; 2 faults did not act"))
    }

    @Test func `how many runs ended in an honest failure is told in words`() {
        var counts = CampaignReport.Counts()
        counts.passed = 1
        #expect(counts.surrenders == "")
        counts.honest = 2
        #expect(counts.surrenders == "; in 2 of these runs the command gave up and said so")
        counts.passed = 0
        #expect(counts.surrenders == "; in all of these runs the command gave up and said so")
        counts.honest = 1
        #expect(counts.surrenders == "; the command gave up and said so")
    }

    @Test func `all points that prove nothing are counted, with what would judge them`() throws {
        var report = Self.patient
        let total = report.counts.total
        let lasting = try #require(report.records.firstIndex { $0.point.isPermanent })
        report.records[lasting].judgement = .inconclusive(
            reason: "\(Judge.stillRetrying); --deadline says how long it may"
        )
        report.records[0].judgement = Judge().judge(
            report.records[0].point,
            {
                var outcome = Self.outcome(.deadline, .partial)
                outcome.isStillProgressing = true
                return outcome
            }()
        )
        let words =
            "2 of \(total) points prove nothing; \(report.records[0].point.schedule):"
            + " still progressing at the deadline; a longer --deadline judges it"
        #expect(report.verdict == .inconclusive(words))
        #expect(Self.line("found", of: report) == "no failure, but \(words)")
        #expect(Self.line("next", of: report) == "see the last line for what proves nothing")
    }

    @Test func `findings that do not always come are counted with the others`() {
        var runs = 0
        let report = Self.report([.finish]) { point in
            switch point.faults.first?.address.anchor {
            case .message(.up, .end, .end):
                runs += 1
                return Self.outcome(.deadline, .missing)
            case .message(.down, .end, .end): return Self.outcome(.exited(0), .wrong)
            default: return Self.outcome()
            }
        }
        #expect(report.verdict == .findings("2 findings: 1 corrupt, 1 hang"))
        var flaky = report
        for index in flaky.records.indices
        where flaky.records[index].purpose == .verify
            && flaky.records[index].judgement.failure == .hang
        {
            flaky.records[index].judgement = .pass
        }
        #expect(flaky.verdict == .findings("2 findings: 1 corrupt, 1 flaky"))
        #expect(SuiteReport([flaky]).verdict == flaky.verdict)
        flaky.records.removeAll { $0.judgement.failure == .corrupt }
        let words = "1 finding: flaky; at GET /object req.end: still running at the deadline"
        #expect(flaky.verdict == .inconclusive(words))
        #expect(Self.line("found", of: flaky) == words)
    }

    @Test func `of a failure that does not always come it is told how else runs ended`() throws {
        var report = Self.report([.finish]) { point in
            point.faults.first?.address.isIn(.end) == true
                ? Self.outcome(.exited(0), .wrong) : Self.outcome()
        }
        #expect(report.findings.map(\.others) == [[]])
        #expect(!ReportText(report).lines.contains { $0.hasPrefix("  others ") })
        let again = report.records.indices.filter { report.records[$0].purpose == .verify }
        try #require(again.count == 3)
        report.records[again[0]].judgement = .pass
        report.records[again[2]].judgement = .inconclusive(reason: "no tag")
        let finding = try #require(report.findings.first)
        #expect(finding.kind == .flaky && finding.confirmations.text == "1/3")
        let lines = ReportText(report).text(of: finding)
        #expect(lines.contains("  others    1 passed (exit 0); 1 proving nothing (no tag)"))
        report.records[again[2]].judgement = .pass
        #expect(report.findings.first?.others == ["2 passed (exit 0)"])
    }

    // MARK: What was tried, and what comes next

    @Test func `a search that was cut short goes on before anything else`() {
        var report = Self.patient
        report.isComplete = false
        let further = "search on, with a longer --time or more --runs"
        #expect(Self.line("next", of: report) == further)
        report.settings.effects = Effect.Kind.searched
        report.settings.depth = 2
        #expect(Self.line("next", of: report) == further)
        report.settings.requiresComplete = true
        #expect(
            Self.line("next", of: report) == "\(further); the last line says what proves nothing"
        )
        report.isComplete = true
        let automation = "put the command line into continuous integration"
        #expect(Self.line("next", of: report) == automation)
        report.hasMore = true
        #expect(Self.line("next", of: report) == "\(further), or \(automation)")
    }

    @Test func `a limit that ends the use of a rest leaves more to try`() {
        var settings = CampaignSettings()
        settings.effects = [.finish]
        settings.usesRest = true
        let client = SimulatedClient(map: SimulatedClient.download()) { _ in Self.outcome() }
        settings.runLimit = 60
        var short = Campaign(settings)
        client.run(&short)
        #expect(!short.isCutShort && short.hasMore)
        settings.runLimit = 10_000
        var long = Campaign(settings)
        client.run(&long)
        #expect(!long.isCutShort && !long.hasMore)
    }

    @Test func `only what was not asked for yet comes next`() {
        var report = Self.patient
        #expect(Self.line("next", of: report) == "--depth 2, or --effects all")
        report.settings.depth = 2
        #expect(Self.line("next", of: report) == "--effects all")
        report.settings.effects = Effect.Kind.searched
        report.settings.depth = 1
        #expect(Self.line("next", of: report) == "--depth 2")
    }

    @Test func `what failed in an earlier exploration is told as tried first`() throws {
        var report = Self.patient
        let points = "\(report.counts.total + 1) points of fin"
        report.records.append(
            try Self.record("lc1;c1:down+7=fin", .failure(.corrupt, reason: "x"), .remembered)
        )
        #expect(
            Self.line("tried", of: report)
                == "\(points); the first one failed in an earlier exploration"
        )
        report.records.append(
            try Self.record("lc1;c1:down+9=fin", .failure(.corrupt, reason: "x"), .remembered)
        )
        let line = Self.line("tried", of: report)
        #expect(line?.hasSuffix("; the first 2 failed in an earlier exploration") == true)
    }

    @Test func `what was not tried is one short line`() {
        var report = Self.patient
        #expect(Self.line("not tried", of: report) == "a second fault in a recovery: --depth 2")
        report.settings.effects = [.finish, .late, .mutate]
        report.settings.depth = 2
        #expect(Self.line("not tried", of: report) == "late, mutate: nothing to act on here")
        report.settings.effects = Effect.Kind.standard.filter { $0 != .query }
        report.settings.depth = 1
        let line = Self.line("not tried", of: report) ?? ""
        let idle = report.settings.effects.filter { $0 != .finish }.map(\.name)
        let others = Effect.Kind.searched.filter {
            $0 != .query && !report.settings.effects.contains($0)
        }.map(\.name)
        let names = { (names: [String]) in
            "\(names.prefix(4).joined(separator: ", ")) and \(names.count - 4) more"
        }
        #expect(
            line
                == "\(names(idle)): nothing to act on here; \(names(others)): --effects all;"
                + " a second fault in a recovery: --depth 2"
        )
        #expect(line.count < 180)
    }

    @Test func `a search that was cut short says how many points are left`() {
        var settings = CampaignSettings()
        settings.effects = [.finish]
        settings.runLimit = 5
        let client = SimulatedClient(map: SimulatedClient.download()) { _ in Self.outcome() }
        var short = Campaign(settings)
        client.run(&short)
        settings.runLimit = nil
        var whole = Campaign(settings)
        client.run(&whole)
        #expect(whole.remainingPoints == 0)
        let left = CampaignReport(of: whole).counts.total - 5
        #expect(short.isCutShort && short.remainingPoints == left)
        var report = CampaignReport(of: short)
        #expect(
            Self.line("not tried", of: report)
                == "at least \(left) more points: the search was cut short;"
                + " a second fault in a recovery: --depth 2"
        )
        let words = "the search was cut short, with at least \(left) points left"
        #expect(report.verdict == .passed("no failure at any of 5 points; \(words)"))
        #expect(CampaignReport.merged([report, report]).remainingPoints == 2 * left)
        report.remainingPoints = 1
        #expect(report.verdict.reason.hasSuffix("with at least 1 point left"))
        report.remainingPoints = 0
        #expect(report.verdict.reason.hasSuffix("; the search was cut short"))
    }

    @Test func `points that wait when everything is stopped are left, too`() {
        var settings = CampaignSettings()
        settings.effects = [.finish]
        var campaign = Campaign(settings)
        let client = SimulatedClient(map: SimulatedClient.download()) { _ in Self.outcome() }
        for _ in 0..<3 {
            guard let run = campaign.next() else { break }
            campaign.finish(run, client.outcome(of: run.point))
        }
        let waiting = campaign.progress.waiting
        campaign.stop()
        #expect(waiting > 0 && campaign.remainingPoints == waiting)
    }

    @Test func `effects that act in pairs only are told apart, with what came of which pair`()
        throws
    {
        var report = Self.patient
        let cut = "lc1;c1/r1:resp.body+1=fin"
        report.records += [
            try Self.record("\(cut);obj(/object)#2=mutate(grow)", .pass),
            try Self.record("\(cut);obj(/object)#2=mutate(shrink)", .honest),
            try Self.record("\(cut);obj(/object)#2=range(ignore)", .failure(.corrupt, reason: "x")),
        ]
        #expect(
            Self.line("tried", of: report)
                == "\(report.counts.total) points of fin (only with another fault: mutate, range)"
        )
        let lines = ReportText(report).lines
        let start = try #require(lines.firstIndex { $0.contains("pairs of faults") })
        #expect(
            lines[start...].prefix(4) == [
                "3 pairs of faults: 1 passed, 1 failed honestly, 1 failed",
                "  fin + range: 1 failed", "  fin + mutate: 1 passed, 1 failed honestly",
                "    honestly at c1/r1:resp.body + obj(/object)#2: fin + mutate(shrink)",
            ]
        )
    }

    @Test func `honest failures of pairs have their places, the first ones with faults`() throws {
        var report = Self.patient
        for schedule in [
            "resp.body+1=fin;obj(/a)#2=mutate(grow)", "resp.body+1=fin;obj(/a)#2=mutate(shrink)",
            "resp.body+1=fin;obj(/a)#2=mutate(lm-only)", "resp.body+9=fin;obj(/a)#2=mutate(grow)",
            "resp.body+1=fin;obj(/a)#2=mutate(touch)", "resp.head+1=fin;obj(/a)#2=mutate(grow)",
            "req.head+1=fin;obj(/a)#2=mutate(grow)",
        ] {
            report.records.append(try Self.record("lc1;c1/r1:\(schedule)", .honest))
        }
        report.records.append(
            try Self.record("lc1;c1/r1:req.end=fin;c2/r1:req.end=fin", .honest, .random)
        )
        let lines = ReportText(report).lines
        let start = try #require(lines.firstIndex { $0.contains("pairs of faults") })
        #expect(
            lines[start...].prefix(7) == [
                "7 pairs of faults: 7 failed honestly", "  fin + mutate: 7 failed honestly",
                "    honestly at c1/r1:resp.body + obj(/a)#2: fin + mutate(grow);"
                    + " fin + mutate(lm-only); fin + mutate(shrink) and 1 more",
                "    honestly at c1/r1:req.head + obj(/a)#2: fin + mutate(grow)",
                "    and at 1 place more", "1 random schedule: 1 failed honestly",
                "    honestly at c1/r1:req.end + c2/r1:req.end: fin + fin",
            ]
        )
    }

    // MARK: Statuses

    @Test func `the statuses of a cell in which they came to different things have names`() throws {
        var report = Self.patient
        func add(_ place: String, _ statuses: [(String, PointJudgement)]) throws {
            report.records += try statuses.map {
                try Self.record("lc1;\(place)=status(\($0.0))", $0.1, .boundary)
            }
        }
        let mixed: [(String, PointJudgement)] = [
            ("503", .pass), ("503,retry-after=soon", .honest), ("429", .pass),
            ("429,retry-after=1", .pass), ("404", .failure(.dishonest, reason: "x")),
        ]
        try add("c1/r1:req.head", mixed)
        try add("GET(/a)#1:req.head", mixed)
        try add("c1/r1:req.end", [("503", .pass), ("404", .pass)])
        try add(
            "c1/r2:req.head",
            [("500", .pass)] + (400...409).map { ("\($0)", PointJudgement.honest) }
        )
        #expect(
            ReportText(report).lines.filter { $0.hasPrefix("status ") } == [
                "status at c1/r1:req.head, GET(/a)#1:req.head:"
                    + " X 404; h 503,retry-after=soon; . 429, 503",
                "status at c1/r2:req.head:"
                    + " h 400, 401, 402, 403, 404, 405, 406, 407 and 2 more; . 500",
            ]
        )
    }

    @Test func `of many statuses' cells a few are told`() throws {
        var report = Self.patient
        for request in 1...8 {
            report.records += try [("503", PointJudgement.pass), ("\(400 + request)", .honest)].map
            {
                try Self.record("lc1;c1/r\(request):req.head=status(\($0.0))", $0.1, .boundary)
            }
        }
        let lines = ReportText(report).lines.filter { $0.hasPrefix("status") }
        #expect(lines.count == 7 && lines.last == "status: 2 more places with differences")
    }

    @Test func `of many kinds of pairs those that failed have a line`() throws {
        var report = Self.patient
        let cut = "lc1;c1/r1:resp.body+1=fin"
        for effect in ["fin", "rst", "hole", "stall(1s)"] {
            report.records.append(try Self.record("\(cut);c2/r1:resp.body+1=\(effect)", .pass))
        }
        report.records.append(
            try Self.record(
                "\(cut);c2/r1:req.head=status(503)",
                .failure(.giveup, reason: "x")
            )
        )
        let lines = ReportText(report).lines
        let start = try #require(lines.firstIndex { $0.contains("pairs of faults") })
        #expect(
            lines[start...].prefix(5) == [
                "5 pairs of faults: 4 passed, 1 failed", "  fin + status: 1 failed",
                "  fin + fin: 1 passed", "  fin + hole: 1 passed", "  other effects: 2 passed",
            ]
        )
    }

    // MARK: Findings

    private static func isRepeated(_ point: Point) -> Bool {
        point.faults.contains { fault in
            if case .refuse(2) = fault.effect { return true }
            return fault.options.times == .count(2)
        }
    }

    @Test(arguments: [[Effect.Kind.refuse], [.finish]])
    func `who survives one failure and not two is told so`(effects: [Effect.Kind]) throws {
        let report = Self.report(effects) { point in
            if point.isPermanent { return Self.outcome(.exited(1), .missing) }
            return Self.isRepeated(point) ? Self.outcome(.exited(1), .missing) : Self.outcome()
        }
        let finding = try #require(report.findings.first)
        #expect(report.findings.count == 1)
        #expect(finding.meaning == "survives one failure, but not two in a row")
        #expect(finding.remedy?.contains("--accept giveup") == true)
        let title = "FINDING \(finding.id)  giveup: \(finding.meaning)"
        #expect(ReportText(report).lines.contains(title))
        let page = ReportPage.document(SuiteReport([report])).joined()
        #expect(page.contains("giveup: survives one failure, but not two in a row"))
    }

    @Test func `who does not survive one failure is not said to`() throws {
        let report = Self.report([.refuse]) { point in
            point == .quiet ? Self.outcome() : Self.outcome(.exited(1), .missing)
        }
        let finding = try #require(report.findings.first)
        #expect(finding.meaning == "gives up although the failure was temporary")
    }

    @Test(arguments: [
        (PointOutcome.Ending.exited(3), PointOutcome.Content.partial, "giveup", "it fails"),
        (.exited(0), .wrong, "corrupt", "it ends in success with wrong content"),
        (.exited(0), .partial, "dishonest", "its exit code contradicts its result"),
        (.deadline, .partial, "hang", "it does not end before the deadline"),
    ])
    func `it is the later run that fails`(
        ending: PointOutcome.Ending,
        content: PointOutcome.Content,
        kind: String,
        words: String
    ) throws {
        var report = Self.report([.finish]) { point in
            guard point.isPermanent else { return Self.outcome() }
            var outcome = Self.outcome(.exited(1), .partial)
            outcome.recovery = .init(ending: ending, content: content)
            return outcome
        }
        report.settings.deadlineMilliseconds = 75_000
        let finding = try #require(report.findings.first)
        let lines = ReportText(report).text(of: finding)
        #expect(
            lines.first == "FINDING \(finding.id)  \(kind): started again without faults, \(words)"
        )
        #expect(lines.contains("            ends after up to 75 s") == (ending == .deadline))
    }

    @Test func `a later run with a fault of the server is not said to be without`() throws {
        let point = try Point(parsing: "lc1;c1/r1:resp.body+1=fin;obj(/a)#2=mutate(grow)")
        #expect(point.laterWords == "with only obj(/a)#1=mutate(grow)")
        #expect(try Point(parsing: "lc1;c1/r1:resp.body+1=fin").laterWords == "without faults")
        var outcome = Self.outcome(.exited(1), .partial)
        outcome.faults = [.fired, .fired]
        outcome.recovery = .init(ending: .exited(0), content: .wrong)
        #expect(
            Judge().judge(point, outcome)
                == .failure(
                    .corrupt,
                    reason: "a later run with only obj(/a)#1=mutate(grow) ends with wrong content"
                )
        )
    }

    @Test func `a line that repeats a hang says how long it takes`() throws {
        var report = Self.report([.hole]) { point in
            point == .quiet ? Self.outcome() : Self.outcome(.deadline, .missing)
        }
        let finding = try #require(report.findings.first)
        #expect(!ReportText(report).lines.contains { $0.contains("ends after") })
        report.settings.deadlineMilliseconds = 1_500
        let lines = ReportText(report).text(of: finding)
        let place = try #require(lines.firstIndex { $0.hasPrefix("  repeat ") })
        #expect(lines.dropFirst(place + 1).first == "            ends after up to 2 s")
        let page = ReportPage.document(SuiteReport([report])).joined(separator: "\n")
        #expect(page.contains("Repeat it with (ends after up to 2 s)"))
        #expect(page.ranges(of: "ends after").count == report.findings.count)
    }

    // MARK: Remedies

    private static let lookup = "lc1;A(api.test)#1=timeout"
    private static let connect = "lc1;c1:connect=silent"
    private static let body = "lc1;c1/r1:resp.body+1=hole"

    @Test(
        arguments: [
            (
                ["curl"], [lookup],
                "curl waits 300 s for a name and a connection; --connect-timeout 10"
            ),
            (["curl"], [body], "curl waits forever; --speed-limit 1 --speed-time 30"),
            // It is accepted; with TLS the connection still has to be made.
            (
                ["curl"], [connect],
                "curl waits 300 s for a connection and forever for data; --connect"
            ),
            (["curl"], [body, connect], "curl waits 300 s for a connection and forever for data;"),
            (["curl", "--connect-timeout", "9"], [lookup], nil),
            (["curl", "--connect-timeout", "9"], [body, connect], "curl waits forever; --speed"),
            (["curl", "-y", "9"], [connect], "curl waits 300 s for a name and a connection;"),
            (["curl", "-y", "9"], [body], nil), (["curl", "-m", "9"], [body, connect], nil),
            (["wget"], [lookup], "wget leaves it to the system how long this takes; --timeout=30"),
            (["wget"], [body, connect], "wget waits 15 minutes for data; --timeout=30"),
            (["wget", "--read-timeout=9"], [body], nil), (["wget", "-T9"], [lookup], nil),
            (["git"], [lookup], nil), (["git"], [body], "git waits forever;"),
            (["get"], [body], nil),
        ] as [([String], [String], String?)]
    )
    func `what ends a hang depends on where it is`(
        command: [String],
        schedules: [String],
        words: String?
    ) throws {
        var report = Self.patient
        report.settings.command = command
        let hang = PointJudgement.failure(.hang, reason: "still running at the deadline")
        report.records = try schedules.map { try Self.record($0, hang, .boundary) }
        #expect(report.findings.count == 1)
        let remedy = try #require(report.findings.first).remedy
        #expect(words.map { remedy?.hasPrefix($0) == true } ?? (remedy == nil), "\(remedy ?? "")")
    }

    // MARK: Evidence

    @Test func `what comes again and again is told twice`() {
        func cut(_ number: Int) -> [String] {
            [
                "c\(number)/r1 GET /a range: bytes=\(number)- → 206 (1 B, cut off)",
                "GET#*=fin: fired",
            ]
        }
        let first = ["c1/r1 GET /a → 200 (1 B, cut off)", "GET#*=fin: fired"]
        let end = ["fetch-check: has only the first 20 of 1500 bytes"]
        #expect(
            TrafficReading.folded(first + (2...20).flatMap(cut) + end)
                == first + cut(2) + cut(3).prefix(1) + ["and 35 lines more like these"] + end
        )
        let few = (1...3).flatMap(cut)
        #expect(TrafficReading.folded(few) == few)
        // A status is no number like others.
        let statuses = [500, 503, 500, 404, 500].map { "c1/r1 GET /a → \($0)" }
        #expect(TrafficReading.folded(statuses) == statuses)
        let same = Array(repeating: "c1: 0 B up, 0 B down", count: 6)
        #expect(TrafficReading.folded(same) == same.prefix(2) + ["and 4 lines more like these"])
        #expect(TrafficReading.folded([]) == [])
    }
}
