package import HTTPWire

extension UploadResource {
    // MARK: Creation

    /// Creates an upload.
    ///
    /// - Parameters:
    ///   - request: as read.
    ///   - identifier: new, and one path segment.
    ///   - exchange: that carries the request.
    ///   - settings: of the service.
    ///   - now: seconds since 1970.
    ///   - parts: the records of `request.parts`, in order, nil for an unknown one.
    /// - Returns: the resource, and what to do first.
    /// - Throws: a refusal, to be answered by `UploadResource.answer`; nothing was created.
    package static func create(
        _ request: CreationRequest,
        identifier: String,
        exchange: ExchangeID,
        settings: UploadSettings,
        at now: Int,
        parts: [UploadRecord?] = []
    ) throws(UploadRefusal) -> (resource: UploadResource, actions: [UploadAction]) {
        let sum = try request.parts.map { addresses throws(UploadRefusal) in
            precondition(parts.count == addresses.count, "one record, or nil, for each part")
            return try length(of: parts, settings)
        }
        let record = UploadRecord(
            identifier: identifier,
            dialect: request.dialect,
            location: request.location(identifier, settings),
            origin: request.origin,
            length: sum ?? request.length,
            endsAt: settings.lifetime.map { now + $0 }
        )
        var resource = UploadResource(record: record, settings: settings)
        resource.now = now
        var actions: [UploadAction] = [.persist(record)]
        guard sum == nil else {
            resource.phase = .concatenating(
                Owner(exchange: exchange, isCreation: true, hadContent: false)
            )
            let identifiers = parts.compactMap { $0?.identifier }
            return (resource, actions + [.concatenate(identifiers)])
        }
        if request.mayGet104 {
            actions.append(.interim(resource.table.announcement(of: record, at: now), to: exchange))
        }
        actions += resource.receive(
            kind: .creation,
            exchange,
            isLast: request.isLast,
            request.body,
            request.check,
            mayGet104: request.mayGet104,
            expectsContinue: request.expectsContinue
        )
        return (resource, actions)
    }

    /// The length of a joined upload: all parts must be partial uploads, and complete.
    private static func length(
        of parts: [UploadRecord?],
        _ settings: UploadSettings
    ) throws(UploadRefusal) -> UInt64 {
        var sum: UInt64 = 0
        for part in parts {
            guard let part, part.origin.concatenation == .partial, part.state.hasEverything else {
                throw .badRequest("a part is missing, not partial or not complete")
            }
            sum += part.offset
        }
        try settings.limits.check(maximum: sum)
        return sum
    }

    // MARK: Requests without a resource

    /// The answer to a refused creation.
    package static func answer(
        _ refusal: UploadRefusal,
        to request: CreationRequest,
        settings: UploadSettings,
        at now: Int
    ) -> UploadAnswer {
        ResponseBuilder(dialect: request.dialect, settings: settings).refusal(refusal, at: now)
    }

    /// The answer to a request for an upload that nobody remembers.
    package static func missing(
        _ head: RequestHead,
        settings: UploadSettings,
        at now: Int
    ) -> UploadAnswer {
        let dialect = UploadProtocol(askedBy: head, settings: settings)
        var refusal = UploadRefusal.missing(isRemembered: false)
        if dialect == .tus {
            do throws(UploadRefusal) { try head.checkTusVersion() } catch { refusal = error }
        }
        return ResponseBuilder(dialect: dialect ?? .ietf(.v8), settings: settings)
            .refusal(refusal, isHead: head.uploadMethod(dialect) == "HEAD", at: now)
    }

    // MARK: Requests

    /// Takes a request to this resource; it becomes the owner.
    package mutating func request(
        _ head: RequestHead,
        from exchange: ExchangeID,
        at now: Int
    ) -> [UploadAction] {
        let arrival = Arrival(head: head, exchange: exchange, now: now)
        switch phase {
        // It is tried at once, and then there is something to say.
        case .idle where isUndelivered && head.uploadMethod(record.dialect) != "DELETE":
            return replaceSuccessor(by: arrival) + takeUpFinalising()
        case .idle: return decide(arrival)
        case .receiving(var reception):
            var actions = replaceSuccessor(by: arrival)
            if reception.isReading {
                actions.append(.stopReading(reception.exchange))
                reception.ending = .overtaken
                phase = .receiving(reception)
            }
            return actions + settle()
        case .checking, .moving, .concatenating: return replaceSuccessor(by: arrival)
        case .verifying(let owner):
            phase = .verifying(nil)
            return reset(owner) + decideBeforeOutcome(arrival)
        case .finalising(let owner):
            phase = .finalising(nil)
            return reset(owner) + decideBeforeOutcome(arrival)
        }
    }

    /// Where another server can refuse what is complete, nothing is said before it has spoken.
    private mutating func decideBeforeOutcome(_ arrival: Arrival) -> [UploadAction] {
        settings.forwards ? replaceSuccessor(by: arrival) : decide(arrival)
    }

    private func reset(_ owner: Owner?) -> [UploadAction] {
        owner.map { [.reset($0.exchange)] } ?? []
    }

