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
    /// What came of an exploration of a download.
    private struct Result {
        let campaign: Campaign
        /// The numbers of the runs, as they began.
        let begun: [Int]
        /// What the journals of failed runs have to say of packets that left late.
        let lateRecords: Int
    }

    /// A client that fails where its only try does.
    private static let once = "test ! -e {out} && curl -sf -o {out} {url}/bytes/3000 || exit 9"

    /// Explores a download.
    ///
    /// As long as no more than so many runs have begun, they have a link with delay, and the loop stands
    /// still for 60 ms in each turn; the others have none, so that nothing can be late.
    ///
    /// A run that `hangs`, by its ordinal among those that have begun, has a second for it.
    private func explore(
        disturbing disturbed: Int,
        hangs: @escaping (Int) -> Bool = { _ in false }
    ) throws -> Result {
        let rig = try SandboxRig()
        var settings = CampaignSettings()
        settings.effects = [.finish]
        settings.runLimit = 4
        settings.confirmations = 1
        var runnerSettings = RunnerSettings(temporaryFolder: rig.folder)
        runnerSettings.jobs = 1
        runnerSettings.idleJobs = 0
        runnerSettings.quietMilliseconds = nil
        runnerSettings.hasCanary = false
        runnerSettings.traceFolder = "\(rig.folder)/traces"
        var begun: [Int] = []
        let runner = try CampaignRunner(
            Campaign(settings),
            in: rig.sandbox,
            settings: runnerSettings
        ) { run in
            begun.append(run.number)
            let isHanging = hangs(begun.count)
            let command = TrialCommand(
                ["/bin/sh", "-c", isHanging ? "(\(Self.once)); exec sleep 99" : Self.once],
                environment: ["PATH=/usr/bin:/bin"]
            )
            var trial = Trial(schedule: .init(faults: []), client: .command(command))
            if begun.count <= disturbed {
                trial.profile = Profile(name: "delayed")
                trial.profile.link.down.delay = .milliseconds(5)
                trial.profile.link.up.delay = .milliseconds(5)
            }
            trial.deadlineMilliseconds = isHanging ? 1_000 : 30_000
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
        let traces = try runner.campaign.records.compactMap(\.trace).map { folder in
            String(
                decoding: try FileSystem.read("\(folder)/journal.jsonl", limit: 1 << 20),
                as: UTF8.self
            )
        }
        let result = Result(
            campaign: runner.campaign,
            begun: begun,
            lateRecords: traces.count { $0.contains("late-pacing") }
        )
        runner.close()
        return result
    }

    @Test func `what does not depend on times stands on a busy machine`() throws {
        let result = try explore(disturbing: 100)
        #expect(result.campaign.problem == nil)
        #expect(result.campaign.baseline?.isStable == true)
        #expect(result.begun == Array(1...result.begun.count), "no run is made again")
        let words = result.campaign.records.map(\.judgement.word)
        #expect(words.contains("giveup") && !words.contains("inconclusive"), "\(words)")
        #expect(result.lateRecords > 0)
    }

    @Test func `a run whose times were disturbed is made again, in an empty folder`() throws {
        let result = try explore(disturbing: 1) { $0 == 1 }
        #expect(result.campaign.problem == nil)
        #expect(result.campaign.baseline?.isStable == true)
        #expect(result.begun.starts(with: [1, 1, 2, 3]), "\(result.begun)")
        #expect(Set(result.begun).count == result.begun.count - 1)
    }

    @Test func `that a client hangs proves nothing where times are always disturbed`() throws {
        let result = try explore(disturbing: 100) { $0 > 2 }
        #expect(result.campaign.problem == nil)
        // Where the connection ends before its first byte, none is late.
        let tries = Dictionary(grouping: result.begun) { $0 }.mapValues(\.count)
        #expect(Set(tries.values).isSubset(of: [1, 4]), "\(result.begun)")
        let spoilt = result.campaign.records.filter { $0.judgement.word == "inconclusive" }
        #expect(!spoilt.isEmpty && tries.values.count { $0 == 4 } >= spoilt.count)
        #expect(spoilt.allSatisfy { $0.judgement.reason.hasPrefix("packets left ") })
        let calm = try explore(disturbing: 0) { $0 > 2 }
        #expect(calm.begun == Array(1...calm.begun.count))
        let words = calm.campaign.records.map(\.judgement.word)
        #expect(words.contains("hang") && !words.contains("inconclusive"), "\(words)")
    }

    @Test func `runs without faults that hang on a busy machine are told of after a few tries`()
        throws
    {
        let result = try explore(disturbing: 100) { _ in true }
        guard case .disturbed(let reason) = result.campaign.problem else {
            Issue.record("\(String(describing: result.campaign.problem))")
            return
        }
        #expect(reason.hasPrefix("packets left "), "\(reason)")
        #expect(result.begun == [1, 1, 1, 1, 2, 2, 2, 2])
    }
}
