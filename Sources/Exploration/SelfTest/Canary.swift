internal import Analysis
internal import Basics
internal import Faults
internal import LinkEngine
internal import SystemIO
internal import Trials

/// A client that must fail, run beside each campaign.
///
/// It reports success although its download was cut. Whoever does not see that sees nothing: neither the
/// fault, nor the result, nor the judge can be trusted then.
final class Canary {
    private let sandbox: Sandbox
    private let judge: Judge
    private var running: RunningTrial?
    private var onEnd: ((SandboxError?) -> Void)?

    /// In the middle of the content.
    private static let cut = Fault(
        connections: .one(1),
        anchor: .byte(.down, .at(SelfTestCase.size / 2)),
        effect: .finish
    )

    /// - Parameters:
    ///   - sandbox: where it runs.
    ///   - judge: who has to see it.
    ///   - onEnd: called once, on the loop and not before `start` returns, with what is wrong.
    init(in sandbox: Sandbox, judge: Judge, onEnd: @escaping (SandboxError?) -> Void) {
        self.sandbox = sandbox
        self.judge = judge
        self.onEnd = onEnd
    }

    /// - Throws: why it cannot begin; then nothing more is said.
    func start() throws(SandboxError) {
        let test = SelfTestCase(.canary)
        let point = Point([Self.cut])
        var trial = test.trial(on: sandbox.loop, reference: "", seed: 1)
        trial.schedule = FaultSchedule(faults: point.faults)
        let digest = HexadecimalText.encode(SHA256.digest(SelfTestCase.content))
        trial.oracles = [.sha256(digest: digest, result: "{out}")]
        running = try sandbox.start(trial) { [weak self] in self?.end(point, $0) }
    }

    /// Ends it without a word.
    func close() {
        onEnd = nil
        running?.abandon()
    }

    private func end(_ point: Point, _ outcome: TrialOutcome) {
        running = nil
        let judgement = judge.judge(point, PointOutcome(outcome))
        let isSeen = judgement.failure == .dishonest
        let words = "a client that reports success after a failure was judged '\(judgement.word)'"
        let onEnd = onEnd
        self.onEnd = nil
        onEnd?(
            isSeen
                ? nil
                : SandboxError(
                    .internal,
                    "the self-test failed, no result can be trusted: \(words)"
                )
        )
    }
}
