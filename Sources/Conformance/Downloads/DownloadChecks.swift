internal import HTTPWire

/// What a server has to keep so that downloads can be resumed (RFC 9110).
package enum DownloadChecks {
    /// All checks of an object, in order.
    package static func all(_ object: ProbedObject) -> [ServerCheck] {
        representation(object) + codings(object) + ranges(object) + conditions(object)
            + rangeConditions(object)
    }

    /// The request after the checks that shows whether they were about one and the same object.
    package static func last(_ object: ProbedObject) -> ProbeRequest { object.get() }

    /// Whether the object is still what it was.
    package static func isUnchanged(_ object: ProbedObject, _ reply: ProbeReply) -> Bool {
        object.whole(reply) == .passed
    }

    /// What does not change between two requests, and what HEAD says.
    private static func representation(_ object: ProbedObject) -> [ServerCheck] {
        [
            ServerCheck(
                "D1",
                .error,
                "RFC 9110 §9.2.1",
                "a second GET brings the same bytes under the same validator",
                object.get()
            ) { reply in
                guard object.whole(reply) == .passed else { return object.whole(reply) }
                let tag = reply.fields["ETag"]
                return .require(
                    tag == object.response["ETag"],
                    "equal bytes, but ETag \(tag ?? "missing") after"
                        + " \(object.response["ETag"] ?? "none"): no download is ever resumed"
                )
            },
            ServerCheck(
                "D2",
                .warning,
                "RFC 9110 §8.8.1",
                "there is a strong validator, by which parts may be joined",
                verdict: .require(
                    object.strongTag != nil || object.lastModified != nil,
                    object.entityTag == nil
                        ? "neither ETag nor Last-Modified"
                        : "the ETag is weak, and no Last-Modified"
                )
            ),
            ServerCheck(
                "D3",
                .error,
                "RFC 9110 §9.3.2",
                "HEAD says what GET says, and brings no content",
                object.request("HEAD", [:])
            ) { head($0, object) },
            ServerCheck(
                "D4",
                .warning,
                "RFC 9110 §8.6",
                "the response says its length",
                verdict: .require(
                    object.response.contains("Content-Length"),
                    "no Content-Length: neither progress nor a missing end can be told"
                )
            ),
        ]
    }

    private static func head(_ reply: ProbeReply, _ object: ProbedObject) -> ServerCheck.Verdict {
        guard reply.status == 200 else { return .failed("HEAD is answered by \(reply.seen)") }
        for name in ["ETag", "Last-Modified", "Content-Encoding"]
        where reply.fields[name] != object.response[name] {
            let (head, get) = (reply.fields[name] ?? "none", object.response[name] ?? "none")
            return .failed("\(name) of HEAD: \(head), of GET: \(get)")
        }
        guard let length = reply.fields["Content-Length"] else { return .passed }
        return .require(
            length == "\(object.length)",
            "Content-Length of HEAD: \(length), of GET: \(object.length)"
        )
    }
}
