package import HTTPWire

/// The object that downloads are checked with, as a plain GET has brought it.
package struct ProbedObject: Sendable {
    let url: HTTPURL
    /// Of every request.
    let fields: HeaderFields
    let bytes: [UInt8]
    let response: HeaderFields
    /// Nil without one, or with one that cannot be read.
    let entityTag: EntityTag?
    let lastModified: String?

    /// The most bytes that an object may have.
    package static let limit = 32 << 20

    /// The request that brings it.
    package static func request(_ url: HTTPURL, _ fields: HeaderFields) -> ProbeRequest {
        ProbeRequest("GET", url, identity(fields))
    }

    /// - Throws: why nothing can be checked with this answer, in words.
    package init(
        _ url: HTTPURL,
        _ fields: HeaderFields,
        _ reply: ProbeReply
    ) throws(ProbeProblem) {
        guard reply.failure == nil else { throw ProbeProblem(reply.seen) }
        guard reply.status == 200 else {
            throw ProbeProblem(
                "GET is answered by \(reply.status); name an object that can be fetched"
            )
        }
        guard reply.body.count >= 4 else {
            throw ProbeProblem("it has \(reply.body.count) bytes; name an object of at least 4")
        }
        self.url = url
        self.fields = Self.identity(fields)
        bytes = reply.body
        response = reply.fields
        entityTag = reply.entityTag()
        lastModified = reply.fields["Last-Modified"]
    }

    var length: Int { bytes.count }

    /// A strong validator, the only kind by which bytes may be joined (RFC 9110 §8.8.1).
    var strongTag: EntityTag? { entityTag.flatMap { $0.isWeak ? nil : $0 } }

    var isEncoded: Bool { response["Content-Encoding"].map { $0 != "identity" } ?? false }

    func get(_ more: HeaderFields = [:]) -> ProbeRequest { request("GET", more) }

    func request(_ method: String, _ more: HeaderFields) -> ProbeRequest {
        var all = fields
        for field in more.fields { all[field.name] = field.value }
        return ProbeRequest(method, url, all)
    }

    private static func identity(_ fields: HeaderFields) -> HeaderFields {
        var fields = fields
        if !fields.contains("Accept-Encoding") { fields.add("Accept-Encoding", "identity") }
        return fields
    }
}

/// Why a server cannot be checked at all.
package struct ProbeProblem: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}

extension ProbedObject {
    /// Whether an answer is the whole object.
    func whole(_ reply: ProbeReply) -> ServerCheck.Verdict {
        if let failure = reply.failure { return .failed(failure) }
        guard reply.status == 200 else { return .failed("\(reply.status)") }
        return .require(reply.body == bytes, "200, but \(difference(reply.body, bytes))")
    }

    /// Whether an answer is this part of the object, and says so.
    func part(_ reply: ProbeReply, _ range: Range<Int>) -> ServerCheck.Verdict {
        if let failure = reply.failure { return .failed(failure) }
        guard reply.status == 206 else { return .failed("\(reply.status)") }
        guard let field = reply.fields["Content-Range"] else {
            return .failed("206 without Content-Range")
        }
        guard case .part(range, let total) = ContentRange(field), total == nil || total == length
        else {
            return .failed("206 with Content-Range: \(field)")
        }
        let expected = Array(bytes[range])
        return .require(
            reply.body == expected,
            "206, Content-Range: \(field), but \(difference(reply.body, expected))"
        )
    }

    /// Whether an answer is this part, or the whole object since ranges may be ignored.
    func partOrWhole(_ reply: ProbeReply, _ range: Range<Int>) -> ServerCheck.Verdict {
        reply.status == 200 ? whole(reply) : part(reply, range)
    }

    private func difference(_ found: [UInt8], _ expected: [UInt8]) -> String {
        guard found.count == expected.count else {
            return "\(found.count) bytes of content, not \(expected.count)"
        }
        let place = zip(found, expected).enumerated().first { $1.0 != $1.1 }?.offset ?? 0
        return "other content from byte \(place) on"
    }
}
