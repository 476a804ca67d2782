import Analysis
import Exploration
import Faults
import SystemIO
import Testing
import Trials
import TrialSupport

/// Whole explorations with real clients over loopback.
@Suite struct CampaignRunnerTests {
    /// Explores a shell command against the embedded origin until it is done.
    func explore(
        _ script: String,
        _ settings: CampaignSettings,
        deadlineMilliseconds: UInt64 = 10_000,
        change: (inout RunnerSettings) -> Void = { _ in },
        meanwhile: (CampaignRunner) -> Void = { _ in }
    ) throws -> (report: CampaignReport, problem: BaselineProblem?, failure: SandboxError?) {
        let rig = try SandboxRig()
        var runnerSettings = RunnerSettings(temporaryFolder: rig.folder)
        change(&runnerSettings)
        let runner = try CampaignRunner(
            Campaign(settings),
            in: rig.sandbox,
            settings: runnerSettings
        ) { run in
            var command = TrialCommand(
                ["/bin/sh", "-c", script],
                environment: ["PATH=/usr/bin:/bin"]
            )
            command.output = .dropped
            var trial = Trial(schedule: .init(faults: []), client: .command(command))
            trial.deadlineMilliseconds = deadlineMilliseconds
            return trial
        }
        var failure: SandboxError?
        runner.onEnd = { [loop = rig.loop] in
            failure = $0
            loop.stop()
        }
        let expiry = try Timer(loop: rig.loop) { [loop = rig.loop] in
            Issue.record("the exploration took too long")
            loop.stop()
        }
        // Of one that does not end: beside other work a hundred runs of curl take a minute.
        expiry.start(afterMilliseconds: 240_000)
        runner.start()
        meanwhile(runner)
        rig.loop.run()
        expiry.close()
        let report = CampaignReport(of: runner.campaign)
        let problem = runner.campaign.problem
        runner.close()
        return (report, problem, failure)
    }

    static func settings(_ effects: [Effect.Kind]) -> CampaignSettings {
        var settings = CampaignSettings()
        settings.effects = effects
        return settings
    }

    private static let plain = "curl -sf --max-time 5 -o {out} {url}/bytes/3000"
    /// Half a head is a whole one for curl, with an empty content.
    private static let once = "{ \(plain) && [ -s {out} ]; }"

    @Test func `a client that tries again passes what passes and fails honestly what lasts`() throws
    {
        let (report, problem, failure) = try explore(
            "\(Self.once) || \(Self.once) || \(Self.once)",
            Self.settings([.finish, .reset, .refuse])
        )
        #expect(problem == nil && failure == nil)
        #expect(report.baseline?.isStable == true)
        #expect(report.findings.isEmpty, "\(report.findings)")
        #expect(report.counts.failed == 0)
        #expect(report.counts.honest > 0)
        #expect(report.counts.passed > 40)
    }

    @Test func `after a failure that lasts the client finds the same URL`() throws {
        // As with resume data, which are of one URL.
        let sameURL = "[ ! -e {dir}/url ] || [ $(cat {dir}/url) = {url} ] || exit 9"
        let (report, _, _) = try explore(
            "\(sameURL); echo {url} >{dir}/url; \(Self.once) || \(Self.once) || \(Self.once)",
            Self.settings([.finish])
        )
        #expect(report.findings.isEmpty, "\(report.findings)")
        #expect(report.counts.honest > 0)
    }

