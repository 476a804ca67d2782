internal import Basics
internal import HTTPWire

/// Discovery, creation and interim answers.
extension UploadMachine {
    // MARK: 104

    /// A 104: the upload resource, its limits, or how much the server has stored.
    mutating func announced(_ head: ResponseHead, at now: Duration) -> [TransferAction] {
        guard case .ietf(let version) = dialect, let exchange else { return [] }
        guard head.fields.structuredInteger("Upload-Draft-Interop-Version") == version.rawValue
        else {
            return [.explain("passing over a 104 that is not of version \(version.rawValue)")]
        }
        let reply = UploadReply(head, dialect: dialect)
        var actions: [TransferAction] = []
        if let text = reply.location {
            switch place(text, exchange) {
            case .unusable(let why): return [.explain("passing over a 104: \(why)")]
            case .other(let text): return disagree(text)
            case .new(let place):
                resource = place
                actions.append(.explain("the upload can be resumed at \(place.text)"))
            case .known: break
            }
        }
        limits.learn(reply.limits ?? AnnouncedLimits())
        if let stop = stopForLimits(exchange, version, at: now) { return actions + stop }
        if resource != nil, let offset = reply.offset, offset <= exchange.body.upperBound {
            actions += confirm(offset)
        }
        return actions
    }

    private enum Place {
        case new(HTTPURL), known
        case other(String)
        case unusable(String)
    }

    private func place(_ text: String, _ exchange: UploadExchange) -> Place {
        guard let place = try? exchange.address.resolving(text) else {
            return .unusable("its Location cannot be used")
        }
        if let refusal = exchange.address.refusal(of: place) {
            return .unusable("its Location leads \(refusal)")
        }
        guard let resource else { return .new(place) }
        return place == resource ? .known : .other(place.text)
    }

    /// Two names for one upload: no way to tell which is meant.
    private mutating func disagree(_ other: String) -> [TransferAction] {
        let close: [TransferAction] = exchange == nil ? [] : [.closeConnection]
        exchange = nil
        let known = resource?.text ?? ""
        return close + abandon(.violation("it named \(known) and then \(other) as the upload"))
    }

    /// Ends the open request if the announced limits forbid it; nil if they do not.
    private mutating func stopForLimits(
        _ open: UploadExchange,
        _ version: InteropVersion,
        at now: Duration
    ) -> [TransferAction]? {
        guard resource != nil else { return nil }
        if let refusal = limits.refusal(of: plan.length) {
            exchange = nil
            return [.closeConnection] + abandon(.limit(refusal))
        }
        // Before version 8 the append sizes do not bind the creation.
        guard version == .v8, case .create = open.step, let largest = limits.largestAppend,
            open.body.upperBound > largest
        else { return nil }
        exchange = nil
        return [
            .closeConnection,
            .explain("the server takes at most \(largest) bytes in one request"),
        ] + begin(.ask, at: now)
    }

    // MARK: OPTIONS

    mutating func discovered(
        _ reply: UploadReply,
        _ exchange: UploadExchange,
        at now: Duration
    ) -> [TransferAction] {
        if pacing.retry.isRetried(.status(reply.status)) {
            return refused(reply, exchange, at: now)
        }
        let announced = reply.limits ?? AnnouncedLimits()
        let isSupported =
            dialect == .tus
            ? discoveredTus(reply)
            : reply.isSuccess
                && (reply.limits != nil
                    || reply.fields.list("Accept-Patch", hasToken: "application/partial-upload"))
        guard isSupported else { return withoutSupport(at: now) }
        if dialect == .tus, !tusExtensions.contains("creation") {
            return fail(.notSupported("tus without the creation extension"), isResumable: false)
        }
        limits.learn(announced)
        if let refusal = limits.refusal(of: plan.length) {
            return fail(.limit(refusal), isResumable: false)
        }
        if dialect != .tus { createsCarefully = true }
        return [.explain("the server supports resumable uploads")] + begin(.create, at: now)
    }

    private mutating func discoveredTus(_ reply: UploadReply) -> Bool {
        guard reply.isSuccess, reply.fields.list("Tus-Version", hasToken: "1.0.0") else {
            return false
        }
        tusExtensions = (reply.fields.combined("Tus-Extension") ?? "")
            .split(separator: ",")
            .map { String($0.filter { $0 != " " && $0 != "\t" }) }
        return true
    }

    private mutating func withoutSupport(at now: Duration) -> [TransferAction] {
        if dialect == .tus {
            dialect = .plain
            setRetriedStatuses()
            return [.explain("the server does not know tus 1.0.0: sending a plain upload")]
                + begin(.create, at: now)
        }
        return [.explain("no sign of resumable uploads: the first request carries everything")]
            + begin(.create, at: now)
    }

    // MARK: Creation

    mutating func created(
        _ reply: UploadReply,
        _ exchange: UploadExchange,
        at now: Duration
    ) -> [TransferAction] {
        if reply.status == 413 { return creationTooLarge(reply, exchange, at: now) }
        if reply.isSuccess || (reply.status == 303 && exchange.isLast) {
            switch dialect {
            case .tus: return createdTus(reply, exchange, at: now)
            case .plain: return sentWhole(reply, exchange, at: now)
            case .ietf(let version):
                return exchange.isLast
                    ? createdWhole(reply, version, exchange, at: now)
                    : createdPart(reply, exchange, at: now)
            }
        }
        if resource == nil, reply.status == 412, dialect == .tus {
            let versions = reply.fields.combined("Tus-Version") ?? "none"
            return fail(.notSupported("tus 1.0.0; it names \(versions)"), isResumable: false)
        }
        return refused(reply, exchange, at: now)
    }

