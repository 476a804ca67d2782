import HTTPWire
import ResumableClient
import Testing

@Suite struct TusClientTests {
    @Test func `every request names the version, and creation the length and metadata`() {
        var bench = upload(.tus) {
            $0.metadata = [.init("name", "a b.txt"), .init("flag", "")]
        }
        bench.start()
        #expect(bench.last?.method == "POST")
        #expect(bench.last?.body == nil)
        #expect(bench.last?.fields["Upload-Length"] == "100")
        #expect(bench.last?.fields["Upload-Metadata"] == "name YSBiLnR4dA==,flag")
        bench.answer(201, ["Location": "u/1"])
        #expect(bench.last?.body == 0..<100)
        #expect(bench.last?.fields["Content-Type"] == "application/offset+octet-stream")
        bench.answer(204, ["Upload-Offset": "100"])
        #expect(bench.result != nil)
        #expect(bench.requests.allSatisfy { $0.fields["Tus-Resumable"] == "1.0.0" })
        #expect(bench.requests.allSatisfy { !$0.fields.contains("Upload-Draft-Interop-Version") })
    }

    @Test func `OPTIONS that names creation-with-upload sends the body at once`() {
        var bench = upload(.tus) {
            $0.creation = .discover
            $0.appendSize = 60
        }
        bench.start()
        bench.answer(
            204,
            [
                "Tus-Version": "1.0.0,0.2.2",
                "Tus-Extension": "creation, creation-with-upload,termination",
            ]
        )
        #expect(bench.last?.body == 0..<60)
        bench.answer(201, ["Location": "/u/1", "Upload-Offset": "60"])
        #expect(bench.last?.body == 60..<100)
    }

    @Test func `a creation with a body of unknown fate is asked about`() {
        for offset in [nil, "40"] {
            var bench = upload(.tus) { $0.creation = .discover }
            bench.start()
            bench.answer(
                204,
                ["Tus-Version": "1.0.0", "Tus-Extension": "creation,creation-with-upload"]
            )
            var fields: HeaderFields = ["Location": "/u/1"]
            fields["Upload-Offset"] = offset
            bench.answer(201, fields)
            #expect(bench.last?.method == "HEAD")
        }
    }

    @Test func `an answer to a creation that comes before its body's end is not believed`() {
        var bench = upload(.tus) { $0.creation = .discover }
        bench.start()
        bench.answer(
            204,
            ["Tus-Version": "1.0.0", "Tus-Extension": "creation,creation-with-upload"]
        )
        bench.answer(201, ["Location": "/u/1", "Upload-Offset": "100"], sent: 99)
        #expect(bench.result == nil && bench.last?.method == "HEAD")
    }

    @Test func `without tus the upload becomes a plain one`() {
        var bench = upload(.tus) { $0.creation = .discover }
        bench.start()
        bench.answer(200)
        #expect(bench.last?.body == 0..<100)
        #expect(bench.last?.fields.contains("Tus-Resumable") == false)
        bench.answer(200)
        #expect(bench.result != nil)
    }

    @Test func `what tus says it cannot do is not tried`() {
        for fields in [
            ["Tus-Version": "1.0.0", "Tus-Extension": "termination"],
            ["Tus-Version": "1.0.0", "Tus-Extension": "creation", "Tus-Max-Size": "99"],
        ] as [HeaderFields] {
            var bench = upload(.tus) { $0.creation = .discover }
            bench.start()
            bench.answer(204, fields)
            #expect(bench.failure != nil)
            #expect(bench.methods == ["OPTIONS"])
        }
        var bench = upload(.tus)
        bench.start()
        bench.answer(412, ["Tus-Version": "0.2.2"])
        #expect(bench.failure?.reason == .notSupported("tus 1.0.0; it names 0.2.2"))
    }

    @Test func `nothing to send is complete at creation`() {
        var bench = upload(.tus, size: 0)
        bench.start()
        bench.answer(201, ["Location": "/u/1"])
        #expect(bench.result?.size == 0)
        #expect(bench.methods == ["POST"])
    }

    @Test(arguments: [200, 204])
    func `all bytes are completion (D8: both statuses of HEAD)`(status: Int) {
        var bench = UploadClientBench.asking(.tus)
        bench.answer(status, UploadPlan.Dialect.tus.state(100))
        #expect(bench.result != nil)
    }

    @Test func `an answer to PATCH with another offset or none is asked about`() {
        for offset in [nil, "99", "x"] {
            var bench = UploadClientBench.appending(.tus)
            var fields: HeaderFields = [:]
            fields["Upload-Offset"] = offset
            bench.answer(204, fields)
            bench.wake()
            #expect(bench.last?.method == "HEAD")
        }
    }

    @Test func `460 sends the same chunk again, twice at most`() {
        var bench = UploadClientBench.appending(.tus) { $0.digestsAppends = true }
        #expect(bench.last?.bodyDigest == .uploadChecksum)
        for _ in 0..<2 {
            bench.answer(460)
            bench.wake()
            bench.answer(200, UploadPlan.Dialect.tus.state(30))
            #expect(bench.last?.body == 30..<100)
        }
        bench.answer(460)
        #expect(bench.failure?.reason == .gaveUp(.notRetried(.status(460))))
    }

    @Test func `termination is used where OPTIONS named it`() {
        var bench = upload(.tus) { $0.creation = .discover }
        bench.start()
        bench.answer(204, ["Tus-Version": "1.0.0", "Tus-Extension": "creation,termination"])
        bench.answer(201, ["Location": "/u/1"])
        bench.perform(bench.machine.cancel())
        #expect(bench.last?.method == "DELETE")
    }

    @Test func `the checksum is a field of base64 behind the algorithm's name`() {
        let digest = Array(repeating: UInt8(0), count: 32)
        let text = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        #expect(BodyDigest.uploadChecksum.field(digest).value == "sha256 \(text)")
        #expect(BodyDigest.contentDigest.field(digest).value == "sha-256=:\(text):")
    }
}
