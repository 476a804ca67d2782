import Basics
import Journal

/// One record of each type, with every key that can be there.
enum Samples {
    static let start = JournalRecord.start(
        RunStart(
            tool: "linkcond 0.1.0",
            command: "proxy",
            seed: 7,
            schedule: "lc1;seed=7;c1:down+5=rst",
            profile: "lte",
            profileDigest: "ab12",
            environment: ["pid": .number(42), "listen": .string("127.0.0.1:4711")]
        )
    )

    static let records: [JournalRecord] =
        [
            start,
            .path(nil, PathReport(interface: "cellular", isExpensive: true)),
            .connection(ConnectionID(ordinal: 1), environment: ["client": .string("127.0.0.1:5")]),
            .draw(ConnectionID(ordinal: 1), stream: "offset c*:down+1..9=rst", index: 1, value: 5),
            .fault(
                FaultReport(
                    connection: ConnectionID(ordinal: 1),
                    id: "c1:down+5=rst",
                    address: "down+5",
                    effect: "rst",
                    state: .fired,
                    offset: 5,
                    isRacy: true,
                    isByHand: true
                )
            ),
            .connectionEnd(
                ConnectionEnd(
                    connection: ConnectionID(ordinal: 1),
                    by: .fault,
                    how: .rst,
                    down: .init(bytes: 5, isExact: true, digest: "ff00"),
                    up: .init(bytes: 80, isExact: false, digest: "ff01")
                )
            ),
            .connection(ConnectionID(listener: 2, ordinal: 1), environment: [:]),
            .connectionEnd(
                ConnectionEnd(
                    connection: ConnectionID(listener: 2, ordinal: 1),
                    by: .client,
                    how: .fin,
                    down: .init(bytes: 9, isExact: false),
                    up: .init(bytes: 80, isExact: true, digest: "ff01"),
                    clientEndedAt: .start + .nanoseconds(6_500),
                    hasStreams: true,
                    lateStreams: 2
                )
            ),
            .upstream(ConnectionID(ordinal: 2), .refused, words: "connect to 127.0.0.1:9: refused"),
            .note(ConnectionID(ordinal: 2), text: "half-closed"),
            .note(nil, text: "drained"),
            .budget(.soft, bytes: 1_000, bitsPerSecond: 64_000),
            .trouble(.latePacing, words: "3 ms late"),
            .fault(
                FaultReport(
                    connection: nil,
                    id: "c9:connect=refuse",
                    address: "connect",
                    effect: "refuse",
                    state: .unreached(reason: "no connection"),
                    offset: nil
                )
            ),
        ] + exchange + queries + outcome

    static let queries: [JournalRecord] = [
        .dns(
            DNSReport(
                transport: "udp",
                name: "api.test",
                type: "AAAA",
                number: 2,
                source: "fault",
                answer: "NXDOMAIN",
                faults: ["AAAA(api.test)#2=nxdomain"]
            ),
            environment: ["client": .string("127.0.0.1:5")]
        ),
        .dns(
            DNSReport(
                transport: "tcp",
                name: "a.test",
                type: "A",
                number: nil,
                source: "upstream",
                answer: "NOERROR 192.0.2.1"
            ),
            environment: [:]
        ),
    ]

    /// An upload: created, interrupted, and a download behind it.
    static let exchange: [JournalRecord] = [
        .request(
            RequestReport(
                first,
                method: "POST",
                target: "/files?{q3}",
                framing: .length(10),
                headBytes: 120,
                fields: fields([
                    ("Host", "127.0.0.1:4711"), ("Authorization", "{s4}"),
                    ("Upload-Complete", "?1"), ("Idempotency-Key", "\"x9\""),
                ]),
                isRacy: true,
                isStream: true
            )
        ),
        .response(
            ResponseReport(
                first,
                status: 104,
                headBytes: 90,
                fields: fields([("Location", "http://127.0.0.1:4711/u/77?{q9}")]),
                interimOrdinal: 1,
                isByFault: true
            )
        ),
        .body(
            BodyReport(
                first,
                .request,
                bytes: 6,
                isExact: true,
                isComplete: false,
                digest: "aa00",
                prefixDigest: "aa01",
                chunkEdges: [2, 5],
                firstByteAt: .start + .nanoseconds(900)
            )
        ),
        .fault(
            FaultReport(
                connection: first.connection,
                request: 1,
                id: "c3/r1:req.body+6=rst",
                address: "c3/r1:req.body+6",
                effect: "rst",
                state: .fired,
                offset: 6
            )
        ),
        .request(
            RequestReport(
                second,
                method: "HEAD",
                target: "/u/77?{q9}",
                framing: .none,
                headBytes: 100,
                fields: fields([("Host", "127.0.0.1:4711"), ("Authorization", "{s4}")])
            )
        ),
        .response(
            ResponseReport(
                second,
                status: 200,
                framing: .close,
                headBytes: 150,
                fields: fields([
                    ("Content-Location", "//other:81/x"), ("ETag", "W/\"v7\""),
                    ("Last-Modified", "Sat, 21 Nov 2026 08:00:00 GMT"),
                    ("Date", "Sat, 21 Nov 2026 09:00:00 GMT"), ("Age", "5"),
                ])
            )
        ),
        .body(BodyReport(second, .response, bytes: 3, isExact: false, isComplete: false)),
        .response(
            ResponseReport(
                ExchangeID(second.connection, ordinal: 2),
                status: 503,
                framing: .length(0),
                headBytes: 60,
                fields: fields([("Retry-After", "Sat, 21 Nov 2026 09:00:04 GMT")]),
                isByFault: true
            )
        ),
        .opaque(OpaqueReport(second.connection, .response, reason: "upgrade")),
    ]

