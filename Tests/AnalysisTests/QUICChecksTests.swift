import Analysis
import Basics
import Journal
import Testing

/// Q4 and Q5.
@Suite struct QUICChecksTests {
    private static let flow = ConnectionID(ordinal: 1, isFlow: true)
    private static let challenge = "path_challenge=0102030405060708"
    private static let response = "path_response=0102030405060708"

    /// A packet, which came after some milliseconds.
    private static func report(
        _ direction: Direction,
        _ number: UInt64,
        _ frames: [String],
        came: Int,
        path: UInt32 = 0,
        type: String = "1rtt"
    ) -> QUICPacketReport {
        var report = QUICPacketReport(
            flow: flow,
            direction: direction,
            datagram: number,
            bytes: 1_200,
            type: type,
            number: number,
            frames: frames,
            cameAt: .start + .milliseconds(Int64(came))
        )
        report.path = path
        return report
    }

    /// A handshake, which both ends know to be confirmed.
    private static let confirmed: [JournalRecord] = [
        .quicPacket(report(.down, 0, ["handshake_done"], came: 900)),
        .quicPacket(report(.up, 0, ["ack=0"], came: 905)),
    ]

    /// Packets of a connection whose client moved at 1 s, one each 10 ms from then on.
    private static func story(
        _ packets: [(direction: Direction, frames: [String])],
        unopened: UInt64 = 0,
        clientIdle: UInt64? = nil,
        serverIdle: UInt64? = nil,
        silences: [Int: Int] = [:],
        before: [JournalRecord] = confirmed
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
        for (place, record) in before.enumerated() { story.add(record, at: 500 + place) }
        var numbers: [Direction: UInt64] = [:]
        for (place, packet) in packets.enumerated() {
            let time = 1_010 + 10 * place
            numbers[packet.direction, default: 0] += 1
            var report = report(
                packet.direction,
                numbers[packet.direction] ?? 0,
                packet.frames,
                came: time,
                path: 1
            )
            report.idleMilliseconds = place == 0 ? serverIdle : nil
            report.silence = silences[place].map { .seconds(Int64($0)) }
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
        unopened: UInt64 = 0,
        before: [JournalRecord] = confirmed
    ) -> CheckResult {
        story(packets, unopened: unopened, before: before).report().result(.q4)
    }

    @Test func `a path that is challenged and answered is validated`() {
        let packets: [(direction: Direction, frames: [String])] =
            Self.repeated(9, .down, "ack=5") + [(.down, [Self.challenge, "padding"])]
            + [(.up, [Self.response])]
        for further in [0, 1] {
            let result = Self.result(packets + Self.repeated(further, .down, "stream"))
            #expect(result.verdict == .pass)
            #expect(result.observed == "1 new path validated")
        }
    }

    @Test func `a server that does not ask is told, and not one that hardly sent anything`() {
        #expect(Self.result(Self.repeated(10, .down, "stream")).verdict == .skipped)
        let late = Self.repeated(11, .down, "stream") + [(.down, [Self.challenge])]
        #expect(Self.result(late).reason == "no-challenge")
        #expect(Self.result(late, unopened: 1).verdict == .skipped)
        #expect(Self.result([]).verdict == .skipped)
    }

    @Test func `what lacks is said`() {
        let one = Self.repeated(1, .down, "stream")
        let many = Self.repeated(20, .down, "stream")
        #expect(Self.result([], before: []).reason.contains("secrets are not known"))
        #expect(Self.result(many, unopened: 1).reason.contains("were not opened"))
        #expect(Self.result([]).reason.contains("sent nothing to a new address"))
        #expect(
            Self.result(Self.repeated(9, .up, "stream")).reason
                .contains("sent nothing to a new address")
        )
        #expect(Self.result(one).reason.contains("too few packets"))
        #expect(Self.result(many, before: []).reason.contains("handshake was confirmed"))
    }

    @Test(arguments: ["unknown=255", "cut"])
    func `a flow with frames that are not known is not judged`(frame: String) {
        let packets =
            Self.repeated(20, .down, "stream") + [(.down, ["ping", frame])]
        #expect(Self.result(packets).verdict == .skipped)
        #expect(Self.result(packets).reason.contains("frames that are not known"))
        #expect(Self.result(Self.repeated(20, .down, "immediate_ack")).verdict == .fail)
    }

