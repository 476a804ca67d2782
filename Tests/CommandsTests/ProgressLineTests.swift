import Basics
import Proxy
import Testing

@testable import Commands

@Suite struct ProgressLineTests {
    @Test func `a line comes only when something changed`() {
        var state = LiveState()
        var progress = ProgressLine()
        var snapshot = ProxySnapshot()
        state.take(snapshot, at: .seconds(10))
        #expect(progress.next(state) == nil)
        snapshot.down.bytes = 1_250_000
        snapshot.openConnections = 1
        snapshot.totalConnections = 2
        snapshot.down.queuedPackets = 3
        state.take(snapshot, at: .seconds(20))
        #expect(
            progress.next(state)
                == "0:20  1 open, 2 total; down 1.00 Mbit/s, 1.25 MB, 3 queued; up 0 bit/s, 0 B"
        )
        state.take(snapshot, at: .seconds(30))
        #expect(progress.next(state) == nil)
    }
}
