internal import HTTPWire

/// Resume data as named values in a fixed order, ready for JSON.
///
/// `version` comes first. Reading is strict: every key must be there once, none may be unknown, and
/// every value must be possible; the error names the key.
extension ResumeData {
    package static let version = 1

    package var entries: [ResumeEntry] {
        switch self {
        case .download(let data): Self.entries(data)
        case .upload(let data): Self.entries(data)
        }
    }

    package init(entries: [ResumeEntry]) throws(ResumeDataError) {
        var reader = try ResumeEntryReader(entries)
        guard try reader.number("version") == UInt64(Self.version) else {
            throw ResumeDataError(key: "version", problem: "only version \(Self.version) is known")
        }
        switch try reader.text("kind") {
        case "download": self = .download(try Self.download(&reader))
        case "upload": self = .upload(try Self.upload(&reader))
        default: throw ResumeDataError(key: "kind", problem: "must be 'download' or 'upload'")
        }
        try reader.end()
    }

    private static func entries(_ data: DownloadResumption) -> [ResumeEntry] {
        let (kind, text) =
            switch data.validator {
            case .etag(let text): ("etag", text)
            case .lastModified(let text): ("last-modified", text)
            }
        return [
            .init("version", .number(UInt64(version))),
            .init("kind", .text("download")),
            .init("url", .text(data.address.text)),
            .init("finalURL", .text(data.final.text)),
            .init("validatorKind", .text(kind)),
            .init("validator", .text(text)),
            .init("stored", .number(data.stored)),
            .init("size", data.size.map { .number($0) } ?? .null),
            .init("contentCoding", data.contentCoding.map { .text($0) } ?? .null),
            .init("file", .text(data.file)),
            .init("fields", .fields(data.fields)),
        ]
    }

    private static func download(
        _ reader: inout ResumeEntryReader
    ) throws(ResumeDataError) -> DownloadResumption {
        let address = try reader.url("url")
        let final = try reader.url("finalURL")
        let validator = try validator(&reader)
        let stored = try reader.number("stored")
        let size = try reader.optionalNumber("size")
        if let size, stored > size {
            throw ResumeDataError(key: "stored", problem: "must not be above 'size'")
        }
        return DownloadResumption(
            address: address,
            final: final,
            validator: validator,
            stored: stored,
            size: size,
            contentCoding: try reader.optionalText("contentCoding"),
            file: try reader.text("file"),
            fields: try reader.fields("fields")
        )
    }

    private static func validator(
        _ reader: inout ResumeEntryReader
    ) throws(ResumeDataError) -> RangeValidator {
        let kind = try reader.text("validatorKind")
        let text = try reader.text("validator")
        switch kind {
        case "etag":
            guard EntityTag(parsing: text)?.isWeak == false else {
                throw ResumeDataError(key: "validator", problem: "must be a strong entity tag")
            }
            return .etag(text)
        case "last-modified":
            guard HTTPDate(text, now: HTTPDate(secondsSince1970: 0)) != nil else {
                throw ResumeDataError(key: "validator", problem: "must be a date of HTTP")
            }
            return .lastModified(text)
        default:
            throw ResumeDataError(
                key: "validatorKind",
                problem: "must be 'etag' or 'last-modified'"
            )
        }
    }

    private static func entries(_ data: UploadResumption) -> [ResumeEntry] {
        [
            .init("version", .number(UInt64(version))),
            .init("kind", .text("upload")),
            .init("url", .text(data.target.text)),
            .init("method", .text(data.method)),
            .init("uploadURL", .text(data.resource.text)),
            .init("protocol", .text(name(of: data.dialect))),
            .init("acknowledged", .number(data.acknowledged)),
            .init("size", .number(data.source.size)),
            .init("modified", data.source.modified.map { .text("\($0)") } ?? .null),
            .init("digestPrefix", data.source.digestPrefix.map { .text($0) } ?? .null),
            .init("file", .text(data.file)),
            .init("fields", .fields(data.fields)),
        ]
    }

    private static func name(of dialect: UploadPlan.Dialect) -> String {
        switch dialect {
        case .ietf(let version): "ietf-\(version.rawValue)"
        case .tus: "tus-1.0.0"
        case .plain: "plain"
        }
    }

    private static func upload(
        _ reader: inout ResumeEntryReader
    ) throws(ResumeDataError) -> UploadResumption {
        let target = try reader.url("url")
        let method = try reader.text("method")
        let resource = try reader.url("uploadURL")
        let dialect = try dialect(&reader)
        let acknowledged = try reader.number("acknowledged")
        let size = try reader.number("size")
        guard acknowledged <= size else {
            throw ResumeDataError(key: "acknowledged", problem: "must not be above 'size'")
        }
        let modified = try reader.optionalText("modified")
        if let modified, Int64(modified) == nil {
            throw ResumeDataError(key: "modified", problem: "must be whole nanoseconds as text")
        }
        return UploadResumption(
            target: target,
            method: method,
            resource: resource,
            dialect: dialect,
            acknowledged: acknowledged,
            source: SourceIdentity(
                size: size,
                modified: modified.flatMap { Int64($0) },
                digestPrefix: try reader.optionalText("digestPrefix")
            ),
            file: try reader.text("file"),
            fields: try reader.fields("fields")
        )
    }

    private static func dialect(
        _ reader: inout ResumeEntryReader
    ) throws(ResumeDataError) -> UploadPlan.Dialect {
        let text = try reader.text("protocol")
        let known = InteropVersion.allCases.map { UploadPlan.Dialect.ietf($0) } + [.tus]
        guard let dialect = known.first(where: { name(of: $0) == text }) else {
            throw ResumeDataError(
                key: "protocol",
                problem: "must be one of \(known.map(name).joined(separator: ", "))"
            )
        }
        return dialect
    }
}
