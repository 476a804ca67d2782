internal import HTTPWire

// Downloads over a crash of the server.
extension DownloadChecks {
    /// The checks that crash the server, in numerical order.
    static func crashes(_ object: ProbedObject) -> [ServerCheck] {
        [
            over(
                "D50",
                .error,
                "§8.8.1",
                "after a crash the same strong ETag stands for the same bytes",
                object
            ) { before, after, _ in
                guard let tag = before.strongTag() else {
                    return .ended(.doesNotApply("there is no strong ETag"))
                }
                guard after.strongTag() == tag else {
                    return .ended(.doesNotApply("the ETag is another one"))
                }
                return .ended(
                    .require(after.body == before.body, "other bytes under ETag \(tag.text)")
                )
            },
            over(
                "D51",
                .warning,
                "§8.8.3",
                "after a crash the same bytes have the same validator",
                object
            ) { before, after, _ in
                guard after.body == before.body else {
                    return .ended(.doesNotApply("the bytes are others"))
                }
                let name = before.strongTag() == nil ? "Last-Modified" : "ETag"
                let (old, new) = (before.fields[name], after.fields[name])
                guard let old else {
                    return .ended(.doesNotApply("there is no validator"))
                }
                return .ended(
                    .require(
                        new == old,
                        "\(name): \(new ?? "none"), before the crash \(old): what was cut off starts"
                            + " over"
                    )
                )
            },
            over(
                "D52",
                .error,
                "§13.1.5",
                "a download resumed with If-Range after a crash gets the rest or the whole",
                object
            ) { before, after, more in
                guard let validator = before.strongTag()?.text ?? before.fields["Last-Modified"]
                else {
                    return .ended(.doesNotApply("there is no validator"))
                }
                let tag = before.strongTag()
                guard after.body == before.body || tag == nil || after.strongTag() != tag else {
                    return .ended(.doesNotApply("other bytes have the same ETag"))
                }
                let middle = object.length / 2
                guard let rest = more.first else {
                    return .send(object.get(["Range": "bytes=\(middle)-", "If-Range": validator]))
                }
                return .ended(
                    rest.status == 200
                        ? .require(
                            rest.body == after.body,
                            "200, but other content than GET brings"
                        )
                        : object.part(rest, middle..<object.length)
                )
            },
        ]
    }

    /// A check of what GET brings before and after a crash, and of what was sent since.
    private static func over(
        _ name: String,
        _ level: ServerCheck.Level,
        _ section: String,
        _ rule: String,
        _ object: ProbedObject,
        judge:
            @escaping @Sendable (
                _ before: ProbeReply,
                _ after: ProbeReply,
                _ more: ArraySlice<ProbeReply>
            ) -> ServerCheck.Step
    ) -> ServerCheck {
        ServerCheck(name, level, "RFC 9110 \(section)", rule) { replies in
            switch replies.count {
            case 0: return .send(object.get())
            case 1:
                guard replies[0].status == 200 else {
                    return .ended(.failed("GET is answered by \(replies[0].seen)"))
                }
                return .restart
            case 2: return .send(object.get())
            default: break
            }
            guard replies[2].status == 200 else {
                return .ended(.failed("after the crash GET is answered by \(replies[2].seen)"))
            }
            return judge(replies[0], replies[2], replies.dropFirst(3))
        }
        .overCrash(sharing: "D")
    }
}

extension ProbeReply {
    fileprivate func strongTag() -> EntityTag? { entityTag().flatMap { $0.isWeak ? nil : $0 } }
}
