internal import Basics

/// Requests of a connection whose answer is an error that closes it, as one that is too large or
/// malformed gets.
///
/// Such a server may answer before it has the whole request (RFC 9112 §9.6). How much more the client
/// sends depends on when it sees the answer, so the canonical form does not tell.
struct RefusedRequests: Hashable, Sendable {
    private var ordinals: Set<Int128> = []

    /// Takes note of a `resp` record.
    mutating func take(_ response: JSONText) {
        guard let status = response.place(of: "status").flatMap(response.integer(at:)),
            status >= 400, response.place(of: "by") == nil,
            let fields = response.place(of: "fields"),
            let connection = response.place(of: "connection", in: fields)
                .flatMap(response.string(at:)),
            connection.lowercased() == "close",
            let request = response.place(of: "r").flatMap(response.integer(at:))
        else { return }
        ordinals.insert(request)
    }

    /// Whether a record tells how much of such a request was sent.
    func concern(_ place: CanonicalPlace, _ type: String) -> Bool {
        guard !ordinals.isEmpty else { return false }
        return type == "connend" || place.requestContent.map(ordinals.contains) ?? false
    }

    /// Such a record without that.
    func withoutContent(_ record: JSONObject) -> JSONObject {
        var record = record
        for key in Self.content { record.remove(key) }
        return record
    }

    /// Of `body` and `connend`, see docs/reference/journal.md.
    private static let content = [
        "bytes", "complete", "sha256", "first64k_sha256", "chunks", "up_bytes", "up_sha256",
    ]
}
