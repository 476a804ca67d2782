package import HTTPWire

/// What a server has to keep so that uploads can be resumed.
package enum UploadChecks {
    /// The first request, by which a server shows whether it speaks a dialect.
    package static func first(_ dialect: UploadDialect, at place: ProbePlace) -> ProbeRequest {
        UploadRequests(place: place, dialect: dialect).create()
    }

    /// Asks a tus server for its extensions.
    package static func options(at place: ProbePlace) -> ProbeRequest {
        ProbeRequest("OPTIONS", place.url, place.fields)
    }

    /// Tus as the answer to `options` describes it; nil if that is no tus server.
    package static func tus(_ reply: ProbeReply) -> UploadDialect? {
        guard reply.isSuccess, reply.fields.list("Tus-Version", hasToken: "1.0.0") else {
            return nil
        }
        let names = (reply.fields.combined("Tus-Extension") ?? "").split(separator: ",")
        return .tus(
            extensions: Set(names.map { String($0.filter { $0 != " " }) }),
            maximum: reply.fields["Tus-Max-Size"].flatMap { UInt64($0) }
        )
    }

    /// The upload that `first` made, if it did.
    package static func resource(_ reply: ProbeReply, at place: ProbePlace) -> HTTPURL? {
        reply.resource(of: place)
    }

    package static func question(
        _ dialect: UploadDialect,
        at place: ProbePlace,
        _ upload: HTTPURL
    ) -> ProbeRequest {
        UploadRequests(place: place, dialect: dialect).head(upload)
    }

    /// Whether an upload of this dialect answered: what else is created at a URL says no offset.
    package static func isUpload(_ reply: ProbeReply) -> Bool {
        reply.isSuccess && reply.offset != nil
    }

    /// All checks of a dialect, in order.
    package static func all(_ dialect: UploadDialect, at place: ProbePlace) -> [ServerCheck] {
        let script = UploadScript(UploadRequests(place: place, dialect: dialect))
        return switch dialect {
        case .ietf(let version): draft(version, script)
        case .tus(let extensions, let maximum):
            tus(script) + tusExtensions(extensions, maximum, script)
        }
    }

    /// A draft version that nobody knows: the content is taken as an ordinary upload.
    package static func unknownVersion(at place: ProbePlace) -> ServerCheck {
        var fields = place.fields
        fields.add("Upload-Draft-Interop-Version", "9999")
        fields.add("Upload-Complete", "?1")
        let request = ProbeRequest("POST", place.url, fields, body: UploadRequests.content)
        return ServerCheck(
            "V1",
            .error,
            "draft-…-resumable-upload §4.2",
            "an upload in an unknown draft version is an ordinary upload",
            request
        ) { .require($0.isSuccess, "it is answered by \($0.seen)") }
    }
}
