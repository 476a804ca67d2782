import HTTPWire
import ResumableServer
import Testing

/// Digests of the whole and of one request, which the driver computes.
@Suite struct ExpectedDigestTests {
    private static let right = ExpectedDigest(.sha256, [1, 2, 3])
    private static let wrong = ExpectedDigest(.sha256, [9])
    private static let field = "sha-256=:AQID:"

    private static func begun(_ dialect: UploadProtocol) -> UploadBench {
        var bench = UploadBench()
        bench.send(UploadHeads.creation(dialect), bytes: 40, isCut: true)
        return bench
    }

    // MARK: The whole

    @Test func `Repr-Digest is verified at completion, of all bytes`() {
        var bench = UploadBench()
        bench.digests = [Self.right]
        bench.send(UploadHeads.creation(.ietf(.v8), ["Repr-Digest": Self.field]), bytes: 100)
        #expect(bench.actions.contains(.computeDigests([.sha256], of: .whole(bytes: 100))))
        #expect(bench.finalisations == 1)
    }

    @Test(arguments: InteropVersion.allCases)
    func `with a wrong Repr-Digest the upload fails and is not handed on`(
        version: InteropVersion
    ) {
        var bench = UploadBench()
        bench.digests = [Self.wrong]
        let creation = UploadHeads.creation(.ietf(version), ["Repr-Digest": Self.field])
        let exchange = bench.send(creation, bytes: 100)
        #expect(bench.answers[exchange]?.head.status == 400)
        #expect(bench.record?.state == .invalid)
        #expect(bench.finalisations == 0)
        let head = bench.send(UploadHeads.plain("HEAD", .ietf(version)))
        #expect(bench.answers[head]?.head.status == 404)
    }

    @Test func `Want-Repr-Digest is answered, also when the answer is replayed`() {
        var bench = UploadBench()
        bench.digests = [Self.right]
        let wants = UploadHeads.creation(
            .ietf(.v8),
            ["Want-Repr-Digest": "sha-512=3, sha-256=10, md5=10"]
        )
        let first = bench.send(wants, bytes: 100)
        #expect(bench.answers[first]?.head.fields["Repr-Digest"] == Self.field)
        let again = bench.send(UploadHeads.append(.ietf(.v8), at: 100, content: 0))
        #expect(bench.answers[again]?.head.fields["Repr-Digest"] == Self.field)
    }

    @Test func `an algorithm that is unknown or not wanted is passed over`() {
        var bench = UploadBench()
        let fields: HeaderFields = [
            "Repr-Digest": "md5=:AQID:, sha-256=1", "Want-Repr-Digest": "sha-256=0",
        ]
        bench.send(UploadHeads.creation(.ietf(.v6), fields), bytes: 100)
        #expect(bench.finalisations == 1)
        #expect(!bench.actions.contains { if case .computeDigests = $0 { true } else { false } })
    }

    @Test func `a client that comes back while the whole is checked learns that all is here`() {
        var bench = UploadBench()
        bench.holdsDigests = true
        bench.digests = [Self.right]
        let creation = bench.send(
            UploadHeads.creation(.ietf(.v8), ["Repr-Digest": Self.field]),
            bytes: 100
        )
        let head = bench.send(UploadHeads.plain("HEAD", .ietf(.v8)))
        #expect(bench.answers[head]?.head.fields["Upload-Complete"] == "?1")
        #expect(bench.actions.contains(.reset(creation)))
        bench.computeDigests()
        #expect(bench.finalisations == 1)
    }

    // MARK: One request

    @Test func `content with Content-Digest is staged and joins when it is right`() {
        var bench = Self.begun(.ietf(.v8))
        bench.digests = [Self.right]
        let fields: HeaderFields = ["Content-Digest": Self.field]
        let exchange = bench.head(UploadHeads.append(.ietf(.v8), at: 40, content: 60, fields))
        bench.body(60, exchange)
        #expect(bench.actions.contains(.store(count: 60, at: 0, staged: true)))
        #expect(bench.record?.offset == 40)
        bench.end(exchange)
        #expect(bench.actions.contains(.computeDigests([.sha256], of: .staged(bytes: 60))))
        #expect(bench.actions.contains(.storeStaged(count: 60, at: 40)))
        #expect(bench.record?.offset == 100)
        #expect(bench.finalisations == 1)
    }

    @Test(arguments: [UploadProtocol.ietf(.v3), .ietf(.v8), .tus])
    func `of content with a wrong digest nothing is kept`(dialect: UploadProtocol) {
        var bench = Self.begun(dialect)
        bench.digests = [Self.wrong]
        let fields: HeaderFields =
            dialect == .tus
            ? ["Upload-Checksum": "sha256 AQID"] : ["Content-Digest": Self.field]
        let exchange = bench.send(
            UploadHeads.append(dialect, at: 40, content: 60, fields),
            bytes: 60
        )
        #expect(bench.answers[exchange]?.head.status == (dialect == .tus ? 460 : 400))
        #expect(bench.record?.offset == 40)
        #expect(bench.record?.state == .active)
        #expect(bench.actions.contains(.discardStaged))
    }

    @Test func `of staged content nothing is kept when it is cut`() {
        var bench = Self.begun(.ietf(.v6))
        let fields: HeaderFields = ["Content-Digest": Self.field]
        bench.send(
            UploadHeads.append(.ietf(.v6), at: 40, content: 60, fields),
            bytes: 30,
            isCut: true
        )
        #expect(bench.record?.offset == 40)
        #expect(bench.actions.contains(.discardStaged))
    }

    @Test func `a digest may come in a trailer, or be announced and never come`() {
        for trailers in [["Content-Digest": Self.field], [:]] as [HeaderFields] {
            var bench = Self.begun(.ietf(.v8))
            bench.digests = [Self.right]
            let head = UploadHeads.append(
                .ietf(.v8),
                at: 40,
                content: nil,
                ["Trailer": "content-digest"]
            )
            bench.send(head, bytes: 60, trailers: trailers)
            #expect(bench.record?.offset == 100)
            let isChecked = bench.actions.contains(
                .computeDigests([.sha256], of: .staged(bytes: 60))
            )
            #expect(isChecked == !trailers.isEmpty)
        }
    }

    @Test func `a request that comes while staged content is checked waits for the outcome`() {
        var bench = Self.begun(.ietf(.v8))
        bench.holdsDigests = true
        bench.digests = [Self.right]
        let fields: HeaderFields = ["Content-Digest": Self.field]
        bench.send(UploadHeads.append(.ietf(.v8), at: 40, content: 60, fields), bytes: 60)
        let head = bench.head(UploadHeads.plain("HEAD", .ietf(.v8)))
        #expect(bench.answers[head] == nil)
        bench.computeDigests()
        #expect(bench.answers[head]?.head.fields["Upload-Offset"] == "100")
    }
}
