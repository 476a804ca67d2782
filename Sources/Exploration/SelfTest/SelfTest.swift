internal import SystemIO
package import Trials

/// Explores clients with planted mistakes and one without, to see whether explorations can be trusted.
///
/// Everything happens on the loop's thread. Call `close` before the sandbox's.
package final class SelfTest {
    private let sandbox: Sandbox
    private let folder: String
    private let judge: Judge
    private let reference: String
    /// What those ask that speak HTTP/2; nil if there are none.
    private let streams: SmallStreamServer?
    private var waiting: [(index: Int, test: SelfTestCase)]
    private var runners: [Int: CampaignRunner] = [:]
    private var rows: [SelfTestRow?]
    /// Whether what runs may have nothing beside it.
    private var isAlone = false

    /// Called when a case has ended.
    package var onRow: (SelfTestRow) -> Void = { _ in }
    /// Called once, when all have, with the rows in the order of the cases.
    package var onEnd: ([SelfTestRow]) -> Void = { _ in }

    /// Cases at once: they wait more than they work.
    private static let width = 5
    private static let referenceName = "linkcond-self-test"

    /// - Parameters:
    ///   - cases: what to explore.
    ///   - sandbox: where.
    ///   - folder: absolute path of one that can be written; what is made in it goes with `close`.
    ///   - judge: what is tested; another one than usual has to fail.
    /// - Throws: `folder` if it cannot be written.
    package init(
        _ cases: [SelfTestCase],
        in sandbox: Sandbox,
        folder: String,
        judge: Judge = Judge()
    ) throws(SandboxError) {
        self.sandbox = sandbox
        self.folder = folder
        self.judge = judge
        rows = Array(repeating: nil, count: cases.count)
        waiting = cases.enumerated().map { ($0.offset, $0.element) }
            .sorted { !$0.1.isTimed && $1.1.isTimed }
        let mark = SecureRandom.bytes(6).map { String($0, radix: 36) }.joined()
        reference = "\(folder)/\(Self.referenceName)-\(mark)"
        do throws(SystemError) {
            streams =
                try cases.contains(where: \.isOfStreams)
                ? SmallStreamServer(loop: sandbox.loop) : nil
        } catch {
            throw SandboxError(.unavailable, "cannot listen: \(error)")
        }
        do throws(SystemError) {
            let file = try File(reference, for: .writing, creation: .mustNotExist)
            try file.write(SelfTestCase.content, at: 0)
        } catch {
            throw SandboxError(.folder, "cannot write '\(reference)': \(error)")
        }
    }

    package func start() { pump() }

    package func close() {
        for runner in runners.values { runner.close() }
        runners.removeAll()
        waiting.removeAll()
        streams?.close()
        try? Folder(folder).remove(String(reference.dropFirst(folder.count + 1)))
    }

    private func pump() {
        while let (index, test) = waiting.last, hasRoom(for: test) {
            waiting.removeLast()
            isAlone = test.isTimed
            begin(index, test)
        }
    }

    private func hasRoom(for test: SelfTestCase) -> Bool {
        runners.isEmpty || (!isAlone && !test.isTimed && runners.count < Self.width)
    }

    private func begin(_ index: Int, _ test: SelfTestCase) {
        var campaign = test.campaign
        campaign.judge = judge
        campaign.judge.accepted.formUnion(test.accepted)
        var settings = RunnerSettings(temporaryFolder: folder)
        settings.jobs = test.isTimed ? 1 : 2
        settings.idleJobs = test.isTimed ? 1 : 24
        if test.isTimed { settings.quietMilliseconds = nil }
        settings.checks = test.checks
        settings.hasCanary = false
        do throws(SandboxError) {
            let runner = try CampaignRunner(
                Campaign(campaign),
                in: sandbox,
                settings: settings
            ) { [sandbox, reference, streams] run in
                test.trial(
                    on: sandbox.loop,
                    reference: reference,
                    seed: UInt64(run.number),
                    streams: test.isOfStreams ? streams?.endpoint : nil
                )
            }
            runners[index] = runner
            runner.onEnd = { [weak self] in self?.end(index, test, $0) }
            runner.start()
        } catch {
            finish(index, SelfTestRow(test, nil, failure: error.description))
        }
    }

    private func end(_ index: Int, _ test: SelfTestCase, _ failure: SandboxError?) {
        guard let runner = runners.removeValue(forKey: index) else { return }
        let settings = ReportSettings(
            tool: "",
            command: [],
            seed: test.campaign.seed,
            effects: test.campaign.effects,
            depth: test.campaign.depth,
            replay: "{}"
        )
        let report = CampaignReport(runner.campaign, settings: settings)
        let problem = failure?.description ?? runner.campaign.problem.map(Self.text)
        runner.close()
        finish(index, SelfTestRow(test, report, failure: problem))
        pump()
    }

    private static func text(_ problem: BaselineProblem) -> String {
        switch problem {
        case .failed(let reason), .disturbed(let reason): "without faults: \(reason)"
        case .noTraffic: "without faults: no traffic"
        case .unreachable(let reason): "the server is not there: \(reason)"
        }
    }

    private func finish(_ index: Int, _ row: SelfTestRow) {
        rows[index] = row
        onRow(row)
        let done = rows.compactMap { $0 }
        if done.count == rows.count { onEnd(done) }
    }
}
