internal import HTTPWire

// What a server owes its clients when it was killed and has started again.
extension UploadChecks {
    /// The checks that crash the server, in numerical order.
    static func crashes(_ dialect: UploadDialect, at place: ProbePlace) -> [ServerCheck] {
        let script = UploadScript(UploadRequests(place: place, dialect: dialect))
        let checks = partial(script) + interrupted(script) + complete(script)
        return checks.map { $0.unless { lifeIsOver($0, dialect) } }
    }

    // MARK: An upload of which the first part is there

    private static func partial(_ script: UploadScript) -> [ServerCheck] {
        let (half, sections) = (UploadRequests.half, script.requests.dialect.sections)
        return [
            halfThere(
                40,
                sections.upload,
                "an upload that is not complete is there after a crash",
                script
            ) {
                _,
                _,
                replies in
                .ended(
                    .require(
                        replies[3].isSuccess && replies[3].offset != nil,
                        "HEAD is answered by \(replies[3].seen), without Upload-Offset: the upload"
                            + " is lost"
                    )
                )
            },
            halfThere(
                41,
                sections.offset,
                "after a crash an upload has no fewer bytes than were acknowledged",
                script
            ) { _, acknowledged, replies in
                guard let offset = replies[3].offset else { return lost }
                return .ended(
                    .require(
                        offset >= acknowledged,
                        "Upload-Offset: \(offset), but \(acknowledged) were acknowledged"
                    )
                )
            },
            halfThere(
                42,
                sections.offset,
                "after a crash an upload has no more bytes than were sent",
                script
            ) { _, _, replies in
                guard let offset = replies[3].offset else { return lost }
                return .ended(
                    .require(
                        offset <= half,
                        "Upload-Offset: \(offset), but only \(half) bytes were sent"
                    )
                )
            },
            halfThere(
                43,
                sections.append,
                "after a crash the rest can be appended, and completes the upload",
                script
            ) { upload, _, replies in
                guard let offset = replies[3].offset else { return lost }
                guard offset <= half else {
                    return .ended(.doesNotApply("the offset after the crash is wrong"))
                }
                return script.goOn(upload, replies.dropFirst(3), limit: half)
            },
            halfThere(
                44,
                sections.append,
                "what a crash interrupted has the content that was sent",
                script
            ) { upload, _, replies in
                let rest = script.goOn(upload, replies.dropFirst(3), limit: half)
                switch rest {
                case .ended(.passed): break
                case .ended: return .ended(.doesNotApply("the upload was not completed"))
                default: return rest
                }
                return content(of: upload, replies, completedBy: 4, fetchedBy: 6, script)
            },
        ]
    }

    private static let lost = ServerCheck.Step.ended(.doesNotApply("the upload is lost"))

    /// A check of an upload whose first half has come before a crash; the last of the replies that are
    /// always there is the answer to HEAD after it.
    private static func halfThere(
        _ number: Int,
        _ section: String,
        _ rule: String,
        _ script: UploadScript,
        judge:
            @escaping @Sendable (
                _ upload: HTTPURL,
                _ acknowledged: Int,
                _ replies: [ProbeReply]
            ) -> ServerCheck.Step
    ) -> ServerCheck {
        let (requests, half) = (script.requests, UploadRequests.half)
        return script.check(number, .error, section, rule) { upload, replies in
            switch replies.count {
            case 0: return .send(requests.append(to: upload, from: 0, to: half))
            case 1: return .send(requests.head(upload))
            default: break
            }
            guard replies[0].isSuccess, let offset = replies[1].offset else {
                return .ended(.doesNotApply("no part can be appended: \(replies[0].seen)"))
            }
            switch replies.count {
            case 2: return .restart
            case 3: return .send(requests.head(upload))
            default: return judge(upload, max(offset, replies[0].offset ?? 0), replies)
            }
        }
        .overCrash(sharing: "\(script.prefix)half")
    }

    /// Whether the content of a complete upload is what was sent.
    ///
    /// Where it is not, an upload without a crash shows whether it can be fetched at all.
    private static func content(
        of upload: HTTPURL,
        _ replies: [ProbeReply],
        completedBy last: Int,
        fetchedBy fetch: Int,
        _ script: UploadScript
    ) -> ServerCheck.Step {
        let requests = script.requests
        guard replies.count > fetch else {
            return .send(script.place.content(of: upload, replies[last]))
        }
        guard replies[fetch].body != UploadRequests.content else { return .ended(.passed) }
        let control = replies.dropFirst(fetch + 1)
        guard let creation = control.first else { return .send(requests.create()) }
        guard let other = creation.resource(of: script.place) else { return notFetched }
        switch control.count {
        case 1: return .send(requests.append(to: other, from: 0))
        case 2: return .send(script.place.content(of: other, replies[fetch + 2]))
        default:
            guard replies[fetch + 3].body == UploadRequests.content else { return notFetched }
            return .ended(hasContent(replies[fetch]))
        }
    }

