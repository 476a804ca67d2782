import HTTPWire
import ResumableClient
import Testing

typealias UploadClientBench = ClientBench<UploadMachine>

/// An upload of 100 bytes to http://h/up.
func upload(
    _ dialect: UploadPlan.Dialect = .ietf(.v6),
    size: UInt64 = 100,
    resuming: UploadResumption? = nil,
    path: PathStatus? = nil,
    draws: RandomDraws = .half,
    tokens: RetryTokens = RetryTokens(),
    _ change: (inout UploadPlan) -> Void = { _ in }
) -> UploadClientBench {
    var plan = UploadPlan(to: .of("http://h/up"), source: SourceIdentity(size: size))
    plan.dialect = dialect
    change(&plan)
    return ClientBench(
        UploadMachine(plan, resuming: resuming, path: path, draws: draws, tokens: tokens)
    )
}

extension UploadPlan.Dialect {
    static let versions: [UploadPlan.Dialect] = InteropVersion.allCases.map { .ietf($0) }
    static let resumable: [UploadPlan.Dialect] = versions + [.tus]

    var version: InteropVersion? {
        guard case .ietf(let version) = self else { return nil }
        return version
    }

    /// The field that says whether the upload is complete.
    func completeness(_ isComplete: Bool) -> HeaderFields {
        switch version {
        case .v3?: ["Upload-Incomplete": isComplete ? "?0" : "?1"]
        case nil: [:]
        default: ["Upload-Complete": isComplete ? "?1" : "?0"]
        }
    }

    /// A right answer to HEAD.
    func state(_ offset: UInt64, of size: UInt64 = 100, isComplete: Bool = false) -> HeaderFields {
        var fields = completeness(isComplete)
        fields.add("Upload-Offset", "\(offset)")
        if version?.rawValue ?? 8 >= 6 { fields.add("Upload-Length", "\(size)") }
        return fields
    }

    /// A 104 that names the upload.
    func announcement(_ location: String = "/u/1", _ more: HeaderFields = [:]) -> HeaderFields {
        var fields: HeaderFields = [
            "Upload-Draft-Interop-Version": "\(version?.rawValue ?? 0)", "Location": location,
        ]
        for field in more.fields { fields.add(field.name, field.value) }
        return fields
    }
}

extension ClientBench where Machine == UploadMachine {
    /// Starts, and gets as far as a resource with an open request to continue it at `offset`.
    static func appending(
        _ dialect: UploadPlan.Dialect,
        at offset: UInt64 = 30,
        _ change: (inout UploadPlan) -> Void = { _ in }
    ) -> UploadClientBench {
        var bench = asking(dialect, change)
        bench.answer(200, dialect.state(offset))
        #expect(bench.last?.method == "PATCH")
        return bench
    }

    /// Starts, and gets as far as an open HEAD.
    static func asking(
        _ dialect: UploadPlan.Dialect,
        _ change: (inout UploadPlan) -> Void = { _ in }
    ) -> UploadClientBench {
        var bench = upload(dialect, change)
        bench.start()
        if dialect == .tus {
            bench.answer(201, ["Location": "/u/1"])
            bench.cut()
        } else {
            bench.interim(104, dialect.announcement())
            bench.sent(50)
            bench.cut()
        }
        bench.wake()
        #expect(bench.last?.method == "HEAD")
        return bench
    }
}
