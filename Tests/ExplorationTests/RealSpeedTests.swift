import Faults
import Testing

@testable import Exploration

/// Searches with clocks that run faster, and what is run again without.
@Suite struct RealSpeedTests {
    /// Runs a campaign to its end.
    ///
    /// - Parameters:
    ///   - effects: what to try.
    ///   - fast: how a point comes out with faster clocks.
    ///   - real: how it comes out without.
    /// - Returns: the campaign, and its runs in order.
    private func search(
        _ effects: [Effect.Kind] = [.finish],
        fast: (Point) -> PointOutcome.Ending,
        real: (Point) -> PointOutcome.Ending
    ) -> (campaign: Campaign, runs: [SearchRun]) {
        var settings = CampaignSettings()
        settings.effects = effects
        settings.warp = 10
        settings.confirmations = 1
        var campaign = Campaign(settings)
        var runs: [SearchRun] = []
        while let run = campaign.next() ?? campaign.next(idle: true), runs.count < 1_000 {
            runs.append(run)
            let ending = run.isAtRealSpeed ? real(run.point) : fast(run.point)
            var outcome = PointOutcome(
                ending: ending,
                content: ending.isSuccess ? .right : .missing
            )
            outcome.map = SimulatedClient.download()
            outcome.faults = run.point.faults.map { _ in .fired }
            if ending == .exited(75) { outcome.troubles = ["a busy machine"] }
            campaign.finish(run, outcome)
        }
        return (campaign, runs)
    }

    private func report(_ campaign: Campaign) -> CampaignReport {
        var settings = CampaignReport(of: campaign).settings
        settings.warp = campaign.settings.warp
        return CampaignReport(campaign, settings: settings)
    }

    private func isCut(_ point: Point, _ places: [String]) -> Bool {
        places.contains { point.schedule == "lc1;c1/r1:\($0)=fin" }
    }

    @Test func `a finding is told once it has come at real speed`() throws {
        let behave: (Point) -> PointOutcome.Ending = {
            isCut($0, ["resp.body+1"]) ? .exited(7) : .exited(0)
        }
        var (campaign, runs) = search(fast: behave, real: behave)
        let finding = try #require(report(campaign).findings.first)
        #expect(finding.confirmations == .init(equal: 1, of: 1))
        let told = campaign.takeNews().filter { if case .found = $0 { true } else { false } }
        #expect(told.count == 1)
        #expect(runs.filter(\.isAtRealSpeed).map(\.purpose).first == .verify)
    }

    @Test func `what fails with a faster clock only is no finding`() {
        var (campaign, _) = search(
            fast: { isCut($0, ["resp.body+1", "resp.body+2"]) ? .exited(7) : .exited(0) },
            real: { _ in .exited(0) }
        )
        #expect(report(campaign).findings == [])
        #expect(report(campaign).counts.failed == 0)
        guard case .passed = report(campaign).verdict else {
            Issue.record("\(report(campaign).verdict)")
            return
        }
        let told = campaign.takeNews().filter { if case .found = $0 { true } else { false } }
        #expect(told == [])
    }

    @Test func `where much fails with a faster clock only, nothing can be told`() {
        let (campaign, _) = search(
            fast: { $0.position.contains("resp.body") ? .exited(7) : .exited(0) },
            real: { _ in .exited(0) }
        )
        #expect(report(campaign).findings == [])
        #expect(
            report(campaign).verdict.reason.hasSuffix(
                "not confirmed at real speed; leave --warp out"
            )
        )
    }

    @Test func `passes are compared with some at real speed`() {
        let equal = search(fast: { _ in .exited(0) }, real: { _ in .exited(0) })
        #expect(report(equal.campaign).speedChecks.all == 5)
        #expect(report(equal.campaign).speedChecks.different == [])
        let other = search(fast: { _ in .exited(0) }, real: { _ in .exited(7) })
        guard case .inconclusive(let reason) = report(other.campaign).verdict else {
            Issue.record("\(report(other.campaign).verdict)")
            return
        }
        #expect(reason.hasPrefix("5 of 5 passes differ at real speed (--warp 10)"))
    }

    @Test func `dates, and what proves nothing, are run at real speed`() {
        let (campaign, runs) = search(
            [.finish, .status],
            fast: { isCut($0, ["resp.end"]) ? .exited(75) : .exited(0) },
            real: { _ in .exited(0) }
        )
        let dated = runs.filter { $0.point.schedule.contains("date") }
        #expect(dated.count >= 2 && dated.allSatisfy(\.isAtRealSpeed))
        let again = runs.filter { isCut($0.point, ["resp.end"]) && $0.purpose == .boundary }
        #expect(again.map(\.isAtRealSpeed) == [false, true])
        #expect(report(campaign).counts.inconclusive == 0)
    }
}
