package import Basics
package import HTTPWire

/// A request that was let in, with its whole content.
package struct ControlRequest: Hashable, Sendable {
    package var head: RequestHead
    /// What stands between the slashes of the path, decoded.
    package var segments: [String]
    /// In the order in which they stand there.
    package var query: [QueryItem]
    package var body: [UInt8]

    /// Takes a head apart.
    ///
    /// - Throws: a problem if the path or the query cannot be read.
    package init(_ head: RequestHead, body: [UInt8] = []) throws(Problem) {
        self.head = head
        self.body = body
        guard let resource = RequestTarget(head)?.resource,
            resource.path.hazards.isDisjoint(with: [.badEscape, .notUTF8, .nul])
        else {
            throw Problem(400, "bad-path", "The path is not text in percent-encoding.")
        }
        guard let query = resource.queryItems else {
            throw Problem(400, "bad-query", "The query is not text in percent-encoding.")
        }
        segments = resource.path.segments
        self.query = query
    }

    package var method: String { head.method }

    /// The path as it came, without the query.
    package var path: String { String(head.target.prefix { $0 != "?" }) }

    /// The content as JSON.
    ///
    /// - Throws: a problem with the place of the mistake; also if there is no content.
    package func json() throws(Problem) -> JSONValue {
        guard !body.isEmpty else {
            throw Problem(400, "no-content", "There is no content; a JSON object is expected.")
        }
        do throws(JSONError) {
            return try JSONParser.parse(body[...], .document)
        } catch {
            let message = "\(error.description), at character \(error.column)"
            throw Problem(
                400,
                "bad-json",
                "The content is not the JSON that is expected: \(message)",
                mistakes: [.init(error.pointer, message)]
            )
        }
    }
}
