import ResumableServer
import HTTPWire
import SystemIO
import Testing

@testable import Origin

/// S6 to S10 of what a resuming client relies on: uploads by the IETF's drafts.
@Suite struct UploadServiceTests {
    private let content = KnownContent(seed: 5).bytes(0..<700_000)

    /// Creates an upload by a request that is cut after some bytes of its body.
    private func interrupted(
        _ origin: LiveOrigin,
        _ dialect: UploadDialect,
        target: String = "/files/a.bin",
        after count: Int
    ) throws -> String {
        let client = try origin.client()
        let fields = dialect.creation(last: true) + [("Content-Length", "\(content.count)")]
        try client.send("POST", target, fields)
        let announcement = try client.head()
        #expect(announcement.status == 104)
        #expect(announcement.fields["Upload-Draft-Interop-Version"] == "\(dialect.version)")
        try client.send(Array(content[..<count]))
        client.finish()
        _ = try? client.ending()
        return try #require(announcement.fields["Location"])
    }

    // MARK: S6 to S10

    @Test(arguments: UploadDialect.all)
    func `S6: an upload that is cut goes on from its offset and is kept whole`(
        dialect: UploadDialect
    ) throws {
        let origin = try LiveOrigin()
        let place = try interrupted(origin, dialect, after: 300_000)
        let status = try origin.ask("HEAD", place, [dialect.marker])
        #expect(status.offset == 300_000 && dialect.isComplete(status) == false)
        #expect(status["Cache-Control"] == "no-store" && status.status == 204)
        let rest = Array(content[300_000...])
        let fields = dialect.append(at: 300_000, last: true)
        let answer = try origin.ask("PATCH", place, fields, rest)
        #expect(answer.status == 201 && dialect.isComplete(answer) == true)
        #expect(answer.text == "{\"path\":\"/files/a.bin\",\"bytes\":700000}\n")
        #expect(try origin.ask("GET", "/files/a.bin").body == content)
        #expect(origin.folder.bytes("files/a.bin") == content)
        let upload = try #require(try origin.state().uploads.first)
        #expect(upload.state == "complete" && upload.bytes == 700_000)
        #expect(upload.creations == 1 && upload.completions == 1)
        #expect(upload.protocol == "ietf-\(dialect.version)")
        #expect(upload.digest == SHA256.hexadecimal(content))
    }

