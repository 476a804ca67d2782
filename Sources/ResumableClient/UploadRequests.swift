internal import HTTPWire

/// Builds the requests of an upload: which fields each dialect asks for.
struct UploadRequests {
    private let plan: UploadPlan
    private let carried: CarriedFields

    init(_ plan: UploadPlan) {
        self.plan = plan
        carried = CarriedFields(plan.fields, of: plan.address)
    }

    /// A request that creates the upload, or is all of a plain one, with these bytes as its body.
    func creation(
        at address: HTTPURL,
        dialect: UploadPlan.Dialect,
        body: Range<UInt64>?
    ) -> TransferRequest {
        // What is created empty is described all the same.
        let describes = body != nil || dialect != .tus
        var request = base("POST", address, dialect, describesContent: describes)
        if body == nil { request.fields.remove("Expect") }
        setBody(body ?? 0..<0, of: &request)
        switch dialect {
        case .plain:
            request.method = plan.method
            addDigests(to: &request)
        case .ietf(let version):
            request.method = plan.method
            setCompleteness(body?.upperBound == plan.length, version, of: &request.fields)
            if version.rawValue >= 6 { request.fields.add("Upload-Length", "\(plan.length)") }
            addDigests(to: &request)
        case .tus:
            request.fields.add("Upload-Length", "\(plan.length)")
            if !plan.metadata.isEmpty { request.fields.add("Upload-Metadata", metadata) }
            if let body, !body.isEmpty {
                request.fields["Content-Type"] = Self.tusType
                addBodyDigest(to: &request, dialect)
            } else {
                request.body = nil
            }
        }
        return request
    }

    /// Asks how much the server has.
    func question(at resource: HTTPURL, dialect: UploadPlan.Dialect) -> TransferRequest {
        base("HEAD", resource, dialect, describesContent: false)
    }

    /// Sends these bytes of the source, at the offset that was just learnt.
    func append(
        to resource: HTTPURL,
        dialect: UploadPlan.Dialect,
        body: Range<UInt64>
    ) -> TransferRequest {
        var request = base("PATCH", resource, dialect, describesContent: false)
        request.fields.add("Upload-Offset", "\(body.lowerBound)")
        let isLast = body.upperBound == plan.length
        switch dialect {
        case .ietf(let version):
            // Absent means "last" before version 8, where it is an error.
            if !isLast || version == .v8 { setCompleteness(isLast, version, of: &request.fields) }
            if version.rawValue >= 6 { request.fields.add("Content-Type", Self.partialUploadType) }
            if isLast, plan.sha256 != nil { addWish(to: &request) }
        case .tus: request.fields.add("Content-Type", Self.tusType)
        case .plain: break
        }
        setBody(body, of: &request)
        addBodyDigest(to: &request, dialect)
        return request
    }

    func cancellation(of resource: HTTPURL, dialect: UploadPlan.Dialect) -> TransferRequest {
        base("DELETE", resource, dialect, describesContent: false)
    }

    /// Asks for support and limits; a tus server passes over `Tus-Resumable` here.
    func discovery(at address: HTTPURL, dialect: UploadPlan.Dialect) -> TransferRequest {
        base("OPTIONS", address, dialect, describesContent: false)
    }

    private static let partialUploadType = "application/partial-upload"
    private static let tusType = "application/offset+octet-stream"

    private func base(
        _ method: String,
        _ address: HTTPURL,
        _ dialect: UploadPlan.Dialect,
        describesContent: Bool
    ) -> TransferRequest {
        var fields = carried.fields(for: address, describesContent: describesContent)
        switch dialect {
        case .ietf(let version):
            fields.add("Upload-Draft-Interop-Version", "\(version.rawValue)")
        case .tus: fields.add("Tus-Resumable", "1.0.0")
        case .plain: break
        }
        return TransferRequest(ordinal: 0, address: address, method: method, fields: fields)
    }

    private func setBody(_ body: Range<UInt64>, of request: inout TransferRequest) {
        request.body = body
        request.fields.add("Content-Length", "\(body.upperBound - body.lowerBound)")
    }

    /// The two fields have opposite senses; never both.
    private func setCompleteness(
        _ isLast: Bool,
        _ version: InteropVersion,
        of fields: inout HeaderFields
    ) {
        if version == .v3 {
            fields.add("Upload-Incomplete", isLast ? "?0" : "?1")
        } else {
            fields.add("Upload-Complete", isLast ? "?1" : "?0")
        }
    }

    private func addDigests(to request: inout TransferRequest) {
        guard let sha256 = plan.sha256 else { return }
        request.fields["Repr-Digest"] = "sha-256=:\(Base64.encode(sha256)):"
        addWish(to: &request)
    }

    private func addWish(to request: inout TransferRequest) {
        request.fields["Want-Repr-Digest"] = "sha-256=1"
    }

    private func addBodyDigest(to request: inout TransferRequest, _ dialect: UploadPlan.Dialect) {
        guard plan.digestsAppends, let body = request.body, !body.isEmpty else { return }
        request.bodyDigest = dialect == .tus ? .uploadChecksum : .contentDigest
    }

    private var metadata: String {
        plan.metadata.map { field in
            field.value.isEmpty ? field.name : "\(field.name) \(Base64.encode(field.value.utf8))"
        }.joined(separator: ",")
    }
}
