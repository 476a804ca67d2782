import HTTPWire
import ResumableServer

/// Heads of requests, written out here by hand from the texts of the protocols.
enum UploadHeads {
    static let resource = "/uploads/u1"

    /// A creation; `length` nil is a chunked body.
    static func creation(
        _ dialect: UploadProtocol,
        isLast: Bool = true,
        content: UInt64? = 100,
        _ more: HeaderFields = [:]
    ) -> RequestHead {
        var fields = common(dialect)
        switch dialect {
        case .ietf(.v3): fields["Upload-Incomplete"] = isLast ? "?0" : "?1"
        case .ietf: fields["Upload-Complete"] = isLast ? "?1" : "?0"
        case .tus:
            fields["Upload-Length"] = "100"
            fields["Content-Type"] = "application/offset+octet-stream"
        }
        return head("POST", "/files/", fields, content, more)
    }

    /// A PATCH that the protocol allows.
    static func append(
        _ dialect: UploadProtocol,
        at offset: UInt64,
        isLast: Bool = true,
        content: UInt64?,
        _ more: HeaderFields = [:]
    ) -> RequestHead {
        var fields = common(dialect)
        fields["Upload-Offset"] = "\(offset)"
        switch dialect {
        case .ietf(.v3): fields["Upload-Incomplete"] = isLast ? nil : "?1"
        case .ietf(.v5): fields["Upload-Complete"] = isLast ? nil : "?0"
        case .ietf(.v6):
            fields["Upload-Complete"] = isLast ? nil : "?0"
            fields["Content-Type"] = "application/partial-upload"
        case .ietf(.v8):
            fields["Upload-Complete"] = isLast ? "?1" : "?0"
            fields["Content-Type"] = "application/partial-upload"
        case .tus: fields["Content-Type"] = "application/offset+octet-stream"
        }
        return head("PATCH", resource, fields, content, more)
    }

    static func plain(
        _ method: String,
        _ dialect: UploadProtocol,
        _ more: HeaderFields = [:]
    ) -> RequestHead {
        head(method, resource, common(dialect), 0, more)
    }

    static func common(_ dialect: UploadProtocol) -> HeaderFields {
        switch dialect {
        case .ietf(let version): ["Upload-Draft-Interop-Version": "\(version.rawValue)"]
        case .tus: ["Tus-Resumable": "1.0.0"]
        }
    }

    /// Fields of `more` replace others; an empty value takes one away.
    private static func head(
        _ method: String,
        _ target: String,
        _ fields: HeaderFields,
        _ content: UInt64?,
        _ more: HeaderFields
    ) -> RequestHead {
        var fields = fields
        if let content {
            if content > 0 { fields["Content-Length"] = "\(content)" }
        } else {
            fields["Transfer-Encoding"] = "chunked"
        }
        for field in more.fields { fields[field.name] = field.value.isEmpty ? nil : field.value }
        return RequestHead(method, target, fields: fields)
    }
}

extension ResponseHead {
    /// All fields but those that say how the content is framed, as one line.
    var line: String {
        let shown = fields.fields.filter { !["Content-Length", "Content-Type"].contains($0.name) }
        let text = shown.map { "\($0.name): \($0.value)" }.sorted().joined(separator: "; ")
        return text.isEmpty ? "\(status)" : "\(status) \(text)"
    }
}
