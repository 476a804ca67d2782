import Basics
import LinkEngine
import Testing

/// When a sender that hears nothing sends again, to the millisecond (RFC 6298, RFC 9293 §3.8.6.1).
@Suite struct RetransmissionTimerTests {
    private static func everyAttempt(_ segment: UInt64) -> [(segment: UInt64, resends: UInt64)] {
        (0..<40).map { (segment, $0) }
    }

    /// From 1 s (RFC 6298 §2.1) it doubles (§5.5) up to 120 s; Linux gives up after 15.
    ///
    /// The first resend is the tail loss probe (RFC 8985 §7), which does not double the timeout.
    @Test func `the timeout doubles up to two minutes, and the fifteenth is the last`() {
        var script = PacketScript(losing: Self.everyAttempt(0))
        script.send(segments: 1, at: 0)
        script.run(until: 3_000_000)
        #expect(
            script.times(ofSegment: 0) == [
                0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 248_000, 368_000,
                488_000, 608_000, 728_000, 848_000, 968_000, 1_088_000,
            ]
        )
        let end = LinkEvent(at: .start + .seconds(1_208), kind: .timedOut(connection: 0))
        #expect(script.events == [end])
    }

    /// Round trip 100 ms: 100 + 200 ms, the floor that Linux puts under the variance.
    @Test func `a measured round trip sets the timeout that doubles`() {
        var script = PacketScript(losing: Self.everyAttempt(1))
        script.send(segments: 1, at: 0)
        script.run(until: 1_000)
        #expect(script.timeoutMilliseconds == 300)
        script.send(segments: 1, at: 1_000)
        script.run(until: 12_000)
        #expect(
            script.times(ofSegment: 1) == [1_000, 1_300, 1_600, 2_200, 3_400, 5_800, 10_600]
        )
    }

    /// Linux puts the floor of 200 ms under the variance, not under the whole.
    @Test func `a short round trip is above the floor of the variance`() {
        var script = PacketScript()
        script.delay(milliseconds: 0, at: 0)
        script.send(segments: 1, at: 0)
        script.run(until: 1_000)
        #expect(script.timeoutMilliseconds == 250)
    }

    /// RFC 6298 §5.7: the back-off lasts until new data has been measured.
    @Test func `an acknowledged resend ends the back-off`() {
        var script = PacketScript(losing: (0..<4).map { (1, $0) })
        script.send(segments: 1, at: 0)
        script.send(segments: 1, at: 1_000)
        script.run(until: 3_449)
        #expect(script.timeoutMilliseconds == 2_400)
        script.run(until: 3_500)
        #expect(script.timeoutMilliseconds == 300)
    }

    /// RFC 6298 §2.4: a floor of 1 s under the whole timeout.
    @Test func `by the RFC no timeout is below a second`() {
        var script = PacketScript(losing: Self.everyAttempt(1), behaviour: .rfc)
        script.send(segments: 1, at: 0)
        script.send(segments: 1, at: 1_000)
        script.run(until: 9_000)
        #expect(script.times(ofSegment: 1) == [1_000, 1_400, 2_400, 4_400, 8_400])
    }

    /// Each is answered after a round trip; then the doubled timeout passes before the next.
    ///
    /// What is left of the window is smaller than the next segment, which does not end the back-off.
    @Test func `probes of a closed window come at doubling intervals, for as long as it is closed`()
    {
        var script = PacketScript()
        script.send(segments: 1, at: 0)
        script.run(until: 1_000)
        script.setBacklog(144_800, at: 1_000)
        script.send(segments: 100, at: 1_000)
        script.run(until: 400_000)
        let probes = script.times(.probe)
        #expect(
            probes == [
                1_602, 2_306, 3_613, 6_126, 11_054, 20_809, 40_219, 78_939, 156_278, 276_378,
                396_478,
            ]
        )
        #expect(script.deliveredSegments == 47)
        script.setBacklog(0, at: 400_000)
        script.run(until: 401_000)
        #expect(script.deliveredSegments == 101)
        #expect(script.times(.probe) == probes)
        #expect(script.timeoutMilliseconds == 300)
    }

    // The handshake.

    private static func handshake(
        _ behaviour: TCPSettings.Behaviour,
        losingSYNs count: Int
    ) -> (syns: [Int64], events: [LinkEvent], timeout: Duration?) {
        var settings = LinkSettings.symmetric(delay: .milliseconds(50))
        settings.tcp.behaviour = behaviour
        settings.up.loss = .list((0..<UInt64(count)).map { 1 << 60 + $0 })
        var link = Link(settings: settings, seed: 1)
        link.keepsRecords = true
        link.open(0, at: .start)
        link.advance(to: .start + .seconds(400))
        let syns = link.takeRecords().filter { $0.kind == .syn }
        var events: [LinkEvent] = []
        while let event = link.nextEvent() { events.append(event) }
        let timeout = link.state(of: Stream(connection: 0, direction: .up))?.timeout
        return (syns.map { ($0.enter - .start).wholeMilliseconds }, events, timeout)
    }

    /// Linux from 6.5 on: `tcp_syn_linear_timeouts` = 4 before it doubles, gone after 131 s.
    @Test func `Linux repeats a SYN each second at first, then at doubling intervals`() {
        let result = Self.handshake(.linux, losingSYNs: 100)
        let expected: [Int64] = [
            0, 1_000, 2_000, 3_000, 4_000, 5_000, 7_000, 11_000, 19_000, 35_000, 67_000,
        ]
        #expect(result.syns == expected)
        let end = LinkEvent(at: .start + .seconds(131), kind: .timedOut(connection: 0))
        #expect(result.events == [end])
    }

    @Test func `by the RFC the interval between SYNs doubles at once`() {
        let result = Self.handshake(.rfc, losingSYNs: 100)
        #expect(result.syns == [0, 1_000, 3_000, 7_000, 15_000, 31_000, 63_000])
        let end = LinkEvent(at: .start + .seconds(127), kind: .timedOut(connection: 0))
        #expect(result.events == [end])
    }

    /// RFC 6298 §3 (Karn): which SYN was answered is unknown, so nothing was measured.
    @Test func `only a handshake without resends measures the round trip`() {
        #expect(Self.handshake(.linux, losingSYNs: 0).timeout == .milliseconds(300))
        #expect(Self.handshake(.linux, losingSYNs: 1).timeout == .seconds(1))
    }
}
