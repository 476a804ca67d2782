import Analysis
import Basics
import Journal
import Testing

/// Documents are held to what the description of HAR 1.2 demands.
@Suite struct HARDocumentTests {
    /// Names and kinds of members that have to be there.
    private typealias Shape = [(name: String, kind: Kind)]

    private indirect enum Kind {
        case text, number, date, array(Shape), object(Shape)
    }

    private static let pair: Shape = [("name", .text), ("value", .text)]

    private static let entry: Shape = [
        ("startedDateTime", .date), ("time", .number),
        (
            "request",
            .object([
                ("method", .text), ("url", .text), ("httpVersion", .text),
                ("cookies", .array(pair)),
                ("headers", .array(pair)), ("queryString", .array(pair)), ("headersSize", .number),
                ("bodySize", .number),
            ])
        ),
        (
            "response",
            .object([
                ("status", .number), ("statusText", .text), ("httpVersion", .text),
                ("cookies", .array(pair)), ("headers", .array(pair)),
                ("content", .object([("size", .number), ("mimeType", .text)])),
                ("redirectURL", .text), ("headersSize", .number), ("bodySize", .number),
            ])
        ), ("cache", .object([])),
        ("timings", .object([("send", .number), ("wait", .number), ("receive", .number)])),
        ("connection", .text),
    ]

    private static let log: Shape = [
        ("version", .text), ("creator", .object([("name", .text), ("version", .text)])),
        ("entries", .array(entry)),
    ]

    /// What is wrong with a value.
    private func mistakes(_ value: JSONValue?, _ kind: Kind, at place: String) -> [String] {
        switch (kind, value) {
        case (.text, .string), (.number, .integer), (.number, .decimal): return []
        case (.date, .string(let text)):
            let pattern = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/
            return text.wholeMatch(of: pattern) == nil ? ["\(place): no date, \(text)"] : []
        case (.object(let shape), .object(let object)):
            return shape.flatMap { mistakes(object[$0.name], $0.kind, at: "\(place)/\($0.name)") }
        case (.array(let shape), .array(let values)):
            return values.enumerated().flatMap {
                mistakes($1, .object(shape), at: "\(place)/\($0)")
            }
        default: return ["\(place): \(value.map { "\($0)" } ?? "missing")"]
        }
    }

    private func member(_ value: JSONValue?, _ path: String...) -> JSONValue? {
        path.reduce(value) { value, step in
            switch value {
            case .object(let object)?: object[step]
            case .array(let values)?: Int(step).flatMap { $0 < values.count ? values[$0] : nil }
            default: nil
            }
        }
    }

    private func document(_ tell: (inout Story) -> Void) -> JSONValue {
        var story = Story()
        tell(&story)
        return HARDocument(Transcript(story.records), creatorVersion: "1").json
    }

    @Test func `an exchange without an end lasts until its last record`() {
        let document = document {
            $0.connect(1, at: 0)
            $0.request(1, "GET", "/", at: 1_000)
            $0.respond(1, 200, framing: .length(9), at: 3_000)
        }
        let entry = member(document, "log", "entries", "0")
        #expect(member(entry, "_linkcond", "outcome") == "open")
        #expect(member(entry, "timings", "wait") == 2_000 && member(entry, "time") == 2_000)
    }

    @Test func `each attempt is an entry, with all that the format demands`() {
        let document = document {
            $0.get(1, delivered: 400, .cut("rst"), at: 0)
            $0.get(2, from: 400, at: 100)
            $0.connect(3, at: 900)
            $0.request(3, "GET", "/x?{q1}", at: 910)
        }
        #expect(mistakes(member(document, "log"), .object(Self.log), at: "") == [])
        guard case .array(let entries)? = member(document, "log", "entries") else {
            Issue.record("no entries")
            return
        }
        #expect(entries.count == 3)
        #expect(member(entries[0], "response", "content", "size") == 400)
        #expect(member(entries[0], "_linkcond", "outcome") == "cut")
        #expect(member(entries[0], "_linkcond", "faults", "0", "effect") == "rst")
        #expect(member(entries[0], "connection") == "c1")
        #expect(member(entries[1], "response", "status") == 206)
        #expect(member(entries[1], "_linkcond", "outcome") == "answered")
        #expect(member(entries[2], "response", "status") == 0)
        #expect(member(entries[2], "response", "bodySize") == -1)
        #expect(member(entries[2], "request", "url") == "http://h:1/x?{q1}")
        #expect(member(entries[2], "_linkcond", "outcome") == "open")
        #expect(member(entries[2], "startedDateTime") == "1970-01-01T00:00:00.910Z")
        #expect(member(document, "log", "comment") != nil)
    }