    static let outcome: [JournalRecord] = [
        .origin(OriginReport(.committed, resource: "/u/77?{q9}", offset: 6)),
        .origin(OriginReport(.complete, resource: "/u/78", offset: 10, digest: "bb00")),
        .command(
            CommandReport(
                ["curl", "-T", "/tmp/x"],
                exitCode: 28,
                startedAt: .start + .nanoseconds(5)
            )
        ),
        .command(CommandReport([], signal: 9, isTimedOut: true)),
        .verdict(
            VerdictReport(
                check: "B1",
                .fail,
                observed: "5 gaps from 3 ms to 9 ms",
                limit: "growing gaps",
                lines: [4, 9],
                reason: "hammer"
            )
        ),
        .change(
            ChangeReport(
                "cut",
                by: .control,
                detail: ["kind": "rst"],
                adds: ["c8:down+1=rst"],
                removes: ["c7:down+1=rst"],
                places: [
                    .init(ConnectionID(ordinal: 3), up: 5, down: 900),
                    .init(ConnectionID(listener: 2, ordinal: 1), up: 0, down: 7),
                ]
            )
        ),
        .flow(flow, environment: ["client": .string("127.0.0.1:6")]),
        .quic(
            flow,
            QUICReport(
                version: "1",
                serverName: "h",
                protocols: ["h3"],
                destination: "0102",
                source: "03",
                idleMilliseconds: 30_000
            )
        ),
        .fault(
            FaultReport(
                connection: flow,
                id: "u1:up#9=drop",
                address: "up#9",
                effect: "drop",
                state: .fired,
                offset: nil
            )
        ),
        .fault(
            FaultReport(
                connection: flow,
                id: "u1/1rtt:down#2=drop",
                address: "1rtt:down#2",
                effect: "drop",
                state: .fired,
                offset: nil
            )
        ),
        .flowEnd(flowEnd),
        .messages(
            MessagesReport(
                second,
                .response,
                .webSocket,
                count: 5,
                partialBytes: 3,
                isWhole: true,
                closeCode: 1_000,
                lastID: "e7",
                retryMilliseconds: 70
            )
        ),
        .messages(
            MessagesReport(
                second,
                .request,
                .event,
                count: 2,
                partialBytes: 9,
                isExact: false,
                isWhole: false,
                lastID: "e2"
            )
        ),
        .quicPacket(quicPacket),
        .datagram(datagram),
        .messages(call(pushback: 250)),
        .messages(call(pushback: -1)),
        .end(RunEnd(exitCode: 0, verdict: .fail, digest: "cafe")),
    ]

    private static func call(pushback: Int64) -> MessagesReport {
        var report = MessagesReport(second, .response, .grpc, count: 3, isWhole: true)
        report.status = 14
        report.pushbackMilliseconds = pushback
        return report
    }

    private static let flow = ConnectionID(ordinal: 1, isFlow: true)

    private static var quicPacket: QUICPacketReport {
        var packet = QUICPacketReport(
            flow: flow,
            direction: .down,
            datagram: 9,
            bytes: 1_200,
            type: "1rtt",
            number: 7,
            frames: ["ack=1-4", "path_challenge=0102030405060708"],
            cameAt: .start + .nanoseconds(500)
        )
        packet.path = 1
        packet.silence = .nanoseconds(200)
        packet.idleMilliseconds = 10_000
        return packet
    }

    private static var datagram: DatagramReport {
        var datagram = DatagramReport(
            flow: flow,
            direction: .up,
            number: 9,
            bytes: 1_200,
            packets: ["initial", "0rtt"],
            fate: .fault,
            cameAt: .start + .nanoseconds(600)
        )
        datagram.fault = "u1:up#9=drop"
        datagram.isDigested = true
        return datagram
    }

    private static var flowEnd: FlowEnd {
        var end = FlowEnd(
            flow: flow,
            cause: .idle,
            down: tally(90, bytes: 900, lost: "3,7-9"),
            up: tally(80, bytes: 800, lost: "1")
        )
        end.unvalidated = .init(received: 1_200, sent: 3_600)
        end.lastDownAt = .start + .nanoseconds(5_000)
        end.lastOutageAt = .start + .nanoseconds(4_000)
        return end
    }

    private static func tally(_ count: UInt64, bytes: UInt64, lost: String) -> FlowEnd.Tally {
        var tally = FlowEnd.Tally()
        tally.count = count
        tally.bytes = bytes
        tally.packets = ["initial": 2, "1rtt": count - 2]
        tally.unopened = 3
        tally.lost = NumberRanges(lost) ?? NumberRanges()
        tally.delivered = count - tally.lost.count
        return tally
    }

    static let first = ExchangeID(ConnectionID(ordinal: 3), ordinal: 1)
    static let second = ExchangeID(ConnectionID(ordinal: 4), ordinal: 1)

    static func fields(_ pairs: [(name: String, value: String)]) -> ReportedFields {
        ReportedFields(pairs)
    }

    static func journal(_ records: [JournalRecord] = records) -> [UInt8] {
        records.enumerated().flatMap {
            $1.line(sequence: UInt64($0), at: .start + .microseconds(Int64($0)))
        }
    }
}