    @Test func `a client that gives up is found, and its smallest fault confirmed`() throws {
        let (report, _, _) = try explore(Self.once, Self.settings([.finish]))
        let finding = try #require(
            report.findings.first { $0.places.contains { $0.position.contains("resp.body") } }
        )
        #expect(finding.kind == .giveup)
        #expect(finding.confirmations == .init(equal: 3, of: 3))
        #expect(!finding.evidence.isEmpty)
        #expect(report.isComplete)
    }

    @Test func `what a client makes of its own part at the next start is found`() throws {
        let append = "curl -sf --max-time 5 {url}/bytes/3000 >>{out}"
        let (report, _, _) = try explore(append, Self.settings([.finish]))
        let finding = try #require(report.findings.first)
        #expect(finding.kind == .corrupt && finding.position == "GET /bytes/3000 resp.body")
        #expect(finding.reason == "a later run without faults ends with wrong content")
        let (good, _, _) = try explore(
            "curl -sf --max-time 5 -C - -o {out} {url}/bytes/3000; r=$?; [ -s {out} ] && exit $r",
            Self.settings([.finish])
        )
        #expect(!good.findings.contains { $0.kind == .corrupt }, "\(good.findings)")
    }

    @Test func `a client that takes half a head for a whole one is found`() throws {
        // It tries again before the first line has ended, and within the last.
        let (report, _, _) = try explore(
            "\(Self.plain) || \(Self.plain) || \(Self.plain)",
            Self.settings([.finish])
        )
        let finding = try #require(report.findings.first)
        #expect(report.findings.count == 1)
        #expect(finding.kind == .dishonest && finding.position == "GET /bytes/3000 resp.head")
    }

    @Test(arguments: [("", [FindingClass.lost]), ("--post301 --post302", [])])
    func `an upload that becomes the fetch of a page is lost`(
        option: String,
        kinds: [FindingClass]
    ) throws {
        var settings = Self.settings([.status])
        // One attempt is none too few here.
        settings.judge.accepted = [.giveup]
        let (report, problem, _) = try explore(
            "curl -fsSL \(option) --max-time 5 --data-binary 0123456789 {url}/files/x",
            settings
        )
        #expect(problem == nil && report.findings.map(\.kind) == kinds, "\(report.findings)")
        for finding in report.findings {
            #expect(finding.evidence.contains("c1/r2 GET /files/x → 200 (59 B)"))
            #expect(finding.position == "POST /files/x req.end + GET /files/x req.head")
        }
    }

    @Test func `silence for good is a hang that one run up to the deadline confirms`() throws {
        let (report, _, failure) = try explore(
            "curl -sf -o {out} {url}/bytes/3000",
            Self.settings([.hole]),
            // Where nothing is known of a client, each run lasts up to the deadline.
            deadlineMilliseconds: Platform.isPortable ? 3_000 : 10_000
        ) {
            $0.silenceMilliseconds = 300
            $0.derivedDeadlineMilliseconds = 2_000
            $0.pollsForever = true
            $0.idleJobs = 2
        }
        #expect(failure == nil && !report.findings.isEmpty)
        #expect(report.findings.allSatisfy { $0.kind == .hang })
        let confirmed = Platform.isPortable ? "3/3" : "1/1"
        #expect(report.findings.allSatisfy { $0.confirmations.text == confirmed })
        #expect(report.counts.failed >= 10 && report.counts.inconclusive == 0)
    }

    /// curl wakes up each second, so that no one can see what it waits for: it has up to the trial's deadline,
    /// which no machine is too busy for.
    @Test(arguments: [(2, 30_000), (4, 2_000)] as [(Int, UInt64)])
    func `a client that goes on after a long silence is not found to hang`(
        seconds: Int,
        deadline: UInt64
    ) throws {
        let slow = "curl -sf --max-time \(seconds) -o {out} {url}/bytes/3000"
        let (report, _, failure) = try explore(
            "\(slow) || \(Self.once)",
            Self.settings([.hole]),
            deadlineMilliseconds: 60_000
        ) {
            $0.silenceMilliseconds = 300
            $0.derivedDeadlineMilliseconds = deadline
        }
        #expect(failure == nil && report.findings.isEmpty, "\(report.findings)")
        #expect(report.counts.passed == report.counts.total)
    }

    @Test func `what a client said last is told, without what differs from run to run`() throws {
        let says = "echo no {url}/x in {dir} >&2; exit 3"
        let (_, problem, _) = try explore(says, Self.settings([.finish]))
        #expect(
            problem == .failed(reason: "it ends with exit 3: no {url}/x in {dir}")
        )
        let (report, _, _) = try explore("\(Self.once) || { \(says); }", Self.settings([.finish]))
        let finding = try #require(report.findings.first)
        #expect(finding.evidence.contains("it said: no {url}/x in {dir}"))
        let (wrong, _, _) = try explore(
            "\(Self.once) || echo stored >&2",
            Self.settings([.finish])
        )
        #expect(wrong.findings.first?.evidence.last == "it said: stored")
        // What one said that did well is no evidence.
        let calm = "\(Self.once) || \(Self.once) || \(Self.once); echo done >&2"
        let (passed, none, failure) = try explore(calm, Self.settings([.finish]))
        let evidence = passed.records.filter { $0.judgement == .pass }.flatMap(\.evidence)
        #expect(none == nil && failure == nil)
        #expect(!evidence.isEmpty && !evidence.contains("it said: done"), "\(passed)")
    }

    @Test func `a command that fails without faults leaves nothing to explore`() throws {
        let (report, problem, _) = try explore("exit 3", Self.settings([.finish]))
        #expect(problem == .failed(reason: "it ends with exit 3"))
        #expect(report.records.isEmpty)
        let (_, silence, _) = try explore("exit 0", Self.settings([.finish]))
        #expect(silence == .noTraffic)
    }

    @Test func `an exploration that does not see a known mistake is no result`() throws {
        for hasCanary in [true, false] {
            let (_, _, failure) = try explore("\(Self.once) || exit 1", Self.settings([.finish])) {
                $0.hasCanary = hasCanary
                $0.canaryJudge = Judge(accepted: [.dishonest])
            }
            #expect(failure?.kind == (hasCanary ? .internal : nil))
        }
    }

    @Test func `a stopped exploration ends at once and reports what it has`() throws {
        let (report, _, _) = try explore(Self.once, Self.settings([.finish])) {
            $0.jobs = 2
        } meanwhile: { runner in
            runner.onProgress = { [unowned runner] in
                if runner.campaign.records.count > 4 { runner.stop() }
            }
        }
        #expect(!report.isComplete)
        #expect((5...10).contains(report.records.count))
    }

    @Test func `the folders of failed runs are kept where it is wished`() throws {
        let folder = "/tmp/linkcond-traces-\(SecureRandom.bytes(4).map { String($0) }.joined())"
        defer { try? Folder("/tmp").removeTree(String(folder.dropFirst("/tmp/".count))) }
        let (report, _, _) = try explore(Self.once, Self.settings([.finish])) {
            $0.traceFolder = folder
        }
        let trace = try #require(report.findings.compactMap(\.trace).first)
        #expect(trace.hasPrefix(folder))
        #expect(throws: Never.self) { try Folder(trace) }
        let passed = report.records.first { $0.judgement == .pass }
        #expect(passed?.trace == nil)
    }

    @Test func `hooks run around each run, and one that fails ends the exploration`() throws {
        let folder = "/tmp/linkcond-hooks-\(SecureRandom.bytes(4).map { String($0) }.joined())"
        _ = try Folder.make(folder)
        defer { try? Folder("/tmp").removeTree(String(folder.dropFirst("/tmp/".count))) }
        func lines(_ name: String) throws -> Int {
            Int(try File("\(folder)/\(name)", for: .reading).size())
        }
        var settings = Self.settings([.refuse])
        settings.confirmations = 0
        let (report, _, failure) = try explore("\(Self.once) || \(Self.once)", settings) {
            $0.hooks.environment = ["PATH=/usr/bin:/bin"]
            $0.hooks.reset = ["/bin/sh", "-c", "printf x >>\(folder)/reset"]
            $0.hooks.collect = [
                "/bin/sh", "-c", "test -d $LINKCOND_DIR && printf x >>\(folder)/collect",
            ]
        }
        #expect(failure == nil)
        let runs = report.records.count + 2
        #expect(try lines("reset") == runs)
        #expect(try lines("collect") == runs)
        let (_, _, broken) = try explore(Self.once, settings) {
            $0.hooks.reset = ["/bin/sh", "-c", "exit 7"]
        }
        #expect(broken?.description == "--reset: exit code 7")
    }

    @Test func `time that is up ends the search`() throws {
        var settings = Self.settings([.finish])
        settings.randomSchedules = nil
        let start = ContinuousClock.now
        // Nothing else would end it.
        let (report, _, _) = try explore("\(Self.once) || \(Self.once)", settings) {
            $0.searchMilliseconds = 1_500
        }
        #expect(!report.records.isEmpty)
        #expect(ContinuousClock.now - start > .milliseconds(1_200))
    }
}
