internal import HTTPWire

/// Every response of the upload protocols, with its fields in full.
///
/// For the IETF's versions the differences are in `DraftRules`; tus 1.0.0 has no versions.
struct ResponseBuilder: Sendable {
    let dialect: UploadProtocol
    let settings: UploadSettings

    private var rules: DraftRules { DraftRules.of(dialect.version ?? .v8) }

    // MARK: Interim responses

    /// Announces the upload resource; not for tus.
    func announcement(of record: UploadRecord, at now: Int) -> ResponseHead {
        var fields = interimFields
        fields["Location"] = record.location
        if rules.showsLimits { fields["Upload-Limit"] = limits(of: record, at: now) }
        return ResponseHead(104, fields: fields)
    }

    func progress(offset: UInt64) -> ResponseHead {
        var fields = interimFields
        fields["Upload-Offset"] = "\(offset)"
        return ResponseHead(104, fields: fields)
    }

    private var interimFields: HeaderFields {
        ["Upload-Draft-Interop-Version": "\((dialect.version ?? .v8).rawValue)"]
    }

    // MARK: Creation

    /// The upload was created, and there is more to come.
    func created(_ record: UploadRecord, hadContent: Bool, at now: Int) -> UploadAnswer {
        var fields: HeaderFields = ["Location": record.location]
        switch dialect {
        case .tus:
            fields = tus(fields)
            if hadContent { fields["Upload-Offset"] = "\(record.offset)" }
            fields["Upload-Expires"] = expiry(of: record)
        case .ietf:
            say(complete: false, in: &fields)
            if rules.answersPlace { fields["Upload-Offset"] = "\(record.offset)" }
            if rules.showsLimits { fields["Upload-Limit"] = limits(of: record, at: now) }
        }
        return UploadAnswer(201, fields)
    }

    /// The upload was created by the request that completed it.
    func createdWhole(
        _ record: UploadRecord,
        _ stored: StoredAnswer,
        hadContent: Bool,
        at now: Int
    ) -> UploadAnswer {
        if dialect.isTus, !stored.isRefusal {
            return created(record, hadContent: hadContent, at: now)
        }
        var answer = completed(record, stored)
        if rules.answersPlace, !dialect.isTus {
            answer.head.fields["Location"] = record.location
        }
        return answer
    }

    // MARK: Append

    /// An append after which there is more to come; for tus, every append.
    func appended(_ record: UploadRecord) -> UploadAnswer {
        guard !dialect.isTus else {
            var fields = tus(["Upload-Offset": "\(record.offset)"])
            fields["Upload-Expires"] = expiry(of: record)
            return UploadAnswer(204, fields)
        }
        var fields: HeaderFields = [:]
        say(complete: false, in: &fields)
        if rules.answersPlace { fields["Upload-Offset"] = "\(record.offset)" }
        return UploadAnswer(rules.appendStatus, fields)
    }

    /// The append that completed the upload, or asks for the answer again.
    func completed(_ record: UploadRecord, _ stored: StoredAnswer) -> UploadAnswer {
        guard !dialect.isTus else {
            return stored.isRefusal
                ? UploadAnswer(stored.status, tus(stored.fields), body: stored.body)
                : appended(record)
        }
        var fields = stored.fields
        say(complete: true, in: &fields)
        if rules.answersPlace { fields["Upload-Offset"] = "\(record.offset)" }
        return UploadAnswer(stored.status, fields, body: stored.body)
    }

    /// The upload is there, but the server that it is for could not be given it.
    func notForwarded(_ record: UploadRecord, _ failure: StoredAnswer) -> UploadAnswer {
        var fields = failure.fields
        if dialect.isTus { fields = tus(fields) } else { say(complete: false, in: &fields) }
        return UploadAnswer(failure.status, fields, body: failure.body)
    }

    // MARK: Status and end

