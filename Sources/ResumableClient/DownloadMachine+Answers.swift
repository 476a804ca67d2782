internal import Basics
internal import HTTPWire

/// What answers to GET mean, and what follows from failures.
extension DownloadMachine {
    mutating func answered(_ reply: DownloadReply, to open: DownloadExchange, at now: Duration)
        -> [TransferAction]
    {
        lastStatus = reply.status
        lastFields = reply.fields
        if !(300..<400).contains(reply.status) { redirects = 0 }
        switch reply.status {
        case 200, 203: return whole(reply, length: reply.contentLength, open)
        case 204, 205: return whole(reply, length: 0, open)
        case 206: return part(reply, open, at: now)
        case 301, 302, 303, 307, 308: return redirected(reply, open, at: now)
        case 304, 412: return discard("\(reply.status) to a request for its content", at: now)
        case 416: return unsatisfiable(reply, open, at: now)
        default: return refused(reply, open, at: now)
        }
    }

    // MARK: Content

    /// The whole object, asked for or not: nothing of what is stored is kept.
    private mutating func whole(
        _ reply: DownloadReply,
        length: UInt64?,
        _ open: DownloadExchange
    ) -> [TransferAction] {
        if let coding = reply.contentCoding, !plan.keepsCoding {
            exchange = nil
            return [.discard] + fail(.coded(coding), isResumable: true)
        }
        var fresh = DownloadObject(reply, from: open.address)
        fresh.size = length
        var actions: [TransferAction] = []
        if stored > 0 {
            let isSame = object?.isSame(as: fresh) ?? false
            if !isSame { highWater = 0 }
            actions = restart(isSame ? .range : .changed)
        }
        object = fresh
        stored = 0
        parts = 1
        checks = []
        isLengthProven = true
        return actions + store(reply, from: 0, length: length)
    }

    /// The rest, or some of it.
    private mutating func part(
        _ reply: DownloadReply,
        _ open: DownloadExchange,
        at now: Duration
    ) -> [TransferAction] {
        guard let asked = open.asked, let object else {
            return discard("206 to a request without Range", at: now)
        }
        if let problem = object.problem(reply, asked: asked) { return discard(problem, at: now) }
        guard let text = reply.fields["Content-Range"],
            case .part(let range, let total)? = ContentRange(text)
        else { return [] }
        self.object?.size = object.size ?? total.map { UInt64($0) }
        self.object?.acceptsRanges = true
        if let digest = DownloadReply.representationDigest(reply.fields) {
            self.object?.digest = digest
        }
        parts += 1
        return store(reply, from: asked, length: UInt64(range.count))
    }

    private mutating func store(_ reply: DownloadReply, from: UInt64, length: UInt64?)
        -> [TransferAction]
    {
        exchange?.body = DownloadExchange.Body(
            from: from,
            length: length,
            isChunked: reply.isChunked,
            digest: DownloadReply.contentDigest(reply.fields)
        )
        return [.store(from: from, atMost: length)] + report(step: 0)
    }

    /// A body is complete by its framing.
    mutating func ended(
        _ body: DownloadExchange.Body,
        _ trailers: HeaderFields,
        _ open: DownloadExchange,
        at now: Duration
    ) -> [TransferAction] {
        if let length = body.length, body.count < length {
            return failed(.transport(.truncated), retryAfter: nil, at: now)
        }
        if let digest = DownloadReply.representationDigest(trailers) { object?.digest = digest }
        if let digest = body.digest ?? DownloadReply.contentDigest(trailers) {
            checks.append(digest.check(of: body.from..<stored))
        }
        if open.asked == nil, body.length == nil {
            isLengthProven = body.isChunked
            object?.size = stored
        }
        if object?.size == stored { return complete() }
        return [.explain("the answer ended at byte \(stored): asking for what follows")]
            + begin(next, at: now)
    }

    /// Every byte is there.
    mutating func complete() -> [TransferAction] {
        if let sha256 = plan.sha256 {
            checks.append(DigestCheck(algorithm: .sha256, range: 0..<stored, expected: sha256))
        }
        if let digest = object?.digest { checks.append(digest.check(of: 0..<stored)) }
        guard !checks.isEmpty else { return finish(isVerified: false) }
        isVerifying = true
        return [.verify(checks)]
    }

