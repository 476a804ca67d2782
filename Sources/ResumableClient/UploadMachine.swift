package import Basics
package import HTTPWire

/// The client of one upload as a machine: it is told what happened and answers what to do.
///
/// A driver makes the machine, calls `start`, carries out the actions in order and reports what
/// comes of them; each call returns the next actions. While a request is open the driver reports,
/// in the order in which they happen, `interim`, `bodySent` and then one of `final` and
/// `requestFailed`. `timerFired`, `pathChanged`, `nudge`, `pause`, `cancel` and `deadlineReached`
/// may come at any time. Calls that do not fit the state (late, early, repeated) change nothing.
///
/// What the machine holds itself to:
/// - At most one request is open. PATCH follows only on an offset just learnt by HEAD, or by the
///   success of the request before it; never two on one HEAD.
/// - Without an upload resource nothing is sent twice unless no byte of the request left, the
///   server redirected it, or the plan allows to begin from zero, which is reported as `restarted`.
/// - It finishes only when the server's answers say that it has every byte.
///
/// Times are points on any clock that does not go back.
package struct UploadMachine {
    let plan: UploadPlan
    let requests: UploadRequests
    var pacing: Pacing<UploadStep>
    let tokens: RetryTokens

    /// The protocol in use; becomes plain where there is no support.
    var dialect: UploadPlan.Dialect
    /// Where the creation goes; follows redirects.
    var target: HTTPURL
    /// The upload resource; nil until the server names it.
    var resource: HTTPURL?
    /// What the server confirmed; never falls, but for a restart.
    var acknowledged: UInt64 = 0
    var limits = AnnouncedLimits()
    /// tus: what OPTIONS named.
    var tusExtensions: [String] = []
    /// The source is sent by appends, after an empty creation.
    var createsCarefully: Bool
    var exchange: UploadExchange?
    var isEnded = false

    var restarts = 0
    var wasGone = false
    var redirects = 0
    /// The offset of the PATCH that was refused last with 409.
    var refusedOffset: UInt64?
    /// tus: the offset of the chunk refused last with 460, and how often.
    var badChecksum: (offset: UInt64, count: Int)?

    private var ordinal = 0
    /// The latest progress, for whoever begins to watch late.
    package private(set) var progress: TransferProgress

    /// An upload from its beginning, or from `resumption` (which the driver has compared with the
    /// source: see `SourceIdentity.isSame`).
    ///
    /// `path` is the path's status at the beginning, nil if nobody tells; `tokens` are shared by all
    /// transfers.
    package init(
        _ plan: UploadPlan,
        resuming resumption: UploadResumption? = nil,
        path: PathStatus? = nil,
        draws: RandomDraws,
        tokens: RetryTokens
    ) {
        self.plan = plan
        self.tokens = tokens
        requests = UploadRequests(plan)
        dialect = resumption?.dialect ?? plan.dialect
        target = plan.address
        resource = resumption?.resource
        acknowledged = resumption?.acknowledged ?? 0
        createsCarefully = plan.creation == .careful
        progress = TransferProgress(
            position: acknowledged,
            acknowledged: acknowledged,
            expected: plan.length
        )
        pacing = Pacing(
            plan.path,
            retry: RetryTracker(plan.retry, draws: draws, tokens: tokens),
            path: path,
            draws: draws
        )
        setRetriedStatuses()
    }

    /// The token bucket and the origin of the next request.
    var authority: String { (resource ?? target).hostField }

    // MARK: What happened

    /// Begins; call once.
    package mutating func start(at now: Duration) -> [TransferAction] {
        guard ordinal == 0, !isEnded else { return [] }
        var actions: [TransferAction] = []
        if resource != nil {
            actions.append(.explain("asking how much of the upload the server has"))
            return actions + open(pacing.start(.ask, at: now), at: now)
        }
        let step: UploadStep = plan.creation == .discover && dialect != .plain ? .discover : .create
        return actions + open(pacing.start(step, at: now), at: now)
    }

    /// An interim answer to the open request.
    package mutating func interim(_ head: ResponseHead, at now: Duration) -> [TransferAction] {
        guard exchange != nil, !isEnded else { return [] }
        var actions = pacing.connected()
        actions.append(.report(.interim(status: head.status, fields: head.fields)))
        if head.status == 104 { actions += announced(head, at: now) }
        return actions
    }

    /// So many bytes of the open request's body were given to the network, in total.
    ///
    /// To be called with the last bytes before `final`, which judges by it whether the body left.
    package mutating func bodySent(_ count: UInt64, at now: Duration) -> [TransferAction] {
        guard let open = exchange, !isEnded, count > open.sent else { return [] }
        let sent = min(count, open.body.upperBound - open.body.lowerBound)
        exchange?.sent = sent
        return report(step: sent - open.sent, position: open.body.lowerBound + sent)
    }

    /// The final answer with its whole body, or as much of it as the driver keeps.
    ///
    /// Ends the request. If its body has not left whole the actions begin with `closeConnection`.
    package mutating func final(_ head: ResponseHead, body: [UInt8] = [], at now: Duration)
        -> [TransferAction]
    {
        guard let open = exchange, !isEnded else { return [] }
        exchange = nil
        let actions = pacing.connected() + (open.isBodySent ? [] : [.closeConnection])
        let reply = UploadReply(head, body: body, dialect: dialect)
        return actions + answered(reply, to: open, at: now)
    }

    /// The open request failed; its connection is closed.
    ///
    /// `didSend` says whether a byte of the request, its head included, may have left.
    package mutating func requestFailed(
        _ failure: TransportFailure,
        didSend: Bool,
        at now: Duration
    ) -> [TransferAction] {
        guard let open = exchange, !isEnded else { return [] }
        exchange = nil
        let actions = pacing.connected(despite: failure)
        return actions
            + failed(.transport(failure), open, didSend: didSend, retryAfter: nil, at: now)
    }

    package mutating func timerFired(at now: Duration) -> [TransferAction] {
        guard !isEnded else { return [] }
        return open(pacing.timerFired(at: now), at: now)
    }

    package mutating func pathChanged(_ status: PathStatus, at now: Duration) -> [TransferAction] {
        guard !isEnded, pacing.learn(status) else { return [] }
        guard let open = exchange else { return self.open(pacing.reconsider(at: now), at: now) }
        if let refusal = pacing.refusal {
            if let end = endOfCancellation() { return end }
            exchange = nil
            return [.closeConnection] + leavePath(refusal, open, at: now)
        }
        if pacing.shouldMove, let step = withdrawal(of: open) {
            exchange = nil
            return [.closeConnection, .explainMove]
                + self.open(pacing.begin(step, at: now), at: now)
        }
        guard pacing.isLeftInOutage, let step = withdrawal(of: open) else {
            // A body on its way tells that there was a path; its connection may survive.
            return open.sent == 0 ? pacing.noticeOutage() : []
        }
        exchange = nil
        return [.closeConnection] + self.open(pacing.sleepShortly(step, at: now), at: now)
    }

    /// A user asks for this transfer now: refusals of the path are lifted for it.
    package mutating func nudge(at now: Duration) -> [TransferAction] {
        guard !isEnded else { return [] }
        pacing.nudge()
        return open(pacing.reconsider(at: now), at: now)
    }

    /// Ends with resume data, if there are any; the server keeps what it has.
    package mutating func pause() -> [TransferAction] {
        guard !isEnded else { return [] }
        return endOfCancellation() ?? close() + [.paused(resumeOutcome)]
    }

    /// Ends and tells the server to forget the upload.
    package mutating func cancel() -> [TransferAction] {
        guard !isEnded else { return [] }
        if case .cancel = exchange?.step { return [] }
        let actions: [TransferAction] = exchange == nil ? [] : [.closeConnection]
        exchange = nil
        return actions + abandon(.cancelled)
    }

    /// The plan's deadline has passed.
    package mutating func deadlineReached() -> [TransferAction] {
        guard !isEnded else { return [] }
        return endOfCancellation()
            ?? close() + fail(.gaveUp(.deadline(last: nil)), isResumable: true)
    }

    /// The source could not be read.
    package mutating func storageFailed(
        _ text: String,
        _ problem: FileProblem
    ) -> [TransferAction] {
        guard !isEnded else { return [] }
        return close() + fail(.storage(text, problem), isResumable: true)
    }

    /// What could be continued from now.
    package var resumeOutcome: ResumeOutcome {
        guard dialect != .plain else { return .none(.method) }
        guard let resource else { return .none(.uploadURL) }
        return .data(
            .upload(
                UploadResumption(
                    target: plan.address,
                    method: plan.method,
                    resource: resource,
                    dialect: dialect,
                    acknowledged: acknowledged,
                    source: plan.source,
                    file: plan.file,
                    fields: plan.fields
                )
            )
        )
    }

    // MARK: Ends

    /// The failure that a DELETE under way was to be the last word of; nil if there is none.
    mutating func endOfCancellation() -> [TransferAction]? {
        guard case .cancel(let failure) = exchange?.step else { return nil }
        return close() + [.failed(failure)]
    }

    private mutating func close() -> [TransferAction] {
        defer {
            exchange = nil
            isEnded = true
        }
        return exchange == nil ? [] : [.closeConnection]
    }

    mutating func fail(_ reason: TransferFailure.Reason, isResumable: Bool) -> [TransferAction] {
        isEnded = true
        let resume = isResumable ? resumeOutcome : .none(.final)
        return [.failed(TransferFailure(reason: reason, resume: resume))]
    }

    mutating func report(step: UInt64, position: UInt64) -> [TransferAction] {
        progress = TransferProgress(
            step: step,
            position: position,
            acknowledged: acknowledged,
            expected: plan.length
        )
        return [.report(.progress(progress))]
    }

    // MARK: Requests

    /// Takes a turn of the pacing and opens its step.
    mutating func open(_ turn: Pacing<UploadStep>.Turn, at now: Duration) -> [TransferAction] {
        guard let step = turn.open else { return turn.actions }
        return turn.actions + send(step)
    }

    /// Begins a step as soon as the path allows.
    mutating func begin(_ step: UploadStep, at now: Duration) -> [TransferAction] {
        open(pacing.begin(step, at: now), at: now)
    }

    mutating func send(_ step: UploadStep) -> [TransferAction] {
        var request = request(for: step)
        ordinal += 1
        request.ordinal = ordinal
        exchange = UploadExchange(
            step: step,
            address: request.address,
            body: request.body ?? 0..<0,
            isLast: request.body?.upperBound == plan.length
        )
        return [.send(request)]
    }

    private func request(for step: UploadStep) -> TransferRequest {
        let place = resource ?? target
        switch step {
        case .discover: return requests.discovery(at: target, dialect: dialect)
        case .create:
            return requests.creation(at: target, dialect: dialect, body: creationBody)
        case .ask: return requests.question(at: place, dialect: dialect)
        case .append(let offset):
            let end = limits.endOfAppend(
                from: offset,
                length: plan.length,
                wanted: plan.appendSize
            )
            return requests.append(to: place, dialect: dialect, body: offset..<end)
        case .fetchAnswer:
            let end = plan.length
            return requests.append(to: place, dialect: dialect, body: end..<end)
        case .cancel: return requests.cancellation(of: place, dialect: dialect)
        }
    }

    /// The bytes that the creation carries; nil for none.
    private var creationBody: Range<UInt64>? {
        switch dialect {
        case .plain: return 0..<plan.length
        case .ietf:
            guard createsCarefully, plan.length > 0 else { return 0..<plan.length }
            return 0..<0
        case .tus:
            guard tusExtensions.contains("creation-with-upload"), !createsCarefully else {
                return nil
            }
            return 0..<limits.endOfAppend(from: 0, length: plan.length, wanted: plan.appendSize)
        }
    }

    mutating func setRetriedStatuses() {
        pacing.retry.alsoRetried =
            switch dialect {
            case .ietf: [423]
            case .tus: [423, 460]
            case .plain: []
            }
    }
}

extension TransferAction {
    static func explain(_ text: String) -> TransferAction { .report(.explanation(text)) }
}