    func status(of record: UploadRecord, at now: Int) -> UploadAnswer {
        var fields: HeaderFields = [
            "Upload-Offset": "\(record.offset)", "Cache-Control": "no-store",
        ]
        guard !dialect.isTus else { return tusStatus(of: record, fields) }
        say(complete: record.state.hasEverything, in: &fields)
        if rules.showsLength, let length = record.length { fields["Upload-Length"] = "\(length)" }
        if rules.showsLimits { fields["Upload-Limit"] = limits(of: record, at: now) }
        return UploadAnswer(204, fields)
    }

    /// HEAD says 200 and not 204, as in the examples of the text.
    private func tusStatus(of record: UploadRecord, _ fields: HeaderFields) -> UploadAnswer {
        var fields = tus(fields)
        if let length = record.length {
            fields["Upload-Length"] = "\(length)"
        } else {
            fields["Upload-Defer-Length"] = "1"
        }
        fields["Upload-Metadata"] = record.origin.metadata
        fields["Upload-Concat"] = record.origin.concatenation?.field
        fields["Upload-Expires"] = record.state == .active ? expiry(of: record) : nil
        return UploadAnswer(200, fields)
    }

    func cancelled() -> UploadAnswer {
        UploadAnswer(204, dialect.isTus ? tus([:]) : [:])
    }

    // MARK: Options

    /// What is offered, to a client that asks before it uploads.
    ///
    /// Drafts differ in which of `Upload-Limit` and `Accept-Patch` must be there: both are.
    func options(for place: UploadPlace) -> UploadAnswer {
        var fields: HeaderFields = ["Allow": place == .creation ? "OPTIONS, POST, PUT" : allowed]
        switch dialect {
        case .tus:
            fields = tus(fields)
            fields["Tus-Version"] = UploadProtocol.tusVersion
            fields["Tus-Extension"] = Self.tusExtensions
            fields["Tus-Max-Size"] = settings.limits.maxSize.map { "\($0)" }
            fields["Tus-Checksum-Algorithm"] =
                DigestAlgorithm.tus.map(\.rawValue).joined(separator: ",")
        case .ietf:
            if rules.demandsMediaType { fields["Accept-Patch"] = DraftRules.partialMediaType }
            if rules.showsLimits {
                fields["Upload-Limit"] = limits(lifetime: settings.lifetime) ?? "min-size=0"
            }
        }
        return UploadAnswer(204, fields)
    }

    private static let tusExtensions =
        "creation,creation-with-upload,creation-defer-length,termination,checksum,"
        + "checksum-trailer,expiration,concatenation"

    private var allowed: String {
        !dialect.isTus && rules.takesGet
            ? "OPTIONS, GET, HEAD, PATCH, DELETE" : "OPTIONS, HEAD, PATCH, DELETE"
    }

    // MARK: Refusals

    /// The answer to a refused request; HEAD gets it without content.
    ///
    /// - Parameters:
    ///   - refusal: why.
    ///   - record: the upload, if there is one.
    ///   - isHead: whether the method was HEAD.
    ///   - now: seconds since 1970.
    /// - Returns: an answer with a problem document, and the fields that its protocol demands.
    func refusal(
        _ refusal: UploadRefusal,
        of record: UploadRecord? = nil,
        isHead: Bool = false,
        at now: Int
    ) -> UploadAnswer {
        var problem = problem(refusal)
        var fields: HeaderFields = [
            "Content-Type": ProblemDocument.mediaType, "Cache-Control": "no-store",
        ]
        switch refusal {
        case .mismatchingOffset(let expected, let provided):
            fields["Upload-Offset"] = "\(expected)"
            if !dialect.isTus && rules.conflictSaysIncomplete { say(complete: false, in: &fields) }
            problem.numbers = [("expected-offset", expected), ("provided-offset", provided)]
        case .methodNotAllowed: fields["Allow"] = allowed
        case .wrongMediaType: fields["Accept-Patch"] = mediaType
        case .exhausted: fields["Retry-After"] = "1"
        case .tusVersionNotSupported: fields["Tus-Version"] = UploadProtocol.tusVersion
        case .tooLarge where !dialect.isTus && rules.limitsCreationAsAppend:
            fields["Upload-Limit"] =
                record.map { limits(of: $0, at: now) } ?? limits(lifetime: settings.lifetime)
        default: break
        }
        if let kind = problem.kind, dialect.isTus || !rules.problems.contains(kind) {
            problem.kind = nil
            problem.numbers = []
        }
        if dialect.isTus { fields = tus(fields) }
        let answer = UploadAnswer(problem.status, fields, body: problem.json, needsDrain: true)
        return isHead ? answer.withoutBody() : answer
    }

