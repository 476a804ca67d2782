import Analysis
import Basics
import Exploration
import Faults
import LinkEngine
import Testing

@Suite struct CampaignTests {
    private static func settings(_ effects: [Effect.Kind]) -> CampaignSettings {
        var settings = CampaignSettings()
        settings.effects = effects
        return settings
    }

    @Test func `the edges of three behaviours are found from the boundaries`() throws {
        var campaign = Campaign(Self.settings([.finish]))
        let trials = SimulatedClient.splicer.run(&campaign)
        let report = CampaignReport(of: campaign)
        #expect(report.findings.map(\.kind) == [.corrupt])
        let finding = try #require(report.findings.first)
        #expect(finding.position == "GET /object resp.body")
        #expect(finding.minimal.schedule == "lc1;c1/r1:resp.body+1=fin")
        #expect(finding.intervals.map(\.text) == ["c1/r1:resp.body+1 … resp.body+1499"])
        #expect(finding.intervals.allSatisfy { $0.isExact })
        #expect(finding.confirmations.text == "3/3")
        #expect(finding.reason == "exit 0, but the content is no version of the object")
        // All 1,622 offsets would show no more.
        #expect(trials.count < 60)
        #expect(report.counts.unreached == 0)
        #expect(report.verdict == .findings("1 finding: corrupt"))
    }

    @Test(arguments: [2, 3, 8])
    func `what is found does not depend on how many run at once`(jobs: Int) {
        var one = Campaign(Self.settings(Effect.Kind.standard))
        var many = Campaign(Self.settings(Effect.Kind.standard))
        _ = SimulatedClient.splicer.run(&one)
        _ = SimulatedClient.splicer.run(&many, jobs: jobs)
        #expect(CampaignReport(of: one).findings == CampaignReport(of: many).findings)
        #expect(Set(one.records) == Set(many.records))
        let isOneFinished = one.isFinished()
        let isOtherFinished = many.isFinished()
        #expect(isOneFinished && isOtherFinished)
    }

