import Analysis
import Basics
import Journal
import Testing

@Suite struct TranscriptTests {
    private static func outcome(_ tell: (inout Story) -> Void) -> Exchange.Outcome? {
        var story = Story()
        story.connect(1, at: 0)
        story.request(1, "GET", "/x", at: 1)
        tell(&story)
        return Transcript(story.records).exchanges.first?.outcome
    }

    @Test func `what became of an exchange is what the client could see`() {
        #expect(
            Self.outcome {
                $0.respond(1, 204, at: 5)
            } == .answered(at: .start + .milliseconds(5))
        )
        #expect(
            Self.outcome {
                $0.respond(1, 200, framing: .length(9), at: 5)
                $0.body(1, .response, 9, at: 8)
            } == .answered(at: .start + .milliseconds(8))
        )
        // A fault that closes is felt at once, although the connection lingers.
        #expect(
            Self.outcome {
                $0.fault(1, "fin", at: 7)
                $0.end(1, by: .fault, at: 2_000)
            } == .cut(at: .start + .milliseconds(7), line: 4, by: "fin")
        )
        // Raw faults name no request; they end the last one.
        #expect(
            Self.outcome {
                $0.fault(1, r: nil, "rst", at: 7)
                $0.end(1, by: .fault, .rst, at: 8)
            } == .cut(at: .start + .milliseconds(7), line: 4, by: "rst")
        )
        // Silence is felt when the client itself gives up.
        #expect(
            Self.outcome {
                $0.fault(1, "hole", at: 7)
                $0.end(1, by: .client, .rst, at: 5_000)
            } == .abandoned(at: .start + .milliseconds(5_000), line: 5)
        )
        // What comes when the client is gone is no answer.
        #expect(
            Self.outcome {
                $0.fault(1, "stall(5s)", at: 7)
                $0.respond(1, 204, at: 5_007)
                $0.end(1, by: .client, clientEnd: 2_000, at: 5_010)
            } == .abandoned(at: .start + .milliseconds(2_000), line: 6)
        )
        #expect(
            Self.outcome {
                $0.fault(1, "stall(1s)", at: 7)
                $0.respond(1, 204, at: 1_007)
                $0.end(1, by: .client, clientEnd: 2_000, at: 2_001)
            } == .answered(at: .start + .milliseconds(1_007))
        )
        // The proxy itself may keep the connection for much longer.
        #expect(
            Self.outcome {
                $0.fault(1, "hole", at: 7)
                $0.end(1, by: .fault, .hole, clientEnd: 2_000, at: 60_000)
            } == .abandoned(at: .start + .milliseconds(2_000), line: 5)
        )
        #expect(
            Self.outcome {
                $0.fault(1, "hole", at: 7)
                $0.end(1, by: .fault, .hole, at: 60_000)
            } == .open
        )
        #expect(
            Self.outcome {
                $0.respond(1, 200, framing: .length(9), at: 5)
                $0.body(1, .response, 3, isComplete: false, at: 6)
                $0.end(1, by: .upstream, at: 7)
            } == .cut(at: .start + .milliseconds(7), line: 6, by: "fin")
        )
        #expect(Self.outcome { _ in } == .open)
        // Of several requests at once on one connection, all are cut with it.
        #expect(
            Self.outcome {
                $0.request(1, r: 2, "GET", "/y", at: 2)
                $0.fault(1, r: nil, "rst", at: 7)
                $0.end(1, by: .fault, .rst, at: 8)
            } == .cut(at: .start + .milliseconds(7), line: 5, by: "rst")
        )
    }

    /// How far apart they are says nothing: a loop may stand still for long between two events, and a
    /// client may give up a moment before the answer.
    @Test(arguments: [0, 1, 19, 20, 21, 5_000, 3_600_000])
    func `whether a client had the whole answer follows from the order of its end and the answer's`(
        distance: Int
    ) {
        let answer = 10_000
        func outcome(clientEnd: Int) -> Exchange.Outcome? {
            Self.outcome {
                $0.fault(1, "stall(9s)", at: 7)
                $0.respond(1, 200, framing: .length(9), at: 9_000)
                $0.body(1, .response, 9, at: answer)
                $0.end(1, by: .client, clientEnd: clientEnd, at: 9_000_000)
            }
        }
        #expect(
            outcome(clientEnd: answer + distance)
                == .answered(at: .start + .milliseconds(Int64(answer)))
        )
        let early = max(0, answer - 1 - distance)
        #expect(
            outcome(clientEnd: early)
                == .abandoned(at: .start + .milliseconds(Int64(early)), line: 7)
        )
    }

    @Test func `records that fit nowhere are passed over`() {
        var story = Story()
        story.respond(1, 200, at: 1)
        story.body(1, .request, 5, at: 2)
        story.request(2, "GET", "/a", at: 3)
        story.request(2, "GET", "/again", at: 4)
        story.respond(2, 200, at: 5)
        story.respond(2, 500, at: 6)
        let transcript = Transcript(story.records)
        #expect(transcript.exchanges.map(\.target) == ["/a"])
        #expect(transcript.exchanges[0].status == 200)
    }

    @Test func `a journal file gives lines and times`() throws {
        var story = Story()
        story.get(1, at: 0)
        let bytes = story.records.enumerated().flatMap {
            $1.value.line(sequence: UInt64($0), at: $1.at)
        }
        let unknown = Array("{\"v\":1,\"t\":\"comet\"}\n".utf8)
        let records = try Timed<JournalRecord>.reading(bytes + unknown)
        #expect(records == story.records)
        #expect(throws: JournalError.self) {
            _ = try Timed<JournalRecord>.reading(Array("{}\n".utf8))
        }
    }

    @Test func `connections without requests are opaque if nobody saw any`() {
        var story = Story()
        story.connect(1, at: 0)
        story.end(1, at: 5)
        #expect(Transcript(story.records).isPartlyOpaque)
        story.get(2, at: 10)
        #expect(!Transcript(story.records).isPartlyOpaque)
        story.add(
            .opaque(OpaqueReport(ConnectionID(ordinal: 3), .request, reason: "tls")),
            at: 20
        )
        #expect(Transcript(story.records).isPartlyOpaque)
    }

    @Test(
        arguments: [
            ("upload-complete", "?1", true), ("upload-complete", "?0", false),
            ("upload-incomplete", "?0", true), ("upload-incomplete", "?1", false),
            ("upload-complete", "yes", nil),
        ] as [(String, String, Bool?)]
    )
    func `completeness has had two names`(name: String, value: String, expected: Bool?) {
        #expect(ReportedFields([(name: name, value: value)]).uploadComplete == expected)
    }

    @Test(
        arguments: [
            ("bytes=5-", 5), ("bytes=5-9", 5), ("bytes=-5", nil), ("bytes=1-2,4-5", nil),
            ("lines=5-", nil), ("bytes=", nil),
        ] as [(String, UInt64?)]
    )
    func `one range has a beginning`(value: String, expected: UInt64?) {
        #expect(ReportedFields([(name: "Range", value: value)]).rangeStart == expected)
    }
}
