package import Basics
internal import HTTPTransport
package import HTTPWire
internal import SystemIO

/// One request and what became of it: a line of the access log.
package struct AccessRecord: Hashable, Sendable {
    package enum Outcome: String, CaseIterable, Hashable, Sendable {
        /// The answer was sent to its last byte.
        case answered
        /// The connection ended before that.
        case lost
        /// Another request for the same upload took over, and this one's connection was reset.
        case overtaken
        /// The origin ended the connection because it was told to end itself.
        case cut
        /// It was no request.
        case refused
    }

    /// From 1, in the order in which heads were complete.
    package var ordinal: UInt64
    /// From 1.
    package var connection: UInt64
    package var peer: String
    package var method: String
    package var target: String
    package var version: String
    /// Fields of the request that matter to transfers.
    package var request: [(name: String, value: String)] = []
    /// The upload that it was about.
    package var upload: String?
    package var `protocol`: String?
    /// Status codes of interim responses, in order.
    package var interims: [Int] = []
    /// nil if no answer was begun.
    package var status: Int?
    /// Fields of the answer that matter to transfers.
    package var response: [(name: String, value: String)] = []
    /// Bytes of the request's content that were read.
    package var bytesIn: UInt64 = 0
    /// Bytes of all responses to it that the kernel took, heads included.
    package var bytesOut: UInt64 = 0
    package var outcome = Outcome.answered
    /// What misbehaviour was at work, in its own words.
    package var misbehaviour: [String] = []
    /// Microseconds from the start of the origin to the head, and from there to the end.
    package var atMicroseconds: UInt64 = 0
    package var tookMicroseconds: UInt64 = 0

    /// Fields that are worth a place in the log; none of them is a secret.
    package static let requestFields = [
        "Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since",
        "If-Unmodified-Since", "Content-Length", "Transfer-Encoding", "Content-Type", "Expect",
        "Upload-Draft-Interop-Version", "Upload-Complete", "Upload-Incomplete", "Upload-Offset",
        "Upload-Length", "Tus-Resumable", "Upload-Defer-Length", "Upload-Concat",
    ]
    package static let responseFields = [
        "Content-Length", "Content-Range", "ETag", "Last-Modified", "Location", "Upload-Complete",
        "Upload-Incomplete", "Upload-Offset", "Upload-Length", "Upload-Limit", "Retry-After",
    ]

    package init(
        ordinal: UInt64,
        connection: UInt64,
        peer: String,
        head: RequestHead,
        atMicroseconds: UInt64
    ) {
        self.ordinal = ordinal
        self.connection = connection
        self.peer = peer
        method = head.method
        target = head.target
        version =
            switch head.version {
            case .http10: "1.0"
            case .http11: "1.1"
            case .http2: "2"
            }
        self.atMicroseconds = atMicroseconds
        request = Self.chosen(Self.requestFields, of: head.fields)
    }

    /// What was no request, and the answer that the server gave to it.
    init(ordinal: UInt64, refused report: ExchangeReport, atMicroseconds: UInt64) {
        self.ordinal = ordinal
        self.atMicroseconds = atMicroseconds
        connection = UInt64(report.connection)
        peer = report.peer?.description ?? ""
        method = ""
        target = ""
        version = ""
        status = report.status
        bytesOut = UInt64(report.sentBytes)
        outcome = .refused
    }

    package mutating func take(_ head: ResponseHead) {
        status = head.status
        response = Self.chosen(Self.responseFields, of: head.fields)
    }

    private static func chosen(
        _ names: [String],
        of fields: HeaderFields
    ) -> [(name: String, value: String)] {
        names.compactMap { name in fields.combined(name).map { (name, $0) } }
    }

    package static func == (one: AccessRecord, other: AccessRecord) -> Bool {
        one.json == other.json
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(json) }

    /// The record as one line of JSON Lines, without the line end.
    package var json: JSONValue {
        let object: JSONObject = [
            "v": .number(1), "t": .string("request"), "n": .number(ordinal),
            "at": .number(atMicroseconds),
            "connection": .number(connection), "peer": .string(peer), "method": .string(method),
            "target": .string(target), "http": .string(version),
            "request": Self.object(request), "upload": upload.map { .string($0) },
            "protocol": `protocol`.map { .string($0) },
            "interim": interims.isEmpty ? nil : .array(interims.map { .number($0) }),
            "status": status.map { .number($0) } ?? .null, "response": Self.object(response),
            "bytesIn": .number(bytesIn), "bytesOut": .number(bytesOut),
            "outcome": .string(outcome.rawValue),
            "misbehaviour": misbehaviour.isEmpty
                ? nil : .array(misbehaviour.map { .string($0) }),
            "took": .number(tookMicroseconds),
        ]
        return .object(object)
    }

    /// Values are bytes, each as the scalar of its number; what is not UTF-8 is shown as it came.
    private static func object(_ fields: [(name: String, value: String)]) -> JSONValue? {
        guard !fields.isEmpty else { return nil }
        var object = JSONObject()
        for field in fields { object.append(field.name, .string(field.value)) }
        return .object(object)
    }
}
