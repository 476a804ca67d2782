internal import Basics

/// Requests with content whose answer is an error that closes the connection, as one that is too large
/// or malformed gets.
///
/// Such a server may answer before it has the whole request (RFC 9112 §9.6). How much more the client
/// sends depends on when it sees the answer, and so does whether the server resets the connection over
/// what it has not read; the canonical form does not tell.
struct RefusedRequests: Hashable, Sendable {
    private var withContent: Set<Int128> = []
    private var refused: Set<Int128> = []

    /// Takes note of a `req` or `resp` record.
    mutating func take(_ record: JSONText, _ type: String) {
        switch type {
        case "req": take(request: record)
        case "resp": take(response: record)
        default: break
        }
    }

    private mutating func take(request: JSONText) {
        guard request.place(of: "framing").flatMap(request.string(at:)) != "none",
            let ordinal = request.place(of: "r").flatMap(request.integer(at:))
        else { return }
        withContent.insert(ordinal)
    }

    private mutating func take(response: JSONText) {
        guard let status = response.place(of: "status").flatMap(response.integer(at:)),
            status >= 400, response.place(of: "by") == nil,
            let fields = response.place(of: "fields"),
            let connection = response.place(of: "connection", in: fields)
                .flatMap(response.string(at:)),
            connection.lowercased() == "close",
            let request = response.place(of: "r").flatMap(response.integer(at:)),
            withContent.contains(request)
        else { return }
        refused.insert(request)
    }

    /// Whether a record tells how much of such a request was sent.
    func concern(_ place: CanonicalPlace, _ type: String) -> Bool {
        guard !refused.isEmpty else { return false }
        return type == "connend" || place.requestContent.map(refused.contains) ?? false
    }

    /// Such a record without that.
    func withoutContent(_ record: JSONObject) -> JSONObject {
        var record = record
        for key in Self.content { record.remove(key) }
        return record
    }

    /// Of `body` and `connend`, see docs/reference/journal.md.
    private static let content = [
        "bytes", "complete", "sha256", "first64k_sha256", "chunks", "up_bytes", "up_sha256", "how",
        "by",
    ]
}
