import ResumableServer
import HTTPWire
import SystemIO
import Testing

@testable import Origin

/// Uploads by tus 1.0.0 and its extensions.
@Suite struct TusUploadTests {
    private let content = KnownContent(seed: 6).bytes(0..<300_000)
    private let version = ("Tus-Resumable", "1.0.0")
    private let type = ("Content-Type", "application/offset+octet-stream")

    private func create(
        _ origin: LiveOrigin,
        _ fields: [(String, String)],
        _ body: [UInt8]? = nil
    ) throws -> RawResponse {
        try origin.ask("POST", "/files/", [version] + fields, body)
    }

    private func append(
        _ origin: LiveOrigin,
        _ place: String,
        at offset: Int,
        _ bytes: [UInt8],
        _ more: [(String, String)] = []
    ) throws -> RawResponse {
        let fields = [version, type, ("Upload-Offset", "\(offset)")] + more
        return try origin.ask("PATCH", place, fields, bytes)
    }

    @Test func `an upload is created, appended to and complete with its last byte`() throws {
        let origin = try LiveOrigin()
        let metadata = "filename \(Base64.encode(Array("../../etc/my file.txt".utf8))),empty"
        let created = try create(
            origin,
            [("Upload-Length", "300000"), ("Upload-Metadata", metadata)]
        )
        #expect(created.status == 201 && created["Tus-Resumable"] == "1.0.0")
        let place = try #require(created["Location"])
        let first = try append(origin, place, at: 0, Array(content[..<100_000]))
        #expect(first.status == 204 && first.offset == 100_000)
        let status = try origin.ask("HEAD", place, [version])
        #expect(status.status == 200 && status.offset == 100_000)
        #expect(status["Upload-Length"] == "300000" && status["Upload-Metadata"] == metadata)
        #expect(status["Cache-Control"] == "no-store")
        let last = try append(origin, place, at: 100_000, Array(content[100_000...]))
        #expect(last.status == 204 && last.offset == 300_000)
        #expect(origin.folder.bytes("files/my file.txt") == content)
        #expect(try append(origin, place, at: 300_000, []).status == 204)
        #expect(try origin.state().uploads.map(\.completions) == [1])
    }

    @Test func `an upload can begin with the creation, and its length come later`() throws {
        let origin = try LiveOrigin()
        let body = Array(content[..<10])
        let created = try create(origin, [("Upload-Defer-Length", "1"), type], body)
        #expect(created.status == 201 && created.offset == 10)
        let place = try #require(created["Location"])
        #expect(try origin.ask("HEAD", place, [version])["Upload-Defer-Length"] == "1")
        let rest = Array(content[10..<20])
        let length = [("Upload-Length", "20")]
        #expect(try append(origin, place, at: 10, rest, length).status == 204)
        #expect(try origin.state().uploads.first?.state == "complete")
    }

    @Test func `a chunk is kept only if its checksum is right`() throws {
        let origin = try LiveOrigin()
        let place = try #require(try create(origin, [("Upload-Length", "5")])["Location"])
        func checksum(_ bytes: [UInt8]) -> [(String, String)] {
            let digest = Digest(.sha1)
            digest.update(bytes)
            return [("Upload-Checksum", "sha1 \(Base64.encode(digest.value))")]
        }
        let hello = Array("hello".utf8)
        #expect(try append(origin, place, at: 0, hello, checksum([1])).status == 460)
        #expect(try origin.ask("HEAD", place, [version]).offset == 0)
        let unknown = [("Upload-Checksum", "md5 AAAA")]
        #expect(try append(origin, place, at: 0, hello, unknown).status == 400)
        #expect(try append(origin, place, at: 0, hello, checksum(hello)).status == 204)
        #expect(try origin.state().uploads.first?.digest == SHA256.hexadecimal(hello))
    }

    @Test func `parts become one upload`() throws {
        let origin = try LiveOrigin()
        let places = try [0..<100_000, 100_000..<300_000].map { range in
            let fields = [("Upload-Length", "\(range.count)"), ("Upload-Concat", "partial"), type]
            let created = try create(origin, fields, Array(content[range]))
            return try #require(created["Location"])
        }
        let concat = "final;" + places.joined(separator: " ")
        let joined = try create(origin, [("Upload-Concat", concat)])
        #expect(joined.status == 201)
        let place = try #require(joined["Location"])
        let status = try origin.ask("HEAD", place, [version])
        #expect(status.offset == 300_000 && status["Upload-Concat"] == concat)
        #expect(try append(origin, place, at: 300_000, [1]).status == 403)
        let upload = try #require(try origin.state().uploads.last)
        #expect(upload.digest == SHA256.hexadecimal(content))
        let path = try #require(upload.path)
        #expect(try origin.ask("GET", path).body == content)
    }

    @Test func `what is wrong is refused and changes nothing`() throws {
        let origin = try LiveOrigin { $0.uploads.limits.maxSize = 1_000 }
        let place = try #require(try create(origin, [("Upload-Length", "10")])["Location"])
        #expect(try append(origin, place, at: 3, [1]).status == 409)
        #expect(try append(origin, place, at: 0, Array(content[..<11])).status == 413)
        let untyped = [version, ("Upload-Offset", "0")]
        #expect(try origin.ask("PATCH", place, untyped, [1]).status == 415)
        let old = [("Tus-Resumable", "0.2.0"), type, ("Upload-Offset", "0")]
        let refused = try origin.ask("PATCH", place, old, [1])
        #expect(refused.status == 412 && refused["Tus-Version"] == "1.0.0")
        #expect(try create(origin, [("Upload-Length", "1001")]).status == 413)
        #expect(try create(origin, []).status == 400)
        #expect(try origin.ask("HEAD", place, [version]).offset == 0)
    }

    @Test func `an upload that is ended is gone, and a method may be named by a field`() throws {
        let origin = try LiveOrigin()
        let place = try #require(try create(origin, [("Upload-Length", "10")])["Location"])
        let fields = [version, ("X-HTTP-Method-Override", "DELETE")]
        #expect(try origin.ask("POST", place, fields).status == 204)
        #expect([404, 410].contains(try origin.ask("HEAD", place, [version]).status))
    }

    @Test func `an upload says when it ends, and ends then`() throws {
        let origin = try LiveOrigin { $0.uploads.lifetime = 60 }
        let created = try create(origin, [("Upload-Length", "10"), type], [1, 2])
        let ends = HTTPDate(secondsSince1970: origin.clock.now + 60).text
        #expect(created["Upload-Expires"] == ends)
        let place = try #require(created["Location"])
        origin.clock.now += 59
        #expect(try append(origin, place, at: 2, [3])["Upload-Expires"] == ends)
        origin.clock.now += 1
        #expect([404, 410].contains(try origin.ask("HEAD", place, [version]).status))
        #expect(try origin.state().uploads.first?.state == "expired")
        #expect(!origin.folder.names(".linkcond/uploads").contains { $0.hasSuffix(".data") })
    }

    @Test func `tus can be turned off`() throws {
        let origin = try LiveOrigin { $0.uploads.offersTus = false }
        let answer = try create(origin, [("Upload-Length", "3")], [1, 2, 3])
        #expect(answer["Tus-Resumable"] == nil && answer["Location"]?.hasPrefix("/files/") == true)
    }
}
