import Analysis
import Basics
import Journal
import SystemIO
import Testing
import Trials
import TrialSupport

/// Whether a client has waited for the end of an answer that a fault held back.
@Suite struct PatienceTests {
    @Test func `a client that has the answer has not given up, though the loop stands still`()
        throws
    {
        let rig = try SandboxRig()
        let trial = try shell(
            "curl -sf -o /dev/null {url}/bytes/3000",
            "lc1;seed=1;c1/r1:resp.body+1000=stall(50ms)"
        )
        var ended: TrialOutcome?
        _ = try rig.sandbox.start(trial) { ended = $0 }
        while ended == nil {
            rig.loop.runOnce()
            CurrentProcess.sleep(milliseconds: 60)
        }
        let outcome = try #require(ended)
        #expect(outcome.ending == .exited(0) && outcome.silentFaults.isEmpty)
        let transcript = Transcript(outcome.timedRecords)
        let exchange = try #require(transcript.exchanges.first)
        let answer = try #require(exchange.responseBody?.at)
        let end = try #require(transcript.connections.first?.end?.value.clientEndedAt)
        #expect(exchange.outcome == .answered(at: answer))
        #expect(end - answer > .milliseconds(20), "the loop stood still between them")
    }
}
