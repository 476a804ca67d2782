import Analysis
@testable import Exploration
import Faults
import Testing

/// What silent runs say that were ended early.
@Suite struct SuspicionsTests {
    /// Explores a client that is silent in the whole answer, and hangs there or goes on late.
    private func explore(
        hangs: @escaping (Point) -> Bool,
        jobs: Int = 1
    ) -> (report: CampaignReport, patient: Int) {
        var client = SimulatedClient(map: SimulatedClient.download()) { point in
            point.faults.contains { $0.address.isInResponse } && hangs(point)
                ? SimulatedClient.outcome(.deadline, .missing) : SimulatedClient.outcome()
        }
        client.behaveShortly = { point in
            guard point.faults.contains(where: { $0.address.isInResponse }) else {
                return SimulatedClient.outcome()
            }
            var outcome = SimulatedClient.outcome(.deadline, .missing)
            outcome.isSilent = true
            return outcome
        }
        var settings = CampaignSettings()
        settings.effects = [.hole]
        var campaign = Campaign(settings)
        let runs = client.run(&campaign, jobs: jobs)
        return (
            CampaignReport(of: campaign),
            runs.count { $0.isPatient && $0.purpose != nil }
        )
    }

    @Test func `one run up to the deadline tells of all that are silent alike`() throws {
        let (report, patient) = explore { _ in true }
        #expect(Set(report.findings.map(\.kind)) == [.hang])
        #expect(report.findings.allSatisfy { $0.confirmations.text == "1/1" })
        // Before the head, in it, and in the content.
        #expect(patient == 3 && report.findings.count == 1)
        #expect(report.counts.failed > 2 * patient)
    }

    @Test func `who is told something later, since a part came, is judged apart`() throws {
        let start = try Point(parsing: "lc1;c1/r1:resp.head+0=hole").faults
        let (report, _) = explore { $0.faults == start }
        #expect(report.findings.map(\.minimal.faults) == [start])
        #expect(report.findings.first?.schedules == 1 && report.counts.failed == 1)
    }

    @Test func `a client that goes on before the deadline is accused of nothing`() {
        let (report, patient) = explore { _ in false }
        #expect(report.findings.isEmpty)
        #expect(report.counts.passed == report.counts.total)
        #expect(Set(report.records.map(\.point)).count == report.records.count)
        #expect(patient > 2)
    }

    @Test(arguments: [2, 3, 8])
    func `what silence comes to does not depend on how many run at once`(jobs: Int) {
        let hangsInContent = { (point: Point) in point.faults.contains { $0.address.isIn(.body) } }
        let one = explore(hangs: hangsInContent).report
        #expect(one.findings.map(\.kind) == [.hang])
        let many = explore(hangs: hangsInContent, jobs: jobs).report
        #expect(one.findings == many.findings && Set(one.records) == Set(many.records))
    }

    @Test(arguments: [true, false])
    func `what is searched does not depend on which silences were ended early`(hangs: Bool) {
        func explore(endsEarly: @escaping (Int) -> Bool) -> CampaignReport {
            var client = SimulatedClient(map: SimulatedClient.download()) { point in
                let isHit = point.faults.contains { $0.address.isIn(.body) }
                return SimulatedClient.outcome(
                    hangs && isHit ? .deadline : .exited(0),
                    hangs && isHit ? .missing : .right,
                    isHit ? "GET resumed 206" : "GET first 200"
                )
            }
            var count = 0
            client.behaveShortly = { point in
                count += 1
                let isHit = point.faults.contains { $0.address.isIn(.body) }
                guard isHit, endsEarly(count) else { return client.outcome(of: point) }
                var outcome = SimulatedClient.outcome(.deadline, .missing)
                outcome.isSilent = true
                if hangs { outcome.requests = client.outcome(of: point).requests }
                return outcome
            }
            var settings = CampaignSettings()
            settings.effects = [.hole]
            var campaign = Campaign(settings)
            client.run(&campaign, jobs: 2)
            return CampaignReport(of: campaign)
        }
        let patient = explore { _ in false }
        for rhythm in 1...4 {
            let report = explore { $0.isMultiple(of: rhythm) }
            #expect(report.findings.map(\.minimal) == patient.findings.map(\.minimal))
            #expect(Matrix(report.records) == Matrix(patient.records))
        }
    }

    @Test func `a silence that nobody has waited out proves nothing`() {
        var campaign = Campaign(CampaignSettings())
        var trials: [SearchRun] = []
        while let trial = campaign.next() { trials.append(trial) }
        for trial in trials {
            var outcome = SimulatedClient.outcome()
            outcome.map = SimulatedClient.download()
            campaign.finish(trial, outcome)
        }
        while let trial = campaign.next(idle: true) {
            var outcome = SimulatedClient.outcome(.deadline, .missing)
            outcome.faults = [.fired]
            outcome.isSilent = true
            campaign.finish(trial, outcome)
            if trial.isPatient { break }
            if campaign.progress.done > 6 { break }
        }
        campaign.stop()
        let report = CampaignReport(of: campaign)
        #expect(report.findings.isEmpty && report.counts.inconclusive > 0)
        #expect(report.counts.failed == 0)
    }

    @Test func `of those at work, the ones that mostly wait are counted`() throws {
        var settings = CampaignSettings()
        settings.effects = [.finish, .hole]
        var campaign = Campaign(settings)
        while let trial = campaign.next() {
            guard trial.purpose == nil else {
                #expect(campaign.progress.running == 1 && campaign.progress.silent == 0)
                break
            }
            var outcome = SimulatedClient.outcome()
            outcome.map = SimulatedClient.download()
            campaign.finish(trial, outcome)
        }
        let next = campaign.next(idle: true)
        let waiting = try #require(next)
        #expect(campaign.progress.running == 2 && campaign.progress.silent == 1)
        campaign.finish(waiting, SimulatedClient.outcome())
        #expect(campaign.progress.running == 1 && campaign.progress.silent == 0)
        _ = campaign.next(idle: true)
        campaign.stop()
        #expect(campaign.progress.running == 0 && campaign.progress.silent == 0)
    }
}
