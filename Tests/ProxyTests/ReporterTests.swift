import Basics
import Faults
import Journal
import SystemIO
import Testing

@testable import Proxy

/// How records come to who writes them down.
@Suite struct ReporterTests {
    /// On a busy machine a client may act on an answer before the record of the answer is handed on.
    @Test func `a record has the time at which it came up, not that at which it is handed on`()
        throws
    {
        let loop = try EventLoop()
        var times: [Instant] = []
        let plan = FaultPlan(faults: [], seed: 1)
        let reporter = ProxyReporter(loop: loop, plan: plan) { times.append($1) }
        let before = loop.now
        reporter.accepted(ConnectionID(listener: 1, ordinal: 1), client: nil)
        let between = loop.now
        reporter.accepted(ConnectionID(listener: 1, ordinal: 2), client: nil)
        let after = loop.now
        #expect(times.isEmpty)
        reporter.flush()
        try #require(times.count == 2)
        #expect((before...between).contains(times[0]))
        #expect((between...after).contains(times[1]))
    }
}
