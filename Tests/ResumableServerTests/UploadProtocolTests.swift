import HTTPWire
import ResumableServer
import Testing

/// What only tus has.
@Suite struct UploadProtocolTests {
    private static func status(_ bench: UploadBench, _ exchange: ExchangeID) -> Int? {
        bench.answers[exchange]?.head.status
    }

    private static func created(_ fields: HeaderFields) -> (UploadBench, Int?) {
        var bench = UploadBench()
        let exchange = bench.send(UploadHeads.creation(.tus, content: 0, fields))
        return (bench, status(bench, exchange))
    }

    @Test func `protocols have names`() {
        #expect(
            UploadProtocol.all.map(\.description)
                == ["ietf-3", "ietf-5", "ietf-6", "ietf-8", "tus-1.0.0"]
        )
    }

    @Test func `an upload of length 0 is complete at creation`() {
        let (bench, status) = Self.created(["Upload-Length": "0"])
        #expect(status == 201)
        #expect(bench.finalisations == 1)
    }

    @Test(
        arguments: [
            (["Upload-Length": ""], 400), (["Upload-Length": "-1"], 400),
            (["Upload-Length": "+1"], 400), (["Upload-Length": "99999999999999999999"], 400),
            (["Upload-Defer-Length": "1"], 400),
            (["Upload-Length": "", "Upload-Defer-Length": "1"], 201),
            (["Upload-Length": "", "Upload-Defer-Length": "2"], 400),
            (["Upload-Metadata": "filename d29ybGQ=,is_confidential"], 201),
            (["Upload-Metadata": "a d29ybGQ=,a"], 400), (["Upload-Metadata": "a ?"], 400),
            (["Upload-Metadata": ",a"], 400), (["Upload-Concat": "partial"], 201),
            (["Upload-Concat": "whole"], 400), (["Upload-Concat": "final;"], 400),
        ] as [(HeaderFields, Int)]
    )
    func `a creation says its length, or that it will, and metadata in pairs`(
        fields: HeaderFields,
        status: Int
    ) {
        #expect(Self.created(fields).1 == status)
    }

    @Test func `a deferred length is set once and does not change`() {
        var (bench, _) = Self.created(["Upload-Length": "", "Upload-Defer-Length": "1"])
        func append(_ offset: UInt64, _ length: String) -> RequestHead {
            UploadHeads.append(.tus, at: offset, content: 10, ["Upload-Length": length])
        }
        let head = bench.send(UploadHeads.plain("HEAD", .tus))
        #expect(bench.answers[head]?.head.fields["Upload-Defer-Length"] == "1")
        bench.send(append(0, ""), bytes: 10)
        bench.send(append(10, "30"), bytes: 10)
        #expect(bench.record?.length == 30)
        let changed = bench.send(append(20, "40"), bytes: 10)
        #expect(Self.status(bench, changed) == 400)
        bench.send(append(20, "30"), bytes: 10)
        #expect(bench.finalisations == 1)
    }

    @Test func `metadata comes back as it was received`() {
        var (bench, _) = Self.created(["Upload-Metadata": "filename d29ybGQ=,x"])
        let head = bench.send(UploadHeads.plain("HEAD", .tus))
        #expect(bench.answers[head]?.head.fields["Upload-Metadata"] == "filename d29ybGQ=,x")
    }

    @Test func `content of a creation must have the type of a PATCH`() {
        var bench = UploadBench()
        let head = UploadHeads.creation(.tus, content: 40, ["Content-Type": "text/plain"])
        let exchange = bench.send(head)
        #expect(Self.status(bench, exchange) == 415)
        #expect(bench.record == nil)
    }

    @Test func `a method may be replaced`() {
        var bench = UploadBench()
        bench.send(UploadHeads.creation(.tus), bytes: 40, isCut: true)
        var patch = UploadHeads.append(
            .tus,
            at: 40,
            content: 60,
            ["X-HTTP-Method-Override": "PATCH"]
        )
        patch.method = "POST"
        bench.send(patch, bytes: 60)
        #expect(bench.finalisations == 1)
        let delete = UploadHeads.plain("POST", .tus, ["X-HTTP-Method-Override": "DELETE"])
        bench.send(delete)
        #expect(bench.record?.state == .gone)
    }

    @Test func `the IETF's protocol replaces no method`() {
        var bench = UploadBench()
        bench.send(UploadHeads.creation(.ietf(.v6)), bytes: 40, isCut: true)
        let exchange = bench.send(
            UploadHeads.plain("POST", .ietf(.v6), ["X-HTTP-Method-Override": "DELETE"])
        )
        #expect(Self.status(bench, exchange) == 405)
    }

    @Test func `a request without the version is 412 and does nothing`() {
        var bench = UploadBench()
        bench.send(UploadHeads.creation(.tus), bytes: 40, isCut: true)
        for method in ["HEAD", "PATCH", "DELETE"] {
            let exchange = bench.send(UploadHeads.plain(method, .tus, ["Tus-Resumable": ""]))
            #expect(Self.status(bench, exchange) == 412)
            #expect(bench.answers[exchange]?.head.fields["Tus-Version"] == "1.0.0")
        }
        #expect(bench.record?.state == .active)
    }

    @Test func `a version in OPTIONS is ignored`() {
        var bench = UploadBench()
        let fields: HeaderFields = ["Tus-Resumable": "9"]
        let exchange = bench.send(RequestHead("OPTIONS", "/files/", fields: fields))
        #expect(bench.answers[exchange]?.head.fields["Tus-Version"] == "1.0.0")
    }

    @Test func `a checksum by an unknown algorithm is 400, also in a trailer or missing there`() {
        for text in ["md5 AQID", "sha1", "sha1 ?", "sha1 AQID x"] {
            var bench = UploadBench()
            bench.send(UploadHeads.creation(.tus), bytes: 40, isCut: true)
            let early = UploadHeads.append(.tus, at: 40, content: 60, ["Upload-Checksum": text])
            let first = bench.send(early, bytes: 60)
            #expect(Self.status(bench, first) == 400)
            let late = UploadHeads.append(
                .tus,
                at: 40,
                content: nil,
                ["Trailer": "Upload-Checksum"]
            )
            for trailers in [["Upload-Checksum": text], [:]] as [HeaderFields] {
                let exchange = bench.send(late, bytes: 60, trailers: trailers)
                #expect(Self.status(bench, exchange) == 400)
            }
            #expect(bench.record?.offset == 40)
        }
    }

    @Test func `a chunked body never stores the byte that would complete until it has ended`() {
        var bench = UploadBench()
        bench.send(UploadHeads.creation(.tus), bytes: 40, isCut: true)
        let exchange = bench.head(UploadHeads.append(.tus, at: 40, content: nil))
        bench.body(60, exchange)
        #expect(bench.record?.offset == 99)
        var cut = bench
        cut.lose(exchange)
        #expect(cut.record?.offset == 99)
        var long = bench
        long.body(1, exchange)
        #expect(Self.status(long, exchange) == 413)
        #expect(long.record?.offset == 99)
        bench.end(exchange)
        #expect(bench.record?.offset == 100)
        #expect(bench.finalisations == 1)
    }

    @Test func `an upload whose last byte is there is complete although its request was cut`() {
        for overtakes in [false, true] {
            var bench = UploadBench()
            bench.send(UploadHeads.creation(.tus), bytes: 40, isCut: true)
            let exchange = bench.head(UploadHeads.append(.tus, at: 40, content: 60))
            bench.body(60, exchange)
            if overtakes {
                bench.send(UploadHeads.plain("HEAD", .tus))
            } else {
                bench.lose(exchange)
            }
            #expect(bench.record?.offset == 100)
            #expect(bench.finalisations == 1)
        }
    }

    // MARK: Concatenation

    private static func part(_ bytes: UInt64, isComplete: Bool = true) -> UploadRecord? {
        var bench = UploadBench()
        let head = UploadHeads.creation(
            .tus,
            content: bytes,
            ["Upload-Concat": "partial", "Upload-Length": "\(isComplete ? bytes : bytes + 1)"]
        )
        bench.send(head, bytes: bytes)
        #expect(bench.finalisations == 0)
        return bench.record
    }

    private static let joins: HeaderFields = [
        "Upload-Concat": "final;/uploads/a /uploads/b", "Upload-Length": "", "Content-Type": "",
    ]

    @Test func `parts are joined in their order and handed on once, as one`() {
        var bench = UploadBench()
        let head = UploadHeads.creation(.tus, content: 0, Self.joins)
        let exchange = bench.send(head, parts: [Self.part(30), Self.part(12)])
        #expect(Self.status(bench, exchange) == 201)
        #expect(bench.record?.length == 42)
        #expect(bench.finalisations == 1)
        #expect(bench.actions.contains(.concatenate(["u1", "u1"])))
        let status = bench.send(UploadHeads.plain("HEAD", .tus))
        let fields = bench.answers[status]?.head.fields
        #expect(fields?["Upload-Concat"] == "final;/uploads/a /uploads/b")
        #expect(fields?["Upload-Length"] == "42")
        let patch = bench.send(UploadHeads.append(.tus, at: 42, content: 0))
        #expect(Self.status(bench, patch) == 403)
    }

    @Test func `only complete partial uploads can be joined`() {
        var whole = UploadBench()
        whole.send(UploadHeads.creation(.tus), bytes: 100)
        for part in [nil, whole.record, Self.part(30, isComplete: false)] {
            var bench = UploadBench()
            let head = UploadHeads.creation(.tus, content: 0, Self.joins)
            let exchange = bench.send(head, parts: [Self.part(30), part])
            #expect(Self.status(bench, exchange) == 400)
            #expect(bench.record == nil)
        }
    }

    @Test func `a joined upload has neither length nor content of its own`() {
        for (content, fields) in [
            (0, ["Upload-Length": "42"]), (42, [:]),
        ] as [(UInt64, HeaderFields)] {
            var all = Self.joins
            for field in fields.fields { all[field.name] = field.value }
            var bench = UploadBench()
            let head = UploadHeads.creation(.tus, content: content, all)
            let exchange = bench.send(head, parts: [Self.part(30), Self.part(12)])
            #expect(Self.status(bench, exchange) == (content > 0 ? 403 : 400))
        }
    }
}
