internal import HTTPWire

/// Makes checks of uploads: each begins with an upload of its own.
struct UploadScript: Sendable {
    let requests: UploadRequests
    /// Before the number in a check's name.
    let prefix: String

    init(_ requests: UploadRequests) {
        self.requests = requests
        prefix =
            switch requests.dialect {
            case .ietf(let version): "V\(version.rawValue)."
            case .tus: "T"
            }
    }

    var place: ProbePlace { requests.place }

    /// A check of an upload that was just created empty.
    ///
    /// - Parameters:
    ///   - number: after the prefix, in the check's name.
    ///   - level: how much it means.
    ///   - section: of the dialect's document.
    ///   - rule: a sentence without a full stop.
    ///   - creation: another request than the usual one.
    ///   - next: what follows, told the upload and the answers since.
    /// - Returns: the check; it does not apply if nothing is created.
    func check(
        _ number: Int,
        _ level: ServerCheck.Level,
        _ section: String,
        _ rule: String,
        creation: ProbeRequest? = nil,
        next: @escaping @Sendable (_ upload: HTTPURL, _ replies: [ProbeReply]) -> ServerCheck.Step
    ) -> ServerCheck {
        let creation = creation ?? requests.create()
        let place = place
        return plain(number, level, section, rule) { replies in
            guard let first = replies.first else { return .send(creation) }
            guard let upload = first.resource(of: place) else {
                return .ended(.doesNotApply("no upload was created: \(first.seen)"))
            }
            return next(upload, Array(replies.dropFirst()))
        }
    }

    /// A check that makes its own uploads.
    func plain(
        _ number: Int,
        _ level: ServerCheck.Level,
        _ section: String,
        _ rule: String,
        next: @escaping @Sendable (_ replies: [ProbeReply]) -> ServerCheck.Step
    ) -> ServerCheck {
        ServerCheck(
            "\(prefix)\(number)",
            level,
            "\(requests.dialect.source) \(section)",
            rule,
            next: next
        )
    }

    /// A check that a request is refused and leaves the upload as it was, empty.
    func refusal(
        _ number: Int,
        _ level: ServerCheck.Level,
        _ section: String,
        _ rule: String,
        _ statuses: ClosedRange<Int> = 400...499,
        request: @escaping @Sendable (HTTPURL) -> ProbeRequest
    ) -> ServerCheck {
        check(number, level, section, rule) { [requests] upload, replies in
            switch replies.count {
            case 0: return .send(request(upload))
            case 1:
                guard statuses.contains(replies[0].status) else {
                    return .ended(.failed("it is answered by \(replies[0].seen)"))
                }
                return .send(requests.head(upload))
            default:
                let now = replies[1]
                return .ended(
                    .require(
                        now.isSuccess && now.offset == 0,
                        "afterwards HEAD is answered by \(now.seen), Upload-Offset:"
                            + " \(now.fields["Upload-Offset"] ?? "none"), not by 0"
                    )
                )
            }
        }
    }

    /// Asks where the upload is and sends the rest from there; passes if the server takes it as the whole.
    ///
    /// - Parameters:
    ///   - upload: its URL.
    ///   - replies: since the interruption.
    ///   - least: how many bytes it has at least, which the server has acknowledged.
    ///   - limit: how many bytes it can have at most.
    /// - Returns: the next request, or the verdict.
    func goOn(
        _ upload: HTTPURL,
        _ replies: ArraySlice<ProbeReply>,
        atLeast least: Int = 0,
        limit: Int
    ) -> ServerCheck.Step {
        let replies = Array(replies)
        guard let now = replies.first else { return .send(requests.head(upload)) }
        guard now.isSuccess, let offset = now.offset else {
            return .ended(
                .failed(
                    "HEAD is answered by \(now.seen), without Upload-Offset: the upload is lost"
                )
            )
        }
        guard offset <= limit else {
            return .ended(.failed("Upload-Offset: \(offset), but only \(limit) bytes were sent"))
        }
        guard offset >= least else {
            return .ended(.failed("Upload-Offset: \(offset), but \(least) were acknowledged"))
        }
        guard replies.count > 1 else { return .send(requests.append(to: upload, from: offset)) }
        let answer = replies[1]
        guard answer.isSuccess else {
            return .ended(.failed("the rest, from \(offset) on, is answered by \(answer.seen)"))
        }
        guard replies.count > 2 else { return .send(requests.head(upload)) }
        return .ended(completeOrGone(replies[2]))
    }

    /// Whether HEAD is answered as it may be once everything has come: a server may forget an upload that
    /// is complete.
    func completeOrGone(_ reply: ProbeReply) -> ServerCheck.Verdict {
        if [404, 410].contains(reply.status) { return .passed }
        return .require(
            reply.isSuccess && reply.offset == UploadRequests.length && reply.isComplete != false,
            "complete, but HEAD is answered by \(reply.seen), Upload-Offset:"
                + " \(reply.fields["Upload-Offset"] ?? "none") of \(UploadRequests.length)"
                + (reply.isComplete == false ? ", not complete" : "")
        )
    }
}
