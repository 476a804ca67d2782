package import HTTPWire

/// A final response, and how to go on with the connection.
package struct UploadAnswer: Hashable, Sendable {
    package var head: ResponseHead
    package var body: [UInt8]
    /// Whether the request's body may not have been read to its end when this is sent.
    ///
    /// Then send it, read on and discard up to `drainBytes` or for `drainSeconds`, and close if the
    /// body has not ended by then: a reset could destroy the answer (RFC 9112 §9.6).
    package var needsDrain: Bool

    package static let drainBytes: UInt64 = 1 << 20
    package static let drainSeconds: Int = 2

    package init(
        _ status: Int,
        _ fields: HeaderFields = [:],
        body: [UInt8] = [],
        needsDrain: Bool = false
    ) {
        var fields = fields
        if status != 204 && status != 304 { fields["Content-Length"] = "\(body.count)" }
        head = ResponseHead(status, fields: fields)
        self.body = body
        self.needsDrain = needsDrain
    }

    /// As the answer to HEAD: the same without content.
    func withoutBody() -> UploadAnswer {
        var fields = head.fields
        fields.remove("Content-Type")
        return UploadAnswer(head.status, fields, needsDrain: needsDrain)
    }
}

/// What became of a complete upload: the answer of the resource that it was meant for.
package struct StoredAnswer: Hashable, Sendable {
    package var status: Int
    package var fields: HeaderFields
    /// At most `bodyLimit` bytes; more is cut off when it is stored.
    package private(set) var body: [UInt8]

    package static let bodyLimit = 64 << 10

    var isRefusal: Bool { status >= 400 }

    package init(_ status: Int = 201, _ fields: HeaderFields = [:], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = Array(body.prefix(Self.bodyLimit))
    }
}
