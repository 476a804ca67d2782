import Journal
import Testing

@Suite struct CanonicalNamesTests {
    /// Lines of the canonical form without the first record.
    private static func canonical(_ records: [JournalRecord]) throws -> [String] {
        let journal = try CanonicalJournal(reading: Samples.journal([Samples.start] + records))
        let text = String(decoding: journal.text, as: UTF8.self)
        let again = try CanonicalJournal(reading: journal.text)
        #expect(again.text == journal.text)
        return text.split(separator: "\n").dropFirst().map(String.init)
    }

    private static func request(
        _ connection: UInt32,
        _ ordinal: UInt32,
        _ method: String,
        _ target: String,
        _ fields: [(name: String, value: String)] = []
    ) -> JournalRecord {
        .request(
            RequestReport(
                ExchangeID(ConnectionID(ordinal: connection), ordinal: ordinal),
                method: method,
                target: target,
                framing: .none,
                headBytes: 1,
                fields: Samples.fields(fields)
            )
        )
    }

    private static func response(
        _ connection: UInt32,
        _ ordinal: UInt32,
        _ status: Int,
        _ fields: [(name: String, value: String)]
    ) -> JournalRecord {
        .response(
            ResponseReport(
                ExchangeID(ConnectionID(ordinal: connection), ordinal: ordinal),
                status: status,
                headBytes: 1,
                fields: Samples.fields(fields)
            )
        )
    }

    /// One upload and one download on a server that is somewhere else in each run.
    private static func run(
        authority: String,
        upload: String,
        tag: String,
        day: Int,
        secret: Int
    ) -> [JournalRecord] {
        [
            request(2, 1, "GET", "/x?{q\(secret)}", [("Host", authority), ("If-Range", tag)]),
            response(
                2,
                1,
                200,
                [("ETag", tag), ("Date", "\(day) GMT"), ("Last-Modified", "\(day) GMT")]
            ),
            request(
                3,
                1,
                "GET",
                "/x",
                [("If-Range", "\(day) GMT"), ("Cookie", "{s\(secret + 1)}")]
            ),
            request(
                1,
                1,
                "POST",
                "/files",
                [("Host", authority), ("Authorization", "{s\(secret)}")]
            ),
            response(1, 1, 201, [("Location", "http://\(authority)\(upload)"), ("Age", "\(day)")]),
            request(1, 2, "PATCH", upload, [("Host", authority)]),
            .origin(OriginReport(.complete, resource: upload, offset: 5)),
        ]
    }

    @Test func `equal runs on different servers are equal`() throws {
        let one = Self.run(
            authority: "127.0.0.1:4711",
            upload: "/u/abc",
            tag: "\"1\"",
            day: 1,
            secret: 1
        )
        let other = Self.run(
            authority: "[::1]:9",
            upload: "/u/xyz?{q7}",
            tag: "\"2\"",
            day: 2,
            secret: 5
        )
        #expect(try Self.canonical(one) == Self.canonical(other))
    }

    @Test func `what was equal stays equal, what was different different`() throws {
        let lines = try Self.canonical([
            Self.request(1, 1, "GET", "/x", [("If-Range", "\"a\"")]),
            Self.response(1, 1, 200, [("ETag", "\"a\"")]),
            Self.request(1, 2, "GET", "/x", [("If-Range", "W/\"a\"")]),
            Self.response(1, 2, 200, [("ETag", "\"b\"")]),
        ])
        #expect(lines[0].contains(#""if-range":"{e1}""#))
        #expect(lines[1].contains(#""etag":"{e1}""#))
        #expect(lines[2].contains(#""if-range":"W/{e1}""#))
        #expect(lines[3].contains(#""etag":"{e2}""#))
    }

    @Test(arguments: [
        ("http://h:1/files/7", "/files/7"),
        ("/files/7", "/files/7"),
        ("7", "/files/7"),
        ("//h:1/files/7", "/files/7"),
        ("http://h:1", "/"),
    ])
    func `an upload is known by the path of its Location`(
        location: String,
        target: String
    ) throws {
        let lines = try Self.canonical([
            Self.request(1, 1, "POST", "/files/new?{q1}", [("Host", "h:1")]),
            Self.response(1, 1, 201, [("Location", location)]),
            Self.request(2, 1, "HEAD", target),
        ])
        #expect(lines[1].contains(#""location":"{u1}""#))
        #expect(lines[2].contains(#""target":"{u1}""#))
    }

    @Test func `a redirect is no upload, and another authority is seen`() throws {
        let lines = try Self.canonical([
            Self.request(1, 1, "GET", "/x", [("Host", "h:1")]),
            Self.response(1, 1, 302, [("Location", "http://other/y")]),
            Self.request(1, 2, "GET", "/y", [("Host", "h:1")]),
            Self.response(1, 2, 302, [("Location", "http://h:1/z")]),
        ])
        #expect(lines[1].contains(#""location":"http://{a1}/y""#))
        #expect(lines[2].contains(#""target":"/y""#))
        #expect(lines[3].contains(#""location":"http://{authority}/z""#))
    }

    @Test(arguments: [
        ("4", "4"), ("soon", "soon"), ("Sat, 21 Nov 2026 09:00:04 GMT", "{date}"),
    ])
    func `of Retry-After only a date changes from run to run`(
        value: String,
        expected: String
    ) throws {
        let lines = try Self.canonical([Self.response(1, 1, 503, [("Retry-After", value)])])
        #expect(lines[0].contains("\"retry-after\":\"\(expected)\""))
    }

    @Test func `an end of HTTP/2 is the same by FIN and by reset`() throws {
        func canonical(
            _ party: ConnectionEnd.Party,
            _ manner: ConnectionEnd.Manner,
            hasStreams: Bool = true
        ) throws -> [String] {
            let bytes = ConnectionEnd.Delivered(bytes: 5, isExact: false)
            let id = ConnectionID(ordinal: 1)
            var end = ConnectionEnd(connection: id, by: party, how: manner, down: bytes, up: bytes)
            end.hasStreams = hasStreams
            return try Self.canonical([.connectionEnd(end)])
        }
        let closed = try canonical(.client, .fin)
        #expect(try closed == canonical(.client, .rst))
        #expect(try closed == canonical(.upstream, .rst))
        #expect(try closed != canonical(.client, .timeout))
        let text = try canonical(.client, .fin, hasStreams: false)
        #expect(try text != canonical(.client, .rst, hasStreams: false))
    }
}
