internal import HTTPWire

/// A field of a request or response.
public struct MessageField: Hashable, Sendable {
    /// The field's name, in any case.
    public var name: String
    /// The field's value, without line breaks.
    public var value: String

    /// A field with a name and a value.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A request without its content, from any transport.
public struct ServerRequest: Hashable, Sendable {
    /// The method, such as `POST`.
    public var method: String
    /// The path with the query, such as `/videos?draft=1`.
    public var target: String
    /// The fields in order.
    ///
    /// `Content-Length` says how much content there is; a request with content of unknown length has
    /// `Transfer-Encoding: chunked`, whatever the transport calls it, and one with neither has none.
    public var fields: [MessageField]

    /// A request with a method, a target and fields.
    public init(_ method: String, _ target: String, fields: [MessageField] = []) {
        self.method = method
        self.target = target
        self.fields = fields
    }

    /// The value of the first field of this name; nil if there is none.
    public subscript(name: String) -> String? { HeaderFields(fields)[name] }

    var head: RequestHead { RequestHead(method, target, fields: HeaderFields(fields)) }

    init(_ head: RequestHead) {
        self.init(head.method, head.target, fields: head.fields.messageFields)
    }
}

/// An interim or final response.
public struct ServerResponse: Hashable, Sendable {
    /// The status code; below 200 the response is an interim one.
    public var status: Int
    /// The fields in order.
    public var fields: [MessageField]
    /// The content.
    public var body: [UInt8]

    /// A response with a status, fields and content.
    public init(_ status: Int, fields: [MessageField] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    /// The value of the first field of this name; nil if there is none.
    public subscript(name: String) -> String? { HeaderFields(fields)[name] }

    var head: ResponseHead { ResponseHead(status, fields: HeaderFields(fields)) }

    init(_ head: ResponseHead, body: [UInt8] = []) {
        self.init(head.status, fields: head.fields.messageFields, body: body)
    }
}

extension HeaderFields {
    init(_ fields: [MessageField]) { self.init(fields.map { Field($0.name, $0.value) }) }

    var messageFields: [MessageField] { fields.map { MessageField($0.name, $0.value) } }
}
