package import HTTPWire

extension UploadOrigin {
    /// The request for the server that the complete upload is for.
    ///
    /// It is the one that created the upload, without what concerned only the way of its content;
    /// `Content-Length` is left to the sender.
    package var forwarded: RequestHead {
        var head = RequestHead(method, target).forwarded
        head.fields = fields
        return head
    }

    /// Whether the server may get the request again when nobody knows whether it acted on it
    /// (RFC 9110 §9.2.2, draft-ietf-httpapi-idempotency-key-header).
    var isRepeatable: Bool {
        ["PUT", "DELETE"].contains(method) || fields.contains("Idempotency-Key")
    }

    /// Notes what of a creation is for the server that the upload is for.
    mutating func keepFields(of head: RequestHead, dialect: UploadProtocol) {
        fields = head.forwarded.fields
        for name in Self.ofTransfer { fields.remove(name) }
        guard dialect.isTus else { return }
        fields.remove("X-HTTP-Method-Override")
        describeContent(metadata.flatMap { TusMetadata($0) })
    }

    /// What describes the way of the content, or a part of it.
    fileprivate static let ofTransfer = [
        "Content-Digest", "Upload-Complete", "Upload-Incomplete",
        "Upload-Offset", "Upload-Length", "Upload-Limit", "Upload-Draft-Interop-Version",
        "Upload-Defer-Length", "Upload-Metadata", "Upload-Concat", "Upload-Checksum",
        "Tus-Resumable",
    ]

    /// Says in HTTP's fields what tus says in metadata: there `Content-Type` is of the protocol.
    private mutating func describeContent(_ metadata: TusMetadata?) {
        let type = ["filetype", "type"].lazy.compactMap { metadata?.text($0) }
            .compactMap { MediaType($0) }.first
        fields["Content-Type"] = type?.text ?? "application/octet-stream"
        let name = ["filename", "name"].lazy.compactMap { metadata?.text($0) }.first
        guard let name, !name.isEmpty else { return }
        let encoded = PercentEncoding.encode(name)
        fields["Content-Disposition"] = "attachment; filename*=UTF-8''\(encoded)"
    }
}

extension StoredAnswer {
    /// The answer of the server that an upload is for, as a gateway gives it to the client.
    ///
    /// - Parameters:
    ///   - head: of the response.
    ///   - body: nil if it is longer than `bodyLimit`: then a sentence stands for it.
    package init(forwarding head: ResponseHead, body: [UInt8]?) {
        var fields = head.forwarded.fields
        for name in ["Content-Length"] + UploadOrigin.ofTransfer { fields.remove(name) }
        guard let body else {
            for name in ["Content-Type", "Content-Encoding", "ETag"] { fields.remove(name) }
            fields["Content-Type"] = "text/plain; charset=utf-8"
            let limit = Self.bodyLimit >> 10
            let text = "The server's answer is left out: it is longer than \(limit) KiB.\n"
            self.init(head.status, fields, body: Array(text.utf8))
            return
        }
        self.init(head.status, fields, body: body)
    }
}

/// Why the server that an upload is for has given no answer.
package struct ForwardingFailure: Error, Hashable, Sendable {
    /// 502 or 504.
    package var status: Int
    /// One sentence, of ours.
    package var title: String
    /// Whether the server may have the whole request.
    package var mayHaveArrived: Bool

    package init(_ status: Int, _ title: String, mayHaveArrived: Bool = false) {
        self.status = status
        self.title = title
        self.mayHaveArrived = mayHaveArrived
    }

    var document: StoredAnswer {
        StoredAnswer(
            status,
            ["Content-Type": ProblemDocument.mediaType, "Cache-Control": "no-store"],
            body: ProblemDocument(title: title, status: status).json
        )
    }
}
