internal import Exploration
internal import Faults
internal import SystemIO
internal import Trials

/// What to explore.
struct ExplorationOrder: Sendable {
    var options: LinkcondOptions
    /// As a list of words.
    var effects: String
    var runs: Int?
    var searchMilliseconds: UInt64?
    var deadlineMilliseconds: UInt64
    var client: @Sendable (Linkcond) async throws -> Void
    var check: @Sendable (Linkcond) throws -> Bool
}

/// One exploration whose client is code of a test; on the loop's thread alone.
final class TestExploration {
    private let runner: CampaignRunner
    private let onEnd: (Result<LinkcondExploration, LinkcondError>) -> Void

    /// - Parameters:
    ///   - order: what to explore.
    ///   - sandbox: where.
    ///   - thread: of the sandbox.
    ///   - onEnd: called once, on the loop.
    /// - Throws: why it cannot begin, in words.
    init(
        _ order: ExplorationOrder,
        in sandbox: TestSandbox,
        on thread: LoopThread<TestSandbox>,
        onEnd: @escaping (Result<LinkcondExploration, LinkcondError>) -> Void
    ) throws(LinkcondError) {
        self.onEnd = onEnd
        // Mistakes in the options are told here, and not by every run.
        var basis = try order.options.trial(TestClient())
        basis.deadlineMilliseconds = order.deadlineMilliseconds
        basis.oracles = [
            .code(
                OracleCode("check") { place in
                    let isRight = try? order.check(Linkcond(place))
                    return isRight.map { $0 ? .pass : .fail } ?? .inconclusive
                }
            )
        ]
        var settings = CampaignSettings()
        settings.seed = basis.seed
        settings.runLimit = order.runs
        do throws(UnknownEffect) {
            settings.effects = try Effect.Kind.list(parsing: order.effects)
        } catch {
            let known = Effect.Kind.searched.map(\.name).joined(separator: ", ")
            throw LinkcondError("unknown effect '\(error.word)' (known: \(known))")
        }
        var running = RunnerSettings(temporaryFolder: "/tmp")
        running.searchMilliseconds = order.searchMilliseconds
        let place = try sandbox.get()
        do throws(SandboxError) {
            runner = try CampaignRunner(Campaign(settings), in: place, settings: running) {
                [unowned sandbox] _ in
                var trial = basis
                trial.client = .code(TaskClient(order.client, of: sandbox, on: thread))
                return trial
            }
        } catch {
            throw LinkcondError(error.description)
        }
        runner.onEnd = { [weak self] in self?.end($0) }
    }

    func start() { runner.start() }

    func close() { runner.close() }

    private func end(_ failure: SandboxError?) {
        onEnd(result(failure))
    }

    private func result(
        _ failure: SandboxError?
    ) -> Result<LinkcondExploration, LinkcondError> {
        if let failure { return .failure(LinkcondError(failure.description)) }
        let campaign = runner.campaign
        switch campaign.problem {
        case .noTraffic:
            return .failure(LinkcondError("the client sent nothing through the network"))
        case .failed(let reason):
            return .failure(LinkcondError("without any fault the client fails: \(reason)"))
        case .disturbed(let reason):
            return .failure(LinkcondError("no run without faults was undisturbed: \(reason)"))
        case .unreachable(let reason):
            return .failure(LinkcondError("the server is not there: \(reason)"))
        case nil: break
        }
        let settings = ReportSettings(
            tool: "LinkcondTesting",
            command: [],
            seed: campaign.settings.seed,
            effects: campaign.settings.effects,
            depth: campaign.settings.depth,
            replay: "@Test(.linkcond(schedule: \"{}\"))"
        )
        return .success(LinkcondExploration(CampaignReport(campaign, settings: settings)))
    }
}
