package import HTTPWire

extension UploadResource {
    // MARK: Beginning

    /// Begins to take the body of a request that is allowed to send it.
    mutating func receive(
        kind: BodyReception.Kind,
        _ exchange: ExchangeID,
        isLast: Bool,
        _ body: BodyLength,
        _ check: BodyCheck?,
        mayGet104: Bool,
        expectsContinue: Bool
    ) -> [UploadAction] {
        let (room, excess) = room(for: kind)
        let reportsProgress = mayGet104 && rules?.reportsProgress == true
        let interval = ProgressInterval(settings.progressBytes, body: body.bytes)
        phase = .receiving(
            BodyReception(
                exchange: exchange,
                kind: kind,
                isLast: isLast,
                begin: record.offset,
                body: body,
                room: room,
                excess: excess,
                check: check,
                interval: reportsProgress ? interval : nil
            )
        )
        let go: [UploadAction] = expectsContinue ? [.interim(ResponseHead(100), to: exchange)] : []
        return go + [.read(exchange)]
    }

    /// How many bytes the body may bring, and what is said of more.
    ///
    /// `Content-Length` has been looked at, but a chunked body says nothing before it is there.
    private func room(for kind: BodyReception.Kind) -> (UInt64, UploadRefusal) {
        guard kind != .replay else {
            return (0, record.dialect.isTus ? .lengthExceeded : .completed)
        }
        let limits = settings.limits
        var room = (record.length.map { $0 - record.offset } ?? .max, UploadRefusal.lengthExceeded)
        if let most = limits.maxSize, max(most, record.offset) - record.offset < room.0 {
            room = (max(most, record.offset) - record.offset, .tooLarge)
        }
        let bindsAppend = rules?.limitsAppends == true
        let binds = kind == .append ? bindsAppend : rules?.limitsCreationAsAppend == true
        if binds, let most = limits.maxAppendSize, most < room.0 { room = (most, .tooLarge) }
        return room
    }

    // MARK: Bytes

    /// Takes note of `count` bytes of the body; the actions say how many of them to store.
    package mutating func received(
        _ count: UInt64,
        from exchange: ExchangeID
    ) -> [UploadAction] {
        guard case .receiving(var reception) = phase, reception.exchange == exchange,
            reception.isReading
        else {
            return []
        }
        let place = (reception.isStaged ? 0 : reception.begin) + reception.accepted
        let stored = reception.accept(count)
        phase = .receiving(reception)
        var actions: [UploadAction] = []
        if stored > 0 {
            actions.append(.store(count: stored, at: place, staged: reception.isStaged))
        }
        if !reception.isReading { actions.append(.stopReading(exchange)) }
        return actions + settle()
    }

    /// Takes note that the next `count` bytes that were to be stored are.
    package mutating func wrote(_ count: UInt64, from exchange: ExchangeID) -> [UploadAction] {
        guard case .receiving(var reception) = phase, reception.exchange == exchange else {
            return []
        }
        reception.wrote(count)
        if !reception.isStaged { record.offset = countable(reception) }
        let reported = reception.isAbandoned ? [] : reception.progress(to: record.offset)
        phase = .receiving(reception)
        var actions: [UploadAction] = []
        if !reported.isEmpty { actions.append(.persist(record)) }
        actions += reported.map { .interim(table.progress(offset: $0), to: exchange) }
        return actions + settle()
    }

    /// The offset after what is written.
    ///
    /// For tus the last byte completes the upload. As long as a chunked body may go on beyond the
    /// length, and so be refused, that byte does not count.
    private func countable(_ reception: BodyReception) -> UInt64 {
        let offset = reception.begin + reception.written
        guard record.dialect.isTus, reception.body == .unknown, offset == record.length,
            reception.written > 0
        else {
            return offset
        }
        return offset - 1
    }

