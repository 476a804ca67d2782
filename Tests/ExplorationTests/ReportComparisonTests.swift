import Analysis
import Exploration
import Faults
import Testing

/// What differs between two explorations of one client.
@Suite struct ReportComparisonTests {
    private static func explore(_ client: SimulatedClient) -> SuiteReport {
        var settings = CampaignSettings()
        settings.effects = [.finish]
        var campaign = Campaign(settings)
        client.run(&campaign)
        return SuiteReport([CampaignReport(of: campaign)])
    }

    /// Gives up once the head is cut, and tries again after that.
    private static func client(
        _ ending: PointOutcome.Ending,
        tries: Int = 2
    ) -> SimulatedClient {
        SimulatedClient(map: SimulatedClient.download()) { point in
            guard let fault = point.faults.first, fault.address.isInResponse else {
                return SimulatedClient.outcome(.exited(0), .right, "GET first 200")
            }
            if fault.address.isIn(.head) { return SimulatedClient.outcome(ending, .missing) }
            var outcome = SimulatedClient.outcome()
            outcome.requests =
                [RequestShape(method: "GET", kind: "first", status: 200)]
                + (1..<tries).map {
                    RequestShape(method: "GET", kind: "again\($0)", status: 200)
                }
            return outcome
        }
    }

    @Test func `a finding that the earlier report has is no reason to fail`() {
        let old = Self.explore(.splicer)
        var new = Self.explore(.splicer)
        new.compare(with: old, named: "old.jsonl")
        guard case .passed(let reason) = new.verdict else {
            Issue.record("\(new.verdict)")
            return
        }
        #expect(reason == "no new finding, 1 known; 29 points were run")
        #expect(new.comparison?.changes.isEmpty == true && new.comparison?.states.isEmpty == true)
        let text = SuiteText(new).lines
        #expect(text.contains { $0.hasPrefix("KNOWN bedc74cb60  corrupt") })
        #expect(text.contains("next       nothing new; the known findings remain"))
        #expect(
            text.contains(
                "compared with old.jsonl: findings: 1 known; 0 points behave differently,"
                    + " 0 new states"
            )
        )
        let junit = ReportJUnit.document(new)
        #expect(!junit.contains { $0.contains("<failure") })
        #expect(junit.contains { $0.contains("<skipped message=\"known: corrupt: exit 0") })
        #expect(ReportGitHub.annotations(new)[0].hasPrefix("::warning title=corrupt"))
    }

    @Test func `a new finding fails, and one that is gone is told`() {
        let old = Self.explore(.splicer)
        var new = Self.explore(Self.client(.exited(1)))
        new.compare(with: old, named: "old")
        #expect(new.verdict == .findings("1 new finding: giveup"))
        #expect(new.comparison?.known.isEmpty == true)
        #expect(new.comparison?.fixed.map(\.id) == ["bedc74cb60"])
        var untried = old
        untried.compare(with: Self.explore(Self.client(.exited(1))), named: "old")
        #expect(untried.comparison?.fixed.map(\.kind) == [.giveup])
    }

    @Test func `a failure that became honest is fixed`() throws {
        // What a fault of every attempt leads to; other faults are survived.
        func explore(_ ending: PointOutcome.Ending) -> SuiteReport {
            Self.explore(
                SimulatedClient(map: SimulatedClient.download()) { point in
                    point.schedule.contains("#*:")
                        ? SimulatedClient.outcome(ending, .missing) : SimulatedClient.outcome()
                }
            )
        }
        let old = explore(.exited(0))
        var new = explore(.exited(1))
        let ids = old.findings.map(\.finding.id)
        new.compare(with: old, named: "old")
        #expect(!ids.isEmpty && new.findings.isEmpty)
        #expect(new.comparison?.fixed.map(\.id) == ids)
    }

    @Test func `what was not run again is not called fixed`() {
        let old = Self.explore(.splicer)
        var settings = CampaignSettings()
        settings.effects = [.finish]
        settings.runLimit = 1
        settings.randomSchedules = 0
        var campaign = Campaign(settings)
        Self.client(.exited(0)).run(&campaign)
        var new = SuiteReport([CampaignReport(of: campaign)])
        new.compare(with: old, named: "old")
        #expect(new.comparison?.fixed.isEmpty == true)
        #expect(new.comparison?.unseen.map(\.id) == ["bedc74cb60"])
    }

    @Test func `another behaviour and a new state are told, and are no failure`() throws {
        let old = Self.explore(Self.client(.exited(0), tries: 2))
        var new = Self.explore(Self.client(.exited(0), tries: 3))
        new.compare(with: old, named: "old")
        let comparison = try #require(new.comparison)
        let change = try #require(
            comparison.changes.first { $0.position == "GET /object resp.body" }
        )
        #expect(change.before == "GET first 200, GET again1 200; exit 0")
        #expect(change.now == "GET first 200, GET again1 200, GET again2 200; exit 0")
        #expect(change.schedule == "lc1;c1/r1:resp.body+1=fin" && change.points > 2)
        #expect(comparison.states.map(\.text) == [change.now])
        if case .findings = new.verdict { Issue.record("\(new.verdict)") }
    }
}
