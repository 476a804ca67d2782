import Basics
import LinkEngine
import Testing

/// What idling and small writes do to the window, and how a receiver delays acknowledgements.
@Suite struct WindowUseTests {
    /// After 200 segments: a window of 112, a timeout of 300 ms, the last packet sent at 500 ms.
    private func afterTransfer(losing lost: [(segment: UInt64, resends: UInt64)] = [])
        -> PacketScript
    {
        var script = PacketScript(losing: lost)
        script.send(segments: 200, at: 0)
        script.run(until: 700)
        return script
    }

    /// RFC 5681 §4.1 as Linux does it (RFC 2861): halved for each whole timeout, not below the
    /// initial window.
    @Test(
        arguments: [
            (300, 112), (301, 56), (600, 56), (601, 28), (900, 28), (901, 14), (1_201, 10),
            (60_000, 10),
        ] as [(Int64, Int)]
    )
    func `each timeout spent idle halves the window`(idle: Int64, window: Int) {
        var script = afterTransfer()
        #expect(script.window == 112)
        #expect(script.timeoutMilliseconds == 300)
        script.send(segments: 1, at: 500 + idle)
        #expect(script.window == window)
    }

    /// Linux's `tcp_current_ssthresh`: slow start leads back to three quarters of the old window.
    @Test func `after idling slow start ends where the window was`() {
        var script = PacketScript(losing: [(60, 0)])
        script.send(segments: 200, at: 0)
        script.run(until: 5_000)
        #expect(script.window == 37)
        script.send(segments: 200, at: 10_000)
        script.run(until: 10_250)
        #expect(
            script.table(from: 10_000) == [
                "10000: 200-209", "10100: 210-229", "10200: 230-264",
            ]
        )
    }

    /// The old window counts, not only the threshold of the last loss.
    @Test func `after idling slow start leads back to three quarters of the window`() {
        var script = PacketScript(losing: [(60, 0)])
        script.send(segments: 2_000, at: 0)
        script.run(until: 20_000)
        let before = script.window
        #expect(before > 60)
        script.send(segments: 1_000, at: 20_000)
        // Slow start: 10, 20 and 40 segments, then up to the threshold.
        script.run(until: 20_350)
        #expect(script.window >= before * 3 / 4)
        #expect(script.window <= before * 3 / 4 + 1)
    }

    /// RFC 9438 §5.8: growth is for a window that was the limit.
    @Test func `a window that is not used does not grow`() {
        var script = PacketScript()
        for turn in 0..<30 { script.send(segments: 4, at: Int64(turn) * 200) }
        script.run(until: 10_000)
        #expect(script.window == 10)
    }

    /// In slow start Linux asks for half of it.
    @Test func `half a window is use enough for slow start`() {
        var script = PacketScript()
        script.send(segments: 6, at: 0)
        script.run(until: 150)
        #expect(script.window == 12)
    }

    /// Linux answers the first 16 segments at once, then waits 40 ms for a second one.
    @Test func `a single segment is acknowledged after 40 ms, once the start is over`() {
        var script = PacketScript()
        for turn in 0..<18 { script.send(segments: 1, at: Int64(turn) * 200) }
        script.run(until: 10_000)
        let delays = script.times(.ack).enumerated().map { $1 - Int64($0) * 200 - 50 }
        #expect(delays == Array(repeating: 0, count: 16) + [40, 40])
    }

    @Test func `every second segment is acknowledged at once`() {
        var script = PacketScript()
        for turn in 0..<20 { script.send(segments: 1, at: Int64(turn) * 200) }
        script.send(segments: 5, at: 10_000)
        script.run(until: 20_000)
        #expect(script.times(.ack).suffix(3) == [10_050, 10_050, 10_090])
    }

    /// RFC 9293 §3.8.6.2.2: no window of less than two segments is announced by itself.
    @Test func `a closed window opens by two segments at least`() {
        var script = PacketScript()
        script.send(segments: 1, at: 0)
        script.run(until: 1_000)
        script.setBacklog(144_800, at: 1_000)
        script.send(segments: 100, at: 1_000)
        script.run(until: 2_400)
        #expect(script.deliveredSegments == 47)
        for step in 0..<100 { script.setBacklog(82_300 - step * 100, at: 2_400 + Int64(step)) }
        script.run(until: 3_000)
        #expect(script.table(from: 2_400).first?.hasSuffix(": 47-48") == true)
    }
}
