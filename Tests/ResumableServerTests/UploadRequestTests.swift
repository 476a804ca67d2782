import HTTPWire
import ResumableServer
import Testing

@Suite struct UploadRequestTests {
    private static func read(
        _ head: RequestHead,
        _ adjust: (inout UploadSettings) -> Void = { _ in }
    ) -> UploadRequest {
        var settings = UploadSettings()
        adjust(&settings)
        let place = UploadPlace(target: head.target, settings: settings)
        return UploadRequest(head, to: place, settings: settings, at: 0)
    }

    private static func post(_ fields: HeaderFields, _ method: String = "POST") -> RequestHead {
        RequestHead(method, "/files/", fields: fields)
    }

    /// The protocol of a creation, or what else it is.
    private static func kind(_ request: UploadRequest) -> String {
        switch request {
        case .options: "options"
        case .refused(let refusal, let answer): "\(answer.head.status) \(refusal)"
        case .create(let creation): "\(creation.dialect)"
        case .resource(let identifier): "resource \(identifier)"
        case .plain: "plain"
        case .elsewhere: "elsewhere"
        }
    }

    private static let version = "Upload-Draft-Interop-Version"

    @Test(
        arguments: [
            (["Upload-Draft-Interop-Version": "3", "Upload-Incomplete": "?0"], "ietf-3"),
            (["Upload-Draft-Interop-Version": "3", "Upload-Complete": "?1"], "plain"),
            (["Upload-Draft-Interop-Version": "3"], "plain"),
            (["Upload-Draft-Interop-Version": "5", "Upload-Complete": "?1"], "ietf-5"),
            (["Upload-Draft-Interop-Version": "6;x=1", "Upload-Complete": "?1"], "ietf-6"),
            (["Upload-Draft-Interop-Version": "8", "Upload-Complete": "?0"], "ietf-8"),
            (["Upload-Draft-Interop-Version": "8", "Upload-Complete": "1"], "plain"),
            (["Upload-Draft-Interop-Version": "8", "Upload-Incomplete": "?0"], "plain"),
            (["Upload-Draft-Interop-Version": "7", "Upload-Complete": "?1"], "plain"),
            (
                ["Upload-Draft-Interop-Version": "7", "Upload-Complete": "?0"],
                "400 partWithoutSupport"
            ),
            (["Upload-Complete": "?0"], "400 partWithoutSupport"),
            (["Upload-Incomplete": "?1"], "400 partWithoutSupport"),
            (["Upload-Complete": "?1"], "plain"),
            (["Upload-Draft-Interop-Version": "\"6\"", "Upload-Complete": "?1"], "plain"),
            (["Tus-Resumable": "1.0.0", "Upload-Length": "10"], "tus-1.0.0"),
            (["Tus-Resumable": "0.2.2", "Upload-Length": "10"], "412 tusVersionNotSupported"),
            ([:], "plain"),
        ] as [(HeaderFields, String)]
    )
    func `a POST is a creation by its protocol, or a plain upload`(
        fields: HeaderFields,
        kind: String
    ) {
        #expect(Self.kind(Self.read(Self.post(fields))) == kind)
    }

    @Test func `any method but GET, HEAD, DELETE and OPTIONS creates`() {
        let fields: HeaderFields = [Self.version: "6", "Upload-Complete": "?1"]
        for method in ["POST", "PUT", "PATCH", "QUERY"] {
            #expect(Self.kind(Self.read(Self.post(fields, method))) == "ietf-6")
        }
        for method in ["GET", "HEAD", "DELETE"] {
            #expect(Self.kind(Self.read(Self.post(fields, method))) == "elsewhere")
        }
        #expect(Self.kind(Self.read(Self.post(fields, "OPTIONS"))) == "options")
    }

    @Test func `a version that is switched off makes a plain upload`() {
        let head = Self.post([Self.version: "6", "Upload-Complete": "?1"])
        #expect(Self.kind(Self.read(head) { $0.versions = [.v3] }) == "plain")
    }

    @Test func `requests without a version count as 8 if that is wanted, 104 included`() {
        let head = Self.post(["Upload-Complete": "?1"])
        #expect(Self.kind(Self.read(head) { $0.acceptsVersionless = true }) == "ietf-8")
        var settings = UploadSettings()
        settings.acceptsVersionless = true
        var bench = UploadBench(settings)
        let exchange = bench.send(head)
        #expect(bench.interims[exchange]?.map(\.status) == [104])
    }

