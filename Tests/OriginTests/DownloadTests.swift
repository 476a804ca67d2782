import HTTPTransport
import HTTPWire
import SystemIO
import Testing

@testable import Origin

/// S1 to S3 of what a resuming client relies on, and the rest of RFC 9110 for objects.
@Suite struct DownloadTests {
    private let content = KnownContent(seed: 3).bytes(0..<1_000)

    private func origin(
        _ change: (inout OriginConfiguration) -> Void = { _ in }
    ) throws -> LiveOrigin {
        let folder = try OriginFolder()
        try folder.write("a.txt", content)
        let origin = try LiveOrigin(folder: folder, change)
        // Long after the file was written, so that its date is a strong validator.
        origin.clock.now = Int(WallClock.secondsSince1970) + 100
        return origin
    }

    // MARK: S1 to S3

    @Test func `S1: a download says that it can be resumed, with a strong tag and a date`() throws {
        let response = try origin().ask("GET", "/a.txt")
        #expect(response.status == 200 && response.body == content)
        #expect(response["Accept-Ranges"] == "bytes")
        #expect(response["ETag"].map { $0.hasPrefix("\"s-") } == true)
        #expect(response["Last-Modified"] != nil && response["Date"] != nil)
        #expect(response["Content-Type"] == "text/plain; charset=utf-8")
    }

    @Test func `S2: Range with If-Range continues, or begins anew when the object has changed`()
        throws
    {
        let origin = try origin()
        let tag = try #require(try origin.ask("GET", "/a.txt")["ETag"])
        let fields = [("Range", "bytes=400-"), ("If-Range", tag)]
        let rest = try origin.ask("GET", "/a.txt", fields)
        #expect(rest.status == 206 && rest.body == Array(content[400...]))
        #expect(rest["Content-Range"] == "bytes 400-999/1000" && rest["ETag"] == tag)
        try origin.folder.write("a.txt", content.reversed())
        let other = try origin.ask("GET", "/a.txt", fields)
        #expect(other.status == 200 && other.body == content.reversed())
        #expect(other["ETag"] != tag && other["Content-Range"] == nil)
    }

    @Test func `S3: what resuming needs can be taken away piece by piece`() throws {
        let noRanges = try origin { $0.objects.takesRanges = false }
            .ask("GET", "/a.txt", [("Range", "bytes=1-2")])
        #expect(noRanges.status == 200 && noRanges["Accept-Ranges"] == nil)
        let weak = try origin { $0.objects.tags = .weak }
        let tag = try #require(try weak.ask("HEAD", "/a.txt")["ETag"])
        #expect(tag.hasPrefix("W/"))
        let resumed = try weak.ask("GET", "/a.txt", [("Range", "bytes=1-2"), ("If-Range", tag)])
        #expect(resumed.status == 200)
        let none = try origin {
            $0.objects.tags = .none
            $0.objects.dates = .none
        }.ask("GET", "/a.txt")
        #expect(none["ETag"] == nil && none["Last-Modified"] == nil)
        let coarse = try origin { $0.objects.dates = .coarse }
        for (origin, status) in [(coarse, 200), (try self.origin(), 206)] {
            let date = try #require(try origin.ask("HEAD", "/a.txt")["Last-Modified"])
            let range = [("Range", "bytes=1-2"), ("If-Range", date)]
            #expect(try origin.ask("GET", "/a.txt", range).status == status)
        }
        let one = try origin { $0.objects.takesSeveralRanges = false }
        #expect(try one.ask("GET", "/a.txt", [("Range", "bytes=1-2,900-910")]).status == 200)
        #expect(try one.ask("GET", "/a.txt", [("Range", "bytes=1-2")]).status == 206)
    }

    // MARK: Framing

