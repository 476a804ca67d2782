package import Basics
internal import Journal

/// Why a request was refused, in the words that clients of Toxiproxy know.
package struct ToxiproxyError: Error, Hashable, Sendable {
    package let status: Int
    package let text: String

    package init(_ status: Int, _ text: String) {
        self.status = status
        self.text = text
    }

    static let proxyNotFound = ToxiproxyError(404, "proxy not found")
    static let toxicNotFound = ToxiproxyError(404, "toxic not found")
    static let proxyExists = ToxiproxyError(409, "proxy already exists")
    static let toxicExists = ToxiproxyError(409, "toxic already exists")
    static let invalidType = ToxiproxyError(400, "invalid toxic type")
    static let invalidStream = ToxiproxyError(
        400,
        "stream was invalid, can be either upstream or downstream"
    )

    static func badBody(_ text: String) -> ToxiproxyError {
        ToxiproxyError(400, "bad request body: \(text)")
    }

    /// A value of the wrong type under a key.
    static func wrongType(
        _ value: JSONValue,
        _ key: String,
        _ expected: String
    ) -> ToxiproxyError {
        badBody(
            "json: cannot unmarshal \(GoJSON.kind(of: value)) into Go struct field .\(key) of type \(expected)"
        )
    }

    static func missing(_ field: String, place: String = "") -> ToxiproxyError {
        ToxiproxyError(400, "missing required field: \(field)\(place)")
    }

    /// As the members of an answer.
    package var members: JSONObject { ["error": .string(text), "status": .number(status)] }
}
