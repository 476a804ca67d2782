internal import HTTPWire

/// What is known of the object that the partial file holds a part of.
struct DownloadObject: Hashable, Sendable {
    /// The URL that answered; the validator is its.
    var final: HTTPURL
    var validator: RangeValidator?
    /// nil until it is known.
    var size: UInt64?
    var contentCoding: String?
    /// What `Accept-Ranges` said, or a right 206 proved; nil if nothing did.
    var acceptsRanges: Bool?
    /// The digest of the whole that the server named last.
    var digest: WholeDigest?

    /// From an answer 200.
    init(_ reply: DownloadReply, from address: HTTPURL) {
        final = address
        validator = reply.validator
        contentCoding = reply.contentCoding
        acceptsRanges = reply.acceptsRanges
        digest = DownloadReply.representationDigest(reply.fields)
    }

    init(_ resumption: DownloadResumption) {
        final = resumption.final
        validator = resumption.validator
        size = resumption.size
        contentCoding = resumption.contentCoding
        acceptsRanges = true
    }

    /// Why an answer 206 to a request from `asked` on cannot be combined with what is stored; nil
    /// if it can (RFC 9110 §14.4, §15.3.7.3).
    func problem(_ reply: DownloadReply, asked: UInt64) -> String? {
        guard let text = reply.fields["Content-Range"] else { return "206 without Content-Range" }
        guard case .part(let range, let total)? = ContentRange(text) else {
            return "206 with the Content-Range '\(text)'"
        }
        // The lengths that a coding has are of no use to say what is wrong.
        if reply.contentCoding != contentCoding { return "206 in another content coding" }
        if UInt64(range.lowerBound) != asked {
            return "206 from byte \(range.lowerBound) on, asked was \(asked)"
        }
        if let size, total.map({ UInt64($0) }) != size {
            return "206 of another complete length than \(size)"
        }
        if let length = reply.contentLength, length != UInt64(range.count) {
            return "206 with a Content-Length of \(length) for '\(text)'"
        }
        return isSame(reply) ? nil : "206 with another validator"
    }

    /// Whether another answer is of this object: the same validator, and no other size.
    func isSame(as other: DownloadObject) -> Bool {
        guard let validator, validator == other.validator else { return false }
        guard let size, let otherSize = other.size else { return true }
        return size == otherSize
    }

    /// Whether an answer without content may be of this object: it names no other validator.
    func agrees(with reply: DownloadReply) -> Bool {
        switch validator {
        case .etag(let etag): reply.etag == nil || reply.etag == etag
        case .lastModified(let text):
            reply.etag == nil && (reply.lastModified == nil || reply.lastModified == text)
        case nil: false
        }
    }

    private func isSame(_ reply: DownloadReply) -> Bool {
        switch validator {
        case .etag(let etag): reply.etag == etag
        case .lastModified(let text): reply.lastModified == nil || reply.lastModified == text
        case nil: false
        }
    }
}

/// The GET that is open.
struct DownloadExchange: Sendable {
    let address: HTTPURL
    /// The first byte that was asked for; nil if the request was for the whole.
    let asked: UInt64?
    var body: Body?

    /// The body that is being stored.
    struct Body: Sendable {
        let from: UInt64
        /// How many bytes it has; nil if only its end tells.
        let length: UInt64?
        let isChunked: Bool
        let digest: WholeDigest?
        var count: UInt64 = 0
    }
}
