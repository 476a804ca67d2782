import Faults
import Testing

@testable import Exploration

/// Which schedule stands for a cause.
@Suite struct FindingGroupsTests {
    @Test func `the simplest schedule stands for a cause, whichever came first`() throws {
        var settings = CampaignSettings()
        settings.effects = [.finish]
        var campaign = Campaign(settings)
        SimulatedClient.splicer.run(&campaign)
        let failures = campaign.records.filter {
            $0.judgement.failure != nil && $0.purpose == .boundary
        }
        .sorted { Simplicity($0.point) < Simplicity($1.point) }
        let cause = try #require(failures.first.flatMap(FindingCause.init))
        let (simplest, middle) = (failures[0], failures[1])
        let last = try #require(failures.last)
        var groups = FindingGroups()
        groups.addIfSimplest(cause, simplest.positions, simplest.point)
        #expect(groups.count == 0)
        groups.add(cause, middle.positions, middle.point)
        groups.addIfSimplest(cause, last.positions, last.point)
        #expect(groups.smallest == [middle.point])
        groups.addIfSimplest(cause, simplest.positions, simplest.point)
        #expect(groups.smallest == [simplest.point])
    }
}