    /// Whether an answer to GET brings what was sent.
    private static func hasContent(_ reply: ProbeReply) -> ServerCheck.Verdict {
        guard reply.status == 200 else { return .failed("GET is answered by \(reply.seen)") }
        let (found, length) = (reply.body.count, UploadRequests.length)
        return .require(
            reply.body == UploadRequests.content,
            found == length
                ? "other content than was sent" : "\(found) bytes of content, not \(length)"
        )
    }

    private static let notFetched = ServerCheck.Step.ended(
        .doesNotApply("it cannot be fetched; name by --content where it is")
    )

    // MARK: An append that was interrupted

    private static func interrupted(_ script: UploadScript) -> [ServerCheck] {
        let (requests, half) = (script.requests, UploadRequests.half)
        let sections = script.requests.dialect.sections
        return [
            script.check(
                45,
                .error,
                sections.append,
                "an interrupted append can be resumed after a crash at the offset from HEAD"
            ) { upload, replies in
                switch replies.count {
                case 0:
                    return .send(
                        requests.append(to: upload, from: 0, interruption: .cut(after: half))
                    )
                case 1: return .send(requests.head(upload))
                default: break
                }
                guard let offset = replies[1].offset, offset <= half else {
                    return .ended(.doesNotApply("HEAD is answered by \(replies[1].seen)"))
                }
                guard replies.count > 2 else { return .restart }
                return script.goOn(
                    upload,
                    replies.dropFirst(3),
                    atLeast: max(offset, replies[0].progress),
                    limit: half
                )
            }
            .overCrash(sharing: "\(script.prefix)cut"),
            script.check(
                46,
                .error,
                sections.append,
                "an append interrupted by a crash resumes no earlier than was acknowledged"
            ) { upload, replies in
                switch replies.count {
                case 0:
                    return .send(
                        requests.append(to: upload, from: 0, interruption: .hang(after: half))
                    )
                case 1: return .restart
                default:
                    return script.goOn(
                        upload,
                        replies.dropFirst(2),
                        atLeast: replies[0].progress,
                        limit: half
                    )
                }
            }
            .overCrash(sharing: "\(script.prefix)hang"),
        ]
    }

    // MARK: A complete upload

    private static func complete(_ script: UploadScript) -> [ServerCheck] {
        let sections = script.requests.dialect.sections
        return [
            whole(
                47,
                sections.upload,
                "a complete upload is complete after a crash, or gone",
                script
            ) { upload, replies in
                .ended(script.completeOrGone(replies[3]))
            },
            whole(48, sections.append, "a crash changes nothing of a complete upload", script) {
                upload,
                replies in
                guard replies[1].body == UploadRequests.content else { return notFetched }
                guard replies.count > 4 else {
                    return .send(script.place.content(of: upload, replies[0]))
                }
                return .ended(hasContent(replies[4]))
            },
        ]
    }

    /// A check of an upload that was complete before a crash; the last of the replies that are always
    /// there is the answer to HEAD after it.
    private static func whole(
        _ number: Int,
        _ section: String,
        _ rule: String,
        _ script: UploadScript,
        judge: @escaping @Sendable (_ upload: HTTPURL, _ replies: [ProbeReply]) -> ServerCheck.Step
    ) -> ServerCheck {
        let requests = script.requests
        return script.check(number, .error, section, rule) { upload, replies in
            guard let last = replies.first else {
                return .send(requests.append(to: upload, from: 0))
            }
            guard last.isSuccess else {
                return .ended(.doesNotApply("the content is answered by \(last.seen)"))
            }
            switch replies.count {
            case 1: return .send(script.place.content(of: upload, last))
            case 2: return .restart
            case 3: return .send(requests.head(upload))
            default: return judge(upload, replies)
            }
        }
        .overCrash(sharing: "\(script.prefix)whole")
    }
}

extension UploadDialect {
    /// Where its document says what an upload, its offset and an append are.
    fileprivate var sections: (upload: String, offset: String, append: String) {
        switch self {
        case .ietf(.v8): ("Upload Resource", "Offset", "Upload Append")
        case .ietf: ("Offset Retrieval", "Offset Retrieval", "Upload Append")
        case .tus: ("HEAD", "PATCH", "PATCH")
        }
    }
}

extension ProbeReply {
    /// The last offset that an interim response has acknowledged; 0 if there is none.
    fileprivate var progress: Int {
        interims.last { $0.status == 104 && $0.fields.contains("Upload-Offset") }?
            .fields["Upload-Offset"].flatMap { Int($0) } ?? 0
    }
}
