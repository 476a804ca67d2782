import Exploration
import Testing

/// Which runs leave their place to others.
@Suite struct QuietRunsTests {
    /// Explores a command two runs at a time, and answers the most that were under way at once.
    private func mostAtOnce(_ pause: String, quietMilliseconds: UInt64? = 250) throws -> Int {
        let once = "curl -sf --max-time 5 -o {out} {url}/bytes/3000"
        var settings = CampaignRunnerTests.settings([.fin])
        settings.runLimit = 8
        settings.confirmations = 0
        var most = 0
        let (report, _, failure) = try CampaignRunnerTests().explore(
            "\(once) || { \(pause); \(once); }",
            settings
        ) {
            $0.jobs = 2
            $0.quietMilliseconds = quietMilliseconds
        } meanwhile: { runner in
            runner.onProgress = { [unowned runner] in
                most = max(most, runner.campaign.progress.running)
            }
        }
        #expect(failure == nil && report.counts.total == 8)
        return most
    }

    @Test func `a client that sleeps before its next try leaves its place to another`() throws {
        #expect(try mostAtOnce("sleep 2") > 2)
    }

    @Test func `a client that works keeps its place`() throws {
        let work = "timeout 1.5 sh -c 'while :; do :; done'"
        #expect(try mostAtOnce(work) <= 2)
    }

    @Test func `runs that must be alone keep their places when they sleep`() throws {
        #expect(try mostAtOnce("sleep 1", quietMilliseconds: nil) <= 2)
    }
}
