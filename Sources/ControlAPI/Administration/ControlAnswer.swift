package import Basics
package import HTTPWire

/// What a request is answered with.
package enum ControlAnswer {
    /// A whole answer.
    case complete(ResponseHead, [UInt8])
    /// An answer that goes on until one side ends it; `begin` gets where its content goes.
    case stream(ResponseHead, begin: (EventFeed) -> Void)
    /// An answer that comes later; `begin` gets where to give it.
    case later(begin: (PendingAnswer) -> Void)

    /// A JSON document.
    package static func json(
        _ value: JSONValue,
        status: Int = 200,
        fields: HeaderFields = [:]
    ) -> ControlAnswer {
        var bytes: [UInt8] = []
        value.write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        return .complete(head(status, "application/json", fields), bytes)
    }

    /// A text of another type.
    package static func text(
        _ text: String,
        type: String,
        status: Int = 200,
        fields: HeaderFields = [:]
    ) -> ControlAnswer {
        .complete(head(status, type, fields), Array(text.utf8))
    }

    /// No content.
    package static func empty(_ status: Int = 204, fields: HeaderFields = [:]) -> ControlAnswer {
        .complete(ResponseHead(status, fields: common(fields)), [])
    }

    package static func problem(_ problem: Problem) -> ControlAnswer {
        var bytes: [UInt8] = []
        problem.json.write(to: &bytes)
        bytes.append(UInt8(ascii: "\n"))
        return .complete(head(problem.status, "application/problem+json", problem.fields), bytes)
    }

    /// The head of a response with content, which must be neither cached nor sniffed.
    package static func head(
        _ status: Int,
        _ type: String,
        _ fields: HeaderFields = [:]
    ) -> ResponseHead {
        var all = common(fields)
        all.add("Content-Type", type)
        return ResponseHead(status, fields: all)
    }

    private static func common(_ fields: HeaderFields) -> HeaderFields {
        var all = fields
        if !all.contains("Cache-Control") { all.add("Cache-Control", "no-store") }
        all.add("X-Content-Type-Options", "nosniff")
        return all
    }
}
