import Basics
import HTTPWire
import ResumableClient
import Testing

/// The fields of every kind of request in every version, against a table written by hand.
@Suite struct UploadRequestsTests {
    private static let digest = "sha-256=:\(Base64.encode(Array(repeating: UInt8(7), count: 32))):"

    private func text(_ request: TransferRequest?) -> String {
        guard let request else { return "none" }
        let fields = request.fields.fields.filter { $0.name != "Host" }
            .map { "\($0.name)=\($0.value)" }.sorted()
        return ([request.method, request.address.target] + fields).joined(separator: " ")
    }

    @Test(arguments: [
        (InteropVersion.v3, "Upload-Incomplete=?0", "Upload-Incomplete=?1", false),
        (.v5, "Upload-Complete=?1", "Upload-Complete=?0", false),
        (.v6, "Upload-Complete=?1", "Upload-Complete=?0", true),
        (.v8, "Upload-Complete=?1", "Upload-Complete=?0", true),
    ])
    func `creation says the version, whether it is all, and the length where there is a field`(
        version: InteropVersion,
        last: String,
        more: String,
        hasLength: Bool
    ) {
        let tail = hasLength ? " Upload-Length=100" : ""
        let name = "Upload-Draft-Interop-Version=\(version.rawValue)"
        let head = last.split(separator: "=")[0]
        var whole = upload(.ietf(version))
        whole.start()
        let isBefore = head < "Upload-Draft"
        #expect(
            text(whole.last)
                == (isBefore
                    ? "POST /up Content-Length=100 \(last) \(name)\(tail)"
                    : "POST /up Content-Length=100 \(name) \(last)\(tail)")
        )
        var empty = upload(.ietf(version)) { $0.creation = .careful }
        empty.start()
        #expect(
            text(empty.last)
                == (isBefore
                    ? "POST /up Content-Length=0 \(more) \(name)\(tail)"
                    : "POST /up Content-Length=0 \(name) \(more)\(tail)")
        )
    }

    @Test(arguments: UploadPlan.Dialect.resumable)
    func `every request of an upload names its protocol, and HEAD nothing else`(
        dialect: UploadPlan.Dialect
    ) {
        let bench = UploadClientBench.appending(dialect)
        let name = dialect == .tus ? "Tus-Resumable" : "Upload-Draft-Interop-Version"
        let value = dialect.version.map { "\($0.rawValue)" } ?? "1.0.0"
        #expect(bench.requests.allSatisfy { $0.fields.values(name) == [value] })
        let head = bench.requests.last { $0.method == "HEAD" }
        #expect(text(head) == "HEAD /u/1 \(name)=\(value)")
        #expect(bench.requests.allSatisfy { $0.fields.values("Host") == ["h"] })
    }

    @Test(arguments: [
        (
            UploadPlan.Dialect.ietf(.v3),
            "Content-Length=20 Upload-Draft-Interop-Version=3 Upload-Incomplete=?1 Upload-Offset=30",
            "Content-Length=70 Upload-Draft-Interop-Version=3 Upload-Offset=30"
        ),
        (
            .ietf(.v5),
            "Content-Length=20 Upload-Complete=?0 Upload-Draft-Interop-Version=5 Upload-Offset=30",
            "Content-Length=70 Upload-Draft-Interop-Version=5 Upload-Offset=30"
        ),
        (
            .ietf(.v6),
            """
            Content-Length=20 Content-Type=application/partial-upload Upload-Complete=?0 \
            Upload-Draft-Interop-Version=6 Upload-Offset=30
            """,
            """
            Content-Length=70 Content-Type=application/partial-upload \
            Upload-Draft-Interop-Version=6 Upload-Offset=30
            """
        ),
        (
            .ietf(.v8),
            """
            Content-Length=20 Content-Type=application/partial-upload Upload-Complete=?0 \
            Upload-Draft-Interop-Version=8 Upload-Offset=30
            """,
            """
            Content-Length=70 Content-Type=application/partial-upload Upload-Complete=?1 \
            Upload-Draft-Interop-Version=8 Upload-Offset=30
            """
        ),
        (
            .tus,
            """
            Content-Length=20 Content-Type=application/offset+octet-stream Tus-Resumable=1.0.0 \
            Upload-Offset=30
            """,
            """
            Content-Length=70 Content-Type=application/offset+octet-stream Tus-Resumable=1.0.0 \
            Upload-Offset=30
            """
        ),
    ])
    func `an append says its offset and whether more follows in the words of its version`(
        dialect: UploadPlan.Dialect,
        more: String,
        last: String
    ) {
        let part = UploadClientBench.appending(dialect) { $0.appendSize = 20 }
        #expect(text(part.last) == "PATCH /u/1 \(more)")
        #expect(text(UploadClientBench.appending(dialect).last) == "PATCH /u/1 \(last)")
    }

    @Test func `a plain upload has nothing of a protocol`() {
        var bench = upload(.plain) {
            $0.method = "PUT"
            $0.sha256 = Array(repeating: 7, count: 32)
        }
        bench.start()
        #expect(
            text(bench.last)
                == "PUT /up Content-Length=100 Repr-Digest=\(Self.digest) Want-Repr-Digest=sha-256=1"
        )
        bench.interim(104, UploadPlan.Dialect.ietf(.v6).announcement())
        #expect(bench.machine.resumeOutcome == .none(.method))
    }

    @Test func `a user's fields cannot replace those of the protocol`() {
        var bench = upload {
            $0.fields = [
                "upload-complete": "?0", "Content-Length": "1", "HOST": "x", "Range": "x",
                "X-Kept": "1",
            ]
        }
        bench.start()
        #expect(bench.last?.fields.values("Upload-Complete") == ["?1"])
        #expect(bench.last?.fields.values("Content-Length") == ["100"])
        #expect(bench.last?.fields.values("Host") == ["h"])
        #expect(bench.last?.fields["X-Kept"] == "1")
    }

    // MARK: Retry-After in both forms

    @Test(
        arguments: [
            // Draws are halves: 500 ms below 1 s for zero, 10 s and 1 s of 2 s for ten.
            (["Retry-After": "10"], 11_000),
            (
                [
                    "Retry-After": "Sun, 06 Nov 1994 08:49:47 GMT",
                    "Date": "Sun, 06 Nov 1994 08:49:37 GMT",
                ], 11_000
            ),
            (
                [
                    "Retry-After": "Sun, 06 Nov 1994 08:49:27 GMT",
                    "Date": "Sun, 06 Nov 1994 08:49:37 GMT",
                ], 500
            ),
            (["Retry-After": "Sun, 06 Nov 1994 08:49:47 GMT"], 250),
            (["Retry-After": "soon"], 250), (["Retry-After": "-1"], 250),
            (["Retry-After": ""], 250),
            ([:], 250),
        ] as [(HeaderFields, Int64)]
    )
    func `Retry-After counts as seconds or from the answer's own Date; garbage is passed over`(
        fields: HeaderFields,
        milliseconds: Int64
    ) {
        var bench = upload(.ietf(.v6)) { $0.creation = .discover }
        bench.start()
        bench.answer(503, fields)
        #expect(bench.timer == .milliseconds(milliseconds))
    }

    @Test(arguments: ["301", "99999999999999999999999"])
    func `a Retry-After beyond the limit ends the transfer with resume data`(text: String) {
        var bench = UploadClientBench.appending(.ietf(.v6))
        bench.answer(503, ["Retry-After": text])
        guard case .gaveUp(.retryAfterTooLong) = bench.failure?.reason else {
            Issue.record("\(bench.end as Any)")
            return
        }
        #expect(bench.failure?.resume.data != nil)
    }
}