    @Test func `an edge inside the content is found to the byte`() throws {
        let map = SimulatedClient.download(body: 60_000)
        let client = SimulatedClient(map: map) { point in
            let axis = point.faults.first.flatMap { ProtocolPositions(map).axis(of: $0) }
            let position = point.faults.first.flatMap { axis?.position(of: $0.address) } ?? 0
            return position > 31_337 && axis?.kind == .response
                ? SimulatedClient.outcome(.exited(1), .partial)
                : SimulatedClient.outcome()
        }
        var campaign = Campaign(Self.settings([.reset]))
        _ = client.run(&campaign)
        let finding = try #require(
            CampaignReport(of: campaign).findings.first { $0.position.hasSuffix("resp.body") }
        )
        #expect(finding.kind == .giveup)
        #expect(finding.minimal.schedule == "lc1;c1/r1:resp.body+\(31_338 - 121)=rst")
        #expect(finding.intervals.first?.isExact == true)
    }

    @Test
    func `two outcomes of one class along a message are two findings, with the edge between them`()
        throws
    {
        let map = SimulatedClient.download()
        let client = SimulatedClient(map: map) { point in
            guard let fault = point.faults.first, fault.address.isIn(.body),
                let axis = ProtocolPositions(map).axis(of: fault),
                let position = axis.position(of: fault.address)
            else { return SimulatedClient.outcome() }
            return SimulatedClient.outcome(.exited(0), position < 121 + 900 ? .missing : .partial)
        }
        var campaign = Campaign(Self.settings([.finish]))
        _ = client.run(&campaign)
        let findings = CampaignReport(of: campaign).findings
        #expect(findings.map(\.kind) == [.dishonest, .dishonest])
        #expect(
            Set(findings.map(\.minimal.schedule)) == [
                "lc1;c1/r1:resp.body+1=fin", "lc1;c1/r1:resp.body+900=fin",
            ]
        )
        #expect(findings.flatMap(\.intervals).allSatisfy { $0.isExact })
        #expect(findings.allSatisfy { $0.confirmations.text == "3/3" })
    }

    @Test func `who never tries again has one finding, with every place and what to do`() throws {
        let client = SimulatedClient(map: SimulatedClient.download()) { point in
            guard let fault = point.faults.first, !fault.isPermanent,
                fault.address.anchor != .message(.down, .end, .end)
            else {
                let lasts = point.faults.contains(where: \.isPermanent)
                return SimulatedClient.outcome(lasts ? .exited(1) : .exited(0))
            }
            let code: Int32 = fault.address.isInResponse ? 18 : 52
            return SimulatedClient.outcome(.exited(code), .missing)
        }
        var campaign = Campaign(Self.settings([.finish, .reset, .refuse]))
        _ = client.run(&campaign)
        let findings = CampaignReport(of: campaign).findings
        #expect(findings.count == 1)
        let finding = try #require(findings.first)
        #expect(finding.kind == .giveup && finding.outcome == "never tries again")
        #expect(
            Set(finding.places.map(\.position)) == [
                "connection connect", "GET /object req.head", "GET /object req.end",
                "GET /object resp.head", "GET /object resp.body",
            ]
        )
        #expect(finding.remedy?.contains("one attempt") == true)
    }

    @Test(arguments: [
        (["curl", "-o", "x"], "--retry 3"),
        (["/usr/bin/curl", "--retry", "3"], "--retry-all-errors"),
        (["curl", "--retry=3", "--retry-all-errors"], "an option for retries"),
        (["get"], "an option for retries"),
    ])
    func `what to do depends on the command`(command: [String], words: String) {
        let client = SimulatedClient(map: SimulatedClient.download()) { point in
            SimulatedClient.outcome(point == .quiet ? .exited(0) : .exited(1))
        }
        var campaign = Campaign(Self.settings([.finish]))
        _ = client.run(&campaign)
        var report = CampaignReport(of: campaign)
        report.settings.command = command
        #expect(report.findings.first?.remedy?.contains(words) == true)
    }

    @Test(arguments: [
        (["curl", "-fo", "x"], true), (["curl", "-fLo", "x"], false),
        (["curl", "--location", "-o", "x"], false), (["get"], false),
    ])
    func `who takes a redirection for the result is told once, with what follows it`(
        command: [String],
        isAdvised: Bool
    ) throws {
        let client = SimulatedClient(map: SimulatedClient.download()) { point in
            point.schedule.contains("307")
                ? SimulatedClient.outcome(.exited(0), .missing, "GET first 307")
                : SimulatedClient.outcome()
        }
        var campaign = Campaign(Self.settings([.status, .finish]))
        client.run(&campaign)
        var report = CampaignReport(of: campaign)
        report.settings.command = command
        let finding = try #require(report.findings.first)
        #expect(report.findings.count == 1)
        #expect((finding.remedy?.contains("-L follows them") ?? false) == isAdvised)
    }

    @Test(arguments: [
        (PointOutcome.Ending.exited(1), ["curl", "--retry", "3"], "add --retry-all-errors"),
        (.exited(1), ["curl"], "--retry 3 --retry-all-errors"),
        (.exited(1), ["wget"], "--retry-on-http-error"), (.exited(1), ["get"], "these statuses"),
        (.deadline, ["curl", "--retry", "3"], "--retry-max-time 60"),
    ])
    func `who fails at answers alone is told what helps there`(
        ending: PointOutcome.Ending,
        command: [String],
        words: String
    ) throws {
        let client = SimulatedClient(map: SimulatedClient.download()) { point in
            let isMet = point.schedule.contains("status(503") && !point.schedule.contains("*")
            return SimulatedClient.outcome(isMet ? ending : .exited(0), isMet ? .missing : .right)
        }
        var campaign = Campaign(Self.settings([.status, .finish]))
        client.run(&campaign)
        var report = CampaignReport(of: campaign)
        report.settings.command = command
        #expect(report.findings.first?.remedy?.contains(words) == true)
    }

    /// Resumes after a cut with one of some effects, does not notice another one, and joins versions.
    private static func resuming(
        _ map: BoundaryMap,
        after effects: Set<Effect> = [.finish, .reset]
    ) -> SimulatedClient {
        SimulatedClient(map: map) { point in
            let isCut = point.faults.contains {
                $0.address.isIn(.body) && effects.contains($0.effect)
            }
            var outcome =
                isCut
                ? SimulatedClient.outcome(.exited(0), .unknown, "GET first 200", "GET resumed 206")
                : SimulatedClient.outcome(.exited(0), .unknown, "GET first 200")
            var result = RunResult()
            result.file = .init(bytes: 1_500, digest: "first")
            result.object = "/object"
            if isCut, point.schedule.contains("mutate(same-size)") {
                result.file = .init(bytes: 1_500, digest: "spliced")
                result.current = .wrong
            } else if point.schedule.contains("mutate(shrink)") {
                result.file = .init(bytes: 1_350, digest: "new")
                result.current = .right
            }
            outcome.result = result
            return outcome
        }
    }

    @Test func `the object changes under a client that is seen to resume, once for each way`()
        throws
    {
        var settings = Self.settings([.finish, .mutate, .range])
        settings.objectsChange = true
        var campaign = Campaign(settings)
        Self.resuming(SimulatedClient.download()).run(&campaign)
        let pairs = campaign.records.filter { $0.purpose == .pair }
        let middle = "lc1;c1/r1:resp.body+750=fin;obj(/object)#2="
        #expect(pairs.count { $0.point.schedule.hasPrefix(middle) } == 16)
        #expect(
            pairs.map(\.point.schedule).filter { !$0.hasPrefix(middle) }
                == ["lc1;c1/r1:resp.body+1499=fin;obj(/object)#2=mutate(shrink)"]
        )
        let findings = CampaignReport(of: campaign).findings
        #expect(findings.map(\.kind) == [.corrupt])
        #expect(
            findings.first?.minimal.schedule
                == "lc1;c1/r1:resp.body+1=fin;obj(/object)#2=mutate(same-size)"
        )
    }

    @Test(arguments: [
        ([Effect.finish, .reset], [Effect.Kind.finish, .reset], "fin" as String?),
        ([.reset], [.finish, .reset], "rst"), ([.reset], [.reset], "rst"),
        ([.finish], [.finish, .reset], "fin"), ([.reset], [.finish], nil),
    ])
    func `the object changes after a reset where a clean end is the end of all to a client`(
        resumed: [Effect],
        tried: [Effect.Kind],
        cut: String?
    ) throws {
        var settings = Self.settings(tried + [.mutate])
        settings.objectsChange = true
        let client = Self.resuming(SimulatedClient.download(), after: Set(resumed))
        func pairs(_ report: CampaignReport) -> Set<String> {
            Set(report.records.filter { $0.purpose == .pair }.map(\.point.schedule))
        }
        var whole = Campaign(settings)
        client.run(&whole, jobs: 5)
        let all = pairs(CampaignReport(of: whole))
        let ends = Set(all.map { $0.contains("=fin;") ? "fin" : "rst" })
        #expect(ends == Set(cut.map { [$0] } ?? []))
        for count: UInt64 in [3, 40] {
            let shares = try (1...count).map { index in
                settings.shard = try #require(Shard(index: index, count: count))
                var share = Campaign(settings)
                client.run(&share)
                return CampaignReport(of: share)
            }
            let merged = CampaignReport.merged(shares)
            #expect(pairs(merged) == all, "\(count) shards")
            #expect(merged.counts == CampaignReport(of: whole).counts)
        }
    }

    /// A client that retries three times, leaves its part and goes on with it at its next start.
    ///
    /// - Parameters:
    ///   - checksAtOnce: whether it looks at the version while it retries.
    ///   - checksLater: whether it does so at its next start.
    /// - Returns: the client.
    private static func continuing(checksAtOnce: Bool, checksLater: Bool) -> SimulatedClient {
        let baseline = SimulatedClient.download()
        var tries = baseline
        tries.exchanges += ([2, 3, 4] as [UInt32]).map { number in
            var exchange = baseline.exchanges[0]
            exchange.connection = number
            return exchange
        }
        // Nothing changes before a request for the head alone.
        tries.exchanges.append(tries.exchanges[3])
        tries.exchanges[4].method = "HEAD"
        return SimulatedClient(map: baseline) { [tries] point in
            let isChanged = point.faults.contains { $0.effect.kind == .mutate }
            let isCut = point.faults.contains { $0.address.isIn(.body) }
            var outcome =
                isCut
                ? SimulatedClient.outcome(.exited(0), .unknown, "GET first 200", "GET resumed 206")
                : SimulatedClient.outcome(.exited(0), .unknown, "GET first 200")
            var result = RunResult()
            result.file = .init(bytes: 1_500, digest: "first")
            result.object = "/object"
            if point.isPermanent, isCut {
                outcome.ending = .exited(1)
                outcome.map = tries
                result.file = .init(bytes: 700, digest: "part")
                let content = isChanged && !checksLater ? PointOutcome.Content.wrong : .right
                outcome.recovery = .init(ending: .exited(0), content: content)
                outcome.recovery?.resumes = true
            } else if isCut, isChanged, !checksAtOnce {
                result.file = .init(bytes: 1_500, digest: "spliced")
                result.current = .wrong
            }
            outcome.result = result
            return outcome
        }
    }

    @Test(arguments: [1, 4])
    func `the object changes before the next start of a client that goes on then`(
        jobs: Int
    ) throws {
        var settings = Self.settings([.finish, .mutate])
        settings.objectsChange = true
        var campaign = Campaign(settings)
        Self.continuing(checksAtOnce: true, checksLater: false).run(&campaign, jobs: jobs)
        let start = "lc1;GET(/object)#*:resp.body~500=fin;obj(/object)#5=mutate("
        let changed = campaign.records.filter {
            $0.purpose == .pair && $0.point.schedule.hasPrefix(start)
        }
        #expect(changed.count == Effect.ObjectMutation.allCases.count)
        let findings = CampaignReport(of: campaign).findings
        #expect(findings.map(\.minimal.schedule) == ["\(start)grow)"])
        // Whichever of them came first.
        #expect(findings.map(\.confirmations.text) == ["3/3"])
    }

    @Test(
        arguments: [(1_500, nil), (1_499, "1499 bytes, the answer to GET /object 1500")]
            as [(UInt64, String?)]
    )
    func `a result that is not as long as the only answer is pointed out`(
        bytes: UInt64,
        words: String?
    ) {
        var campaign = Campaign(Self.settings([.finish]))
        SimulatedClient(map: SimulatedClient.download()) { _ in
            var outcome = SimulatedClient.outcome(.exited(0), .unknown, "GET first 200")
            outcome.result = RunResult()
            outcome.result?.file = .init(bytes: bytes, digest: "first")
            return outcome
        }.run(&campaign)
        #expect(campaign.baseline?.alteration == words)
    }

    @Test(arguments: [1, 4])
    func `one mistake within a start and over two is told once`(jobs: Int) {
        var settings = Self.settings([.finish, .mutate])
        settings.objectsChange = true
        var campaign = Campaign(settings)
        Self.continuing(checksAtOnce: false, checksLater: false).run(&campaign, jobs: jobs)
        let findings = CampaignReport(of: campaign).findings
        #expect(
            findings.map(\.minimal.schedule)
                == ["lc1;c1/r1:resp.body+1=fin;obj(/object)#2=mutate(grow)"]
        )
        #expect(findings.map(\.confirmations.text) == ["3/3"])
    }

    @Test func `a client that looks at the version each time has no finding`() {
        var settings = Self.settings([.finish, .mutate])
        settings.objectsChange = true
        var campaign = Campaign(settings)
        Self.continuing(checksAtOnce: true, checksLater: true).run(&campaign)
        #expect(CampaignReport(of: campaign).findings.isEmpty)
    }

    @Test func `nothing changes where nobody could tell the right result, or nobody resumes`() {
        var settings = Self.settings([.finish, .mutate, .range])
        var campaign = Campaign(settings)
        Self.resuming(SimulatedClient.download()).run(&campaign)
        #expect(campaign.records.allSatisfy { $0.purpose != .pair })
        settings.objectsChange = true
        var other = Campaign(settings)
        SimulatedClient(map: SimulatedClient.download()) { _ in
            var outcome = SimulatedClient.outcome(.exited(0), .unknown, "GET first 200")
            outcome.result = RunResult()
            outcome.result?.file = .init(bytes: 9, digest: "first")
            outcome.result?.object = "/object"
            return outcome
        }.run(&other)
        #expect(other.records.allSatisfy { $0.purpose != .pair })
    }

    @Test func `a POST that is refused, or answered with an error, need not be repeated`() {
        for (method, kinds) in [("POST", []), ("GET", [FindingClass.giveup])] {
            var map = SimulatedClient.download()
            map.exchanges[0].method = method
            let client = SimulatedClient(map: map) { point in
                var outcome = SimulatedClient.outcome(
                    point == .quiet ? .exited(0) : .exited(1),
                    .unknown
                )
                outcome.map = map
                // A connection that is refused shows no request.
                if point.faults.first?.effect.kind == .refuse { outcome.map?.exchanges = [] }
                return outcome
            }
            var campaign = Campaign(Self.settings([.refuse, .status]))
            client.run(&campaign)
            #expect(CampaignReport(of: campaign).findings.map(\.kind) == kinds, "\(method)")
        }
    }

    @Test func `who still retries against a fault that lasts makes nothing inconclusive`() {
        func verdict(_ isMet: @escaping (Point) -> Bool) -> CampaignVerdict {
            let client = SimulatedClient(map: SimulatedClient.download()) { point in
                guard isMet(point) else { return SimulatedClient.outcome() }
                var outcome = SimulatedClient.outcome(.deadline, .missing)
                outcome.isStillRetrying = true
                return outcome
            }
            var campaign = Campaign(Self.settings([.refuse]))
            client.run(&campaign)
            return CampaignReport(of: campaign).verdict
        }
        #expect(
            verdict(\.isPermanent)
                == .passed(
                    "no failure at any of 2 points; 1 more proves nothing: still retrying or waiting"
                        + " when ended; a longer --deadline judges it"
                )
        )
        guard case .inconclusive = verdict({ !$0.isPermanent && $0 != .quiet }) else {
            Issue.record("a fault that passes has to be outlasted")
            return
        }
    }

    @Test func `warnings and notes are told once each, and fail nothing`() throws {
        let client = SimulatedClient(map: SimulatedClient.download()) { point in
            var outcome = SimulatedClient.outcome()
            if point != .quiet {
                outcome.advice = [
                    .init(check: .r5, words: "no condition"), .init(check: .b2, words: "3 ms"),
                ]
            }
            return outcome
        }
        var campaign = Campaign(Self.settings([.finish]))
        client.run(&campaign)
        let report = CampaignReport(of: campaign)
        #expect(report.findings.isEmpty)
        #expect(report.advice.map(\.check) == [.b2, .r5])
        #expect(report.advice.map(\.points) == [report.counts.total, report.counts.total])
        #expect(report.advice.first?.simplest.schedule == "lc1;c1/r1:req.head+0=fin")
        let lines = ReportText(report).lines
        #expect(lines.contains("WARNING B2: 3 ms") && lines.contains("NOTE R5: no condition"))
        #expect(lines.contains("warnings   B2; see below"))
        let page = ReportPage.document(SuiteReport([report])).joined()
        #expect(page.contains("WARNING</b> B2: 3 ms") && page.contains("NOTE</b> R5: no condition"))
        let again = "lc1;seed=1;c1/r1:req.head+0=fin' --expect"
        for check in ["B2", "R5"] {
            let line = lines.first { $0.hasPrefix("  repeat ") && $0.contains("\(again) \(check)") }
            #expect(line != nil)
            #expect(page.contains("\(again.replacing("'", with: "&#39;")) \(check)"))
        }
    }

    @Test func `shares that are run apart give together what one run gives`() {
        var settings = Self.settings(Effect.Kind.standard)
        settings.randomSchedules = 40
        var whole = Campaign(settings)
        _ = SimulatedClient.splicer.run(&whole)
        var shares: [CampaignReport] = []
        for index in 1...4 {
            settings.shard = Shard(index: UInt64(index), count: 4) ?? .whole
            var share = Campaign(settings)
            _ = SimulatedClient.splicer.run(&share, jobs: 3)
            shares.append(CampaignReport(of: share))
        }
        let merged = CampaignReport.merged(shares)
        let single = CampaignReport(of: whole)
        #expect(merged.findings == single.findings)
        #expect(merged.counts == single.counts)
        #expect(merged.isComplete)
        #expect(!CampaignReport.merged(Array(shares.dropLast())).isComplete)
    }

    @Test func `a failing random schedule comes down to one fault`() throws {
        let client = SimulatedClient.splicer
        var settings = Self.settings([.finish, .stall])
        settings.randomSchedules = 30
        var campaign = Campaign(settings)
        _ = client.run(&campaign)
        let random = campaign.records.filter { $0.purpose == .random }
        #expect(random.count > 20)
        #expect(random.contains { $0.point.faults.count == 4 })
        // What a single fault shows explains the rest.
        #expect(CampaignReport(of: campaign).findings.map(\.minimal.faults.count) == [1])
    }

    @Test func `two faults that fail only together are reported together`() throws {
        let map = SimulatedClient.download()
        let client = SimulatedClient(map: map) { point in
            let cuts = Set(
                point.faults.filter { $0.address.isIn(.body) }.map(\.address.target.canonicalText)
            )
            return cuts.isSuperset(of: ["c1/r1", "c2/r1"])
                ? SimulatedClient.outcome(.exited(4), .partial) : SimulatedClient.outcome()
        }
        var settings = Self.settings([.finish, .reset])
        settings.randomSchedules = 300
        var campaign = Campaign(settings)
        _ = client.run(&campaign)
        let findings = CampaignReport(of: campaign).findings
        #expect(findings.count == 1)
        let finding = try #require(findings.first)
        #expect(finding.kind == .giveup)
        #expect(
            finding.minimal.schedule == "lc1;c1/r1:resp.body+1=fin;c2/r1:resp.body+1=fin"
        )
        #expect(finding.confirmations == .init(equal: 3, of: 3))
    }

    @Test(arguments: [1, 2, 16])
    func `two faults that mostly wait come down to the same, however many run at once`(
        jobs: Int
    ) throws {
        let map = SimulatedClient.download()
        var asksAgain = map
        asksAgain.exchanges.append(map.exchanges[0])
        asksAgain.exchanges[1].connection = 2
        asksAgain.exchanges[1].match = 2
        let client = SimulatedClient(map: map) { point in
            let isMixed =
                point.faults.count == 2
                && point.faults.allSatisfy {
                    $0.effect.kind == .stall && $0.address.isInResponse
                }
            var outcome = SimulatedClient.outcome(.exited(0), isMixed ? .wrong : .right)
            if point.faults.first.map({ if case .hole = $0.effect { true } else { false } }) == true
            {
                outcome.milliseconds = 5_200
                outcome.map = asksAgain
            }
            return outcome
        }
        func explored(_ jobs: Int) -> Campaign {
            var campaign = Campaign(Self.settings([.hole, .stall]))
            client.run(&campaign, jobs: jobs)
            return campaign
        }
        let campaign = explored(jobs)
        let findings = CampaignReport(of: campaign).findings
        #expect(
            findings.map(\.minimal.schedule) == [
                "lc1;c1/r1:resp.head+0=stall(7s);GET(/object)#2:resp.body~500=stall(3s)"
            ]
        )
        #expect(Set(campaign.records) == Set(explored(1).records))
    }

    @Test func `a fault in the recovery is found at depth two`() throws {
        let map = SimulatedClient.download()
        var recovered = map
        recovered.exchanges.append(
            .init(
                connection: 2,
                request: 1,
                method: "GET",
                path: "/object",
                match: 2,
                sent: .init(head: 100),
                status: 206,
                received: .init(head: 150, body: 750, framing: .length)
            )
        )
        let client = SimulatedClient(map: map) { point in
            var outcome = SimulatedClient.outcome()
            if point.faults.count == 2,
                point.faults[1].address.canonicalText.hasPrefix("c2/r1:resp.head")
            {
                outcome = SimulatedClient.outcome(.exited(3), .partial)
            }
            outcome.map = point == .quiet ? map : recovered
            return outcome
        }
        var settings = Self.settings([.finish])
        var flat = Campaign(settings)
        _ = client.run(&flat)
        #expect(CampaignReport(of: flat).findings.isEmpty)
        // So it is with what is left of a limit, for the first point of each conduct.
        settings.usesRest = true
        settings.runLimit = 200
        var budgeted = Campaign(settings)
        _ = client.run(&budgeted)
        let pairs = budgeted.records.filter { $0.purpose == .pair }
        #expect(Set(pairs.map { $0.point.faults[0] }).count == 1)
        #expect(CampaignReport(of: budgeted).findings.contains { $0.kind == .giveup })
        settings.usesRest = false
        settings.runLimit = nil
        settings.depth = 2
        var deep = Campaign(settings)
        _ = client.run(&deep)
        let findings = CampaignReport(of: deep).findings
        #expect(findings.contains { $0.minimal.faults.count == 2 && $0.kind == .giveup })
    }

    @Test func `a failure that does not come again is flaky`() throws {
        var runs = 0
        let map = SimulatedClient.download()
        let client = SimulatedClient(map: map) { point in
            guard point.faults.first?.address.anchor == .message(.up, .end, .end) else {
                return SimulatedClient.outcome()
            }
            runs += 1
            return runs < 3
                ? SimulatedClient.outcome(.deadline, .missing) : SimulatedClient.outcome()
        }
        var campaign = Campaign(Self.settings([.finish]))
        _ = client.run(&campaign)
        let finding = try #require(CampaignReport(of: campaign).findings.first)
        #expect(finding.kind == .flaky)
        #expect(finding.failure == .hang)
        #expect(finding.confirmations == .init(equal: 1, of: 3))
        guard case .inconclusive = CampaignReport(of: campaign).verdict else {
            Issue.record("flaky findings are inconclusive")
            return
        }
    }

    @Test func `without a fault the command has to work, and to send something`() {
        for (outcome, problem) in [
            (
                SimulatedClient.outcome(.exited(8), .missing),
                BaselineProblem.failed(reason: "it ends with exit 8")
            ),
            (
                SimulatedClient.outcome(.exited(0), .wrong),
                .failed(reason: "exit 0, but the content is not the expected one")
            ),
        ] {
            let client = SimulatedClient(map: SimulatedClient.download()) { _ in outcome }
            var campaign = Campaign(CampaignSettings())
            #expect(client.run(&campaign).count == 2)
            #expect(campaign.problem == problem)
        }
        let empty = BoundaryMap(connections: [], exchanges: [])
        var campaign = Campaign(CampaignSettings())
        _ = SimulatedClient(map: empty) { _ in SimulatedClient.outcome() }.run(&campaign)
        #expect(campaign.problem == .noTraffic)
    }

    @Test func `remembered failures come first`() throws {
        let line = "lc1;c1/r1:resp.body+77=rst"
        let remembered = try Point(parsing: line)
        var campaign = Campaign(Self.settings([.finish]), remembered: [remembered])
        let trials = SimulatedClient.splicer.run(&campaign)
        #expect(trials.prefix(2).allSatisfy { $0.purpose == nil })
        #expect(trials[2].purpose == .remembered)
        #expect(trials[2].point.schedule == line)
    }

    @Test func `a limit of runs ends the search, not the confirmation of what it found`() {
        var settings = Self.settings([.finish])
        settings.runLimit = 22
        var campaign = Campaign(settings)
        let trials = SimulatedClient.splicer.run(&campaign)
        #expect(trials.count { $0.purpose == .boundary || $0.purpose == .edge } == 22)
        #expect(trials.count { $0.purpose == .verify } == 3)
        #expect(campaign.isCutShort)
        #expect(!CampaignReport(of: campaign).isComplete)
    }

    @Test func `a limit of runs that random schedules use up cuts nothing short`() {
        var settings = Self.settings([.finish])
        settings.randomSchedules = nil
        settings.runLimit = 200
        var campaign = Campaign(settings)
        let trials = SimulatedClient.splicer.run(&campaign)
        #expect(trials.count { $0.purpose == .random } > 100)
        #expect(!campaign.isCutShort)
    }

    @Test func `what is left of a limit goes to other conduct and untried places`() throws {
        var settings = Self.settings([.finish])
        settings.usesRest = true
        settings.runLimit = 300
        var campaign = Campaign(settings)
        let runs = SimulatedClient.splicer.run(&campaign).compactMap(\.purpose)
        #expect(runs.count { $0 == .random } == 0)
        #expect(!campaign.isCutShort)
        #expect(campaign.records.count(where: \.isCounted) == 300)
        // Untried bytes of the heads come first: there are 79 + 120 of them at most.
        let heads = Set(
            campaign.records.filter { $0.purpose == .edge }.map(\.point.schedule)
                .filter { $0.contains(".head+") }
        )
        #expect(heads.count > 100)
    }

    @Test func `the widest gap between tried places is searched first`() throws {
        var settings = Self.settings([.finish])
        settings.usesRest = true
        settings.runLimit = 400
        var campaign = Campaign(settings)
        let map = SimulatedClient.download(head: 20, body: 10_000)
        let client = SimulatedClient(map: map) { _ in
            SimulatedClient.outcome(.exited(0), .right, "GET first 200")
        }
        client.run(&campaign)
        func places(_ purpose: PointRecord.Purpose) -> [UInt64] {
            campaign.records.filter { $0.purpose == purpose && $0.series == "c1/r1:resp=fin" }
                .compactMap(\.at)
        }
        let known = places(.boundary).filter { $0 >= 20 }.sorted()
        let gaps = zip(known, known.dropFirst())
        let widest = try #require(gaps.max { $0.1 - $0.0 < $1.1 - $1.0 })
        #expect(places(.edge).first { $0 > 20 } == widest.0 + (widest.1 - widest.0) / 2)
    }

    @Test func `once there is nothing else, a limit is not used up`() {
        var settings = Self.settings([.finish])
        settings.usesRest = true
        settings.runLimit = 100_000
        var campaign = Campaign(settings)
        let client = SimulatedClient(map: SimulatedClient.download(head: 20, body: 10)) { _ in
            SimulatedClient.outcome(.exited(0), .right, "GET first 200")
        }
        let runs = client.run(&campaign, limit: 5_000)
        #expect(runs.count < 200)
        #expect(campaign.isFinished() && !campaign.isCutShort)
    }

    @Test func `a stopped campaign asks for nothing more`() {
        var campaign = Campaign(Self.settings([.finish]))
        _ = campaign.next()
        campaign.stop()
        #expect(campaign.next() == nil)
        let isFinished = campaign.isFinished()
        #expect(isFinished && campaign.isCutShort)
    }

    @Test func `a campaign that is stopped during its last run is cut short`() throws {
        var whole = Campaign(Self.settings([.finish]))
        let runs = SimulatedClient.splicer.run(&whole)
        whole.stop()
        #expect(!whole.isCutShort)
        var campaign = Campaign(Self.settings([.finish]))
        _ = SimulatedClient.splicer.run(&campaign, limit: runs.count - 1)
        _ = try #require(campaign.next() ?? campaign.next(idle: true))
        #expect(campaign.next() == nil && campaign.next(idle: true) == nil)
        campaign.stop()
        #expect(campaign.isCutShort)
    }

    @Test func `checks that fail without faults say nothing about faults`() {
        let client = SimulatedClient(map: SimulatedClient.download()) { _ in
            var outcome = SimulatedClient.outcome()
            outcome.failedChecks = [.init(name: "R5", kind: .protocol, reason: "no If-Range")]
            return outcome
        }
        var campaign = Campaign(Self.settings([.finish]))
        _ = client.run(&campaign)
        #expect(campaign.baseline?.ignoredChecks == ["R5"])
        #expect(CampaignReport(of: campaign).findings.isEmpty)
    }

    @Test func `what runs without faults make is what others are compared with`() throws {
        func made(_ bytes: UInt64, _ digest: String) -> RunResult {
            var result = RunResult()
            result.file = .init(bytes: bytes, digest: digest)
            return result
        }
        let client = SimulatedClient(map: SimulatedClient.download()) { point in
            var outcome = SimulatedClient.outcome(.exited(0), .unknown)
            switch point.faults.first?.address.anchor {
            case .message(.down, .head, _): outcome.result = RunResult()
            case .message(.down, .body, _): outcome.result = made(9, "other")
            case .message(.up, .head, _): outcome.result = made(4, "short")
            default: outcome.result = made(9, "right")
            }
            return outcome
        }
        var campaign = Campaign(Self.settings([.finish]))
        client.run(&campaign)
        #expect(campaign.baseline?.oracle == .file)
        #expect(campaign.baseline?.digest == "right")
        let kinds = CampaignReport(of: campaign).findings.map {
            "\($0.kind.rawValue) \($0.position)"
        }
        #expect(
            kinds == [
                "corrupt GET /object resp.body", "dishonest GET /object req.head",
                "dishonest GET /object resp.head",
            ]
        )
    }

    @Test func `an object that changes is what results are compared with, if there is one`() {
        func baseline(object: String?) -> BaselineSummary? {
            let client = SimulatedClient(map: SimulatedClient.download()) { _ in
                var outcome = SimulatedClient.outcome(.exited(0), .unknown)
                outcome.result = RunResult()
                outcome.result?.file = .init(bytes: 9, digest: "first")
                outcome.result?.object = object
                return outcome
            }
            var settings = Self.settings([.finish])
            settings.objectsChange = true
            var campaign = Campaign(settings)
            client.run(&campaign)
            return campaign.baseline
        }
        let changing = baseline(object: "/object")
        #expect(changing?.object == "/object" && changing?.digest == nil)
        // Then nothing but the first version is right.
        let several = baseline(object: nil)
        #expect(several?.object == nil && several?.digest == "first")
    }

    @Test func `an upload that the origin has twice, half or not at all is found`() {
        func made(_ uploads: Int, pending: UInt64 = 0) -> RunResult {
            var result = RunResult()
            result.uploads = Array(repeating: .init(bytes: 9, digest: "d"), count: uploads)
            result.pendingBytes = pending
            return result
        }
        let client = SimulatedClient(map: SimulatedClient.download()) { point in
            var outcome = SimulatedClient.outcome(.exited(0), .unknown)
            switch point.faults.first?.address.anchor {
            case .message(.down, .head, _): outcome.result = made(2)
            case .message(.down, .body, _): outcome.result = made(0, pending: 4)
            case .message(.up, .head, _): outcome.result = made(0)
            default: outcome.result = made(1)
            }
            return outcome
        }
        var campaign = Campaign(Self.settings([.finish]))
        client.run(&campaign)
        #expect(campaign.baseline?.oracle == .uploads)
        #expect(campaign.baseline?.uploads == ["d"])
        let findings = CampaignReport(of: campaign).findings
        #expect(findings.map(\.kind) == [.lost, .lost, .duplicate])
        #expect(findings.last?.reason == "uploads: 2 complete uploads instead of 1")
    }

    @Test func `an upload that is repeated wrongly is told once, whatever failed before`() throws {
        let client = SimulatedClient(map: SimulatedClient.download()) { point in
            var outcome = SimulatedClient.outcome(.exited(0), .unknown)
            outcome.result = RunResult()
            let mayFail = point.schedule.contains("*") || point.schedule.contains("307")
            if mayFail { outcome.ending = .exited(1) }
            let isWrong = !point.faults.isEmpty && !mayFail
            outcome.result?.uploads = isWrong ? [] : [.init(bytes: 9, digest: "d")]
            // Only what it does after an error is another mistake.
            let isRefused = point.faults.first?.effect.kind == .status
            outcome.requests = [
                .init(method: "PUT", kind: "first", status: 0),
                .init(method: isRefused ? "GET" : "PUT", kind: "first", status: 200),
            ]
            var map = SimulatedClient.download()
            if isWrong {
                map.connections.append(map.connections[0])
                map.connections[1].ordinal = 2
                map.exchanges.append(map.exchanges[0])
                map.exchanges[1].connection = 2
            }
            outcome.map = map
            return outcome
        }
        var campaign = Campaign(Self.settings([.finish, .hole, .refuse, .status]))
        client.run(&campaign)
        let findings = CampaignReport(of: campaign).findings
        #expect(findings.map(\.kind) == [.lost, .lost])
        #expect(Set(findings.map { $0.places.count > 1 }) == [true, false])
    }

    /// What a client makes of a redirection of its upload, and of the page that it then finds.
    enum Conduct: CaseIterable {
        case takesPage, failsAtPage, keepsMethod, stops
    }

    @Test(arguments: Conduct.allCases)
    func `who takes the page of a redirection for the answer to an upload loses it`(
        conduct: Conduct
    ) throws {
        var map = SimulatedClient.download()
        map.exchanges[0].method = "POST"
        map.exchanges[0].sent = .init(head: 80, body: 9, framing: .length)
        let client = SimulatedClient(map: map) { point in
            var outcome = SimulatedClient.outcome(.exited(0), .unknown)
            outcome.result = RunResult()
            let isLed = point.schedule.contains("302")
            let isDone = !isLed || conduct == .keepsMethod
            outcome.result?.uploads = isDone ? [.init(bytes: 9, digest: "d")] : []
            let hasPage = point.schedule.contains("page")
            if isLed, !isDone, !hasPage || conduct != .takesPage { outcome.ending = .exited(22) }
            if isLed, conduct != .stops {
                var next = map.exchanges[0]
                next.request = 2
                if conduct != .keepsMethod { next.method = "GET" }
                outcome.map = map
                outcome.map?.exchanges.append(next)
            }
            return outcome
        }
        var campaign = Campaign(Self.settings([.status]))
        client.run(&campaign)
        let findings = CampaignReport(of: campaign).findings
        #expect(findings.map(\.kind) == (conduct == .takesPage ? [.lost] : []))
        let isPageTried = campaign.records.contains { $0.point.schedule.contains("page") }
        #expect(isPageTried == [.takesPage, .failsAtPage].contains(conduct))
    }

    @Test func `baselines that make different things are compared with nothing`() {
        var runs = 0
        let client = SimulatedClient(map: SimulatedClient.download()) { _ in
            runs += 1
            var outcome = SimulatedClient.outcome(.exited(0), .unknown)
            outcome.result = RunResult()
            outcome.result?.file = .init(bytes: 9, digest: "\(runs)")
            return outcome
        }
        var campaign = Campaign(Self.settings([.finish]))
        client.run(&campaign)
        #expect(campaign.baseline?.oracle == BaselineSummary.Oracle.none)
        #expect(CampaignReport(of: campaign).findings.isEmpty)
    }

    @Test func `news tell of runs as they end and of findings as they are found`() {
        var campaign = Campaign(Self.settings([.finish]))
        _ = SimulatedClient.splicer.run(&campaign)
        let news = campaign.takeNews()
        #expect(news.count { if case .run = $0 { true } else { false } } == campaign.records.count)
        #expect(news.count { if case .found = $0 { true } else { false } } == 1)
        #expect(campaign.takeNews().isEmpty)
    }
}
