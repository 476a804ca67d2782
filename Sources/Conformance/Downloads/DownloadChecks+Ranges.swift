internal import HTTPWire

// Range requests (RFC 9110 §14).
extension DownloadChecks {
    static func ranges(_ object: ProbedObject) -> [ServerCheck] {
        let (length, middle) = (object.length, object.length / 2)
        return [
            support(object),
            part("D11", "a part in the middle is that part", object, 1..<middle, "1-\(middle - 1)"),
            part(
                "D12",
                "a part without an end goes to the end",
                object,
                middle..<length,
                "\(middle)-"
            ),
            part(
                "D13",
                "the last byte can be asked for",
                object,
                length - 1..<length,
                "\(length - 1)-"
            ),
            part("D14", "a suffix is counted from the end", object, length - 3..<length, "-3"),
            part(
                "D15",
                "a suffix longer than the object is the object",
                object,
                0..<length,
                "-\(length + 7)"
            ),
            part(
                "D16",
                "an end beyond the object is its end",
                object,
                length - 2..<length,
                "\(length - 2)-\(length + 9)"
            ),
            ServerCheck(
                "D17",
                .error,
                "RFC 9110 §14.1.2",
                "no part is made of a range that begins at the end",
                object.get(range("\(length)-"))
            ) { reply in
                reply.status == 200
                    ? object.whole(reply) : .require(reply.status == 416, "\(reply.seen)")
            },
            ServerCheck(
                "D18",
                .warning,
                "RFC 9110 §15.5.17",
                "a 416 says how long the object is",
                object.get(range("\(length)-"))
            ) { reply in
                guard reply.status == 416 else { return .doesNotApply("there is no 416") }
                let field = reply.fields["Content-Range"]
                return .require(
                    field.flatMap { ContentRange($0) } == .unsatisfied(length: length),
                    field.map { "Content-Range: \($0)" } ?? "no Content-Range"
                )
            },
            ServerCheck(
                "D19",
                .warning,
                "RFC 9110 §14.2",
                "a range in an unknown unit is ignored",
                object.get(["Range": "items=0-1"])
            ) { object.whole($0) },
            ServerCheck(
                "D20",
                .error,
                "RFC 9110 §14.2",
                "no part is made of a range that cannot be read",
                object.get(["Range": "bytes=5-2"])
            ) { reply in
                reply.status == 200
                    ? object.whole(reply)
                    : .require([400, 416].contains(reply.status), "\(reply.seen)")
            },
            ServerCheck(
                "D21",
                .warning,
                "RFC 9110 §14.2",
                "Range counts with GET alone",
                object.request("HEAD", range("0-0"))
            ) { .require($0.status == 200, "HEAD with a range is answered by \($0.seen)") },
            ServerCheck(
                "D22",
                .error,
                "RFC 9110 §15.3.7.2",
                "two ranges come as two parts, each at its place",
                object.get(range("0-0,\(length - 1)-\(length - 1)"))
            ) { twoParts($0, object) },
            partFields(object),
        ]
    }

    static func range(_ text: String) -> HeaderFields { ["Range": "bytes=\(text)"] }

    private static func part(
        _ name: String,
        _ rule: String,
        _ object: ProbedObject,
        _ expected: Range<Int>,
        _ text: String
    ) -> ServerCheck {
        ServerCheck(name, .error, "RFC 9110 §14.1.2", rule, object.get(range(text))) {
            object.partOrWhole($0, expected)
        }
    }

    private static func support(_ object: ProbedObject) -> ServerCheck {
        ServerCheck(
            "D10",
            .warning,
            "RFC 9110 §14.2",
            "parts can be asked for, so that a download can be resumed",
            object.get(range("0-0"))
        ) { reply in
            let claims = object.response.list("Accept-Ranges", hasToken: "bytes")
            guard reply.status == 200 else { return object.part(reply, 0..<1) }
            return .failed(
                claims ? "Accept-Ranges: bytes, but Range is ignored" : "Range is ignored"
            )
        }
    }

    /// A part says to which version it belongs, as the whole does.
    private static func partFields(_ object: ProbedObject) -> ServerCheck {
        ServerCheck(
            "D23",
            .error,
            "RFC 9110 §15.3.7",
            "a part has the validator of the whole",
            object.get(range("1-"))
        ) { reply in
            guard reply.status == 206 else { return .doesNotApply("Range is ignored") }
            guard let tag = object.response["ETag"] else {
                return .doesNotApply("there is no ETag")
            }
            return .require(
                reply.fields["ETag"] == tag,
                "ETag of the part: \(reply.fields["ETag"] ?? "none"), of the whole: \(tag)"
            )
        }
    }

    private static func twoParts(
        _ reply: ProbeReply,
        _ object: ProbedObject
    ) -> ServerCheck.Verdict {
        if reply.status == 200 { return object.whole(reply) }
        guard reply.status == 206 else { return .failed(reply.seen) }
        guard let type = reply.fields["Content-Type"].flatMap({ MediaType($0) }),
            type.essence == "multipart/byteranges"
        else { return coalesced(reply, object) }
        guard let boundary = type.parameters["boundary"] else {
            return .failed("multipart/byteranges without a boundary")
        }
        let last = object.length - 1
        let expected = [0..<1, last..<last + 1].map { range in
            ByteRangesPart(range: range, total: object.length, bytes: Array(object.bytes[range]))
        }
        guard let parts = ByteRangesPart.all(in: reply.body, boundary: boundary) else {
            return .failed("206 multipart/byteranges that cannot be taken apart")
        }
        return .require(
            parts == expected,
            "206 with the parts " + parts.map(\.text).joined(separator: ", ") + ", or other content"
        )
    }

    /// Ranges may be joined to one that holds them all (RFC 9110 §15.3.7.2).
    private static func coalesced(
        _ reply: ProbeReply,
        _ object: ProbedObject
    ) -> ServerCheck.Verdict {
        guard
            case .part(let range, _)? = reply.fields["Content-Range"].flatMap({ ContentRange($0) }),
            range.upperBound <= object.length
        else { return .failed("206, neither multipart/byteranges nor with a Content-Range") }
        return object.part(reply, range)
    }
}
