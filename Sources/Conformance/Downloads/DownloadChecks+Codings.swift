internal import HTTPWire

// Content codings: bytes of two must never be joined.
extension DownloadChecks {
    static func codings(_ object: ProbedObject) -> [ServerCheck] {
        [
            encoded(
                "D5",
                "§8.8.3.3",
                "encoded content has another strong ETag than plain content",
                object
            ) { whole, _ in
                guard let tag = object.strongTag else {
                    return .ended(.doesNotApply("there is no strong ETag"))
                }
                return .ended(
                    .require(
                        whole.entityTag() != tag,
                        "Content-Encoding: \(whole.coding ?? ""), and the ETag of the plain content,"
                            + " \(tag.text)"
                    )
                )
            },
            encoded(
                "D6",
                "§14.2",
                "a part of encoded content is a part of that, or of plain content",
                object
            ) {
                whole,
                more in
                guard let part = more.first else {
                    return .send(object.get(codingFields.adding(range("1-"))))
                }
                return .ended(partOfEither(part, whole, object))
            },
            encoded(
                "D7",
                "§13.1.5",
                "If-Range of plain content gets no part of encoded content",
                object
            ) { _, more in
                guard let tag = object.strongTag else {
                    return .ended(.doesNotApply("there is no strong ETag"))
                }
                guard let part = more.first else {
                    return .send(
                        object.get(
                            codingFields.adding(["Range": "bytes=1-", "If-Range": tag.text])
                        )
                    )
                }
                guard part.status == 206 else {
                    return .ended(.require(part.status == 200, part.seen))
                }
                guard let coding = part.coding else {
                    return .ended(object.part(part, 1..<object.length))
                }
                return .ended(
                    .failed("206 with Content-Encoding: \(coding), to be joined to plain content")
                )
            },
        ]
    }

    private static let codingFields: HeaderFields = ["Accept-Encoding": "gzip, br, zstd"]

    /// A check of an object that the server encodes where a client accepts that; it is told the answer to
    /// a plain GET first, and what was sent since.
    private static func encoded(
        _ name: String,
        _ section: String,
        _ rule: String,
        _ object: ProbedObject,
        next: @escaping @Sendable (ProbeReply, ArraySlice<ProbeReply>) -> ServerCheck.Step
    ) -> ServerCheck {
        ServerCheck(name, .error, "RFC 9110 \(section)", rule) { replies in
            guard let whole = replies.first else { return .send(object.get(codingFields)) }
            guard whole.status == 200, whole.coding != nil, !object.isEncoded else {
                return .ended(.doesNotApply("the server encodes nothing"))
            }
            return next(whole, replies.dropFirst())
        }
    }

    /// Whether an answer to a range from byte 1 on belongs to what its fields name.
    private static func partOfEither(
        _ part: ProbeReply,
        _ whole: ProbeReply,
        _ object: ProbedObject
    ) -> ServerCheck.Verdict {
        guard part.status == 206 else { return .require(part.status == 200, part.seen) }
        guard let coding = part.coding else { return object.part(part, 1..<object.length) }
        // Nobody joins it to anything.
        guard let tag = part.entityTag(), !tag.isWeak else {
            return .doesNotApply("the part has no strong ETag")
        }
        guard tag == whole.entityTag() else {
            return .failed(
                "206 with Content-Encoding: \(coding) and ETag: \(tag.text), which GET does not bring"
            )
        }
        return .require(
            coding == whole.coding && part.body == Array(whole.body.dropFirst()),
            "206 with ETag: \(tag.text), but other bytes than GET brings under it"
        )
    }
}

extension ProbeReply {
    /// The coding of the content; nil if it is plain.
    fileprivate var coding: String? {
        fields["Content-Encoding"].flatMap { $0 == "identity" ? nil : $0 }
    }
}

extension HeaderFields {
    fileprivate func adding(_ more: HeaderFields) -> HeaderFields {
        var all = self
        for field in more.fields { all.add(field.name, field.value) }
        return all
    }
}
