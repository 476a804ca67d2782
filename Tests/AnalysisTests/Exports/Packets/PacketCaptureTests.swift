import Analysis
import Basics
import Journal
import Testing

/// What packets a run becomes; `CaptureReading` holds them to their formats.
@Suite struct PacketCaptureTests {
    private func read(_ tell: (inout Story) -> Void) throws -> CaptureReading {
        var story = Story()
        tell(&story)
        let capture = PacketCapture(Transcript(story.records), creatorVersion: "9.9")
        return try CaptureReading(capture.bytes)
    }

    /// Of one flag letter for each packet, in order.
    private func flags(_ packets: [CaptureReading.Packet]) -> [String] {
        packets.map { "\($0.isUp ? ">" : "<")\($0.flags)" }
    }

    @Test func `the section says that it is synthetic`() throws {
        let reading = try read { _ in }
        #expect(reading.comment.hasPrefix("synthetic: "))
        #expect(reading.comment.contains("count from 1970"))
        #expect(reading.comment.contains("linkcond 0.1.0, profile lan, lc1."))
        #expect(reading.hardware == "synthetic")
        #expect(reading.application == "linkcond 9.9 (synthetic)")
        #expect(reading.packets.isEmpty)
    }

    @Test func `an exchange has a handshake, its messages and an end`() throws {
        let reading = try read {
            $0.connect(1, at: 5)
            $0.request(1, "PUT", "/u", length: 10, at: 10)
            $0.body(1, .request, 10, at: 20)
            $0.respond(1, 200, framing: .length(7), at: 60)
            $0.body(1, .response, 7, at: 160)
            $0.end(1, down: 107, up: 110, at: 170)
        }
        let packets = reading.packets
        #expect(
            flags(packets) == [">S", "<SA", ">A", ">PA", ">PA", "<PA", "<PA", ">FA", "<FA", ">A"]
        )
        #expect(packets.map(\.content) == [0, 0, 0, 100, 10, 100, 7, 0, 0, 0])
        #expect(packets.map(\.sequence) == [0, 0, 1, 1, 101, 1, 101, 111, 108, 112])
        #expect(packets.map(\.acknowledgement) == [0, 1, 1, 1, 1, 111, 111, 108, 112, 109])
        #expect(
            packets.map { $0.atNanoseconds / 1_000_000 }
                == [5, 5, 5, 10, 20, 60, 160, 170, 170, 170]
        )
        #expect(packets[3].comments == ["c1/r1: PUT /u"])
        #expect(packets[4].comments == ["c1/r1: content of the request, 10 bytes"])
        #expect(packets[5].comments == ["c1/r1: 200"])
        #expect(packets[7].comments == ["c1: end by client, fin"])
    }

    @Test(
        arguments: [
            (.fin, .client, [">FA", "<FA", ">A"]), (.fin, .upstream, ["<FA", ">FA", "<A"]),
            (.fin, .fault, ["<FA", ">FA", "<A"]), (.rst, .client, [">RA"]),
            (.rst, .fault, ["<RA"]), (.refused, .fault, ["<RA"]), (.timeout, .limit, ["<RA"]),
            (.hole, .fault, []), (.hole, .client, [">FA"]),
        ] as [(ConnectionEnd.Manner, ConnectionEnd.Party, [String])]
    )
    func `who ends a connection closes or resets it`(
        manner: ConnectionEnd.Manner,
        party: ConnectionEnd.Party,
        expected: [String]
    ) throws {
        let reading = try read {
            $0.connect(1, at: 5)
            $0.end(1, by: party, manner, down: 0, up: 0, at: 9)
        }
        #expect(flags(Array(reading.packets.dropFirst(3))) == expected)
    }

    @Test func `a fault's comment is at its byte and at the end that it made`() throws {
        let reading = try read {
            $0.connect(1, at: 1)
            $0.request(1, "GET", "/a", at: 2)
            $0.respond(1, 200, framing: .length(200_000), at: 3)
            $0.body(1, .response, 150_000, isComplete: false, at: 9)
            $0.add(
                .fault(
                    FaultReport(
                        connection: Story.id(1).connection,
                        request: 1,
                        id: "c1/r1:resp.body+150000=rst",
                        address: "c1/r1:resp.body+150000",
                        effect: "rst",
                        state: .undelivered,
                        offset: 150_000,
                        isByHand: true
                    )
                ),
                at: 9
            )
            $0.fault(1, "stall(5ms)", id: "middle", at: 9)
            $0.fault(1, "fin", .unreached(reason: "x"), id: "never", at: 9)
            $0.end(1, by: .fault, .rst, down: 150_100, up: 100, at: 9)
        }
        let touched = reading.packets.filter { $0.comments.contains { $0.hasPrefix("fault ") } }
        #expect(touched.map(\.flags) == ["PA", "PA", "RA"])
        #expect(touched.map(\.sequence) == [101, 101 + 2 * 65_495, 150_101])
        #expect(
            touched[1].comments == [
                "fault c1/r1:resp.body+150000=rst: rst at c1/r1:resp.body+150000, without proof that"
                    + " all bytes before it arrived, by hand"
            ]
        )
        #expect(touched[0].comments.last == "fault middle: stall(5ms) at c1/r1:resp.body+1")
    }

    @Test func `a fault of the stream, of the connect or of a head has its packet`() throws {
        func fault(_ address: String, _ offset: UInt64?) -> JournalRecord {
            .fault(
                FaultReport(
                    connection: Story.id(1).connection,
                    request: address.contains("/r") ? 1 : nil,
                    id: address,
                    address: address,
                    effect: "corrupt",
                    state: .fired,
                    offset: offset
                )
            )
        }
        for (address, offset, expected) in [
            ("connect", nil, 0), ("down+99", 99, 4), ("down+100", 100, 5), ("up+0", 0, 3),
            ("c1/r1:req.head+3", 3, 3), ("c1/r1:resp.head", nil, 4), ("c1/r1:resp.end", nil, 5),
            ("c1/r1:104#1", nil, 5),
        ] as [(String, UInt64?, Int)] {
            let reading = try read {
                $0.connect(1, at: 1)
                $0.request(1, "GET", "/a", at: 2)
                $0.respond(1, 200, framing: .length(20), at: 3)
                $0.body(1, .response, 20, at: 4)
                $0.add(fault(address, offset), at: 4)
                $0.end(1, down: 120, up: 100, at: 9)
            }
            let place = reading.packets.firstIndex { $0.comments.last?.hasPrefix("fault") ?? false }
            #expect(place == expected, "\(address)")
        }
    }

    @Test func `bytes that no message explains come behind the others`() throws {
        let reading = try read {
            $0.connect(1, at: 1)
            $0.add(
                .opaque(OpaqueReport(Story.id(1).connection, .request, reason: "malformed")),
                at: 2
            )
            $0.end(1, down: 70_000, up: 30, at: 8)
        }
        let content = reading.packets.filter { $0.content > 0 }
        #expect(content.filter(\.isUp).map(\.content) == [30])
        #expect(content.filter { !$0.isUp }.map(\.content) == [65_495, 4_505])
        #expect(content.first?.comments == ["c1: 70000 bytes of no known message: malformed"])
        #expect(content.map { $0.atNanoseconds / 1_000_000 } == [2, 8, 8])
        let lengths = reading.packets.filter { $0.flags == "FA" }.map(\.sequence)
        #expect(lengths == [31, 70_001])
    }

    @Test func `messages are not longer than what their direction carried`() throws {
        let reading = try read {
            $0.connect(1, at: 1)
            $0.request(1, "GET", "/a", at: 2)
            $0.respond(1, 200, framing: .length(20), at: 3)
            $0.end(1, by: .fault, .fin, down: 40, up: 100, at: 9)
        }
        #expect(reading.packets.filter { !$0.isUp }.map(\.content).max() == 40)
    }

    @Test func `content comes from its first byte to its last one`() throws {
        var report = BodyReport(Story.id(1), .response, bytes: 4 * 65_495, isComplete: true)
        report.firstByteAt = .start + .milliseconds(20)
        var answer = ResponseReport(Story.id(1), status: 503, headBytes: 9, fields: .none)
        answer.isByFault = true
        let reading = try read {
            $0.connect(1, at: 1)
            $0.request(1, "GET", "/a", at: 2)
            $0.add(.response(answer), at: 3)
            $0.add(.body(report), at: 60)
        }
        #expect(reading.packets[4].comments == ["c1/r1: 503, by a fault"])
        let times = reading.packets.dropFirst(5).map { $0.atNanoseconds / 1_000_000 }
        #expect(times == [20, 30, 40, 60])
    }

    @Test func `of endless content the middle is left out`() throws {
        let reading = try read {
            $0.connect(1, at: 1)
            $0.request(1, "GET", "/a", at: 2)
            $0.respond(1, 200, framing: .length(.max), at: 3)
            $0.body(1, .response, .max, at: 9)
        }
        #expect(reading.packets.count == 5 + 128)
        #expect(reading.packets.count { $0.comments.contains { $0.hasSuffix("left out") } } == 1)
    }

    @Test func `connections are mixed by time and have ports of their own`() throws {
        let reading = try read {
            $0.get(1, at: 0)
            $0.get(2, at: 5)
            $0.add(.connection(ConnectionID(listener: 2, ordinal: 50_001), environment: [:]), at: 7)
        }
        let times = reading.packets.map(\.atNanoseconds)
        #expect(times == times.sorted())
        #expect(Set(reading.packets.map(\.clientPort)) == [10_001, 10_002])
        #expect(Set(reading.packets.map(\.stream)).count == 3)
    }

    @Test func `long names are cut between characters, and times count from the start`() throws {
        let start = RunStart(
            tool: "linkcond 1",
            command: "proxy",
            seed: 3,
            schedule: "lc1;seed=3",
            profile: "lte",
            profileDigest: "",
            environment: ["began_ms": 1_700_000_000_123]
        )
        let request = RequestReport(
            Story.id(1),
            method: "GET",
            target: "/a" + String(repeating: "é", count: 40_000),
            framing: .none,
            headBytes: 20,
            fields: .none
        )
        let records: [Timed<JournalRecord>] = [
            Timed(.start(start), line: 1, at: .start),
            Timed(.request(request), line: 2, at: .start + .nanoseconds(7)),
        ]
        let capture = PacketCapture(Transcript(records), creatorVersion: "1")
        let reading = try CaptureReading(capture.bytes)
        let comment = try #require(reading.packets.last?.comments.first)
        #expect(comment.utf8.count == 999)
        #expect(!comment.contains("\u{FFFD}"))
        #expect(reading.packets.last?.atNanoseconds == 1_700_000_000_123_000_007)
        #expect(!reading.comment.contains("1970"))
    }
}
