import Basics
import HTTPWire
import SystemIO
import ResumableServer
import Testing

@testable import Origin

/// Every misbehaviour that can be asked for, seen by a client.
@Suite struct MisbehaviourTests {
    private let content = KnownContent(seed: 3).bytes(0..<1_000)
    private let range = [("Range", "bytes=100-199")]
    private let dialect = UploadDialect(version: 6)

    private func origin(_ rules: String) throws -> LiveOrigin {
        let origin = try LiveOrigin { $0.misbehaviour = rules }
        return origin
    }

    private func get(
        _ origin: LiveOrigin,
        _ fields: [(String, String)] = []
    ) throws -> RawResponse {
        try origin.ask("GET", "/bytes/1000?seed=3", fields)
    }

    // MARK: Answers

    @Test func `the first requests are refused, with a time to wait in both forms`() throws {
        let origin = try origin("object:503@1-2,retry-after=7; object:429@3,retry-after-date=9")
        for _ in 0..<2 {
            let refused = try get(origin)
            #expect(refused.status == 503 && refused["Retry-After"] == "7")
        }
        let dated = try get(origin)
        #expect(dated.status == 429)
        #expect(dated["Retry-After"] == HTTPDate(secondsSince1970: origin.clock.now + 9).text)
        #expect(try get(origin).status == 200)
        #expect(
            origin.records.prefix(2).map(\.misbehaviour) == [
                ["503,retry-after=7"], ["503,retry-after=7"],
            ]
        )
    }

    // MARK: Objects

    @Test func `a range is ignored, cut short, moved or described wrongly`() throws {
        let ignored = try get(origin("ignore-range@1"), range)
        #expect(ignored.status == 200 && ignored.body == content)
        let short = try get(origin("short=10"), range)
        #expect(short.status == 206 && short.body == Array(content[100..<110]))
        #expect(short["Content-Range"] == "bytes 100-109/1000")
        let moved = try get(origin("shift-range=-50"), range)
        #expect(moved.body == Array(content[50..<150]))
        #expect(moved["Content-Range"] == "bytes 50-149/1000")
        let wrong = try get(origin("wrong-total"), range)
        #expect(wrong["Content-Range"] == "bytes 100-199/1001")
        let silent = try get(origin("no-content-range"), range)
        #expect(silent.status == 206 && silent["Content-Range"] == nil)
        let partial = try get(origin("200-partial"), range)
        #expect(partial.status == 200 && partial.body == Array(content[100..<200]))
        #expect(try get(origin("304"), range).status == 304)
        #expect(try get(origin("416"), range).status == 416)
    }

    @Test func `validators are made weak or left out`() throws {
        let weak = try get(origin("etag=weak@2; last-modified=none@3; etag=none@3"))
        #expect(weak["ETag"]?.hasPrefix("\"") == true)
        let origin = try origin("etag=weak@2; last-modified=none@3; etag=none@3")
        let tags = try (0..<3).map { _ in try get(origin) }
        #expect(tags[1]["ETag"]?.hasPrefix("W/\"") == true)
        #expect(tags[2]["ETag"] == nil && tags[2]["Last-Modified"] == nil)
    }

    @Test func `an object changes between two requests, and parts of both do not fit`() throws {
        for rule in ["mutate=same-size@2", "mutate=grow@2", "mutate=shrink@2"] {
            let origin = try origin(rule)
            let first = try get(origin)
            let tag = try #require(first["ETag"])
            let fields = [("Range", "bytes=100-"), ("If-Range", tag)]
            let second = try get(origin, fields)
            #expect(second.status == 200 && second["ETag"] != tag)
            let shared = min(first.body.count, second.body.count)
            #expect((0..<shared).allSatisfy { first.body[$0] != second.body[$0] })
            let again = try get(origin)
            #expect(again.body == second.body && again["ETag"] == second["ETag"])
        }
    }

    @Test func `a cache gives what was there before the change, but not to one that refuses it`()
        throws
    {
        let origin = try origin("mutate=grow@2; stale=600@3-")
        let first = try get(origin)
        let changed = try get(origin)
        let stale = try get(origin)
        #expect(changed.body != first.body && changed["Age"] == nil)
        #expect(stale.body == first.body && stale["ETag"] == first["ETag"])
        #expect(stale["Age"] == "600")
        let continued = try get(
            origin,
            [("Range", "bytes=100-"), ("If-Range", try #require(changed["ETag"]))]
        )
        #expect(continued.status == 200 && continued.body == first.body)
        for directive in ["no-cache", "max-age=599, no-transform", "No-Store"] {
            let fresh = try get(origin, [("Cache-Control", directive)])
            #expect(fresh.body == changed.body && fresh["Age"] == nil, "\(directive)")
        }
        for directive in ["max-age=600", "no-transform", "max-age=x"] {
            #expect(try get(origin, [("Cache-Control", directive)]).body == first.body)
        }
        #expect(origin.records.count { $0.misbehaviour.contains("stale=600") } == 5)
    }

    @Test func `an object lies about its change`() throws {
        let dateOnly = try origin("mutate=lm-only@2")
        let first = try get(dateOnly)
        let second = try get(dateOnly)
        #expect(first["ETag"] == nil && second["ETag"] == nil && first.body != second.body)
        #expect(first["Last-Modified"] != second["Last-Modified"])
        let touched = try origin("mutate=touch@2")
        let before = try get(touched)
        let after = try get(touched)
        #expect(before.body == after.body && before["ETag"] != after["ETag"])
    }

    @Test func `a file changes as computed content does`() throws {
        let folder = try OriginFolder()
        try folder.write("a", content)
        let origin = try LiveOrigin(folder: folder) { $0.misbehaviour = "mutate=grow@2" }
        #expect(try origin.ask("GET", "/a").body == content)
        let grown = try origin.ask("GET", "/a")
        #expect(grown.body.count == 1_100)
        #expect(zip(grown.body, content).allSatisfy { $0 != $1 })
        #expect(folder.bytes("a") == content)
    }

    // MARK: Uploads

    /// Creates an upload with its first bytes.
    private func create(_ origin: LiveOrigin, _ bytes: [UInt8]) throws -> String {
        let fields = dialect.creation(last: false)
        return try #require(try origin.ask("POST", "/files/a", fields, bytes)["Location"])
    }

    @Test func `104 is not sent`() throws {
        let origin = try origin("drop-104@1")
        let fields = dialect.creation(last: true)
        #expect(try origin.ask("POST", "/files/a", fields, content).interims.isEmpty)
        #expect(try origin.ask("POST", "/files/a", fields, content).interims.count == 1)
        #expect(origin.records.first?.misbehaviour == ["drop-104"])
    }

    @Test func `an upload is forgotten`() throws {
        let origin = try origin("status:forget@2")
        let place = try create(origin, content)
        #expect(try origin.ask("HEAD", place, [dialect.marker]).offset == 1_000)
        #expect(try origin.ask("HEAD", place, [dialect.marker]).status == 404)
        #expect(origin.folder.names(".linkcond/uploads").isEmpty)
    }

    @Test func `the last bytes of an upload are lost, and the rest is still right`() throws {
        let origin = try origin("append:lose=300@1")
        let place = try create(origin, content)
        let fields = dialect.append(at: 1_000, last: true)
        let refused = try origin.ask("PATCH", place, fields, [1])
        #expect(refused.status == 409 && refused.offset == 700)
        let rest = Array(content[700...])
        let end = dialect.append(at: 700, last: true)
        #expect(try origin.ask("PATCH", place, end, rest).status == 201)
        #expect(origin.folder.bytes("files/a") == content)
    }

    @Test func `the final answer is slow`() throws {
        let origin = try origin("creation:slow-final=300ms")
        let began = origin.loop.now
        let answer = try origin.ask("POST", "/files/a", dialect.creation(last: true), content)
        #expect(answer.status == 201)
        #expect(origin.loop.now - began >= .milliseconds(300))
    }

    @Test func `a final answer may be slower than any clock`() throws {
        let origin = try origin("creation:slow-final=1125899906842624ms")
        let client = try origin.client()
        try client.send("POST", "/files/a", dialect.creation(last: true), content)
        #expect(origin.run { origin.folder.bytes("files/a") == content })
    }

    // MARK: While it runs

    @Test func `rules are read, set and taken back over HTTP`() throws {
        let origin = try origin("object:503@1")
        let place = "/.linkcond/misbehaviour"
        let json = [("Accept", "application/json")]
        #expect(
            try origin.ask("GET", place, json).text == "{\"misbehaviour\":\"object:503@1\"}\n"
        )
        let rules = Array("object:500@2;\nignore-range".utf8)
        #expect(try origin.ask("PUT", place, [], rules).text == "object:500@2\nignore-range\n")
        #expect(try origin.ask("GET", place).text == "object:500@2\nignore-range\n")
        #expect(try get(origin, range).status == 200)
        #expect(try get(origin).status == 500)
        let wrong = try origin.ask("PUT", place, [], Array("object:nonsense".utf8))
        #expect(wrong.status == 400 && wrong.text.hasPrefix("misbehaviour:8: error: "))
        #expect(try get(origin, range).body == content)
        #expect(try origin.ask("DELETE", place).text.hasPrefix("No rules."))
        #expect(try get(origin, range).status == 206)
        let refused = try origin.ask("POST", place)
        #expect(
            refused.status == 405 && refused.text == "This takes \(refused["Allow"] ?? "") only.\n"
        )
    }

    @Test func `rules that cannot be read stop the start`() {
        #expect(throws: OriginError.self) { try LiveOrigin { $0.misbehaviour = "x" } }
    }

    @Test func `every effect has the words of a rule`() throws {
        let texts = [
            "503", "503,retry-after=1", "503,retry-after-date=1", "drop-104", "forget", "lose=1",
            "slow-final=1ms", "mutate=grow", "etag=weak", "last-modified=none", "ignore-range",
            "shift-range=-1", "no-content-range", "wrong-total", "304", "416", "200-partial",
            "short=1", "multipart", "gzip", "false-gzip", "stale=1", "max-append-size=1",
            "max-size=1",
        ]
        for text in texts {
            let rule = try #require(try Misbehaviour(parsing: text).rules.first)
            #expect(rule.effect.text == text)
        }
    }
}