    private var mediaType: String {
        dialect.isTus ? Self.tusMediaType : DraftRules.partialMediaType
    }

    static let tusMediaType = "application/offset+octet-stream"

    private func problem(_ refusal: UploadRefusal) -> ProblemDocument {
        let (status, title, kind) = words(refusal)
        return ProblemDocument(kind: kind, title: title, status: status)
    }

    private func words(_ refusal: UploadRefusal) -> (Int, String, String?) {
        switch refusal {
        case .badRequest(let what): (400, what, nil)
        case .partWithoutSupport:
            (400, "a part of an upload cannot be taken: resumable uploads were not agreed on", nil)
        case .missing(let isRemembered):
            isRemembered && (dialect.isTus || rules.saysGone)
                ? (410, "the upload is gone", nil) : (404, "there is no such upload", nil)
        case .methodNotAllowed: (405, "the upload does not take this method", nil)
        case .wrongMediaType: (415, "the content must have type \(mediaType)", nil)
        case .mismatchingOffset:
            (409, "Upload-Offset is not the offset of the upload", "mismatching-upload-offset")
        case .completed: (400, "the upload is complete already", "completed-upload")
        case .completedAndGone: (410, "the upload is complete and gone", nil)
        case .inconsistentLength:
            (400, "the length contradicts what is known", "inconsistent-upload-length")
        case .lengthExceeded:
            (dialect.isTus ? 413 : 400, "the content goes beyond the length of the upload", nil)
        case .tooLarge: (413, "the content is larger than the limits allow", nil)
        case .tooSmall: (400, "the content is smaller than the limits allow", nil)
        case .tusVersionNotSupported:
            (412, "the version in Tus-Resumable is not \(UploadProtocol.tusVersion)", nil)
        case .joined: (403, "nothing can be added to a joined upload", nil)
        case .unknownChecksum: (400, "Upload-Checksum cannot be checked", nil)
        case .digestMismatch:
            (dialect.isTus ? 460 : 400, "the content does not have the given digest", nil)
        case .noSpace: (507, "there is no space left", nil)
        case .exhausted: (503, "too many files are open", nil)
        case .storeFailed: (500, "the content could not be stored", nil)
        }
    }

    // MARK: Pieces

    private func say(complete: Bool, in fields: inout HeaderFields) {
        let (name, whenComplete) = rules.completeness
        fields[name] = complete == whenComplete ? "?1" : "?0"
    }

    private func tus(_ fields: HeaderFields) -> HeaderFields {
        var fields = fields
        fields["Tus-Resumable"] = UploadProtocol.tusVersion
        return fields
    }

    private func expiry(of record: UploadRecord) -> String? {
        record.endsAt.map { HTTPDate(secondsSince1970: $0).text }
    }

    private func limits(of record: UploadRecord, at now: Int) -> String? {
        let isTimed = record.state == .active
        return limits(lifetime: isTimed ? record.endsAt.map { max($0 - now, 0) } : nil)
    }

    /// The value of `Upload-Limit`; nil if there are no limits.
    private func limits(lifetime: Int?) -> String? {
        let limits = settings.limits
        var items = [
            ("max-size", limits.maxSize), ("min-size", limits.minSize),
            ("max-append-size", limits.maxAppendSize), ("min-append-size", limits.minAppendSize),
        ]
        if let key = rules.lifetimeKey { items.append((key, lifetime.map { UInt64($0) })) }
        let text = items.compactMap { key, value in value.map { "\(key)=\($0)" } }
        return text.isEmpty ? nil : text.joined(separator: ", ")
    }
}
