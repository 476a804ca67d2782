/// What a request is answered with.
package struct ToxiproxyAnswer: Hashable, Sendable {
    package var status: Int
    /// Of the content; nil for none.
    package var type: String?
    package var body: String
    /// What was accepted and probably not meant.
    package var warnings: [String] = []

    static let json = "application/json"
    static let plain = "text/plain; charset=utf-8"

    package init(_ status: Int, type: String? = nil, body: String = "") {
        self.status = status
        self.type = type
        self.body = body
    }

    static func json(_ status: Int, _ value: OrderedJSON) -> ToxiproxyAnswer {
        ToxiproxyAnswer(status, type: json, body: value.text)
    }

    static let empty = ToxiproxyAnswer(204)

    /// Clients read the body in spite of its type.
    static func error(_ error: ToxiproxyError) -> ToxiproxyAnswer {
        let body = OrderedJSON.object(error.members).text + "\n"
        return ToxiproxyAnswer(error.status, type: plain, body: body)
    }

    /// Of `/populate`, which also tells what was made: nothing.
    static func populateError(_ error: ToxiproxyError) -> ToxiproxyAnswer {
        .json(error.status, .object(error.members + [.init("proxies", .null)]))
    }
}
