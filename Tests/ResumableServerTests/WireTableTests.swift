import HTTPWire
import ResumableServer
import Testing

/// Each response in full, one line a case: hold it against the texts of the protocols.
@Suite struct WireTableTests {
    private static let limits: UploadSettings = {
        var settings = UploadSettings()
        settings.limits = UploadLimits(maxSize: 1_000, minAppendSize: 5)
        settings.lifetime = 60
        return settings
    }()

    /// What an exchange was answered, interim responses first.
    private static func lines(_ bench: UploadBench, _ exchange: ExchangeID) -> [String] {
        (bench.interims[exchange] ?? []).map(\.line)
            + (bench.answers[exchange].map { [$0.head.line] } ?? ["nothing"])
    }

    /// Runs through all responses of a protocol.
    private static func transcript(_ dialect: UploadProtocol, _ settings: UploadSettings)
        -> [String]
    {
        var lines: [String] = []
        func note(
            _ what: String,
            _ bench: inout UploadBench,
            _ head: RequestHead,
            _ bytes: UInt64 = 0
        ) {
            let exchange = bench.send(head, bytes: bytes)
            lines += Self.lines(bench, exchange).map { "\(what): \($0)" }
        }
        var whole = UploadBench(settings)
        note("whole", &whole, UploadHeads.creation(dialect), 100)
        note("HEAD of complete", &whole, UploadHeads.plain("HEAD", dialect))

        var bench = UploadBench(settings)
        let first = UploadHeads.creation(dialect, isLast: false, content: 40)
        note("first part", &bench, first, 40)
        note("HEAD", &bench, UploadHeads.plain("HEAD", dialect))
        let second = UploadHeads.append(dialect, at: 40, isLast: false, content: 30)
        note("PATCH", &bench, second, 30)
        let wrong = UploadHeads.append(dialect, at: 40, content: 30)
        note("wrong offset", &bench, wrong, 30)
        let typed = UploadHeads.append(dialect, at: 70, content: 30, ["Content-Type": "text/plain"])
        note("wrong type", &bench, typed, 30)
        let last = UploadHeads.append(dialect, at: 100, content: 0)
        let rest = UploadHeads.append(dialect, at: 70, content: 30)
        if typed != rest, bench.record?.state == .active {
            note("last PATCH", &bench, rest, 30)
        }
        note("PATCH again", &bench, last)
        note("DELETE", &bench, UploadHeads.plain("DELETE", dialect))
        note("HEAD of gone", &bench, UploadHeads.plain("HEAD", dialect))
        let large = UploadHeads.creation(dialect, content: 2_000, ["Upload-Length": "2000"])
        note("too large", &bench, large)
        note(
            "OPTIONS",
            &bench,
            RequestHead("OPTIONS", "/files/", fields: UploadHeads.common(dialect))
        )
        return lines
    }

    @Test(arguments: UploadProtocol.all)
    func `every response is worded as its protocol says`(dialect: UploadProtocol) throws {
        let sections = WireTableGolden.text.split(separator: "== ")
        let section = try #require(sections.first { $0.hasPrefix("\(dialect)\n") })
        let expected = section.split(separator: "\n").dropFirst().map(String.init)
        #expect(Self.transcript(dialect, Self.limits) == expected)
    }

    @Test(arguments: [InteropVersion.v6, .v8])
    func `without limits OPTIONS says that there are none`(version: InteropVersion) {
        var bench = UploadBench()
        let fields = UploadHeads.common(.ietf(version))
        let exchange = bench.send(RequestHead("OPTIONS", "/files/", fields: fields))
        let head = bench.answers[exchange]?.head
        #expect(head?.fields["Upload-Limit"] == "min-size=0")
        #expect(head?.fields["Accept-Patch"] == "application/partial-upload")
    }

    @Test(arguments: UploadProtocol.all)
    func `content is framed unless the status forbids it`(dialect: UploadProtocol) throws {
        var bench = UploadBench()
        let whole = bench.send(UploadHeads.creation(dialect), bytes: 100)
        #expect(
            bench.answers[whole]?.head.fields["Content-Length"] == (dialect == .tus ? "0" : "2")
        )
        let gone = bench.send(UploadHeads.plain("DELETE", dialect))
        #expect(bench.answers[gone]?.head.fields["Content-Length"] == nil)
        let missing = bench.send(UploadHeads.plain("PATCH", dialect))
        let answer = try #require(bench.answers[missing])
        #expect(answer.head.fields["Content-Length"] == "\(answer.body.count)")
        #expect(answer.head.fields["Content-Type"] == "application/problem+json")
        let head = bench.send(UploadHeads.plain("HEAD", dialect))
        #expect(bench.answers[head]?.body == [])
    }

    @Test(
        arguments: [
            (InteropVersion.v3, false, false), (.v5, false, false), (.v6, true, false),
            (.v8, true, true),
        ])
    func `a problem has a type where its draft defines one`(
        version: InteropVersion,
        hasConflict: Bool,
        hasLength: Bool
    ) throws {
        func body(_ head: RequestHead) throws -> String {
            var bench = UploadBench()
            bench.send(UploadHeads.creation(.ietf(version)), bytes: 40, isCut: true)
            let exchange = bench.send(head)
            return String(decoding: try #require(bench.answers[exchange]).body, as: UTF8.self)
        }
        let base = "\"https://iana.org/assignments/http-problem-types#"
        let conflict = try body(UploadHeads.append(.ietf(version), at: 30, content: 70))
        #expect(conflict.contains(base + "mismatching-upload-offset\"") == hasConflict)
        #expect(
            conflict.contains("\"expected-offset\":40,\"provided-offset\":30") == hasConflict
        )
        let length = try body(UploadHeads.append(.ietf(version), at: 40, content: 50))
        #expect(length.contains("\"status\":400"))
        #expect(length.contains(base + "inconsistent-upload-length\"") == hasLength)
    }
}