    @Test(
        arguments: [
            (.chunked, "chunked", nil), (.close, nil, "close"), (.length, nil, nil),
        ] as [(ContentFraming, String?, String?)]
    )
    func `objects say where they end as was asked for, also in parts and to HEAD`(
        framing: ContentFraming,
        coding: String?,
        connection: String?
    ) throws {
        let origin = try origin { $0.objects.framing = framing }
        let asked: [([(String, String)], Int, [UInt8])] = [
            ([], 200, content), ([("Range", "bytes=400-")], 206, Array(content[400...])),
            ([("Range", "bytes=10-19")], 206, Array(content[10..<20])),
        ]
        for (fields, status, expected) in asked {
            for target in ["/a.txt", "/bytes/1000?seed=3"] {
                for method in ["GET", "HEAD"] {
                    let response = try origin.ask(method, target, fields)
                    let isWhole = method == "HEAD" || status == 200
                    #expect(response.status == (method == "HEAD" ? 200 : status))
                    #expect(response.body == (method == "HEAD" ? [] : expected))
                    #expect(response["Transfer-Encoding"] == coding)
                    #expect(response["Connection"] == connection)
                    let count = method == "HEAD" ? content.count : expected.count
                    #expect(response["Content-Length"] == (framing == .length ? "\(count)" : nil))
                    #expect((response["Content-Range"] == nil) == isWhole)
                }
            }
        }
    }

    @Test(arguments: [ContentFraming.chunked, .close])
    func `what is no content of an object keeps its length`(framing: ContentFraming) throws {
        let origin = try origin { $0.objects.framing = framing }
        for (target, fields) in [
            ("/nothing", []), ("/a.txt", [("Range", "bytes=1000-")]),
            ("/a.txt", [("If-Match", "\"x\"")]), ("/", []),
        ] {
            let response = try origin.ask("GET", target, fields)
            #expect(response["Content-Length"] == "\(response.body.count)")
            #expect(response["Transfer-Encoding"] == nil)
        }
    }

    // MARK: Ranges

    @Test(arguments: [
        ("bytes=0-0", 0..<1), ("bytes=5-9", 5..<10), ("bytes=990-2000", 990..<1_000),
        ("bytes=-10", 990..<1_000), ("bytes=-5000", 0..<1_000), ("bytes=999-", 999..<1_000),
    ])
    func `a single range is answered by these bytes`(field: String, range: Range<Int>) throws {
        for target in ["/a.txt", "/bytes/1000?seed=3"] {
            let response = try origin().ask("GET", target, [("Range", field)])
            #expect(response.status == 206 && response.body == Array(content[range]))
            let place = "bytes \(range.lowerBound)-\(range.upperBound - 1)/1000"
            #expect(response["Content-Range"] == place)
        }
    }

    @Test(arguments: ["bytes=1000-", "bytes=-0", "bytes=5000-6000"])
    func `a range beyond the end is answered by 416 and the size`(field: String) throws {
        let response = try origin().ask("GET", "/a.txt", [("Range", field)])
        #expect(response.status == 416 && response["Content-Range"] == "bytes */1000")
    }

    @Test(arguments: ["lines=1-2", "bytes=2-1", "bytes=x", "bytes=", "bytes 1-2"])
    func `a range that is none is ignored`(field: String) throws {
        let response = try origin().ask("GET", "/a.txt", [("Range", field)])
        #expect(response.status == 200 && response.body == content)
    }

    @Test func `several ranges come in parts`() throws {
        let response = try origin().ask("GET", "/a.txt", [("Range", "bytes=0-9,500-509,-10")])
        #expect(response.status == 206 && response["Content-Range"] == nil)
        let type = try #require(response["Content-Type"].flatMap { MediaType($0) })
        #expect(type.essence == "multipart/byteranges")
        let boundary = try #require(type.parameters["boundary"])
        var reader = try #require(MultipartReader(boundary: boundary))
        var parts: [[UInt8]] = []
        var places: [String?] = []
        var rest = response.body
        while !rest.isEmpty {
            let step = try reader.next(rest.span)
            switch step.event {
            case .part(let fields):
                places.append(fields["Content-Range"])
                parts.append([])
            case .content(let range): parts[parts.count - 1] += rest[range]
            case .heldContent(let held): parts[parts.count - 1] += held
            case .partEnd, .end, nil: break
            }
            rest.removeFirst(step.consumed)
        }
        try reader.finish()
        #expect(parts == [0..<10, 500..<510, 990..<1_000].map { Array(content[$0]) })
        #expect(places == ["bytes 0-9/1000", "bytes 500-509/1000", "bytes 990-999/1000"])
    }

