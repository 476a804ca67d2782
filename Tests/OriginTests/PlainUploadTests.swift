import ResumableServer
import HTTPWire
import SystemIO
import Testing

@testable import Origin

/// Uploads by POST and PUT alone: whole or not at all.
@Suite struct PlainUploadTests {
    private let content = KnownContent(seed: 7).bytes(0..<500_000)

    @Test func `a body becomes a file under the name in the target`() throws {
        let origin = try LiveOrigin()
        let answer = try origin.ask("PUT", "/files/a%20b.txt", [], content)
        #expect(answer.status == 201 && answer["Location"] == "/files/a%20b.txt")
        #expect(answer.text == "{\"path\":\"/files/a%20b.txt\",\"bytes\":500000}\n")
        #expect(origin.folder.bytes("files/a b.txt") == content)
        #expect(try origin.ask("GET", "/files/a%20b.txt").body == content)
        let upload = try #require(try origin.state().uploads.first)
        #expect(upload.protocol == "plain" && upload.digest == SHA256.hexadecimal(content))
    }

    @Test func `an empty body is an empty file, one without a name gets one`() throws {
        let origin = try LiveOrigin()
        let answer = try origin.ask("POST", "/files/", [], [])
        let place = try #require(answer["Location"])
        #expect(place.hasPrefix("/files/") && place.utf8.count == 7 + 32)
        #expect(try origin.ask("GET", place).body.isEmpty)
    }

    @Test func `a body that is cut leaves nothing`() throws {
        let origin = try LiveOrigin()
        let client = try origin.client()
        try client.send("PUT", "/files/a", [("Content-Length", "500000")])
        try client.send(Array(content[..<400_000]))
        client.finish()
        _ = try? client.ending()
        origin.settle()
        #expect(origin.folder.names("files").isEmpty)
        #expect(origin.run { origin.folder.names(".linkcond/uploads").isEmpty })
        #expect(origin.records.first?.outcome == .lost)
    }

    @Test func `a body beyond the limits is refused with or without a length`() throws {
        let origin = try LiveOrigin { $0.uploads.limits.maxSize = 100_000 }
        #expect(try origin.ask("PUT", "/files/a", [], content).status == 413)
        let client = try origin.client()
        try client.send("PUT", "/files/a", [("Transfer-Encoding", "chunked")])
        try client.send(Array("30D40\r\n".utf8) + content[..<200_000])
        #expect(try client.response().status == 413)
        #expect(origin.folder.names("files").isEmpty)
    }

    @Test func `the state lists files up to a limit, and a later one is kept all the same`() throws
    {
        let origin = try LiveOrigin { $0.limits.listedUploads = 2 }
        for name in ["a", "b", "c"] {
            #expect(try origin.ask("POST", "/files/\(name)", [], [1]).status == 201)
        }
        #expect(try origin.state().uploads.map(\.path) == ["/files/a", "/files/b"])
        #expect(try origin.ask("GET", "/files/c").body == [1])
    }

    // MARK: Forms

    private func form(_ parts: [(String, [UInt8])]) -> [UInt8] {
        var body: [UInt8] = []
        for (disposition, bytes) in parts {
            body += Array("--xx\r\nContent-Disposition: form-data; \(disposition)\r\n\r\n".utf8)
            body += bytes + Array("\r\n".utf8)
        }
        return body + Array("--xx--\r\n".utf8)
    }

    private let type = ("Content-Type", "multipart/form-data; boundary=xx")

    @Test func `the files of a form are kept, its other fields are not`() throws {
        let origin = try LiveOrigin()
        let tricky = Array("\r\n--x\r\n--xy\r\n".utf8)
        let body = form([
            ("name=\"note\"", Array("hello".utf8)),
            ("name=\"f\"; filename=\"../one.bin\"", content),
            ("name=\"f\"; filename=\"two\"", tricky),
            ("name=\"comment\"", Array("after the files".utf8)),
        ])
        let answer = try origin.ask("POST", "/files/", [type], body)
        #expect(answer.status == 201)
        #expect(answer.text.contains("{\"path\":\"/files/one.bin\",\"bytes\":500000}"))
        #expect(origin.folder.bytes("files/one.bin") == content)
        #expect(origin.folder.bytes("files/two") == tricky)
        #expect(origin.folder.names("files") == ["one.bin", "two"])
    }

    @Test func `a form that is cut or no form leaves nothing`() throws {
        let origin = try LiveOrigin()
        let body = form([("name=\"f\"; filename=\"one\"", content)])
        let cut = try origin.ask("POST", "/files/", [type], Array(body.dropLast(8)))
        #expect(cut.status == 400)
        #expect(try origin.ask("POST", "/files/", [type], Array("hello".utf8)).status == 400)
        let none = form([("name=\"f\"", [1])])
        #expect(try origin.ask("POST", "/files/", [type], none).status == 400)
        #expect(origin.folder.names("files").isEmpty)
        #expect(origin.run { origin.folder.names(".linkcond/uploads").isEmpty })
    }

    @Test func `plain uploads can be turned off`() throws {
        let origin = try LiveOrigin { $0.takesPlainUploads = false }
        #expect(try origin.ask("PUT", "/files/a", [], [1]).status == 405)
        let fields = UploadDialect(version: 6).creation(last: true)
        #expect(try origin.ask("PUT", "/files/a", fields, [1]).status == 201)
    }
}