    @Test(arguments: UploadDialect.all)
    func `an upload in one request is announced, followed and answered`(
        dialect: UploadDialect
    ) throws {
        let origin = try LiveOrigin { $0.uploads.progressBytes = 100_000 }
        let answer = try origin.ask(
            "PUT",
            "/files/b.bin",
            dialect.creation(last: true),
            content
        )
        #expect(answer.status == 201 && dialect.isComplete(answer) == true)
        #expect(answer.interims.allSatisfy { $0.status == 104 })
        let offsets = answer.interims.compactMap { $0.fields["Upload-Offset"] }
        let steps = (1...6).map { "\($0 * 100_000)" }
        #expect(offsets == (dialect.version == 3 ? [] : steps))
        let places = answer.interims.compactMap { $0.fields["Location"] }
        #expect(places.count == 1)
        if dialect.version < 8 { #expect(answer["Location"] == places.first) }
        #expect(origin.folder.bytes("files/b.bin") == content)
    }

    @Test(arguments: UploadDialect.all)
    func `an upload can be made of empty creation, parts and an empty end`(
        dialect: UploadDialect
    ) throws {
        let origin = try LiveOrigin()
        let created = try origin.ask("POST", "/files/c", dialect.creation(last: false), [])
        #expect(created.status == 201 && dialect.isComplete(created) == false)
        let place = try #require(created["Location"])
        var offset = 0
        for size in [1, 65_536, 200_000] {
            let part = Array(content[offset..<offset + size])
            let fields = dialect.append(at: offset, last: false)
            let answer = try origin.ask("PATCH", place, fields, part)
            #expect(answer.status == (dialect.version == 8 ? 204 : 201))
            offset += size
        }
        let end = try origin.ask("PATCH", place, dialect.append(at: offset, last: true), [])
        #expect(end.status == 201)
        #expect(origin.folder.bytes("files/c") == Array(content[..<offset]))
    }

    @Test(arguments: UploadDialect.all)
    func `S7: without support the same request is a plain upload`(dialect: UploadDialect) throws {
        let origin = try LiveOrigin { $0.uploads.versions = [] }
        let fields = dialect.creation(last: true)
        let answer = try origin.ask("POST", "/files/a", fields, content)
        #expect(answer.status == 201 && answer.interims.isEmpty)
        #expect(answer["Location"] == "/files/a" && dialect.isComplete(answer) == nil)
        #expect(origin.folder.bytes("files/a") == content)
        let part = try origin.ask("POST", "/files/b", dialect.creation(last: false), content)
        #expect(part.status == 400 && origin.folder.bytes("files/b") == nil)
    }

    @Test(arguments: UploadDialect.all)
    func `S8: bytes are kept over any number of cuts`(dialect: UploadDialect) throws {
        let origin = try LiveOrigin()
        let place = try interrupted(origin, dialect, after: 1)
        var offset = 1
        while offset < content.count {
            let status = try origin.ask("HEAD", place, [dialect.marker])
            #expect(status.offset == offset)
            let client = try origin.client()
            let left = content.count - offset
            let fields =
                dialect.append(at: offset, last: true) + [("Content-Length", "\(left)")]
            try client.send("PATCH", place, fields)
            let count = min(97_531, left)
            try client.send(Array(content[offset..<offset + count]))
            if count < left {
                client.finish()
                _ = try? client.ending()
            } else {
                #expect(try client.response().status == 201)
            }
            offset += count
        }
        #expect(origin.folder.bytes("files/a.bin") == content)
        let uploads = try origin.state().uploads
        #expect(uploads.map(\.completions) == [1])
    }

    @Test func `S9: addresses of uploads cannot be guessed, unless a test wants them to be`() throws
    {
        let dialect = UploadDialect(version: 6)
        func places(_ naming: UploadNaming) throws -> [String] {
            let origin = try LiveOrigin { $0.naming = naming }
            return try (0..<20).map { _ in
                let fields = dialect.creation(last: false)
                return try #require(try origin.ask("POST", "/files/", fields, [])["Location"])
            }
        }
        let random = try places(.random)
        #expect(Set(random).count == 20)
        #expect(random.allSatisfy { $0.hasPrefix("/uploads/") && $0.utf8.count == 9 + 32 })
        #expect(try places(.random) != random)
        #expect(try places(.seeded(4)) == places(.seeded(4)))
        #expect(try places(.seeded(4)) != places(.seeded(5)))
    }

    @Test func `S10: other interim responses come beside 104`() throws {
        let origin = try LiveOrigin { $0.interims = [102, 103] }
        let dialect = UploadDialect(version: 6)
        let answer = try origin.ask("POST", "/files/a", dialect.creation(last: true), content)
        #expect(answer.interims.map(\.status).prefix(3) == [102, 103, 104])
        #expect(answer.interims.dropFirst(3).allSatisfy { $0.status == 104 })
    }

    // MARK: The end

    @Test(arguments: UploadDialect.all)
    func `the final answer can be asked for again, and the upload is complete once`(
        dialect: UploadDialect
    ) throws {
        let origin = try LiveOrigin()
        let place = try interrupted(origin, dialect, after: 10)
        let rest = Array(content[10...])
        let fields = dialect.append(at: 10, last: true)
        let first = try origin.ask("PATCH", place, fields, rest)
        let again = dialect.append(at: content.count, last: true)
        for _ in 0..<3 {
            let answer = try origin.ask("PATCH", place, again, [])
            if dialect.version == 6 {
                #expect(answer.status == 400)
            } else {
                #expect(answer.status == first.status && answer.body == first.body)
            }
        }
        #expect(try origin.ask("HEAD", place, [dialect.marker]).offset == content.count)
        #expect(try origin.state().uploads.map(\.completions) == [1])
        #expect(origin.folder.names("files") == ["a.bin"])
    }

    @Test(arguments: UploadDialect.all)
    func `DELETE ends an upload and frees its bytes`(dialect: UploadDialect) throws {
        let origin = try LiveOrigin { $0.limits.storedBytes = 700_000 }
        let place = try interrupted(origin, dialect, after: 600_000)
        #expect(try origin.ask("DELETE", place, [dialect.marker]).status == 204)
        let status = try origin.ask("HEAD", place, [dialect.marker]).status
        #expect(status == (dialect.version == 8 ? 410 : 404))
        #expect(origin.folder.names(".linkcond/uploads").filter { $0.hasSuffix(".data") } == [])
        let other = try origin.ask("POST", "/files/b", dialect.creation(last: true), content)
        #expect(other.status == 201)
    }

    @Test func `a finished upload never takes the name of a file that is there`() throws {
        let origin = try LiveOrigin()
        let dialect = UploadDialect(version: 6)
        for index in 1...3 {
            let fields = dialect.creation(last: true)
            let answer = try origin.ask("POST", "/files/x.tar.gz", fields, [UInt8(index)])
            let name = index == 1 ? "x.tar.gz" : "x.tar-\(index).gz"
            #expect(answer.text.contains("\"/files/\(name)\""))
            #expect(try origin.ask("GET", "/files/\(name)").body == [UInt8(index)])
        }
    }

    @Test func `a file of the folder is safe from an upload of its name`() throws {
        let folder = try OriginFolder()
        _ = try folder.folder.makeFolder("files")
        try folder.folder.folder("files").replace("keep", with: [9], durably: false)
        let origin = try LiveOrigin(folder: folder)
        let answer = try origin.ask("PUT", "/files/keep", [], [1])
        #expect(answer["Location"] == "/files/keep-2")
        #expect(folder.bytes("files/keep") == [9])
    }

    // MARK: Digests and conditions

    @Test func `a digest of the whole is checked at the end, and given if it is wanted`() throws {
        let origin = try LiveOrigin()
        let fields = UploadDialect(version: 8).creation(last: true)
        let digest = Base64.encode(Digest.of(content))
        let right =
            fields + [
                ("Repr-Digest", "sha-256=:\(digest):"), ("Want-Repr-Digest", "sha-256=1"),
            ]
        let kept = try origin.ask("POST", "/files/a", right, content)
        #expect(kept.status == 201 && kept["Repr-Digest"] == "sha-256=:\(digest):")
        let wrong = fields + [("Repr-Digest", "sha-256=:\(Base64.encode(Digest.of([1]))):")]
        let refused = try origin.ask("POST", "/files/b", wrong, content)
        #expect(refused.status == 400 && origin.folder.bytes("files/b") == nil)
    }

    @Test func `a part with a wrong digest is not kept`() throws {
        let origin = try LiveOrigin()
        let dialect = UploadDialect(version: 8)
        let created = try origin.ask("POST", "/files/a", dialect.creation(last: false), [])
        let place = try #require(created["Location"])
        let part = Array(content[..<100_000])
        func field(_ bytes: [UInt8]) -> (String, String) {
            ("Content-Digest", "sha-256=:\(Base64.encode(Digest.of(bytes))):")
        }
        let bad = dialect.append(at: 0, last: false) + [field([7])]
        #expect(try origin.ask("PATCH", place, bad, part).status == 400)
        #expect(try origin.ask("HEAD", place, [dialect.marker]).offset == 0)
        let good = dialect.append(at: 0, last: false) + [field(part)]
        #expect(try origin.ask("PATCH", place, good, part).status == 204)
        #expect(try origin.ask("HEAD", place, [dialect.marker]).offset == 100_000)
        #expect(!origin.folder.names(".linkcond/uploads").contains { $0.hasSuffix(".staged") })
    }

    @Test func `a wrong offset is answered by the right one, and nothing is stored`() throws {
        let origin = try LiveOrigin()
        let dialect = UploadDialect(version: 8)
        let place = try interrupted(origin, dialect, after: 100)
        let fields = dialect.append(at: 50, last: true)
        let answer = try origin.ask("PATCH", place, fields, content)
        #expect(answer.status == 409 && answer.offset == 100)
        #expect(answer["Content-Type"] == "application/problem+json")
        #expect(answer.text.contains("mismatching-upload-offset"))
        #expect(try origin.ask("HEAD", place, [dialect.marker]).offset == 100)
    }

    @Test func `Expect: 100-continue is answered before the body comes`() throws {
        let origin = try LiveOrigin()
        let client = try origin.client()
        let fields =
            UploadDialect(version: 6).creation(last: true)
            + [("Content-Length", "4"), ("Expect", "100-continue")]
        try client.send("POST", "/files/a", fields)
        #expect(try client.head().status == 104)
        #expect(try client.head().status == 100)
        try client.send([1, 2, 3, 4])
        #expect(try client.response().status == 201)
    }

    @Test func `a chunked body is an upload, too`() throws {
        let origin = try LiveOrigin()
        let client = try origin.client()
        let fields =
            UploadDialect(version: 6).creation(last: true) + [("Transfer-Encoding", "chunked")]
        try client.send("POST", "/files/a", fields)
        try client.send(Array("5\r\nhello\r\n1;x=y\r\n!\r\n0\r\n\r\n".utf8))
        #expect(try client.response().status == 201)
        #expect(origin.folder.bytes("files/a") == Array("hello!".utf8))
    }

    @Test func `nobody gets 104 who has not asked for it`() throws {
        let origin = try LiveOrigin()
        #expect(try origin.ask("POST", "/files/a", [], content).interims.isEmpty)
        let old = try origin.client()
        old.expect("POST")
        let head =
            "POST /files/a HTTP/1.0\r\nUpload-Draft-Interop-Version: 6\r\nUpload-Complete: ?1\r\n"
            + "Content-Length: 1\r\n\r\n!"
        try old.send(Array(head.utf8))
        #expect(try old.response().interims.isEmpty)
    }

    @Test func `what is offered can be asked for`() throws {
        let origin = try LiveOrigin { $0.uploads.limits.maxSize = 1_000 }
        let answer = try origin.ask("OPTIONS", "/files/")
        #expect(answer.status == 204)
        #expect(answer["Accept-Patch"] == "application/partial-upload")
        #expect(answer["Upload-Limit"] == "max-size=1000")
        #expect(answer["Tus-Version"] == "1.0.0" && answer["Tus-Max-Size"] == "1000")
    }

    @Test(arguments: 0..<8)
    func `an origin may go while the disk is at work`(turns: Int) throws {
        let (loop, folder) = (try EventLoop(), try OriginFolder())
        var configuration = OriginConfiguration()
        configuration.folder = folder.path
        var server: OriginServer? = try OriginServer(loop: loop, configuration: configuration)
        let address = try #require(server?.addresses.first)
        var socket = try Socket(like: address)
        _ = try socket.connect(to: address)
        let tick = try Timer(loop: loop) {}
        tick.start(afterMilliseconds: 1, repeatMilliseconds: 1)
        let head =
            "POST /files/a HTTP/1.1\r\nHost: a\r\nTus-Resumable: 1.0.0\r\n"
            + "Upload-Length: 9000\r\nContent-Type: application/offset+octet-stream\r\n"
            + "Content-Length: 9000\r\n\r\n"
        let bytes = Array(head.utf8) + content[..<9_000]
        let buffer = TransferBuffer(capacity: bytes.count)
        buffer.fill(bytes)
        while case .wouldBlock = socket.send(buffer, from: 0, count: bytes.count) {
            loop.runOnce()
        }
        while loop.pendingWork == 0 { loop.runOnce() }
        for _ in 0..<turns { loop.runOnce() }
        server?.close()
        server = nil
        loop.finishPendingWork()
        socket.close()
        tick.close()
        loop.stop()
        for _ in 0..<4 { loop.runOnce() }
    }
}

extension Digest {
    /// SHA-256 of some bytes.
    fileprivate static func of(_ bytes: [UInt8]) -> [UInt8] {
        let digest = Digest(.sha256)
        digest.update(bytes)
        return digest.value
    }
}
