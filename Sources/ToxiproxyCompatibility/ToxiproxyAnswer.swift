internal import Basics
internal import Journal

/// What a request is answered with.
package struct ToxiproxyAnswer: Hashable, Sendable {
    package var status: Int
    /// Of the content; nil for none.
    package var type: String?
    package var body: [UInt8]
    /// What was accepted and probably not meant.
    package var warnings: [String] = []

    static let json = "application/json"
    static let plain = "text/plain; charset=utf-8"

    package init(_ status: Int, type: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.type = type
        self.body = body
    }

    static func json(_ status: Int, _ value: JSONValue) -> ToxiproxyAnswer {
        ToxiproxyAnswer(status, type: json, body: GoJSON.bytes(of: value))
    }

    static func text(_ status: Int, _ text: String, type: String = plain) -> ToxiproxyAnswer {
        ToxiproxyAnswer(status, type: type, body: Array(text.utf8))
    }

    static let empty = ToxiproxyAnswer(204)

    /// Clients read the body in spite of its type.
    static func error(_ error: ToxiproxyError) -> ToxiproxyAnswer {
        let body = GoJSON.bytes(of: .object(error.members)) + [UInt8(ascii: "\n")]
        return ToxiproxyAnswer(error.status, type: plain, body: body)
    }

    /// An error of `/populate`, which also lists the proxies made: none.
    static func populateError(_ error: ToxiproxyError) -> ToxiproxyAnswer {
        var members = error.members
        members.append("proxies", .null)
        return .json(error.status, .object(members))
    }
}
