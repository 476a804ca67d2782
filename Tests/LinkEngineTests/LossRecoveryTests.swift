import Basics
import LinkEngine
import Testing

/// How a sender repairs losses, packet by packet, with Linux 6.18 as reference.
///
/// In the tables `30-39` is new data and `40'` a first resend; see `PacketScript.table`.
@Suite struct LossRecoveryTests {
    // Finding losses (RFC 8985).

    /// Three sacked segments show a loss at once (DupThresh), fewer only after a quarter of the
    /// round trip and 2 ms of timer slack.
    @Test(arguments: [(6, 100), (7, 127), (8, 127)] as [(UInt64, Int64)])
    func `a hole is a loss at once after three segments, else after a quarter of a round trip`(
        segment: UInt64,
        resendAt: Int64
    ) {
        var script = PacketScript(losing: [(segment, 0)])
        script.send(segments: 10, at: 0)
        script.run(until: 5_000)
        #expect(script.table() == ["0: 0-9", "\(resendAt): \(segment)'"])
    }

    /// The probe of two round trips and 2 ms shows the loss of the tail; slow start by PRR repairs
    /// it.
    @Test func `a lost tail is found by a probe, not by the timeout`() {
        var script = PacketScript(losing: (5..<10).map { ($0, 0) })
        script.send(segments: 10, at: 0)
        script.run(until: 5_000)
        #expect(script.table() == ["0: 0-9", "302: 9'", "402: 5'", "502: 6-7'", "602: 8'"])
    }

    /// Alone in flight, its acknowledgement may be delayed: 200 ms more, or the timeout.
    @Test func `the probe for a single segment waits for a delayed acknowledgement`() {
        var script = PacketScript(losing: [(9, 0)])
        script.send(segments: 10, at: 0)
        script.run(until: 5_000)
        #expect(script.table() == ["0: 0-9", "400: 9'"])
    }

    /// RFC 8985 §7.4.2: no acknowledgement says that something was lost, but the probe repaired it.
    @Test func `a probe that repaired a loss halves the window once`() {
        var script = PacketScript(losing: [(199, 0)])
        script.send(segments: 200, at: 0)
        script.run(until: 1_046)
        #expect(script.times(ofSegment: 199) == [500, 945])
        #expect(script.window == 112)
        script.send(segments: 2, at: 1_046)
        script.run(until: 1_200)
        #expect(script.window == 56)
    }

    // Rate while recovering (RFC 6937).

    /// From a window of 50 to one of 25: PRR sends one packet for every other one that arrives.
    @Test func `after few losses the rate is halved`() {
        var script = PacketScript(losing: [(40, 0)], packetsPerSecond: 1_000)
        script.send(segments: 200, at: 0)
        script.run(until: 426)
        #expect(
            script.table(from: 312) == [
                "312: 86-89", "313: 90", "314: 91", "315: 40'", "317: 92", "319: 93", "321: 94",
                "323: 95",
            ]
        )
        script.run(until: 427)
        #expect(script.window == 25)
    }

    /// From 70 segments: a half (RFC 5681 §3.1), or seven tenths (RFC 9438 §4.6).
    @Test(arguments: [(.reno, 35), (.cubic, 49)] as [(TCPSettings.CongestionControl, Int)])
    func `recovery ends at the reduced window`(
        congestion: TCPSettings.CongestionControl,
        expected: Int
    ) {
        var script = PacketScript(losing: [(60, 0)], congestion: congestion)
        script.send(segments: 400, at: 0)
        script.run(until: 400)
        #expect(script.window == expected)
    }

    /// RFC 9438 §4.7: a flow that lost below its last maximum leaves room for others.
    ///
    /// From 77 segments at the second loss it aims at 66, not at 77 again.
    @Test func `a second loss below the last maximum lowers the maximum aimed at`() {
        var script = PacketScript(losing: [(100, 0), (400, 0)], congestion: .cubic)
        script.send(segments: 2_000, at: 0)
        script.run(until: 850)
        #expect(script.window == 77)
        script.run(until: 3_950)
        #expect(script.window == 66)
    }

    /// Half of the flight is lost, so less is in flight than the threshold: each acknowledgement
    /// sends what it delivered, and one more once it advances.
    @Test func `many losses are repaired as fast as slow start would`() {
        var script = PacketScript(losing: (30...49).map { ($0, 0) })
        script.send(segments: 100, at: 0)
        script.run(until: 8_000)
        #expect(
            script.table(from: 300) == [
                "300: 70-71 30-47'", "400: 72-87 48-49'", "500: 88-99",
            ]
        )
    }

    // Timeouts.

    /// Nothing of the second half arrives until 400 ms: the probe shows all that is lost, and PRR
    /// sends one, two, four and so on, each round one more than it delivered for each segment.
    @Test func `a lost window is repaired by doubling`() {
        var script = PacketScript()
        script.send(segments: 60, at: 0)
        script.blackOut(from: 150, until: 400)
        script.run(until: 5_000)
        #expect(
            script.table(from: 200) == [
                "200: 30-59", "402: 59'", "502: 30'", "602: 31-32'", "702: 33-36'", "802: 37-44'",
                "902: 45-58'",
            ]
        )
    }

    /// The probe is lost, too, so that slow start begins with the head.
    @Test func `after a timeout slow start repairs everything`() {
        var script = PacketScript()
        script.send(segments: 60, at: 0)
        script.blackOut(from: 150, until: 600)
        script.run(until: 701)
        #expect(script.window == 40)
        script.run(until: 750)
        #expect(script.window == 1)
        script.run(until: 5_000)
        #expect(
            script.table(from: 200) == [
                "200: 30-59", "402: 59'", "702: 30'", "842: 31-32'", "942: 33-36'", "1042: 37-44'",
                "1142: 45-58' 59''",
            ]
        )
        #expect(script.window == 20)
    }

    /// The acknowledgements of the late originals show that nothing was lost (RFC 5682, RFC 3522).
    ///
    /// The window is the one from before, it grows on, and nothing more is sent twice.
    @Test(arguments: [TCPSettings.CongestionControl.reno, .cubic])
    func `a false timeout is undone`(congestion: TCPSettings.CongestionControl) {
        var script = PacketScript(congestion: congestion)
        script.send(segments: 60, at: 0)
        script.run(until: 150)
        script.delay(milliseconds: 500, at: 150)
        script.run(until: 701)
        #expect(script.window == 40)
        script.run(until: 749)
        #expect(script.window == 1)
        script.run(until: 5_000)
        #expect(
            script.table() == ["0: 0-9", "100: 10-29", "200: 30-59", "402: 59'", "702: 30'"]
        )
        #expect(script.window == 70)
    }
}
