import Analysis
import Basics
import Faults
import Testing

@testable import Exploration

/// Rules that are broken without failing an exploration: whether they are broken again.
@Suite struct WarningsTests {
    /// A client that breaks a rule at the end of a request, but only in the first runs there.
    private static func campaign(
        _ check: Check,
        breaking times: Int,
        milliseconds: UInt64 = 20,
        _ change: (inout CampaignSettings) -> Void = { _ in }
    ) -> Campaign {
        var runs = 0
        let client = SimulatedClient(map: SimulatedClient.download()) { point in
            var outcome = SimulatedClient.outcome()
            outcome.milliseconds = milliseconds
            guard point.schedule == "lc1;c1/r1:req.end=fin" else { return outcome }
            runs += 1
            if runs <= times { outcome.advice = [.init(check: check, words: "too soon")] }
            return outcome
        }
        var settings = CampaignSettings()
        settings.effects = [.finish]
        change(&settings)
        var campaign = Campaign(settings)
        client.run(&campaign)
        return campaign
    }

    private static func lines(_ campaign: Campaign) -> [String] {
        ReportText(CampaignReport(of: campaign)).lines
    }

    private static func repetitions(_ campaign: Campaign) -> Int {
        campaign.records.count { $0.purpose == .verify }
    }

    @Test func `a warning is run again, and stays one if it comes each time`() throws {
        let campaign = Self.campaign(.b2, breaking: 4)
        #expect(Self.repetitions(campaign) == 3)
        let lines = Self.lines(campaign)
        let place = try #require(lines.firstIndex(of: "WARNING B2: too soon"))
        #expect(lines[place + 1] == "  1 point; again: 3/3; --expect B2 makes it a finding")
        #expect(lines.contains("warnings   B2; see below"))
        let page = ReportPage.document(SuiteReport([CampaignReport(of: campaign)])).joined()
        #expect(page.contains("WARNING</b> B2") && page.contains("1 point; again: 3/3"))
    }

    @Test(arguments: [(1, 0), (2, 1), (3, 2)])
    func `a warning that does not come each time is a note`(times: Int, equal: Int) throws {
        let campaign = Self.campaign(.b2, breaking: times)
        let lines = Self.lines(campaign)
        let place = try #require(lines.firstIndex(of: "NOTE B2: too soon"))
        #expect(
            lines[place + 1]
                == "  1 point; came again in \(equal) of 3 runs; --expect B2 makes it a finding"
        )
        #expect(!lines.contains { $0.hasPrefix("warnings ") || $0.hasPrefix("WARNING") })
        let page = ReportPage.document(SuiteReport([CampaignReport(of: campaign)])).joined()
        #expect(page.contains("NOTE</b> B2"))
    }

    @Test func `what is no warning any more comes before other notes`() throws {
        var records = Self.campaign(.b2, breaking: 1).records
        let first = try #require(records.firstIndex { $0.isCounted })
        records[first].advice.append(.init(check: .r5, words: "no If-Range"))
        records[first].advice.append(.init(check: .r11, words: "not taken"))
        #expect(CampaignAdvice.all(in: records).map(\.check) == [.r11, .b2, .r5])
    }

    @Test func `a note is not run again`() {
        let campaign = Self.campaign(.b3, breaking: 1)
        #expect(Self.repetitions(campaign) == 0)
        #expect(Self.lines(campaign).contains("  1 point; --expect B3 makes it a finding"))
    }

    @Test func `what takes long is not run again, and told so`() {
        #expect(Self.repetitions(Self.campaign(.b2, breaking: 4, milliseconds: 3_000)) == 3)
        let campaign = Self.campaign(.b2, breaking: 1, milliseconds: 3_001)
        #expect(Self.repetitions(campaign) == 0)
        let lines = Self.lines(campaign)
        #expect(lines.contains("WARNING B2: too soon"))
        #expect(lines.contains("  1 point; not run again; --expect B2 makes it a finding"))
    }

    @Test func `runs at real speed are those that count`() {
        let campaign = Self.campaign(.b2, breaking: 1) { $0.warp = 10 }
        #expect(Self.repetitions(campaign) == 3)
        #expect(Self.lines(campaign).contains("NOTE B2: too soon"))
    }
}