    mutating func finish(isVerified: Bool) -> [TransferAction] {
        isEnded = true
        isRenaming = true
        pacing.retry.succeeded(authority: authority)
        let result = TransferResult(
            status: lastStatus,
            fields: lastFields,
            body: [],
            size: stored,
            address: object?.final ?? plan.address,
            isLengthProven: isLengthProven,
            isDigestVerified: isVerified && checks.contains { $0.range == 0..<stored },
            restarts: restarts
        )
        return report(step: 0) + [.rename, .finished(result)]
    }

    // MARK: No content

    /// 416: complete if all that was stored is all there is; else what is stored is no part of it.
    private mutating func unsatisfiable(
        _ reply: DownloadReply,
        _ open: DownloadExchange,
        at now: Duration
    ) -> [TransferAction] {
        let field = reply.fields["Content-Range"].flatMap { ContentRange($0) }
        guard open.asked != nil, let object, object.validator != nil, let size = object.size,
            field == .unsatisfied(length: Int(clamping: size)), size == stored,
            object.agrees(with: reply)
        else { return discard("416 to a request from byte \(open.asked ?? 0) on", at: now) }
        exchange = nil
        return [.discard] + complete()
    }

    private mutating func redirected(
        _ reply: DownloadReply,
        _ open: DownloadExchange,
        at now: Duration
    ) -> [TransferAction] {
        exchange = nil
        guard let text = reply.location, let next = try? open.address.resolving(text) else {
            return [.discard]
                + fail(.redirect("\(reply.status) without a usable Location"), isResumable: true)
        }
        redirects += 1
        if let refusal = open.address.refusal(of: next) {
            return [.discard] + fail(.redirect(refusal), isResumable: true)
        }
        guard redirects <= RedirectLimits.downloads else {
            let text = "more than \(RedirectLimits.downloads) in a row"
            return [.discard] + fail(.redirect(text), isResumable: true)
        }
        return [.discard, .explain("following the redirect to \(next.text)")]
            + begin(next, at: now)
    }

    private mutating func refused(
        _ reply: DownloadReply,
        _ open: DownloadExchange,
        at now: Duration
    ) -> [TransferAction] {
        exchange = nil
        let failure = AttemptFailure.status(reply.status)
        // A redirect may have led to a URL that was good only for a time.
        if [401, 403, 404, 410].contains(reply.status), !wentBack, open.address != plan.address,
            open.asked != nil
        {
            wentBack = true
            return [
                .discard, .explain("\(reply.status) from where a redirect led: beginning there"),
            ]
                + begin(plan.address, at: now)
        }
        return [.discard] + failed(failure, retryAfter: reply.retryAfter, at: now)
    }

    // MARK: Failures

    mutating func failed(_ failure: AttemptFailure, retryAfter: Duration?, at now: Duration)
        -> [TransferAction]
    {
        guard stored == 0 || canContinue || plan.retry.restartsFromZero else {
            return fail(.gaveUp(.notRetried(failure)), isResumable: true)
        }
        let paced = pacing.failed(
            failure,
            retryAfter: retryAfter,
            authority: authority,
            next: next,
            at: now
        )
        switch paced {
        case .failure(let end):
            return fail(.gaveUp(end.reason), isResumable: end.isResumable)
        case .success(let turn):
            return (stored == 0 || canContinue ? [] : restart(.notResumable)) + open(turn)
        }
    }

    /// The path must be left in the middle of a request, which is no failure.
    mutating func leavePath(_ wait: PathWait, at now: Duration) -> [TransferAction] {
        guard stored == 0 || canContinue || plan.retry.restartsFromZero else {
            return fail(.path(wait), isResumable: true)
        }
        return (stored == 0 || canContinue ? [] : restart(.notResumable)) + begin(next, at: now)
    }

    /// An answer that cannot be combined with what is stored: from zero, but only once.
    mutating func discard(_ text: String, at now: Duration) -> [TransferAction] {
        exchange = nil
        guard !hasDiscarded else {
            return [.discard] + fail(.cannotCombine(text), isResumable: false)
        }
        hasDiscarded = true
        return [.discard, .explain("\(text): discarding what is stored")]
            + restart(.range) + begin(plan.address, at: now)
    }

    /// Forgets the object and its bytes.
    mutating func restart(_ reason: RestartReason) -> [TransferAction] {
        object = nil
        stored = 0
        parts = 0
        checks = []
        redirects = 0
        restarts += 1
        return [.truncate(to: 0), .report(.restarted(reason))] + report(step: 0)
    }
}
