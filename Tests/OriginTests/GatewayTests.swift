import HTTPWire
import ResumableServer
import SystemIO
import TestSupport
import Testing

@testable import Origin

/// An origin in front of a server that knows nothing of resumable uploads.
@Suite struct GatewayTests {
    private static let content = KnownContent(seed: 6).bytes(0..<700_000)

    /// A gateway and its server on one loop.
    private final class Bench {
        let origin: LiveOrigin
        var upstream: PlainUpstream

        init(_ change: (inout OriginConfiguration) -> Void = { _ in }) throws {
            // The server comes after the gateway, which has the loop.
            let port = try freePort()
            origin = try LiveOrigin {
                if let url = try? HTTPURL("http://127.0.0.1:\(port)") { $0.forward(to: url) }
                change(&$0)
            }
            upstream = try PlainUpstream(on: origin.loop, at: .loopback(port: port))
        }

        func close() { upstream.stop() }
        func open() throws {
            upstream = try PlainUpstream(on: origin.loop, at: upstream.address)
        }
    }

    private static let fields = [
        ("Content-Type", "text/x-test"), ("Authorization", "Bearer t"), ("X-One", "1"),
        ("X-One", "2"), ("Connection", "X-Hop"), ("X-Hop", "here"), ("Prefer", "x"),
    ]

    /// Creates an upload of the content whose request is cut after some bytes; its place.
    private func interrupted(
        _ bench: Bench,
        _ dialect: UploadDialect,
        _ method: String = "POST",
        after count: Int = 300_000
    ) throws -> String {
        let client = try bench.origin.client()
        let length = [("Content-Length", "\(Self.content.count)")]
        try client.send(
            method,
            "/api/items?x=1",
            dialect.creation(last: true) + Self.fields + length
        )
        let place = try client.head().fields["Location"]
        try client.send(Array(Self.content[..<count]))
        client.finish()
        _ = try? client.ending()
        return try #require(place)
    }

    /// Sends what is missing of the content.
    private func rest(
        _ bench: Bench,
        _ dialect: UploadDialect,
        _ place: String,
        from offset: Int = 300_000
    ) throws -> RawResponse {
        try bench.origin.ask(
            "PATCH",
            place,
            dialect.append(at: offset, last: true),
            Array(Self.content[offset...])
        )
    }

    // MARK: Complete uploads

    @Test(arguments: UploadDialect.all)
    func `the server gets one ordinary request with every byte, and the client its answer`(
        dialect: UploadDialect
    ) throws {
        let bench = try Bench()
        bench.upstream.answer = { _ in
            .response(ResponseHead(299, fields: ["X-Answer": "a", "Upload-Offset": "9"]), [1, 2])
        }
        let place = try interrupted(bench, dialect)
        #expect(bench.upstream.requests.isEmpty)
        let answer = try rest(bench, dialect, place)
        #expect(answer.status == 299 && answer["X-Answer"] == "a" && answer.body == [1, 2])
        #expect(dialect.isComplete(answer) == true && answer.offset != 9)
        let request = try #require(bench.upstream.requests.first)
        #expect(bench.upstream.requests.count == 1)
        #expect(request.head.method == "POST" && request.head.target == "/api/items?x=1")
        #expect(request.body == Self.content)
        let names = request.head.fields.fields.map { $0.name.lowercased() }
        let known = [
            "host", "content-type", "authorization", "x-one", "x-one", "prefer", "via",
            "content-length",
        ]
        #expect(names == known, "\(names)")
        #expect(request.head.fields["Host"] == "localhost")
        #expect(request.head.fields["Content-Length"] == "700000")
        // Nothing of it is left but the answer.
        #expect(bench.origin.folder.names(".linkcond/uploads").count == 1)
        let record = try #require(bench.origin.folder.names(".linkcond/uploads").first)
        let text = bench.origin.folder.bytes(".linkcond/uploads/\(record)") ?? []
        #expect(!String(decoding: text, as: UTF8.self).contains("Bearer"))
    }

