import Basics
import Faults
import Journal
import LinkEngine
import Testing

@testable import Exploration

/// `--check-determinism`: every tenth point twice, and every message compared.
@Suite struct RepetitionsTests {
    /// Explores a client that right after `changes` runs does something else.
    private func explore(changesAfter changes: Int?) -> CampaignReport {
        var settings = CampaignSettings()
        settings.effects = [.finish]
        settings.repeatsEvery = 10
        var campaign = Campaign(settings)
        var runs = 0
        let client = SimulatedClient(map: SimulatedClient.download()) { _ in
            runs += 1
            var journal = CanonicalJournal()
            let isOther = changes.map { runs > $0 } ?? false
            journal.add(.note(nil, text: isOther ? "one" : "another"))
            var outcome = SimulatedClient.outcome()
            outcome.journal = journal
            return outcome
        }
        client.run(&campaign)
        return CampaignReport(of: campaign)
    }

    @Test func `a client that does the same again passes`() {
        let report = explore(changesAfter: nil)
        #expect(report.repetitions.all == (report.counts.total + 9) / 10)
        #expect(report.repetitions.different.isEmpty)
        #expect(ReportText(report).lines.contains { $0.hasSuffix("every message the same") })
        guard case .passed = report.verdict else {
            Issue.record("\(report.verdict)")
            return
        }
    }

    @Test func `a client that does something else proves nothing`() {
        // Two baselines and one point.
        let report = explore(changesAfter: 3)
        #expect(report.repetitions.different.count == 1)
        guard case .inconclusive(let reason) = report.verdict else {
            Issue.record("\(report.verdict)")
            return
        }
        #expect(reason.contains("that were run twice are not deterministic"), "\(reason)")
        #expect(reason.contains("two runs differ"), "\(reason)")
    }

    @Test func `only those that are run twice give their journals, and are compared once`() {
        let points = (1...5).map { byte in
            let anchor = Anchor.byte(.up, .at(UInt64(byte)))
            return Point([Fault(connections: .one(1), anchor: anchor, effect: .finish)])
        }
        var repetitions = Repetitions(of: points, every: 2)
        let concerned = points.map { repetitions.concern($0) }
        #expect(concerned == [true, false, true, false, true])
        let silent = SimulatedClient.outcome()
        var telling = silent
        telling.journal = CanonicalJournal()
        let taken = [(0, silent), (1, telling), (0, telling), (0, telling)].map {
            repetitions.takeFirst(points[$0], $1)
        }
        #expect(taken == [false, false, true, false])
        let nothing = PointJudgement.inconclusive(reason: "there is nothing to compare it with")
        let judged = [0, 0, 2].map { repetitions.judgeSecond(points[$0], telling) }
        #expect(judged == [.pass, nothing, nothing])
        #expect(!Repetitions(of: points).concern(points[0]))
    }
}
