package import HTTPWire

/// A protocol of resumable uploads, as far as requests differ.
package enum UploadDialect: Hashable, Sendable {
    /// draft-ietf-httpbis-resumable-upload in one of its interop versions.
    case ietf(InteropVersion)
    /// tus 1.0.0 with these extensions, as its OPTIONS told them.
    case tus(extensions: Set<String>, maximum: UInt64?)

    package var name: String {
        switch self {
        case .ietf(let version): "IETF interop version \(version.rawValue)"
        case .tus: "tus 1.0.0"
        }
    }

    /// Where rules stand.
    var source: String {
        switch self {
        case .ietf(.v3): "draft-…-resumable-upload-01"
        case .ietf(.v5): "draft-…-resumable-upload-03"
        case .ietf(.v6): "draft-…-resumable-upload-05"
        case .ietf(.v8): "draft-…-resumable-upload-09"
        case .tus: "tus 1.0.0"
        }
    }
}

/// The requests of one dialect.
struct UploadRequests: Sendable {
    let place: ProbePlace
    let dialect: UploadDialect

    /// The content of every upload: long enough to be cut, of a size that no buffer has.
    static let content: [UInt8] = (0..<100_003).map {
        UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8)
    }
    static var length: Int { content.count }
    /// Where a content is cut.
    static let half = 50_001

    /// What clients in browsers send, and some servers insist on.
    private static let metadata = [("filename", "probe.bin"), ("filetype", "text/plain")]
        .map { "\($0) \(Base64.encode($1.utf8))" }.joined(separator: ",")

    /// Creates an upload with these first bytes.
    func create(
        _ bytes: ArraySlice<UInt8> = [],
        isComplete: Bool = false,
        interruption: ProbeRequest.Interruption? = nil
    ) -> ProbeRequest {
        var fields = place.fields
        switch dialect {
        case .ietf(let version):
            fields.add("Upload-Draft-Interop-Version", "\(version.rawValue)")
            complete(isComplete, version, &fields)
            if version.rawValue >= 6 { fields.add("Upload-Length", "\(Self.length)") }
        case .tus:
            fields.add("Tus-Resumable", "1.0.0")
            fields.add("Upload-Length", "\(Self.length)")
            if !fields.contains("Upload-Metadata") { fields.add("Upload-Metadata", Self.metadata) }
            if !bytes.isEmpty { fields["Content-Type"] = "application/offset+octet-stream" }
        }
        return ProbeRequest(
            "POST",
            place.url,
            fields,
            body: Array(bytes),
            interruption: interruption
        )
    }

    /// Asks where uploads are created.
    func options() -> ProbeRequest { request("OPTIONS", place.url) }

    func head(_ resource: HTTPURL) -> ProbeRequest { request("HEAD", resource) }

    func cancel(_ resource: HTTPURL) -> ProbeRequest { request("DELETE", resource) }

    /// Appends the content from an offset on, to its end or to `end`.
    func append(
        to resource: HTTPURL,
        from offset: Int,
        to end: Int = length,
        isComplete: Bool? = nil,
        interruption: ProbeRequest.Interruption? = nil
    ) -> ProbeRequest {
        let start = min(offset, Self.length)
        var request = request("PATCH", resource)
        request.fields.add("Upload-Offset", "\(offset)")
        switch dialect {
        case .ietf(let version):
            complete(isComplete ?? (end == Self.length), version, &request.fields)
            if version.rawValue >= 6 {
                request.fields["Content-Type"] = "application/partial-upload"
            }
        case .tus: request.fields["Content-Type"] = "application/offset+octet-stream"
        }
        request.body = Array(Self.content[start..<max(start, end)])
        request.interruption = interruption
        return request
    }

    private func request(_ method: String, _ url: HTTPURL) -> ProbeRequest {
        var fields = place.fields
        switch dialect {
        case .ietf(let version):
            fields.add("Upload-Draft-Interop-Version", "\(version.rawValue)")
        case .tus: fields.add("Tus-Resumable", "1.0.0")
        }
        return ProbeRequest(method, url, fields)
    }

    private func complete(_ isLast: Bool, _ version: InteropVersion, _ fields: inout HeaderFields) {
        let (name, value) = Self.completeness(isLast, version)
        fields.add(name, value)
    }

    /// The field that says whether an upload is complete: two versions have opposite senses.
    static func completeness(
        _ isComplete: Bool,
        _ version: InteropVersion
    ) -> (name: String, value: String) {
        version == .v3
            ? ("Upload-Incomplete", isComplete ? "?0" : "?1")
            : ("Upload-Complete", isComplete ? "?1" : "?0")
    }
}

extension ProbeReply {
    /// The upload that a creation has made: the first 104 tells it, or the final response.
    func resource(of place: ProbePlace) -> HTTPURL? {
        let announced = interims.first { $0.status == 104 }?.fields["Location"]
        return (announced ?? fields["Location"]).flatMap { try? place.url.resolving($0) }
    }

    var offset: Int? { fields["Upload-Offset"].flatMap { Int($0) } }

    /// Whether an upload is complete, in the words of any version; nil if nothing says so.
    var isComplete: Bool? {
        switch (fields["Upload-Complete"], fields["Upload-Incomplete"]) {
        case ("?1", _), (nil, "?0"): true
        case ("?0", _), (nil, "?1"): false
        default: nil
        }
    }
}