    @Test func `HEAD says what GET would, without content`() throws {
        let origin = try origin()
        for target in ["/a.txt", "/bytes/70000", "/"] {
            let get = try origin.ask("GET", target)
            let head = try origin.ask("HEAD", target)
            #expect(head.body.isEmpty && head.status == 200)
            #expect(head["Content-Length"] == "\(get.body.count)")
            #expect(head["ETag"] == get["ETag"])
        }
        #expect(try origin.ask("HEAD", "/a.txt", [("Range", "bytes=1-2")]).status == 200)
    }

    // MARK: Preconditions

    @Test func `preconditions are asked in the order of RFC 9110`() throws {
        let origin = try origin()
        let first = try origin.ask("GET", "/a.txt")
        let (tag, date) = (try #require(first["ETag"]), try #require(first["Last-Modified"]))
        let cases: [([(String, String)], Int)] = [
            ([("If-None-Match", tag)], 304), ([("If-None-Match", "W/\(tag)")], 304),
            ([("If-None-Match", "*")], 304), ([("If-None-Match", "\"x\", \(tag)")], 304),
            ([("If-None-Match", "\"x\"")], 200), ([("If-Match", tag)], 200),
            ([("If-Match", "\"x\"")], 412), ([("If-Match", "W/\(tag)")], 412),
            ([("If-Modified-Since", date)], 304),
            ([("If-Modified-Since", "Thu, 01 Jan 1970 00:00:00 GMT")], 200),
            ([("If-Unmodified-Since", "Thu, 01 Jan 1970 00:00:00 GMT")], 412),
            ([("If-Unmodified-Since", date)], 200),
            ([("If-None-Match", "\"x\""), ("If-Modified-Since", date)], 200),
            ([("If-Match", "\"x\""), ("Range", "bytes=0-0")], 412),
            ([("If-None-Match", tag), ("Range", "bytes=0-0")], 304),
            ([("Range", "bytes=0-0"), ("If-Range", date)], 206),
            ([("Range", "bytes=0-0"), ("If-Range", "\"x\"")], 200),
        ]
        for (fields, status) in cases {
            #expect(try origin.ask("GET", "/a.txt", fields).status == status, "\(fields)")
        }
        let notModified = try origin.ask("GET", "/a.txt", [("If-None-Match", tag)])
        #expect(notModified["ETag"] == tag && notModified.body.isEmpty)
    }

    // MARK: Objects

    @Test func `equal content has equal tags, other content another`() throws {
        let origin = try origin()
        try origin.folder.write("b.txt", content)
        try origin.folder.write("c.txt", content + [0])
        let tags = try ["/a.txt", "/b.txt", "/c.txt"].map { try origin.ask("HEAD", $0)["ETag"] }
        #expect(tags[0] == tags[1] && tags[0] != tags[2])
    }

    @Test func `a file that is overwritten at once, with its size, gets another tag`() throws {
        let origin = try origin()
        var tags: Set<String> = []
        for byte in UInt8(0)..<20 {
            try origin.folder.write("a.txt", [byte])
            tags.insert(try #require(try origin.ask("HEAD", "/a.txt")["ETag"]))
        }
        #expect(tags.count == 20)
    }

    @Test func `computed content of any size needs no disk`() throws {
        let origin = try origin()
        let size = UInt64(1) << 50
        let head = try origin.ask("HEAD", "/bytes/\(size)")
        #expect(head["Content-Length"] == "\(size)")
        let end = try origin.ask("GET", "/bytes/\(size)?seed=9", [("Range", "bytes=-5")])
        #expect(end.body == KnownContent(seed: 9).bytes(size - 5..<size))
        #expect(try origin.ask("GET", "/bytes/\(size + 1)").status == 404)
        #expect(try origin.ask("GET", "/bytes/x").status == 404)
        #expect(try origin.ask("GET", "/bytes/1?x=2").status == 400)
        #expect(try origin.ask("GET", "/bytes/0").status == 200)
        #expect(try origin.ask("GET", "/bytes/0", [("Range", "bytes=0-")]).status == 200)
    }

    @Test func `a sparse file of more than 4 GiB gives the right bytes beyond them`() throws {
        let origin = try origin()
        let file = try origin.folder.folder.file("big.bin", for: .writing, creation: .ifMissing)
        let place = UInt64(5) << 30
        try file.write(Array("needle".utf8), at: place)
        let range = "bytes=\(place - 2)-\(place + 5)"
        let response = try origin.ask("GET", "/big.bin", [("Range", range)])
        #expect(response.status == 206 && response.body == [0, 0] + Array("needle".utf8))
        #expect(response["Content-Range"] == "bytes \(place - 2)-\(place + 5)/\(place + 6)")
        let tag = try #require(response["ETag"])
        #expect(!tag.hasPrefix("W/"))
        try file.write([1], at: place + 6)
        let client = try origin.client()
        try client.send("GET", "/big.bin", [("Range", range), ("If-Range", tag)])
        #expect(try client.head().status == 200)
    }

    @Test func `a folder is listed as HTML, or as JSON for who likes that better`() throws {
        let origin = try origin()
        try origin.folder.write("<b>&.txt", [1])
        let html = try origin.ask("GET", "/")
        #expect(html["Content-Type"] == "text/html; charset=utf-8")
        #expect(html.text.contains("<a href=\"./%3Cb%3E%26.txt\">&lt;b&gt;&amp;.txt</a>"))
        #expect(!html.text.contains(".linkcond"))
        let json = try origin.ask("GET", "/", [("Accept", "application/json")])
        #expect(json["Content-Type"] == "application/json")
        #expect(json.text.contains("{\"name\":\"a.txt\",\"type\":\"file\",\"size\":1000,"))
        #expect(try origin.ask("GET", "/files")["Location"] == "/files/")
        #expect(try origin.ask("GET", "/%3Cb%3E%26.txt").body == [1])
    }

    @Test func `methods that objects do not take are refused by name`() throws {
        let origin = try origin()
        let refused = try origin.ask("DELETE", "/a.txt")
        #expect(refused.status == 405 && refused["Allow"] == "GET, HEAD, OPTIONS")
        #expect(try origin.ask("OPTIONS", "/a.txt").status == 204)
        #expect(try origin.ask("GET", "/nothing").status == 404)
    }

    @Test func `what was given is in the state and in the log`() throws {
        let origin = try origin()
        _ = try origin.ask("GET", "/a.txt")
        _ = try origin.ask("GET", "/a.txt", [("Range", "bytes=0-9")])
        _ = try origin.ask("HEAD", "/a.txt")
        origin.settle()
        let object = try #require(try origin.state().objects.first)
        #expect(object.path == "/a.txt" && object.size == 1_000 && object.requests == 3)
        #expect(object.whole == 1 && object.parts == 1 && object.bytes > 1_010)
        #expect(origin.records.map(\.status) == [200, 206, 200])
        #expect(origin.records[1].request.contains { $0.name == "Range" })
        #expect(origin.records[1].response.contains { $0.value == "bytes 0-9/1000" })
        #expect(origin.records.allSatisfy { $0.outcome == .answered })
    }

    @Test func `a client that leaves in the middle of a download is noted`() throws {
        let origin = try origin()
        let client = try origin.client()
        try client.send("GET", "/bytes/100000000")
        _ = try client.head()
        client.reset()
        #expect(origin.run { !origin.records.isEmpty })
        #expect(origin.records.first?.outcome == .lost)
        #expect(try origin.state().objects.first?.whole == 0)
    }

    @Test func `interim responses come before the answer`() throws {
        let origin = try origin { $0.interims = [102, 103] }
        let response = try origin.ask("GET", "/a.txt")
        #expect(response.interims.map(\.status) == [102, 103] && response.status == 200)
        let old = try origin.client()
        old.expect("GET")
        try old.send(Array("GET /a.txt HTTP/1.0\r\n\r\n".utf8))
        #expect(try old.response().interims.isEmpty)
    }
}