    /// Takes note that bytes could not be written; no other write is under way.
    package mutating func writeFailed(
        _ failure: StoreFailure,
        from exchange: ExchangeID
    ) -> [UploadAction] {
        let refusal: UploadRefusal =
            switch failure {
            case .noSpace: .noSpace
            case .exhausted: .exhausted
            case .other: .storeFailed
            }
        switch phase {
        case .receiving(var reception) where reception.exchange == exchange:
            let wasRead = reception.isReading
            reception.fail(refusal)
            phase = .receiving(reception)
            return (wasRead ? [.stopReading(exchange)] : []) + settle()
        case .moving(let reception) where reception.exchange == exchange:
            return [.discardStaged] + finish(reception, refusal)
        case .concatenating(let owner):
            return fail(owner, refusal, .invalid)
        default: return []
        }
    }

    // MARK: Ending

    /// Takes note that the body is there to its last byte.
    package mutating func bodyEnded(
        trailers: HeaderFields = [:],
        from exchange: ExchangeID
    ) -> [UploadAction] {
        guard case .receiving(var reception) = phase, reception.exchange == exchange,
            reception.isReading
        else {
            return []
        }
        reception.ending = .complete(trailers: trailers)
        phase = .receiving(reception)
        return settle()
    }

    /// Takes note that an exchange is over before its answer left: what is being written is kept.
    package mutating func connectionLost(_ exchange: ExchangeID) -> [UploadAction] {
        if successor?.exchange == exchange {
            successor = nil
            return []
        }
        switch phase {
        case .receiving(var reception) where reception.exchange == exchange:
            guard reception.isReading else { return [] }
            reception.ending = .connectionLost
            phase = .receiving(reception)
            return settle()
        case .concatenating(let owner) where owner?.exchange == exchange:
            phase = .concatenating(nil)
        case .verifying(let owner) where owner?.exchange == exchange: phase = .verifying(nil)
        case .finalising(let owner) where owner?.exchange == exchange: phase = .finalising(nil)
        default: break
        }
        return []
    }

    /// Goes on once reading has ended and nothing is being written.
    mutating func settle() -> [UploadAction] {
        guard case .receiving(let reception) = phase, let ending = reception.ending,
            reception.isSettled
        else {
            return []
        }
        let loss = pendingLoss
        pendingLoss = nil
        switch ending {
        case .connectionLost, .overtaken:
            phase = .idle
            if let loss { record.offset = loss.offset(after: record.offset) }
            var actions: [UploadAction] = reception.isStaged ? [.discardStaged] : []
            actions.append(.persist(record))
            if ending == .overtaken { actions.append(.reset(reception.exchange)) }
            return actions + (isFullForTus ? complete(nil) : succeed())
        case .refused(let refusal):
            return (reception.isStaged ? [.discardStaged] : []) + finish(reception, refusal)
        case .complete(let trailers): return check(reception, trailers)
        }
    }

    /// Whether an offset tells a client of tus that it is done, although its request never ended.
    private var isFullForTus: Bool {
        record.dialect.isTus && record.state == .active && record.offset == record.length
            && record.offset > 0
    }

    /// Lets the request that took over have its turn.
    mutating func succeed() -> [UploadAction] {
        guard let arrival = successor else { return [] }
        successor = nil
        return request(arrival.head, from: arrival.exchange, at: arrival.now)
    }

    /// Answers a request whose body was refused on its way.
    mutating func finish(_ reception: BodyReception, _ refusal: UploadRefusal) -> [UploadAction] {
        phase = .idle
        var actions = invalidate(for: refusal, whileReceiving: true)
        actions.append(.persist(record))
        let answer = table.refusal(refusal, of: record, at: now)
        return actions + [.answer(answer, to: reception.exchange)] + succeed()
    }

    /// Makes the upload invalid if a refusal leaves it without a way to its end.
    mutating func invalidate(
        for refusal: UploadRefusal,
        whileReceiving: Bool = false
    ) -> [UploadAction] {
        guard record.state == .active else { return [] }
        let isLost =
            switch refusal {
            case .lengthExceeded: rules?.invalidatesWhenExceeded == true
            // A body without a declared length went beyond the size of any upload.
            case .tooLarge:
                whileReceiving && settings.limits.maxSize.map { record.offset >= $0 } == true
            default: false
            }
        guard isLost else { return [] }
        record.state = .invalid
        return [.persist(record), .deleteContent]
    }
}