    @Test func `tus: the server gets one POST with the metadata as fields`() throws {
        let bench = try Bench()
        let tus = [("Tus-Resumable", "1.0.0")]
        // "ü b.txt" and "text/plain"
        let metadata = "filename w7wgYi50eHQ=,filetype dGV4dC9wbGFpbg=="
        let created = try bench.origin.ask(
            "POST",
            "/api",
            tus + [("Upload-Length", "700000"), ("Upload-Metadata", metadata), ("Cookie", "c")],
            []
        )
        let place = try #require(created["Location"])
        var offset = 0
        for end in [300_000, 700_000] {
            let fields =
                tus + [
                    ("Upload-Offset", "\(offset)"),
                    ("Content-Type", "application/offset+octet-stream"),
                ]
            let part = Array(Self.content[offset..<end])
            let answer = try bench.origin.ask("PATCH", place, fields, part)
            #expect(answer.status == 204 && answer.offset == end)
            offset = end
        }
        let request = try #require(bench.upstream.requests.first)
        #expect(bench.upstream.requests.count == 1 && request.body == Self.content)
        #expect(request.head.method == "POST" && request.head.target == "/api")
        #expect(request.head.fields["Content-Type"] == "text/plain")
        #expect(
            request.head.fields["Content-Disposition"]
                == "attachment; filename*=UTF-8''%C3%BC%20b.txt"
        )
        #expect(request.head.fields["Cookie"] == "c")
        let names = request.head.fields.fields.map { $0.name.lowercased() }
        #expect(!names.contains { $0.hasPrefix("upload-") || $0.hasPrefix("tus-") })
    }

    @Test func `the answer is told again, and the server is not asked again`() throws {
        let bench = try Bench()
        let dialect = UploadDialect(version: 8)
        let place = try interrupted(bench, dialect)
        for _ in 0..<2 {
            let answer = try rest(
                bench,
                dialect,
                place,
                from: bench.upstream.requests.isEmpty ? 300_000 : 700_000
            )
            #expect(answer.status == 200 && answer.text == "kept")
        }
        #expect(bench.upstream.requests.count == 1)
    }

    @Test(arguments: [400, 413, 500, 503])
    func `a refusal of the server is the final response`(status: Int) throws {
        let bench = try Bench()
        bench.upstream.answer = { _ in
            .chunked(ResponseHead(status, fields: ["Retry-After": "7"]), Array("no".utf8))
        }
        let dialect = UploadDialect(version: 8)
        let answer = try rest(bench, dialect, try interrupted(bench, dialect))
        #expect(answer.status == status && answer.text == "no" && answer["Retry-After"] == "7")
        #expect(dialect.isComplete(answer) == true && bench.upstream.requests.count == 1)
    }

    @Test(arguments: UploadDialect.all)
    func `whoever asks for an upload that was refused hears the refusal`(
        dialect: UploadDialect
    ) throws {
        let bench = try Bench()
        bench.upstream.answer = { _ in .response(ResponseHead(422), Array("no".utf8)) }
        let place = try interrupted(bench, dialect)
        #expect(try rest(bench, dialect, place).status == 422)
        let status = try bench.origin.ask("HEAD", place, [dialect.marker])
        #expect(status.status == 422 && status.body.isEmpty)
        let answer = try rest(bench, dialect, place, from: 700_000)
        #expect(answer.status == 422 && answer.text == "no")
        #expect(bench.upstream.requests.count == 1)
    }

    @Test func `tus: an upload that the server refused is not said to be there`() throws {
        let bench = try Bench()
        bench.upstream.answer = { _ in .response(ResponseHead(422), Array("no".utf8)) }
        let tus = [("Tus-Resumable", "1.0.0")]
        let upload = [
            ("Upload-Length", "3"), ("Content-Type", "application/offset+octet-stream"),
        ]
        let answer = try bench.origin.ask("POST", "/api", tus + upload, [1, 2, 3])
        #expect(answer.status == 422 && answer.text == "no")
        let record = try #require(bench.origin.folder.names(".linkcond/uploads").first)
        let place = "/.uploads/\(record.prefix { $0 != "." })"
        #expect(try bench.origin.ask("HEAD", place, tus).status == 422)
        #expect(bench.upstream.requests.map(\.body) == [[1, 2, 3]])
    }

    @Test func `interim responses of the server are not its answer`() throws {
        let bench = try Bench()
        bench.upstream.answer = { _ in .interims([102, 103], ResponseHead(201)) }
        let dialect = UploadDialect(version: 8)
        let answer = try rest(bench, dialect, try interrupted(bench, dialect))
        #expect(answer.status == 201 && dialect.isComplete(answer) == true)
    }

    @Test func `an early answer of the server is the answer`() throws {
        let bench = try Bench()
        bench.upstream.early = { _ in ResponseHead(413, fields: ["X-Early": "1"]) }
        let dialect = UploadDialect(version: 8)
        let answer = try rest(bench, dialect, try interrupted(bench, dialect))
        #expect(answer.status == 413 && answer["X-Early"] == "1")
    }

    @Test func `an answer too long to keep is cut at its body alone`() throws {
        let bench = try Bench()
        bench.upstream.answer = { _ in
            .response(
                ResponseHead(201, fields: ["X-Answer": "a", "Content-Type": "a/b"]),
                [UInt8](repeating: 7, count: 65_537)
            )
        }
        let dialect = UploadDialect(version: 8)
        let answer = try rest(bench, dialect, try interrupted(bench, dialect))
        #expect(answer.status == 201 && answer["X-Answer"] == "a")
        #expect(answer.text == "The server's answer is left out: it is longer than 64 KiB.\n")
    }

    // MARK: No answer

    @Test(arguments: UploadDialect.all)
    func `a server that is away can be given the upload later by an empty append`(
        dialect: UploadDialect
    ) throws {
        let bench = try Bench()
        bench.close()
        let place = try interrupted(bench, dialect)
        let failure = try rest(bench, dialect, place)
        #expect(failure.status == 502 && failure.text.contains("connection refused"))
        #expect(dialect.isComplete(failure) == false)
        let status = try bench.origin.ask("HEAD", place, [dialect.marker])
        #expect(status.offset == 700_000 && dialect.isComplete(status) == false)
        try bench.open()
        let answer = try rest(bench, dialect, place, from: 700_000)
        #expect(answer.status == 200 && answer.text == "kept")
        #expect(bench.upstream.requests.map(\.body) == [Self.content])
    }

    @Test func `tus: a server that is away is given the upload with its last byte again`() throws {
        let bench = try Bench()
        bench.close()
        let tus = [
            ("Tus-Resumable", "1.0.0"), ("Content-Type", "application/offset+octet-stream"),
        ]
        let created = try bench.origin.ask("POST", "/api", tus + [("Upload-Length", "3")], [])
        let place = try #require(created["Location"])
        let start = tus + [("Upload-Offset", "0")]
        #expect(try bench.origin.ask("PATCH", place, start, [1, 2, 3]).status == 502)
        #expect(try bench.origin.ask("HEAD", place, tus).offset == 2)
        try bench.open()
        let answer = try bench.origin.ask("PATCH", place, tus + [("Upload-Offset", "2")], [3])
        #expect(answer.status == 204 && bench.upstream.requests.map(\.body) == [[1, 2, 3]])
    }

    @Test(arguments: [("POST", [], 1), ("PUT", [], 2), ("POST", [("Idempotency-Key", "\"k\"")], 2)])
    func `a request that may have been acted on is sent again only where that does no harm`(
        method: String,
        fields: [(String, String)],
        requests: Int
    ) throws {
        let bench = try Bench()
        bench.upstream.answer = { _ in .reset }
        let dialect = UploadDialect(version: 8)
        let answer = try bench.origin.ask(
            method,
            "/api",
            dialect.creation(last: true) + fields,
            Self.content
        )
        #expect(answer.status == 502)
        let place = try #require(answer.interims.first?.fields["Location"])
        bench.upstream.answer = { _ in .response(ResponseHead(200), []) }
        let again = try rest(bench, dialect, place, from: 700_000)
        #expect(again.status == (requests == 1 ? 502 : 200))
        #expect(again.text.contains("it is not sent again") == (requests == 1))
        #expect(bench.upstream.requests.count == requests)
    }

    @Test func `a client that goes while the server works can ask for the answer`() throws {
        let bench = try Bench()
        bench.upstream.answer = { _ in .silence }
        let dialect = UploadDialect(version: 8)
        let client = try bench.origin.client()
        try client.send("POST", "/api", dialect.creation(last: true), Self.content)
        let place = try #require(try client.head().fields["Location"])
        #expect(bench.origin.run { bench.upstream.requests.count == 1 })
        client.reset()
        bench.origin.settle()
        let second = try bench.origin.client()
        try second.send("HEAD", place, [dialect.marker])
        bench.origin.settle()
        try bench.upstream.speak(ResponseHead(201), "late")
        let status = try second.response()
        #expect(dialect.isComplete(status) == true && status.offset == 700_000)
        let answer = try rest(bench, dialect, place, from: 700_000)
        #expect(answer.status == 201 && answer.text == "late")
        #expect(bench.upstream.requests.count == 1)
    }

    // MARK: Restart

    /// What the next life of a gateway finds when this one ends while its server works.
    @Test(arguments: [("POST", 502, 1), ("PUT", 200, 2)])
    func `a gateway that ends before the answer does not send a POST again`(
        method: String,
        status: Int,
        requests: Int
    ) throws {
        let folder = try OriginFolder()
        let dialect = UploadDialect(version: 8)
        var place = ""
        var count = 0
        do {
            let bench = try Bench { $0.folder = folder.path }
            bench.upstream.answer = { _ in .silence }
            place = try interrupted(bench, dialect, method)
            let client = try bench.origin.client()
            try client.send(
                "PATCH",
                place,
                dialect.append(at: 300_000, last: true),
                Array(Self.content[300_000...])
            )
            #expect(bench.origin.run { bench.upstream.requests.count == 1 })
            count += bench.upstream.requests.count
        }
        let bench = try Bench { $0.folder = folder.path }
        let answer = try rest(bench, dialect, place, from: 700_000)
        #expect(answer.status == status)
        count += bench.upstream.requests.count
        #expect(count == requests)
        #expect(bench.upstream.requests.allSatisfy { $0.body == Self.content })
    }

    @Test func `a gateway that ends before the last byte left hands a POST on in its next life`()
        throws
    {
        let folder = try OriginFolder()
        let dialect = UploadDialect(version: 8)
        // More than the buffers of two sockets hold.
        let content = [UInt8](repeating: 3, count: 24 << 20)
        var place = ""
        do {
            let bench = try Bench { $0.folder = folder.path }
            bench.upstream.reads = false
            let client = try bench.origin.client()
            let length = [("Content-Length", "\(content.count)")]
            try client.send("POST", "/api", dialect.creation(last: true) + length)
            place = try #require(try client.head().fields["Location"])
            try client.send(content)
            #expect(
                bench.origin.run { record(folder, place).contains("finalising") }
            )
            bench.origin.settle()
            #expect(!record(folder, place).contains("forwarded"))
        }
        let bench = try Bench { $0.folder = folder.path }
        #expect(bench.origin.run { bench.upstream.requests.count == 1 })
        let isWhole = bench.upstream.requests.first?.body == content
        #expect(isWhole)
        let append = dialect.append(at: content.count, last: true)
        let answer = try bench.origin.ask("PATCH", place, append, [])
        #expect(answer.status == 200 && answer.text == "kept")
        #expect(bench.upstream.requests.count == 1)
    }

    private func record(_ folder: OriginFolder, _ place: String) -> String {
        let name = place.split(separator: "/").last ?? ""
        let bytes = folder.bytes(".linkcond/uploads/\(name).record") ?? []
        return String(decoding: bytes, as: UTF8.self)
    }

    /// An upload that was complete when its gateway ended, in front of a server that is away now.
    private func undelivered(
        _ dialect: UploadDialect,
        in folder: OriginFolder
    ) throws -> (bench: Bench, place: String) {
        var place = ""
        do {
            let bench = try Bench { $0.folder = folder.path }
            bench.upstream.answer = { _ in .silence }
            let client = try bench.origin.client()
            try client.send("PUT", "/api", dialect.creation(last: true), Self.content)
            place = try #require(try client.head().fields["Location"])
            #expect(bench.origin.run { bench.upstream.requests.count == 1 })
        }
        #expect(record(folder, place).contains("forwarded"))
        let bench = try Bench { $0.folder = folder.path }
        bench.close()
        #expect(bench.origin.run { !record(folder, place).contains("forwarded") })
        return (bench, place)
    }

    @Test func `what no client waits for is handed on once the server is there again`() throws {
        let folder = try OriginFolder()
        let (bench, place) = try undelivered(UploadDialect(version: 8), in: folder)
        try bench.open()
        #expect(bench.upstream.requests.isEmpty)
        bench.origin.clock.now += 1
        #expect(bench.origin.run { bench.upstream.requests.count == 1 })
        let answer = try rest(bench, UploadDialect(version: 8), place, from: 700_000)
        #expect(answer.status == 200 && bench.upstream.requests.map(\.body) == [Self.content])
    }

    @Test func `who asks for an upload that was not handed on makes the gateway try`() throws {
        let dialect = UploadDialect(version: 8)
        let folder = try OriginFolder()
        let (bench, place) = try undelivered(dialect, in: folder)
        let status = try bench.origin.ask("HEAD", place, [dialect.marker])
        #expect(dialect.isComplete(status) == false && status.offset == 700_000)
        try bench.open()
        let answer = try rest(bench, dialect, place, from: 700_000)
        #expect(answer.status == 200 && bench.upstream.requests.count == 1)
    }

    @Test func `an upload that was not handed on can be cancelled`() throws {
        let dialect = UploadDialect(version: 8)
        let folder = try OriginFolder()
        let (bench, place) = try undelivered(dialect, in: folder)
        try bench.open()
        #expect(try bench.origin.ask("DELETE", place, [dialect.marker]).status == 204)
        bench.origin.clock.now += 100
        bench.origin.settle()
        #expect(try bench.origin.ask("HEAD", place, [dialect.marker]).status == 410)
        #expect(try bench.origin.state().uploads.map(\.state) == ["cancelled"])
        #expect(bench.upstream.requests.isEmpty)
    }

    @Test func `a gateway that ends after the answer has it in its next life`() throws {
        let folder = try OriginFolder()
        let dialect = UploadDialect(version: 8)
        var place = ""
        do {
            let bench = try Bench { $0.folder = folder.path }
            place = try interrupted(bench, dialect)
            let answer = try rest(bench, dialect, place)
            #expect(answer.status == 200)
        }
        let bench = try Bench { $0.folder = folder.path }
        let answer = try rest(bench, dialect, place, from: 700_000)
        #expect(answer.status == 200 && answer.text == "kept")
        #expect(bench.upstream.requests.isEmpty)
    }

    // MARK: Other requests

    @Test(arguments: ["POST", "PUT", "PATCH", "DELETE"])
    func `a request that is no resumable upload is passed on`(method: String) throws {
        let bench = try Bench()
        bench.upstream.answer = { request in
            .chunked(ResponseHead(201, fields: ["X-Size": "\(request.body.count)"]), Self.content)
        }
        let answer = try bench.origin.ask(method, "/a?b", Self.fields, Self.content)
        #expect(answer.status == 201 && answer["X-Size"] == "700000")
        #expect(answer.body == Self.content)
        let request = try #require(bench.upstream.requests.first)
        #expect(request.head.method == method && request.head.target == "/a?b")
        #expect(request.body == Self.content && bench.upstream.requests.count == 1)
        #expect(!request.head.fields.contains("X-Hop"))
        #expect(request.head.fields.values("X-One") == ["1", "2"])
    }

    @Test func `OPTIONS is answered by the server, and says what uploads are taken`() throws {
        let bench = try Bench()
        bench.upstream.answer = { _ in
            let fields: HeaderFields = ["Allow": "GET", "Access-Control-Max-Age": "5"]
            return .response(ResponseHead(200, fields: fields), [])
        }
        let answer = try bench.origin.ask("OPTIONS", "/a")
        #expect(answer.status == 200 && answer["Allow"] == "GET")
        #expect(answer["Access-Control-Max-Age"] == "5" && answer["Tus-Version"] == "1.0.0")
        bench.upstream.answer = { _ in .response(ResponseHead(501), [1]) }
        let refused = try bench.origin.ask("OPTIONS", "/a")
        #expect(refused.status == 204 && refused["Tus-Version"] == "1.0.0")
        #expect(bench.upstream.requests.count == 2)
        #expect(try bench.origin.ask("OPTIONS", "/.uploads/x").status == 204)
        #expect(bench.upstream.requests.count == 2)
    }

    @Test func `pages are refused by the server alone`() throws {
        let bench = try Bench()
        let fields = [("Origin", "https://example.com")]
        #expect(try bench.origin.ask("POST", "/a", fields, [1]).status == 200)
        let dialect = UploadDialect(version: 8)
        let upload = try bench.origin.ask("POST", "/a", dialect.creation(last: true) + fields, [1])
        #expect(upload.status == 200 && bench.upstream.requests.count == 2)
        #expect(bench.upstream.requests.allSatisfy { $0.head.fields["Origin"] != nil })
    }

    @Test func `GET and HEAD are answered by the server`() throws {
        let bench = try Bench()
        bench.upstream.answer = { _ in .response(ResponseHead(200), Self.content) }
        #expect(try bench.origin.ask("GET", "/a").body == Self.content)
        let head = try bench.origin.ask("HEAD", "/a")
        #expect(head.status == 200 && head["Content-Length"] == "700000" && head.body.isEmpty)
        #expect(bench.upstream.requests.map(\.head.method) == ["GET", "HEAD"])
        #expect(bench.upstream.requests.allSatisfy { $0.head.fields["Content-Length"] == nil })
    }

    @Test func `chunks are passed on as chunks`() throws {
        let bench = try Bench()
        let client = try bench.origin.client()
        try client.send("POST", "/a", [("Transfer-Encoding", "chunked")])
        try client.send(Array("3\r\nabc\r\n".utf8))
        bench.origin.settle()
        try client.send(Array("2\r\nde\r\n0\r\n\r\n".utf8))
        #expect(try client.response().text == "kept")
        let request = try #require(bench.upstream.requests.first)
        #expect(request.body == Array("abcde".utf8))
        #expect(request.head.fields["Transfer-Encoding"] == "chunked")
    }

    @Test func `a request for a server that is away is answered by 502`() throws {
        let bench = try Bench()
        bench.close()
        let answer = try bench.origin.ask("POST", "/a", [], [1])
        #expect(answer.status == 502 && answer.text.contains("connection refused"))
    }

    @Test func `an answer that is cut is cut for the client`() throws {
        let bench = try Bench()
        bench.upstream.answer = { _ in .silence }
        let client = try bench.origin.client()
        try client.send("POST", "/a", [], [1])
        #expect(bench.origin.run { bench.upstream.requests.count == 1 })
        bench.close()
        let answer = try client.response()
        #expect(answer.status == 502)
    }

    @Test func `a client that goes takes its request with it`() throws {
        let bench = try Bench()
        let client = try bench.origin.client()
        try client.send("POST", "/a", [("Content-Length", "9")], nil)
        try client.send([1, 2])
        bench.origin.settle()
        client.reset()
        bench.origin.settle()
        #expect(bench.origin.records.map(\.outcome) == [.lost])
        #expect(bench.upstream.requests.isEmpty)
    }
}
