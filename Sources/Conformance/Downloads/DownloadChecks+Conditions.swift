internal import HTTPWire

// Conditional requests (RFC 9110 §13), alone and with ranges.
extension DownloadChecks {
    private static let unknownTag = "\"linkcond-probe-no-such-version\""

    /// A day before the object's date.
    private static func earlier(_ object: ProbedObject) -> String {
        let known = object.lastModified.flatMap {
            HTTPDate($0, now: HTTPDate(secondsSince1970: 4_000_000_000))
        }
        return HTTPDate(secondsSince1970: (known?.secondsSince1970 ?? 946_684_800) - 86_400).text
    }

    static func conditions(_ object: ProbedObject) -> [ServerCheck] {
        [
            withTag("D30", .error, "§13.1.2", "If-None-Match of this version gets 304", object) {
                ["If-None-Match": $0]
            } judge: {
                .require($0.status == 304 && $0.body.isEmpty, "\($0.seen)")
            },
            ServerCheck(
                "D31",
                .error,
                "RFC 9110 §13.1.2",
                "If-None-Match of another version gets the content",
                object.get(["If-None-Match": unknownTag])
            ) { object.whole($0) },
            withTag("D32", .warning, "§15.4.5", "a 304 has the ETag that a 200 would have", object)
            {
                ["If-None-Match": $0]
            } judge: { reply in
                guard reply.status == 304 else { return .doesNotApply("there is no 304") }
                let tag = reply.fields["ETag"]
                return .require(tag == object.response["ETag"], "ETag: \(tag ?? "none")")
            },
            ServerCheck(
                "D33",
                .warning,
                "RFC 9110 §13.1.1",
                "If-Match of another version gets 412, and no content of this one",
                object.get(["If-Match": unknownTag])
            ) { mustFail($0, "If-Match") },
            withDate(
                "D34",
                .warning,
                "§13.1.3",
                "If-Modified-Since of this version gets 304",
                object
            ) {
                ["If-Modified-Since": $0]
            } judge: {
                .require($0.status == 304, $0.seen)
            },
            withDate(
                "D35",
                .warning,
                "§13.1.4",
                "If-Unmodified-Since before this version gets 412",
                object
            ) { _ in
                ["If-Unmodified-Since": earlier(object)]
            } judge: {
                mustFail($0, "If-Unmodified-Since")
            },
        ]
    }

    static func rangeConditions(_ object: ProbedObject) -> [ServerCheck] {
        [
            resumption(object),
            ServerCheck(
                "D41",
                .error,
                "RFC 9110 §13.1.5",
                "If-Range of another version gets the whole object",
                object.get(["Range": "bytes=1-", "If-Range": unknownTag])
            ) { object.whole($0) },
            ServerCheck(
                "D42",
                .error,
                "RFC 9110 §13.1.5",
                "If-Range with a weak ETag gets the whole object",
                object.get([
                    "Range": "bytes=1-",
                    "If-Range": EntityTag(object.entityTag?.opaque ?? "x", isWeak: true).text,
                ])
            ) { object.whole($0) },
            ServerCheck(
                "D43",
                .error,
                "RFC 9110 §13.1.5",
                "If-Range with another date gets the whole object",
                object.get(["Range": "bytes=1-", "If-Range": earlier(object)])
            ) { object.whole($0) },
            ServerCheck(
                "D44",
                .error,
                "RFC 9110 §13.2.2",
                "with If-Match of another version no part of this one comes",
                object.get(["Range": "bytes=1-", "If-Match": unknownTag])
            ) { reply in
                .require(
                    reply.status == 412 || object.whole(reply) == .passed,
                    "\(reply.seen): a part of this version, which would be joined to one of another"
                )
            },
            withTag("D45", .error, "§13.2.2", "If-None-Match counts before Range", object) {
                ["If-None-Match": $0, "Range": "bytes=1-"]
            } judge: {
                .require($0.status == 304, $0.seen)
            },
        ]
    }

    /// A precondition that is false: nothing of the object may come.
    private static func mustFail(
        _ reply: ProbeReply,
        _ field: String
    ) -> ServerCheck.Verdict {
        switch reply.status {
        case 412: .passed
        case 200, 206: .failed("\(reply.status): \(field) is ignored")
        default: .failed(reply.seen)
        }
    }

    private static func withTag(
        _ name: String,
        _ level: ServerCheck.Level,
        _ section: String,
        _ rule: String,
        _ object: ProbedObject,
        fields: (String) -> HeaderFields,
        judge: @escaping @Sendable (ProbeReply) -> ServerCheck.Verdict
    ) -> ServerCheck {
        guard let tag = object.response["ETag"] else {
            return ServerCheck(
                name,
                level,
                "RFC 9110 \(section)",
                rule,
                verdict: .doesNotApply("there is no ETag")
            )
        }
        return ServerCheck(
            name,
            level,
            "RFC 9110 \(section)",
            rule,
            object.get(fields(tag)),
            judge: judge
        )
    }

    private static func withDate(
        _ name: String,
        _ level: ServerCheck.Level,
        _ section: String,
        _ rule: String,
        _ object: ProbedObject,
        fields: (String) -> HeaderFields,
        judge: @escaping @Sendable (ProbeReply) -> ServerCheck.Verdict
    ) -> ServerCheck {
        guard let date = object.lastModified else {
            return ServerCheck(
                name,
                level,
                "RFC 9110 \(section)",
                rule,
                verdict: .doesNotApply("there is no Last-Modified")
            )
        }
        return ServerCheck(
            name,
            level,
            "RFC 9110 \(section)",
            rule,
            object.get(fields(date)),
            judge: judge
        )
    }

    /// What a client sends to resume; who ignores ranges altogether need not answer it by a part.
    private static func resumption(_ object: ProbedObject) -> ServerCheck {
        ServerCheck(
            "D40",
            .warning,
            "RFC 9110 §13.1.5",
            "If-Range of this version gets the part"
        ) { replies in
            guard let tag = object.strongTag else {
                return .ended(.doesNotApply("there is no strong ETag"))
            }
            guard let plain = replies.first else { return .send(object.get(range("1-"))) }
            guard plain.status == 206 else { return .ended(.doesNotApply("Range is ignored")) }
            guard replies.count > 1 else {
                return .send(object.get(["Range": "bytes=1-", "If-Range": tag.text]))
            }
            return .ended(object.part(replies[1], 1..<object.length))
        }
    }
}
