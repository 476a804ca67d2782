import Analysis
import Basics
import Journal
import Testing

/// Q4 and Q5.
@Suite struct QUICChecksTests {
    private static let flow = ConnectionID(ordinal: 1, isFlow: true)
    private static let challenge = "path_challenge=0102030405060708"
    private static let response = "path_response=0102030405060708"

    /// Packets of a connection whose client moved at 1 s, one each 10 ms from then on.
    private static func story(
        _ packets: [(direction: Direction, frames: [String])],
        unopened: UInt64 = 0,
        clientIdle: UInt64? = nil,
        serverIdle: UInt64? = nil,
        silences: [Int: Int] = [:]
    ) -> Story {
        var story = Story()
        story.add(.flow(flow, environment: [:]), at: 10)
        story.add(.quic(flow, QUICReport(version: "1", idleMilliseconds: clientIdle)), at: 10)
        let rebind = FaultReport(
            connection: flow,
            id: "u1:up#1=rebind(port)",
            address: "up#1",
            effect: "rebind(port)",
            state: .fired,
            offset: nil
        )
        story.add(.fault(rebind), at: 1_000)
        var numbers: [Direction: UInt64] = [:]
        for (place, packet) in packets.enumerated() {
            let time = 1_010 + 10 * place
            numbers[packet.direction, default: 0] += 1
            var report = QUICPacketReport(
                flow: flow,
                direction: packet.direction,
                datagram: numbers[packet.direction] ?? 0,
                bytes: 1_200,
                type: "1rtt",
                number: numbers[packet.direction] ?? 0,
                frames: packet.frames,
                cameNanoseconds: UInt64(time) * 1_000_000
            )
            report.path = 1
            report.idleMilliseconds = place == 0 ? serverIdle : nil
            report.silenceNanoseconds = silences[place].map { UInt64($0) * 1_000_000_000 }
            story.add(.quicPacket(report), at: time)
        }
        var tally = FlowEnd.Tally()
        tally.unopened = unopened
        story.add(.flowEnd(FlowEnd(flow: flow, cause: .idle, down: .init(), up: tally)), at: 9_000)
        return story
    }

    private static func repeated(
        _ count: Int,
        _ direction: Direction,
        _ frame: String
    ) -> [(direction: Direction, frames: [String])] {
        Array(repeating: (direction, [frame]), count: count)
    }

    private static func result(
        _ packets: [(direction: Direction, frames: [String])],
        unopened: UInt64 = 0
    ) -> CheckResult {
        story(packets, unopened: unopened).report().result(.q4)
    }

    @Test func `a path that is challenged and answered is validated`() {
        let packets: [(direction: Direction, frames: [String])] =
            Self.repeated(9, .down, "ack=5") + [(.down, [Self.challenge, "padding"])]
            + [(.up, [Self.response])]
        let result = Self.result(packets)
        #expect(result.verdict == .pass)
        #expect(result.observed == "1 new path validated")
    }

    @Test func `a server that does not ask is told, and not one that hardly sent anything`() {
        #expect(Self.result(Self.repeated(10, .down, "stream")).verdict == .skipped)
        let late = Self.repeated(11, .down, "stream") + [(.down, [Self.challenge])]
        #expect(Self.result(late).reason == "no-challenge")
        #expect(Self.result(late, unopened: 1).verdict == .skipped)
        #expect(Self.result([]).verdict == .skipped)
    }

    @Test func `an answer has the bytes of a challenge`() {
        let packets: [(direction: Direction, frames: [String])] = [
            (.down, [Self.challenge]), (.up, ["path_response=0102030405060709"]),
        ]
        #expect(Self.result(packets).reason == "wrong-response")
    }

    @Test func `a challenge that the client has acknowledged is answered`() {
        func verdict(_ more: [(direction: Direction, frames: [String])]) -> Verdict {
            Self.result([(.down, [Self.challenge])] + more).verdict
        }
        #expect(verdict(Self.repeated(9, .up, "stream")) == .skipped)
        #expect(verdict([(.up, ["ack=1"])] + Self.repeated(3, .up, "stream")) == .skipped)
        #expect(verdict([(.up, ["ack=0-3"])] + Self.repeated(4, .up, "stream")) == .fail)
        #expect(verdict([(.up, ["ack=2-3"])] + Self.repeated(4, .up, "stream")) == .skipped)
        #expect(
            verdict([(.up, ["ack=1"])] + Self.repeated(9, .up, "connection_close=0")) == .skipped
        )
        let answered =
            [(.up, ["ack=1"])] + Self.repeated(9, .up, "stream") + [(.up, [Self.response])]
        #expect(verdict(answered) == .pass)
    }

    private static func idle(
        _ silences: [Int: Int],
        client: UInt64? = 30_000,
        server: UInt64? = nil,
        last: String = "stream"
    ) -> CheckResult {
        let packets = repeated(3, .up, "stream") + [(.up, [last])]
        return story(packets, clientIdle: client, serverIdle: server, silences: silences)
            .report().result(.q5)
    }

    @Test func `an end that sends after the idle time and three probe timeouts is told`() {
        #expect(Self.idle([3: 33]).verdict == .pass)
        #expect(Self.idle([3: 34]).reason == "outlives-idle-time")
        #expect(Self.idle([3: 34]).observed == "the client sent on after 34.0 s")
        #expect(Self.idle([3: 34], last: "application_close=0").verdict == .pass)
        #expect(Self.idle([3: 34], client: 40_000).verdict == .pass)
        #expect(Self.idle([3: 34], client: 40_000, server: 20_000).verdict == .fail)
        #expect(Self.idle([3: 34], client: 40_000, server: 0).verdict == .pass)
        #expect(Self.idle([3: 900], client: nil).verdict == .skipped)
    }

    @Test func `probes that take longer each time are no mistake`() {
        // Each is sent after twice the time of the one before it.
        #expect(Self.idle([0: 10, 1: 20, 2: 40, 3: 80]).verdict == .pass)
        #expect(Self.idle([0: 1, 3: 80]).verdict == .fail)
    }
}
