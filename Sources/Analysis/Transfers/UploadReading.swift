internal import Basics
internal import Journal

/// Follows an upload, exchange by exchange.
struct UploadReading {
    private(set) var transfer: Transfer
    /// The request that began it; another one like it belongs to the same upload, as long as that is not
    /// complete.
    private var creation: Exchange?
    /// Offsets that the server told, of the present resource.
    private var learnt = ToldOffsets()
    /// When the client learnt each URL, and when it learnt that it is gone.
    private var knownSince: [String: Instant] = [:]
    private var goneSince: [String: Instant] = [:]
    private var resources: [String: Int] = [:]
    /// The most bytes that reached the server in one resource.
    private var deliveredMaximum: UInt64 = 0
    private var lastFailed = false
    private var creationCount = 0
    private var hasData = false

    init(_ exchange: Exchange, isResumable: Bool) {
        creation = exchange
        transfer = Transfer(
            kind: isResumable ? .resumableUpload : .plainUpload,
            target: exchange.target
        )
    }

    /// Takes a URL for known from the beginning: a request on it is the first that was seen.
    mutating func adopt(_ path: String) {
        transfer.uploadPaths.append(path)
        knownSince[path] = .start
    }

    func owns(_ path: String) -> Bool { knownSince[path] != nil }

    /// Whether a request that would begin an upload repeats this one instead.
    ///
    /// It does so after a failure only: two files of one size may go to one target.
    func isRepeated(by exchange: Exchange) -> Bool {
        guard lastFailed, !transfer.isComplete, let creation, exchange.method == creation.method
        else { return false }
        let (old, new) = (creation.request.value, exchange.request.value)
        if let key = old.fields["idempotency-key"], let other = new.fields["idempotency-key"] {
            return key == other
        }
        guard old.target == new.target, Self.length(old) == Self.length(new) else { return false }
        guard let one = creation.comparablePrefix, let other = exchange.comparablePrefix else {
            return true
        }
        return one == other
    }

    private static func length(_ request: RequestReport) -> UInt64? {
        if let length = request.fields.uploadLength { return length }
        return request.declaredLength
    }

    mutating func add(_ exchange: Exchange, _ transcript: Transcript) {
        var attempt = Attempt(exchange, transcript)
        let path = URLText.path(of: exchange.target, base: "/")
        attempt.confirmedBefore = learnt.greatest(at: exchange.beganAt)
        let isCreation = !owns(path)
        switch exchange.method {
        case "HEAD", "GET", "OPTIONS", "DELETE": attempt.kind = .probe
        case _ where isCreation: create(exchange, &attempt)
        default: append(exchange, &attempt)
        }
        learn(exchange, path, isCreation, &attempt)
        lastFailed = attempt.hasFailed || (lastFailed && !attempt.carriesData)
        hasData = hasData || attempt.carriesData
        transfer.attempts.append(attempt)
    }

    private mutating func create(_ exchange: Exchange, _ attempt: inout Attempt) {
        creationCount += 1
        if creationCount > 1 {
            attempt.kind = canResume(at: exchange.beganAt) ? .restarted : .forcedRestart
            learnt = ToldOffsets()
            transfer.coverage = Coverage()
        } else {
            attempt.kind = exchange.hasRequestContent ? .first : .probe
        }
        count(exchange, &attempt)
        let request = exchange.request.value
        let isWhole = transfer.kind == .plainUpload || request.fields.uploadComplete ?? false
        if let length = request.fields.uploadLength { transfer.size = length }
        if isWhole, let length = request.declaredLength { transfer.size = length }
    }

    /// Whether the client knew a URL that was not gone.
    private func canResume(at time: Instant) -> Bool {
        knownSince.contains { $0.value <= time && goneSince[$0.key].map { $0 > time } ?? true }
    }

    private mutating func append(_ exchange: Exchange, _ attempt: inout Attempt) {
        let fields = exchange.request.value.fields
        let confirmed = attempt.confirmedBefore
        attempt.start = fields.uploadOffset ?? confirmed
        let isFirst = !hasData
        if !exchange.hasRequestContent {
            attempt.kind = .finish
        } else if attempt.start == confirmed || (isFirst && learnt.isEmpty) {
            attempt.kind =
                attempt.start == 0 ? .first : lastFailed || isFirst ? .resumed : .next
        } else if attempt.start > confirmed {
            attempt.kind = .gap
        } else {
            attempt.kind = attempt.start == 0 ? .restarted : .overlap
        }
        if fields.uploadComplete ?? false, let length = exchange.request.value.declaredLength {
            transfer.size = attempt.start + length
        }
        count(exchange, &attempt)
    }

