package import Basics
package import HTTPWire

/// Why a request is refused, as a document (RFC 9457).
package struct Problem: Error, Hashable, Sendable {
    /// One mistake in the content of a request.
    package struct Mistake: Hashable, Sendable {
        /// Where, as a JSON pointer (RFC 6901); empty for the whole document.
        package var pointer: String
        /// What is wrong and what was expected.
        package var message: String
        /// What was most likely meant, to be put in its place.
        package var suggestion: String?

        package init(_ pointer: String, _ message: String, suggestion: String? = nil) {
            self.pointer = pointer
            self.message = message
            self.suggestion = suggestion
        }
    }

    package var status: Int
    /// Names the kind of problem; stays the same from version to version.
    package var kind: String
    /// What is wrong with this request, in one sentence that says what to do.
    package var detail: String
    package var mistakes: [Mistake]
    /// Fields that the status asks for, such as `Allow`.
    package var fields: HeaderFields

    package init(
        _ status: Int,
        _ kind: String,
        _ detail: String,
        mistakes: [Mistake] = [],
        fields: HeaderFields = [:]
    ) {
        self.status = status
        self.kind = kind
        self.detail = detail
        self.mistakes = mistakes
        self.fields = fields
    }

    /// The document: `type`, `title`, `status`, `detail` and, for mistakes in the content, `errors`.
    package var json: JSONValue {
        var object: JSONObject = [
            "type": .string("urn:linkcond:problem:\(kind)"),
            "title": .string(ReasonPhrase.of(status)),
            "status": .number(status),
            "detail": .string(detail),
        ]
        guard !mistakes.isEmpty else { return .object(object) }
        let errors = mistakes.map { mistake -> JSONValue in
            .object([
                "pointer": .string(mistake.pointer), "message": .string(mistake.message),
                "suggestion": mistake.suggestion.map { .string($0) },
            ])
        }
        object.append("errors", .array(errors))
        return .object(object)
    }
}

extension Problem {
    /// The content has mistakes.
    package static func invalid(_ mistakes: [Mistake]) -> Problem {
        let first = mistakes.first
        let place = first.map { $0.pointer.isEmpty ? "" : "\($0.pointer): " } ?? ""
        let more = mistakes.count > 1 ? " (and \(mistakes.count - 1) more)" : ""
        return Problem(
            422,
            "invalid",
            place + (first?.message ?? "The content cannot be used.") + more,
            mistakes: mistakes
        )
    }

    /// The content has one mistake.
    package static func invalid(
        _ pointer: String,
        _ message: String,
        suggestion: String? = nil
    ) -> Problem {
        invalid([Mistake(pointer, message, suggestion: suggestion)])
    }

    package static func notFound(_ detail: String) -> Problem { Problem(404, "not-found", detail) }
}
