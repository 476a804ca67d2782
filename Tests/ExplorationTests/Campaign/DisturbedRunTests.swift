import Basics
import Exploration
import Faults
import LinkEngine
import LinkProfile
import SystemIO
import Testing
import Trials
import TrialSupport

/// Runs that a busy machine disturbs.
@Suite struct DisturbedRunTests {
    /// Explores a download.
    ///
    /// As long as no more than so many runs have begun, they have a link with delay, and the loop stands
    /// still for 60 ms in each turn; the others have none, so that nothing can be late.
    private func explore(disturbing disturbed: Int) throws -> (Campaign, begun: [Int]) {
        let rig = try SandboxRig()
        var settings = CampaignSettings()
        settings.effects = [.finish]
        settings.runLimit = 4
        var runnerSettings = RunnerSettings(temporaryFolder: rig.folder)
        runnerSettings.jobs = 1
        runnerSettings.hasCanary = false
        var begun: [Int] = []
        let runner = try CampaignRunner(
            Campaign(settings),
            in: rig.sandbox,
            settings: runnerSettings
        ) { run in
            begun.append(run.number)
            let script = "test ! -e {out} && curl -sf -o {out} {url}/bytes/3000 || exit 9"
            let command = TrialCommand(
                ["/bin/sh", "-c", script],
                environment: ["PATH=/usr/bin:/bin"]
            )
            var trial = Trial(schedule: .init(faults: []), client: .command(command))
            if begun.count <= disturbed {
                trial.profile = Profile(name: "delayed")
                trial.profile.link.down.delay = .milliseconds(5)
                trial.profile.link.up.delay = .milliseconds(5)
            }
            trial.deadlineMilliseconds = 30_000
            return trial
        }
        var isEnded = false
        runner.onEnd = {
            #expect($0 == nil)
            isEnded = true
        }
        runner.start()
        while !isEnded {
            rig.loop.runOnce()
            if begun.count <= disturbed { CurrentProcess.sleep(milliseconds: 60) }
        }
        let campaign = runner.campaign
        runner.close()
        return (campaign, begun)
    }

    @Test func `a run that came too late is made again, in an empty folder`() throws {
        let (campaign, begun) = try explore(disturbing: 1)
        #expect(campaign.problem == nil)
        #expect(campaign.baseline?.isStable == true)
        #expect(begun.starts(with: [1, 1, 2, 3]), "\(begun)")
        #expect(Set(begun).count == begun.count - 1)
    }

    @Test func `a machine that is always too busy is told of after a few tries`() throws {
        let (campaign, begun) = try explore(disturbing: 100)
        guard case .disturbed(let reason) = campaign.problem else {
            Issue.record("\(String(describing: campaign.problem))")
            return
        }
        #expect(reason.hasPrefix("packets left "), "\(reason)")
        #expect(begun == [1, 1, 1, 1, 2, 2, 2, 2])
    }
}