    private mutating func count(_ exchange: Exchange, _ attempt: inout Attempt) {
        attempt.bytes = exchange.sentBytes
        transfer.figures.wire.add(attempt.bytes)
        let end = attempt.start + attempt.bytes
        switch attempt.kind {
        case .restarted, .overlap:
            attempt.resentBytes =
                min(max(attempt.confirmedBefore, attempt.start), end) - attempt.start
            transfer.figures.resentAvoidable.add(attempt.resentBytes)
        case .forcedRestart:
            attempt.resentBytes = min(attempt.bytes, deliveredMaximum)
            transfer.figures.resentForced.add(attempt.resentBytes)
        default: break
        }
        transfer.coverage.insert(attempt.range)
        deliveredMaximum = max(deliveredMaximum, end)
    }

    /// Takes from the answers what they say about URL, offset and completion.
    private mutating func learn(
        _ exchange: Exchange,
        _ path: String,
        _ isCreation: Bool,
        _ attempt: inout Attempt
    ) {
        let before = learnt.greatest
        for answer in exchange.answers {
            if isCreation, transfer.kind == .resumableUpload { learnLocation(answer, exchange) }
            guard let offset = offset(told: answer, exchange, attempt) else { continue }
            let learnt = Attempt.LearntOffset(
                offset: offset,
                status: answer.value.status,
                at: answer.at,
                line: answer.line,
                resource: isCreation ? creationCount : resources[path] ?? 0
            )
            self.learnt.insert(offset, at: answer.at)
            attempt.learntOffsets.append(learnt)
        }
        if let length = exchange.response?.value.fields.uploadLength { transfer.size = length }
        if let status = exchange.status, status == 404 || status == 410, !isCreation {
            goneSince[path] = exchange.endedAt ?? exchange.beganAt
        }
        if completes(exchange, attempt) {
            transfer.isComplete = true
            creation = nil
        }
        let after = learnt.greatest
        attempt.progressBytes = after > before ? after - before : 0
    }

    private mutating func learnLocation(_ answer: Timed<ResponseReport>, _ exchange: Exchange) {
        guard answer.value.status == 104 || (200..<300).contains(answer.value.status),
            let location = answer.value.fields["location"]
        else {
            return
        }
        let path = URLText.path(of: location, base: exchange.target)
        guard knownSince[path] == nil else { return }
        knownSince[path] = answer.at
        resources[path] = creationCount
        transfer.uploadPaths.append(path)
    }

    /// The offset that an answer tells, in a field or by its success.
    private func offset(
        told answer: Timed<ResponseReport>,
        _ exchange: Exchange,
        _ attempt: Attempt
    ) -> UInt64? {
        let status = answer.value.status
        let isSuccess = (200..<300).contains(status)
        guard isSuccess || status == 104 || status == 409 else { return nil }
        if let offset = answer.value.fields.uploadOffset { return offset }
        let movedAll = attempt.carriesData && isSuccess && exchange.isRequestComplete
        return movedAll ? attempt.start + attempt.bytes : nil
    }

    private func completes(_ exchange: Exchange, _ attempt: Attempt) -> Bool {
        guard let status = exchange.status, (200..<300).contains(status),
            let answer = exchange.response?.value.fields
        else {
            return false
        }
        // The head of an answer to a gRPC call says nothing of how that ended.
        guard !exchange.isCall || exchange.isAnswered else { return false }
        if transfer.kind == .plainUpload { return exchange.isRequestComplete }
        if exchange.method == "DELETE" { return false }
        if answer.uploadComplete ?? false { return true }
        let isLastPart = exchange.request.value.fields.uploadComplete ?? false
        if isLastPart, exchange.isRequestComplete, exchange.method != "HEAD" { return true }
        return transfer.size.map { learnt.greatest >= $0 } ?? false
    }

    /// The upload as it is at the end of the journal.
    func concluded() -> Transfer {
        var transfer = transfer
        let end = transfer.isComplete ? transfer.size ?? .max : learnt.greatest
        transfer.figures.payload = transfer.coverage.count(in: 0..<end)
        return transfer
    }
}

extension Exchange {
    /// Whether the request has content, or says that it has.
    var hasRequestContent: Bool {
        request.value.declaredLength != 0
    }

    /// Digest of the first 64 KiB of the request's content, if that many got through.
    fileprivate var comparablePrefix: String? {
        guard let body = requestBody?.value, body.isComplete || body.bytes >= 65_536 else {
            return nil
        }
        return requestPrefix
    }
}