    @Test func `a path is judged only if the handshake was confirmed before it`() {
        func verdict(_ before: [QUICPacketReport]) -> Verdict {
            Self.result(
                Self.repeated(20, .down, "stream"),
                before: before.map { .quicPacket($0) }
            ).verdict
        }
        let done = Self.report(.down, 7, ["handshake_done"], came: 900)
        #expect(verdict([done]) == .skipped)
        #expect(verdict([done, Self.report(.up, 0, ["ack=6"], came: 905)]) == .skipped)
        #expect(
            verdict([done, Self.report(.up, 0, ["ack=8"], came: 905, type: "handshake")])
                == .skipped
        )
        let acknowledged = [done, Self.report(.up, 0, ["ack=8"], came: 905)]
        #expect(verdict(acknowledged) == .fail)
        let again = Self.report(.up, 0, ["crypto"], came: 910, type: "initial")
        #expect(verdict(acknowledged + [again]) == .skipped)
    }

    @Test func `only 1-RTT packets count`() {
        var packets = Self.story([]).records
        packets.removeLast()
        var story = Story()
        for record in packets.dropFirst() {
            story.add(record.value, at: Int((record.at - .start).wholeMilliseconds))
        }
        func add(_ report: QUICPacketReport) { story.add(.quicPacket(report), at: 1_000) }
        for number in 1...20 {
            add(
                Self.report(
                    .down,
                    UInt64(number),
                    ["crypto"],
                    came: 1_000,
                    path: 1,
                    type: "handshake"
                )
            )
        }
        add(Self.report(.down, 9, [Self.challenge], came: 1_100, path: 1))
        // This is a packet with the same number in another space.
        add(Self.report(.up, 5, ["ack=9"], came: 1_200, path: 1, type: "handshake"))
        for number in 1...9 {
            add(Self.report(.up, UInt64(number), ["stream"], came: 1_300, path: 1))
        }
        story.add(
            .flowEnd(FlowEnd(flow: Self.flow, cause: .idle, down: .init(), up: .init())),
            at: 9_000
        )
        #expect(story.report().result(.q4).reason.contains("too few packets"))
    }

    @Test func `many packets on many paths are read once`() {
        var story = Story()
        story.add(.flow(Self.flow, environment: [:]), at: 10)
        story.add(.quic(Self.flow, QUICReport(version: "1")), at: 10)
        for record in Self.confirmed { story.add(record, at: 20) }
        let rebind = FaultReport(
            connection: Self.flow,
            id: "u1:up#1=rebind(port)",
            address: "up#1",
            effect: "rebind(port)",
            state: .fired,
            offset: nil
        )
        story.add(.fault(rebind), at: 30)
        for number in 1...50_000 {
            let (path, data) = (UInt32(1 + number / 5), "\(number)")
            for (direction, frame) in [
                (Direction.down, "path_challenge=\(data)"), (.up, "path_response=\(data)"),
            ] {
                let report = Self.report(
                    direction,
                    UInt64(number),
                    [frame],
                    came: 1_000 + number,
                    path: path
                )
                story.add(.quicPacket(report), at: 1_000 + number)
            }
        }
        story.add(
            .flowEnd(FlowEnd(flow: Self.flow, cause: .idle, down: .init(), up: .init())),
            at: 90_000
        )
        #expect(story.report().result(.q4).observed == "10001 new paths validated")
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

    /// A connection with a round trip, in which the client sends again after a silence.
    private static func slow(
        _ roundTrip: Int,
        type: String = "1rtt",
        silence: UInt64,
        idle: UInt64 = 1_000
    ) -> Verdict {
        var story = Story()
        story.add(.flow(flow, environment: [:]), at: 10)
        story.add(.quic(flow, QUICReport(version: "1", idleMilliseconds: idle)), at: 10)
        // The way to the server and back, then that to the client and back.
        let middle = 100 + roundTrip / 2
        let packets = [
            report(.up, 1, ["crypto"], came: 100, type: "initial"),
            report(.down, 1, ["ack=1", "crypto"], came: middle, type: "initial"),
            report(
                .up,
                4,
                ["ack=1"],
                came: 100 + roundTrip,
                type: type == "1rtt" ? "initial" : type
            ),
        ]
        for packet in packets { story.add(.quicPacket(packet), at: 100) }
        var last = report(.up, 9, ["stream"], came: 900_000)
        last.silence = .nanoseconds(Int64(clamping: silence))
        story.add(.quicPacket(last), at: 900_000)
        return story.report().result(.q5).verdict
    }

    @Test func `a slow path has long probe timeouts`() {
        // Nine round trips of 2 s after the idle time of 1 s.
        #expect(Self.slow(2_000, silence: 19_000_000_000) == .pass)
        #expect(Self.slow(2_000, silence: 19_000_000_001) == .fail)
        // Of which the way to the client is not known, and taken to be as long as the other.
        #expect(Self.slow(2_000, type: "handshake", silence: 19_000_000_000) == .pass)
        #expect(Self.slow(20, silence: 4_000_000_000) == .pass)
        #expect(Self.slow(20, silence: 4_000_000_001) == .fail)
    }

    @Test func `numbers that cannot be do no harm`() {
        #expect(Self.slow(20, silence: .max, idle: 5_000_000_000_000) == .fail)
        #expect(Self.slow(20, silence: .max, idle: .max) == .pass)
        var story = Story()
        story.add(.flow(Self.flow, environment: [:]), at: 10)
        story.add(
            .quic(Self.flow, QUICReport(version: "1", idleMilliseconds: 5_000_000_000_000)),
            at: 10
        )
        for number in 1...3 {
            var packet = Self.report(.up, UInt64(number), ["ping"], came: number)
            packet.silence = .nanoseconds(6_000_000_000_000_000_000)
            story.add(.quicPacket(packet), at: number)
        }
        #expect(story.report().result(.q5).verdict == .fail)
    }

    @Test func `the idle time is that of the later connection`() {
        func verdict(_ announced: [UInt64], silence: UInt64) -> Verdict {
            var story = Story()
            story.add(.flow(Self.flow, environment: [:]), at: 10)
            story.add(.quic(Self.flow, QUICReport(version: "1", idleMilliseconds: 5_000)), at: 10)
            for (place, idle) in announced.enumerated() {
                var packet = Self.report(.down, 1, ["crypto"], came: place, type: "handshake")
                packet.idleMilliseconds = idle
                story.add(.quicPacket(packet), at: place)
            }
            var last = Self.report(.up, 1, ["stream"], came: 900)
            last.silence = .seconds(Int64(silence))
            story.add(.quicPacket(last), at: 900)
            return story.report().result(.q5).verdict
        }
        #expect(verdict([30_000], silence: 9) == .fail)
        #expect(verdict([30_000, 20_000], silence: 22) == .pass)
        #expect(verdict([30_000, 20_000], silence: 24) == .fail)
        #expect(verdict([2_000, 20_000], silence: 22) == .pass)
        #expect(verdict([30_000, 0], silence: 900) == .pass)
    }
}
