internal import Basics
internal import HTTPWire

/// What final answers mean, as far as all dialects agree.
extension UploadMachine {
    mutating func answered(_ reply: UploadReply, to exchange: UploadExchange, at now: Duration)
        -> [TransferAction]
    {
        if case .cancel(let failure) = exchange.step {
            isEnded = true
            return [.failed(failure)]
        }
        if case .fetchAnswer = exchange.step {
            return finish(reply.isSuccess || reply.isComplete == true ? reply : nil)
        }
        if endsWhateverTheStatus(reply, exchange) { return ended(reply, exchange, at: now) }
        if reply.redirect, reply.status != 303 { return redirected(reply, exchange, at: now) }
        switch exchange.step {
        case .discover: return discovered(reply, exchange, at: now)
        case .create: return created(reply, exchange, at: now)
        case .ask: return asked(reply, exchange, at: now)
        case .append: return appended(reply, exchange, at: now)
        case .fetchAnswer, .cancel: return []
        }
    }

    /// An answer that is neither a success nor understood by the step.
    mutating func refused(_ reply: UploadReply, _ exchange: UploadExchange, at now: Duration)
        -> [TransferAction]
    {
        let failure = AttemptFailure.status(reply.status)
        guard pacing.retry.isRetried(failure) else {
            let decision = pacing.retry.failed(
                failure,
                authority: authority,
                elapsed: now - pacing.startedAt
            )
            guard case .giveUp(let reason, let isResumable) = decision else { return [] }
            return fail(.gaveUp(reason), isResumable: isResumable)
        }
        return failed(failure, exchange, retryAfter: reply.retryAfter, at: now)
    }

    /// A success that cannot be true: what the server has must be asked for.
    mutating func contradicted(_ text: String, _ exchange: UploadExchange, at now: Duration)
        -> [TransferAction]
    {
        [.explain("\(text): asking how much the server has")]
            + failed(.contradiction(text), exchange, retryAfter: nil, at: now)
    }

    // MARK: Redirects

    /// 307 and 308 lead on (RFC 9110 §15.4.8, §15.4.9); others could change the method.
    private mutating func redirected(
        _ reply: UploadReply,
        _ exchange: UploadExchange,
        at now: Duration
    ) -> [TransferAction] {
        guard reply.status == 307 || reply.status == 308 else {
            return fail(.redirect("\(reply.status)"), isResumable: true)
        }
        guard let text = reply.location, let next = try? exchange.address.resolving(text) else {
            return fail(.redirect("\(reply.status) without a usable Location"), isResumable: true)
        }
        if let refusal = exchange.address.refusal(of: next) {
            return fail(.redirect(refusal), isResumable: true)
        }
        redirects += 1
        guard redirects <= RedirectLimits.uploads else {
            return fail(.redirect("more than \(RedirectLimits.uploads)"), isResumable: true)
        }
        let follow = TransferAction.explain("following the redirect to \(next.text)")
        if resource == nil {
            target = next
            return [follow] + begin(exchange.step, at: now)
        }
        if case .create = exchange.step { return [follow] + begin(.ask, at: now) }
        resource = next
        return [follow] + begin(.ask, at: now)
    }

    // MARK: HEAD

    private mutating func asked(
        _ reply: UploadReply,
        _ exchange: UploadExchange,
        at now: Duration
    ) -> [TransferAction] {
        if reply.status == 404 || reply.status == 410 { return gone(at: now) }
        guard reply.isSuccess else { return refused(reply, exchange, at: now) }
        limits.learn(reply.limits ?? AnnouncedLimits())
        guard let offset = reply.offset else {
            return fail(
                .violation("the answer to HEAD has no usable Upload-Offset"),
                isResumable: true
            )
        }
        if let problem = problem(offset: offset, reply) { return abandon(.violation(problem)) }
        if let refusal = limits.refusal(of: plan.length) { return abandon(.limit(refusal)) }
        var actions: [TransferAction] = [
            .explain("the server has \(offset) of \(plan.length) bytes")
        ]
        actions += confirm(offset)
        if isDone(offset: offset, reply) { return actions + complete(at: now) }
        return actions + begin(.append(from: offset), at: now)
    }

    /// Why this offset cannot be continued from; nil if it can.
    private func problem(offset: UInt64, _ reply: UploadReply) -> String? {
        if let length = reply.length, length != plan.length {
            return "the upload has the length \(length) there and \(plan.length) here"
        }
        if offset > plan.length {
            return "the server has \(offset) bytes of an upload of \(plan.length)"
        }
        if offset < acknowledged {
            return "the server has \(offset) bytes after it confirmed \(acknowledged)"
        }
        if reply.isComplete == true, offset != plan.length {
            return "the upload is complete with \(offset) of \(plan.length) bytes"
        }
        return nil
    }