    private mutating func replaceSuccessor(by arrival: Arrival) -> [UploadAction] {
        defer { successor = arrival }
        return successor.map { [.reset($0.exchange)] } ?? []
    }

    /// Answers a request that owns the upload while nothing is being written.
    mutating func decide(_ arrival: Arrival) -> [UploadAction] {
        now = arrival.now
        var actions = expire(at: arrival.now)
        let method = arrival.head.uploadMethod(record.dialect)
        do throws(UploadRefusal) {
            if record.dialect.isTus { try arrival.head.checkTusVersion() }
            guard record.state.isAlive else {
                throw .missing(isRemembered: record.state != .invalid)
            }
            if let answer = refusalByTarget(of: method, arrival.head) {
                return actions + [.answer(answer, to: arrival.exchange)]
            }
            actions += try decide(method, arrival)
        } catch {
            actions += invalidate(for: error)
            let answer = table.refusal(error, of: record, isHead: method == "HEAD", at: now)
            actions.append(.answer(answer, to: arrival.exchange))
        }
        return actions
    }

    private mutating func decide(
        _ method: String,
        _ arrival: Arrival
    ) throws(UploadRefusal) -> [UploadAction] {
        switch method {
        case "HEAD",
            "GET" where rules?.takesGet == true:
            try refuse(rules?.refusedInStatus, in: arrival.head)
            return [.answer(table.status(of: record, at: now), to: arrival.exchange)]
        case "DELETE":
            try refuse(rules?.refusedInCancel, in: arrival.head)
            record.state = record.state == .active || isUndelivered ? .cancelled : .gone
            phase = .idle
            return [
                .persist(record), .deleteContent,
                .answer(table.cancelled(), to: arrival.exchange),
            ]
        case "PATCH":
            if case .final = record.origin.concatenation { throw .joined }
            let request = try AppendRequest(arrival.head, record.dialect, settings: settings)
            return record.state == .active
                ? try append(request, arrival.exchange)
                : try appendWhenComplete(request, arrival.exchange)
        default: throw .methodNotAllowed
        }
    }

    private func refuse(
        _ names: [String]?,
        in head: RequestHead
    ) throws(UploadRefusal) {
        for name in names ?? [] where head.fields.contains(name) {
            throw .badRequest("\(name) has no place in this request")
        }
    }

    // MARK: Append

    private mutating func append(
        _ request: AppendRequest,
        _ exchange: ExchangeID
    ) throws(UploadRefusal) -> [UploadAction] {
        try checkOffset(request)
        let length = try request.length(record.length, record.dialect)
        try checkSize(request, length)
        var actions: [UploadAction] = []
        if length != record.length {
            record.length = length
            actions.append(.persist(record))
        }
        return actions
            + receive(
                kind: .append,
                exchange,
                isLast: request.isLast,
                request.body,
                request.check,
                mayGet104: request.mayGet104,
                expectsContinue: request.expectsContinue
            )
    }

    private func checkOffset(_ request: AppendRequest) throws(UploadRefusal) {
        guard request.offset == record.offset else {
            throw .mismatchingOffset(expected: record.offset, provided: request.offset)
        }
    }

    /// Holds what the head says of sizes to what is allowed.
    private func checkSize(
        _ request: AppendRequest,
        _ length: UInt64?
    ) throws(UploadRefusal) {
        let end = request.body.bytes.map { request.offset + $0 }
        if let length, let end, end > length, rules?.stopsAtLength != true { throw .lengthExceeded }
        try settings.limits.check(maximum: length)
        try settings.limits.check(maximum: end)
        guard let rules else { return }
        if request.isLast, let length, let least = settings.limits.minSize, length < least {
            throw .tooSmall
        }
        if rules.limitsAppends {
            try settings.limits.checkAppend(request.body, isLast: request.isLast)
        }
    }

    /// A PATCH to a complete upload changes nothing, whatever it says.
    private mutating func appendWhenComplete(
        _ request: AppendRequest,
        _ exchange: ExchangeID
    ) throws(UploadRefusal) -> [UploadAction] {
        if rules?.refusesWhenComplete == true { throw .completed }
        try checkOffset(request)
        if let declared = request.declaredLength, declared != record.length {
            throw .inconsistentLength
        }
        if record.dialect.isTus {
            if let bytes = request.body.bytes, bytes > 0 { throw .lengthExceeded }
        } else {
            guard request.isLast, request.body.bytes ?? 0 == 0 else { throw .completed }
            switch settings.completed {
            case .replay: break
            case .reject: throw .completed
            case .gone: throw .completedAndGone
            }
        }
        return replay(request, exchange)
    }

    /// Waits for the outcome, or for the end of the empty body.
    private mutating func replay(
        _ request: AppendRequest,
        _ exchange: ExchangeID
    ) -> [UploadAction] {
        let owner = Owner(
            exchange: exchange,
            isCreation: false,
            hadContent: true,
            isUnread: request.body == .unknown
        )
        switch phase {
        case .verifying: phase = .verifying(owner)
        case .finalising: phase = .finalising(owner)
        default:
            return receive(
                kind: .replay,
                exchange,
                isLast: true,
                request.body,
                nil,
                mayGet104: false,
                expectsContinue: request.expectsContinue
            )
        }
        return []
    }
}
