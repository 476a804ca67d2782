import Analysis
import SystemIO
import Testing
import TrialSupport

@testable import Exploration
@testable import Trials

@Suite(.timeLimit(.minutes(1))) struct CanaryTests {
    private func problem(_ judge: Judge) throws -> SandboxError? {
        let rig = try SandboxRig()
        var problem: SandboxError?
        let canary = Canary(in: rig.sandbox, judge: judge) { [loop = rig.loop] in
            problem = $0
            loop.stop()
        }
        try canary.start()
        rig.loop.run()
        canary.close()
        return problem
    }

    @Test func `a judge that works sees it`() throws {
        #expect(try problem(Judge()) == nil)
    }

    @Test func `a judge that does not is an error of ours`() throws {
        let problem = try problem(Judge(accepted: [.dishonest]))
        #expect(problem?.kind == .internal)
        #expect(problem?.description.hasSuffix("was judged 'pass'") == true)
    }
}