    private func isDone(offset: UInt64, _ reply: UploadReply) -> Bool {
        dialect == .tus ? offset == plan.length : reply.isComplete == true
    }

    /// HEAD says that the upload is complete; its final answer was lost.
    private mutating func complete(at now: Duration) -> [TransferAction] {
        guard plan.wantsResponse, dialect == .ietf(.v8) else { return finish(nil) }
        return begin(.fetchAnswer, at: now)
    }

    // MARK: PATCH

    private mutating func appended(
        _ reply: UploadReply,
        _ exchange: UploadExchange,
        at now: Duration
    ) -> [TransferAction] {
        switch reply.status {
        case 404, 410: return gone(at: now)
        case 409: return offsetRefused(reply, exchange, at: now)
        case 413: return tooLarge(reply, exchange, at: now)
        case 460 where dialect == .tus: return checksumRefused(reply, exchange, at: now)
        case 200..<300: return appendAccepted(reply, exchange, at: now)
        case 303 where dialect != .tus && exchange.isLast && exchange.isBodySent:
            return finish(reply)
        default: return refused(reply, exchange, at: now)
        }
    }

    private mutating func appendAccepted(
        _ reply: UploadReply,
        _ exchange: UploadExchange,
        at now: Duration
    ) -> [TransferAction] {
        limits.learn(reply.limits ?? AnnouncedLimits())
        guard exchange.isBodySent else {
            return contradicted("success before the whole body was sent", exchange, at: now)
        }
        let end = exchange.body.upperBound
        if let offset = reply.offset, offset != end {
            return contradicted(
                "success with Upload-Offset \(offset) instead of \(end)",
                exchange,
                at: now
            )
        }
        // Version 8 has no offset in this answer: there the success itself confirms the part. The
        // end of an upload is often answered by an application, which knows nothing of offsets.
        let needsOffset = dialect == .tus || (!exchange.isLast && dialect != .ietf(.v8))
        guard reply.offset != nil || !needsOffset else {
            return contradicted("success without Upload-Offset", exchange, at: now)
        }
        if exchange.isLast {
            if reply.isComplete == false {
                return contradicted("success, but the upload is not complete", exchange, at: now)
            }
            return finish(reply)
        }
        return confirm(end) + begin(.append(from: end), at: now)
    }

    /// 409: what was refused is not sent from there again.
    private mutating func offsetRefused(
        _ reply: UploadReply,
        _ exchange: UploadExchange,
        at now: Duration
    ) -> [TransferAction] {
        let offset = exchange.body.lowerBound
        if plan.retry.strictClientErrors { return refused(reply, exchange, at: now) }
        guard refusedOffset != offset else {
            return abandon(.violation("the server refuses the offset \(offset) that it names"))
        }
        refusedOffset = offset
        var actions: [TransferAction] = []
        if let named = reply.offset {
            if named < acknowledged || named > plan.length {
                return abandon(
                    .violation("409 names the offset \(named) after \(acknowledged) was confirmed")
                )
            }
            actions += confirm(named)
        }
        if let reason = pacing.retry.countRefusal(.status(409)) {
            return actions + fail(.gaveUp(reason), isResumable: true)
        }
        actions.append(.explain("the offset \(offset) was refused: asking for the right one"))
        return actions + begin(.ask, at: now)
    }

    /// 413: smaller parts, if the server says which.
    private mutating func tooLarge(
        _ reply: UploadReply,
        _ exchange: UploadExchange,
        at now: Duration
    ) -> [TransferAction] {
        let size = exchange.body.upperBound - exchange.body.lowerBound
        guard let announced = reply.limits, let largest = announced.largestAppend, largest > 0,
            largest < size, announced.refusal(of: plan.length) == nil,
            !plan.retry.strictClientErrors
        else {
            return abandon(.limit("413 to \(size) bytes"))
        }
        limits.largestAppend = largest
        return [.explain("413: sending at most \(largest) bytes in one request")]
            + begin(.ask, at: now)
    }

    /// 460 of tus: the same chunk once more, and once again.
    private mutating func checksumRefused(
        _ reply: UploadReply,
        _ exchange: UploadExchange,
        at now: Duration
    ) -> [TransferAction] {
        let offset = exchange.body.lowerBound
        let count = badChecksum?.offset == offset ? (badChecksum?.count ?? 0) + 1 : 1
        badChecksum = (offset, count)
        guard count <= 2 else { return fail(.gaveUp(.notRetried(.status(460))), isResumable: true) }
        return refused(reply, exchange, at: now)
    }
}