    /// A request that was all of an upload, with support or without.
    private mutating func sentWhole(
        _ reply: UploadReply,
        _ exchange: UploadExchange,
        at now: Duration
    ) -> [TransferAction] {
        guard exchange.isBodySent else {
            return contradicted("success before the whole body was sent", exchange, at: now)
        }
        return finish(reply)
    }

    private mutating func createdWhole(
        _ reply: UploadReply,
        _ version: InteropVersion,
        _ exchange: UploadExchange,
        at now: Duration
    ) -> [TransferAction] {
        let isSigned = reply.offset != nil || reply.isComplete != nil
        // In version 8 the answer is the target's own and its Location may be anything.
        if version != .v8, resource != nil || isSigned, let text = reply.location {
            switch place(text, exchange) {
            case .new(let place): resource = place
            case .other(let text): return disagree(text)
            case .known, .unusable: break
            }
        }
        if version != .v8, let offset = reply.offset, offset != plan.length {
            return contradicted(
                "success with Upload-Offset \(offset) instead of \(plan.length)",
                exchange,
                at: now
            )
        }
        if reply.isComplete == false {
            return contradicted("success, but the upload is not complete", exchange, at: now)
        }
        return sentWhole(reply, exchange, at: now)
    }

    /// An answer to a creation that said "more follows".
    private mutating func createdPart(
        _ reply: UploadReply,
        _ exchange: UploadExchange,
        at now: Duration
    ) -> [TransferAction] {
        guard let text = reply.location ?? resource?.text else {
            return fail(
                .notSupported("it answered the beginning of an upload without a Location"),
                isResumable: false
            )
        }
        switch place(text, exchange) {
        case .unusable(let why): return fail(.violation(why), isResumable: false)
        case .other(let text): return disagree(text)
        case .new(let place): resource = place
        case .known: break
        }
        limits.learn(reply.limits ?? AnnouncedLimits())
        if let refusal = limits.refusal(of: plan.length) { return abandon(.limit(refusal)) }
        return continueCreation(reply, exchange, at: now)
    }

    private mutating func createdTus(
        _ reply: UploadReply,
        _ exchange: UploadExchange,
        at now: Duration
    ) -> [TransferAction] {
        guard reply.status == 201, let text = reply.location,
            let place = try? exchange.address.resolving(text)
        else {
            return fail(
                .notSupported("it answered a creation of tus with \(reply.status) and no Location"),
                isResumable: false
            )
        }
        if let refusal = exchange.address.refusal(of: place) {
            return fail(.redirect(refusal), isResumable: false)
        }
        resource = place
        return continueCreation(reply, exchange, at: now)
    }

    /// Goes on after what the creation carried, if that is certain to be stored.
    private mutating func continueCreation(
        _ reply: UploadReply,
        _ exchange: UploadExchange,
        at now: Duration
    ) -> [TransferAction] {
        let end = exchange.body.upperBound
        let isExplicit = reply.offset != nil
        guard exchange.isBodySent, isExplicit ? reply.offset == end : end == 0 else {
            return [.explain("asking how much of the creation's body is stored")]
                + begin(.ask, at: now)
        }
        if dialect == .tus, end == plan.length { return finish(reply) }
        return confirm(end) + begin(.append(from: end), at: now)
    }

    /// 413 to a creation: by parts, if the server says which.
    private mutating func creationTooLarge(
        _ reply: UploadReply,
        _ exchange: UploadExchange,
        at now: Duration
    ) -> [TransferAction] {
        guard case .ietf = dialect, let announced = reply.limits,
            let largest = announced.largestAppend, largest > 0,
            largest < exchange.body.upperBound, announced.refusal(of: plan.length) == nil,
            !plan.retry.strictClientErrors
        else {
            return abandon(.limit("413 to \(exchange.body.upperBound) bytes"))
        }
        limits.largestAppend = largest
        createsCarefully = true
        return [.explain("413: sending at most \(largest) bytes in one request")]
            + begin(resource == nil ? .create : .ask, at: now)
    }

    // MARK: The end by its own field

    /// Version 8: an answer that says "complete" ends the transfer whatever its status.
    func endsWhateverTheStatus(_ reply: UploadReply, _ exchange: UploadExchange) -> Bool {
        guard dialect == .ietf(.v8), reply.isComplete == true else { return false }
        switch exchange.step {
        case .create, .append: return true
        case .ask, .discover, .fetchAnswer, .cancel: return false
        }
    }

    mutating func ended(_ reply: UploadReply, _ exchange: UploadExchange, at now: Duration)
        -> [TransferAction]
    {
        guard reply.isSuccess || reply.status == 303 else {
            return fail(.gaveUp(.notRetried(.status(reply.status))), isResumable: false)
        }
        guard exchange.isLast else {
            return fail(
                .violation("it calls the upload complete after \(exchange.body.upperBound) bytes"),
                isResumable: false
            )
        }
        return sentWhole(reply, exchange, at: now)
    }
}
