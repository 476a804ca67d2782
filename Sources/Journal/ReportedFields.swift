/// The header fields of a message that matter to transfers, without secrets.
///
/// Names are in small letters, each stands once, and they are sorted; `Redaction.fields` makes them.
package struct ReportedFields: Hashable, Sendable {
    package struct Field: Hashable, Sendable {
        package let name: String
        package let value: String
    }

    package let fields: [Field]

    package static let none = ReportedFields([])

    /// Keeps what `names` lists; values under one name become one list (RFC 9110 §5.3).
    package init(_ pairs: some Collection<(name: String, value: String)>) {
        guard !Self.areInOrder(pairs) else {
            fields = pairs.map { Field(name: $0, value: $1) }
            return
        }
        var values: [String: String] = [:]
        for (name, value) in pairs {
            let name = name.lowercased()
            guard Self.names.contains(name) else { continue }
            values[name] = values[name].map { "\($0), \(value)" } ?? value
        }
        fields = values.map { Field(name: $0, value: $1) }.sorted { $0.name < $1.name }
    }

    /// Whether these are such fields already, as in a journal that was written.
    private static func areInOrder(_ pairs: some Collection<(name: String, value: String)>) -> Bool
    {
        var last = ""
        for (name, _) in pairs {
            guard last < name, names.contains(name) else { return false }
            last = name
        }
        return true
    }

    /// The value under a name in small letters.
    package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }

    /// These without one that is named in small letters.
    package func without(_ name: String) -> ReportedFields {
        guard self[name] != nil else { return self }
        return ReportedFields(fields.filter { $0.name != name }.map { ($0.name, $0.value) })
    }

    /// Whether fields of this name, in small letters, are kept.
    package static func keeps(_ name: String) -> Bool { names.contains(name) }

    /// Fields that decide about ranges, uploads, repetition and framing.
    private static let names: Set<String> = [
        "accept-encoding", "accept-ranges", "age", "alt-svc", "authorization", "connection",
        "content-digest", "content-encoding", "content-length", "content-location", "content-range",
        "content-type", "cookie", "date", "digest", "etag", "expect", "expires",
        "grpc-previous-rpc-attempts", "grpc-retry-pushback-ms", "grpc-status", "host",
        "idempotency-key", "if-match", "if-modified-since", "if-none-match", "if-range",
        "if-unmodified-since", "last-event-id", "last-modified", "location", "proxy-authorization",
        "range",
        "repr-digest", "retry-after", "set-cookie", "transfer-encoding", "tus-extension",
        "tus-max-size", "tus-resumable", "tus-version", "upload-complete", "upload-concat",
        "upload-defer-length", "upload-draft-interop-version", "upload-expires",
        "upload-incomplete", "upload-length", "upload-limit", "upload-offset",
        "want-content-digest",
        "want-repr-digest", "x-http-method-override",
    ]
}