    @Test func `an offset has no place in a creation`() {
        for version in InteropVersion.allCases {
            let head = UploadHeads.creation(.ietf(version), ["Upload-Offset": "0"])
            guard case .refused(.badRequest, let answer) = Self.read(head) else {
                Issue.record("\(version) was not refused")
                continue
            }
            #expect(answer.head.status == 400)
        }
    }

    @Test func `a resource is named by one segment of its path, in either form of the target`() {
        let settings = UploadSettings()
        let places: [(String, UploadPlace)] = [
            ("/uploads/a", .resource("a")), ("/uploads/a?x=1", .resource("a")),
            ("http://h.test/uploads/a", .resource("a")), ("HTTPS://h/files/x", .creation),
            ("/uploads/", .elsewhere), ("/uploads/a/b", .elsewhere), ("/files/", .creation),
            ("/files", .elsewhere), ("/", .elsewhere), ("*", .elsewhere), ("http://h", .elsewhere),
        ]
        for (target, place) in places {
            #expect(UploadPlace(target: target, settings: settings) == place, "\(target)")
        }
    }

    @Test func `a plain upload tells its form and its limit`() {
        let type = "multipart/form-data; boundary=xyz"
        let head = Self.post(["Content-Type": type, "Content-Length": "9"])
        guard case .plain(let upload) = Self.read(head, { $0.limits.maxSize = 9 }) else {
            Issue.record("not plain")
            return
        }
        #expect(upload.multipartBoundary == "xyz")
        #expect(upload.body == .known(9))
        #expect(upload.maxSize == 9)
        #expect(Self.kind(Self.read(head) { $0.limits.maxSize = 8 }) == "413 tooLarge")
    }