    @Test func `times add up and have their place`() {
        let document = document {
            $0.connect(1, at: 5)
            $0.request(1, "PUT", "/u", length: 10, at: 10)
            $0.body(1, .request, 10, at: 35)
            $0.respond(1, 200, framing: .length(7), at: 60)
            $0.body(1, .response, 7, at: 160)
        }
        let entry = member(document, "log", "entries", "0")
        #expect(member(entry, "timings", "send") == 25)
        #expect(member(entry, "timings", "wait") == 25)
        #expect(member(entry, "timings", "receive") == 100)
        #expect(member(entry, "time") == 150)
        #expect(member(entry, "request", "bodySize") == 10)
        #expect(member(entry, "response", "bodySize") == 7)
        #expect(member(entry, "response", "statusText") == "OK")
    }

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
            (1_735_689_600_000, "2025-01-01T00:00:00.000Z"),
            (4_107_542_400_001, "2100-03-01T00:00:00.001Z"),
        ] as [(UInt64, String)]
    )
    func `a run that says when it began has dates`(began: UInt64, expected: String) {
        let start = RunStart(
            tool: "linkcond 1",
            command: "proxy",
            seed: 3,
            schedule: "lc1;seed=3",
            profile: "lte",
            profileDigest: "",
            environment: ["began_ms": .number(began)]
        )
        let id = ExchangeID(ConnectionID(listener: 2, ordinal: 4), ordinal: 1)
        let request = RequestReport(
            id,
            method: "GET",
            target: "http://a/b",
            framing: .none,
            headBytes: 20,
            fields: .none
        )
        let records: [Timed<JournalRecord>] = [
            Timed(.start(start), line: 1, at: .start),
            Timed(.request(request), line: 2, at: .start),
        ]
        let document = HARDocument(Transcript(records), creatorVersion: "1").json
        let entry = member(document, "log", "entries", "0")
        #expect(member(entry, "startedDateTime") == .string(expected))
        #expect(member(entry, "request", "url") == "http://a/b")
        #expect(member(entry, "connection") == "l2c4")
        #expect(member(document, "log", "comment") == nil)
        #expect(member(document, "log", "_linkcond", "schedule") == "lc1;seed=3")
    }

    @Test func `a fault at a byte of the connection is told of where it met requests`() {
        func fault(_ effect: String, _ state: FaultReport.State = .fired) -> JournalRecord {
            .fault(
                FaultReport(
                    connection: ConnectionID(ordinal: 1),
                    id: "c1:down+9=\(effect)",
                    address: "down+9",
                    effect: effect,
                    state: state,
                    offset: 9
                )
            )
        }
        let document = document {
            $0.connect(1, at: 0)
            $0.add(fault("slow"), at: 1)
            for ordinal in 1...2 {
                $0.request(1, r: ordinal, "GET", "/\(ordinal)", at: ordinal * 100)
                $0.respond(1, r: ordinal, 200, at: ordinal * 100 + 10)
            }
            $0.add(fault("stall"), at: 150)
            // Two under way at once, as in HTTP/2.
            $0.request(1, r: 3, "GET", "/3", at: 300)
            $0.request(1, r: 4, "GET", "/4", at: 310)
            $0.add(fault("rst"), at: 320)
            $0.add(fault("fin", .unreached(reason: "after c1:down+9=rst")), at: 320)
        }
        func effects(_ entry: Int) -> [JSONValue?] {
            (0..<3).map {
                member(
                    document,
                    "log",
                    "entries",
                    "\(entry)",
                    "_linkcond",
                    "faults",
                    "\($0)",
                    "effect"
                )
            }
        }
        #expect(effects(0) == ["slow", "stall", nil])
        #expect(effects(1) == [nil, nil, nil])
        #expect(effects(2) == ["rst", "fin", nil] && effects(3) == ["rst", "fin", nil])
    }

    @Test func `what changed is told with its time`() {
        let document = document {
            $0.get(1, at: 0)
            $0.add(.path(nil, PathReport(interface: "wifi", isExpensive: true)), at: 50)
            $0.add(.change(ChangeReport("outage", by: .key, adds: ["c9:up+1=rst"])), at: 60)
        }
        let run = member(document, "log", "_linkcond")
        #expect(member(run, "changes", "0", "words") == "path wifi, expensive")
        #expect(member(run, "changes", "0", "startedDateTime") == "1970-01-01T00:00:00.050Z")
        #expect(member(run, "changes", "1", "action") == "outage")
        #expect(member(run, "changes", "1", "by") == "key")
        #expect(member(run, "schedule") == "lc1;c9:up+1=rst")
    }

    @Test func `a connection without a request is told of`() {
        let document = document {
            $0.connect(1, at: 5)
            $0.add(
                .fault(
                    FaultReport(
                        connection: ConnectionID(ordinal: 1),
                        id: "c1:connect=refuse",
                        address: "connect",
                        effect: "refuse",
                        state: .fired,
                        offset: nil
                    )
                ),
                at: 5
            )
        }
        let silent = member(document, "log", "_linkcond", "connectionsWithoutRequests", "0")
        #expect(member(silent, "connection") == "c1")
        #expect(member(silent, "faults", "0", "fault") == "c1:connect=refuse")
        #expect(member(document, "log", "entries") == [])
    }
}
