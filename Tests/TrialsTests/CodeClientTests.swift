import Faults
import SystemIO
import Testing
import TrialSupport

@testable import Trials

@Suite struct CodeClientTests {
    /// Ends when it is told to, after a while, or never.
    private final class Code: ClientCode {
        private var done: ((Int) -> Void)?
        private let endsWhenCancelled: Bool
        private(set) var cancels = 0

        init(endsWhenCancelled: Bool) { self.endsWhenCancelled = endsWhenCancelled }

        func start(_ place: TrialPlace, done: @escaping (Int) -> Void) { self.done = done }

        func cancel() {
            cancels += 1
            if endsWhenCancelled { done?(9) }
        }

        func end(_ code: Int) { done?(code) }
    }

    private func trial(_ code: Code, deadline: UInt64? = nil) -> Trial {
        var trial = Trial(schedule: FaultSchedule(seed: 1, faults: []), client: .code(code))
        trial.deadlineMilliseconds = deadline
        return trial
    }

    @Test func `code of this process ends with a code`() throws {
        let rig = try SandboxRig()
        let code = Code(endsWhenCancelled: false)
        let outcome = try rig.run(trial(code)) { _ in
            code.end(4)
            code.end(5)
        }
        #expect(outcome.ending == .exited(4) && code.cancels == 0)
        #expect(outcome.output.isEmpty)
    }

    @Test func `the deadline cancels code, which may still end in order`() throws {
        let rig = try SandboxRig()
        let code = Code(endsWhenCancelled: true)
        let outcome = try rig.run(trial(code, deadline: 20))
        #expect(outcome.ending == .exited(9) && outcome.isTimedOut && code.cancels == 1)
    }

    @Test func `code that does not end when it is told to is left alone`() throws {
        let rig = try SandboxRig { $0.graceMilliseconds = 30 }
        let code = Code(endsWhenCancelled: false)
        let outcome = try rig.run(trial(code, deadline: 20))
        #expect(outcome.ending == .stuck && outcome.isTimedOut && code.cancels == 1)
        code.end(0)
    }
}