    @Test func `OPTIONS without a protocol tells all that is offered and nothing else`() {
        func names(_ adjust: (inout UploadSettings) -> Void) -> [String] {
            guard case .options(let answer) = Self.read(Self.post([:], "OPTIONS"), adjust) else {
                return []
            }
            let known = ["Accept-Patch", "Upload-Limit", "Tus-Version", "Tus-Resumable"]
            return known.filter { answer.head.fields.contains($0) }
        }
        let tus = ["Tus-Version", "Tus-Resumable"]
        #expect(names { _ in } == ["Accept-Patch", "Upload-Limit"] + tus)
        #expect(names { $0.offersTus = false } == ["Accept-Patch", "Upload-Limit"])
        #expect(names { $0.versions = [] } == tus)
        #expect(
            names {
                $0.versions = []
                $0.offersTus = false
            } == []
        )
    }

    // MARK: 104 and 100

    @Test(arguments: InteropVersion.allCases)
    func `104 announces the resource before the body is read`(version: InteropVersion) throws {
        var bench = UploadBench()
        let exchange = bench.head(UploadHeads.creation(.ietf(version), ["Expect": "100-continue"]))
        guard case .persist = bench.actions.first else {
            Issue.record("the record must be durable first")
            return
        }
        #expect(bench.interims[exchange]?.map(\.status) == [104, 100])
        #expect(bench.actions.last == .read(exchange))
    }

    @Test func `104 is not sent to HTTP 1.0, to another version, or for tus`() {
        var old = UploadHeads.creation(.ietf(.v8))
        old.version = .http10
        for head in [old, UploadHeads.creation(.tus)] {
            var bench = UploadBench()
            let exchange = bench.head(head)
            #expect(bench.interims[exchange] == nil)
            #expect(bench.record != nil)
        }
        for version in ["5", "", "x"] {
            var settings = UploadSettings()
            settings.progressBytes = 1
            var bench = UploadBench(settings)
            bench.send(UploadHeads.creation(.ietf(.v8)), bytes: 40, isCut: true)
            let fields: HeaderFields = [Self.version: version]
            let head = UploadHeads.append(.ietf(.v8), at: 40, content: 60, fields)
            let exchange = bench.send(head, bytes: 60)
            #expect(bench.interims[exchange] == nil)
            #expect(bench.finalisations == 1)
        }
    }

    @Test(arguments: UploadProtocol.all)
    func `100 is sent to those who wait for it, but not with a refusal`(dialect: UploadProtocol) {
        let expects: HeaderFields = ["Expect": "100-Continue"]
        var bench = UploadBench()
        bench.send(UploadHeads.creation(dialect), bytes: 40, isCut: true)
        let good = bench.head(UploadHeads.append(dialect, at: 40, content: 60, expects))
        #expect(bench.interims[good]?.map(\.status) == [100])
        bench.lose(good)
        let bad = bench.head(UploadHeads.append(dialect, at: 41, content: 59, expects))
        #expect(bench.interims[bad] == nil)
    }

    // MARK: Limits

    @Test(
        arguments: [
            (InteropVersion.v3, false, false), (.v5, false, false), (.v6, true, false),
            (.v8, true, true),
        ])
    func `append limits bind 6 and 8, and creation in 8`(
        version: InteropVersion,
        appends: Bool,
        creations: Bool
    ) {
        var settings = UploadSettings()
        settings.limits = UploadLimits(maxAppendSize: 50, minAppendSize: 10)
        func status(_ head: RequestHead, existing: Bool, _ bytes: UInt64) -> Int? {
            var bench = UploadBench(settings)
            if existing {
                let empty = UploadHeads.creation(.ietf(version), isLast: false, content: 0)
                bench.send(empty)
            }
            let exchange = bench.send(head, bytes: bytes)
            return bench.answers[exchange]?.head.status
        }
        for (content, refusal) in [(51, 413), (9, 400)] as [(UInt64, Int)] {
            let creation = UploadHeads.creation(.ietf(version), isLast: false, content: content)
            #expect((status(creation, existing: false, content) == refusal) == creations)
            for length in [content, nil] {
                let append = UploadHeads.append(
                    .ietf(version),
                    at: 0,
                    isLast: false,
                    content: length
                )
                #expect((status(append, existing: true, content) == refusal) == appends)
            }
        }
        for content in [50, 10] as [UInt64] {
            let creation = UploadHeads.creation(.ietf(version), isLast: false, content: content)
            #expect(status(creation, existing: false, content) == 201)
            for length in [content, nil] {
                let append = UploadHeads.append(
                    .ietf(version),
                    at: 0,
                    isLast: false,
                    content: length
                )
                #expect([201, 204].contains(status(append, existing: true, content)))
            }
        }
    }

    @Test(arguments: InteropVersion.allCases)
    func `an upload cannot be larger or smaller than the limits`(version: InteropVersion) {
        var settings = UploadSettings()
        settings.limits = UploadLimits(maxSize: 99, minSize: 50)
        func status(_ content: UInt64?, _ bytes: UInt64) -> (Int?, UploadState?) {
            var bench = UploadBench(settings)
            let exchange = bench.send(
                UploadHeads.creation(.ietf(version), content: content),
                bytes: bytes
            )
            return (bench.answers[exchange]?.head.status, bench.record?.state)
        }
        #expect(status(100, 0) == (413, nil))
        #expect(status(nil, 100) == (413, .invalid))
        #expect(status(49, 0) == (400, nil))
        #expect(status(nil, 49) == (400, .active))
        #expect(status(99, 99).0 == 201)
        #expect(status(50, 50).0 == 201)
        #expect(status(nil, 50).0 == 201)
    }

    @Test func `a length is learned from Upload-Length or from the last request`() {
        func length(_ version: InteropVersion, _ fields: HeaderFields, last: Bool) -> UInt64? {
            var bench = UploadBench()
            bench.head(
                UploadHeads.creation(.ietf(version), isLast: last, content: 40, fields)
            )
            return bench.record?.length
        }
        for version in InteropVersion.allCases {
            #expect(length(version, [:], last: true) == 40)
            #expect(length(version, [:], last: false) == nil)
            #expect(length(version, ["Upload-Length": "-1"], last: false) == nil)
            let knows = version == .v6 || version == .v8
            #expect(length(version, ["Upload-Length": "90"], last: false) == (knows ? 90 : nil))
            #expect((length(version, ["Upload-Length": "90"], last: true) == nil) == knows)
        }
    }
}
