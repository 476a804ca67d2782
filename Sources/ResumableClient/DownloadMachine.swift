package import Basics
package import HTTPWire

/// The client of one download as a machine: it is told what happened and answers what to do.
///
/// A driver makes the machine, calls `start`, carries out the actions in order and reports what
/// comes of them; each call returns the next actions. While a request is open the driver reports
/// `interim`, then `head` for the final answer's head; after `store` it reports `bodyStored` as
/// bytes are written, and one of `bodyEnded` and `requestFailed`. After `verify` it calls
/// `verified`. `timerFired`, `pathChanged`, `nudge`, `pause`, `cancel` and `deadlineReached` may
/// come at any time. Calls that do not fit the state (late, early, repeated) change nothing.
///
/// What the machine holds itself to: bytes are combined only under a validator that proves them to
/// be of one object (RFC 9110 §13.1.5, §15.3.7.3), and `rename` comes only after all of them.
package struct DownloadMachine {
    let plan: DownloadPlan
    let carried: CarriedFields
    var pacing: Pacing<HTTPURL>

    /// What the partial file is a part of; nil before the first good answer.
    var object: DownloadObject?
    /// Bytes of the partial file that belong to the object.
    var stored: UInt64 = 0
    /// The most that was stored of this object, also before a restart.
    var highWater: UInt64 = 0
    var exchange: DownloadExchange?
    /// All bytes are there and their digests are being computed.
    var isVerifying = false
    var isEnded = false
    /// All is done but for the last step, which gives the file its name.
    var isRenaming = false

    var restarts = 0
    /// The one fresh start after an answer that cannot be combined.
    var hasDiscarded = false
    /// The first URL was asked again because the final one refused.
    var wentBack = false
    var redirects = 0
    /// Digests of parts, which are compared at the end.
    var checks: [DigestCheck] = []
    /// How many answers the partial file is put together from.
    var parts = 0
    var isLengthProven = true
    var lastStatus: Int?
    var lastFields: HeaderFields = [:]

    private var ordinal = 0
    /// The latest progress, for whoever begins to watch late.
    package private(set) var progress: TransferProgress
    private let isPartialFileGone: Bool
    private let excess: Bool

    /// A download from its beginning.
    ///
    /// `path` is the path's status at the beginning, nil if nobody tells; `tokens` are shared by all
    /// transfers.
    package init(
        _ plan: DownloadPlan,
        path: PathStatus? = nil,
        draws: RandomDraws,
        tokens: RetryTokens
    ) {
        self.init(plan, nil, fileSize: nil, path: path, draws: draws, tokens: tokens)
    }

    /// Continues a download; `fileSize` is that of the partial file, nil if it is gone.
    package init(
        _ plan: DownloadPlan,
        resuming resumption: DownloadResumption,
        fileSize: UInt64?,
        path: PathStatus? = nil,
        draws: RandomDraws,
        tokens: RetryTokens
    ) {
        self.init(plan, resumption, fileSize: fileSize, path: path, draws: draws, tokens: tokens)
    }

    private init(
        _ plan: DownloadPlan,
        _ resumption: DownloadResumption?,
        fileSize: UInt64?,
        path: PathStatus?,
        draws: RandomDraws,
        tokens: RetryTokens
    ) {
        self.plan = plan
        carried = CarriedFields(plan.fields, of: plan.address)
        pacing = Pacing(
            plan.path,
            retry: RetryTracker(plan.retry, draws: draws, tokens: tokens),
            path: path,
            draws: draws
        )
        isPartialFileGone = resumption != nil && fileSize == nil
        if let resumption, let fileSize {
            object = DownloadObject(resumption)
            stored = min(resumption.stored, fileSize)
            highWater = stored
            parts = 1
            excess = fileSize > stored
        } else {
            excess = false
        }
        progress = TransferProgress(
            position: stored,
            acknowledged: stored,
            expected: object?.size
        )
    }

    // MARK: What happened

    /// Begins; call once.
    package mutating func start(at now: Duration) -> [TransferAction] {
        guard ordinal == 0, !isEnded else { return [] }
        if isPartialFileGone {
            return refusalOfRestart()
                ?? restart(.partialFile) + open(pacing.start(plan.address, at: now))
        }
        let cut: [TransferAction] = excess ? [.truncate(to: stored)] : []
        if let object, object.size == stored { return cut + complete() }
        return cut + open(pacing.start(next, at: now))
    }

    /// An interim answer to the open request.
    package mutating func interim(_ head: ResponseHead, at now: Duration) -> [TransferAction] {
        guard exchange != nil, !isEnded else { return [] }
        return pacing.connected() + [.report(.interim(status: head.status, fields: head.fields))]
    }

    /// The head of the final answer; the actions say what becomes of its body.
    package mutating func head(_ head: ResponseHead, at now: Duration) -> [TransferAction] {
        guard let open = exchange, open.body == nil, !isEnded else { return [] }
        return pacing.connected() + answered(DownloadReply(head), to: open, at: now)
    }

    /// So many bytes of the open answer's body came, in total.
    ///
    /// They are written, but for those beyond `atMost`, which count all the same.
    package mutating func bodyStored(_ count: UInt64, at now: Duration) -> [TransferAction] {
        guard let body = exchange?.body, !isEnded, count > body.count else { return [] }
        if let length = body.length, count > length {
            return discard("its body is longer than it announced", at: now)
        }
        exchange?.body?.count = count
        stored = body.from + count
        if stored > highWater {
            highWater = stored
            pacing.retry.progressed(authority: authority)
        }
        return report(step: count - body.count)
    }

    /// The open answer's body is complete by its framing, or by the end of the connection where
    /// only that ends it (RFC 9112 §6.3).
    package mutating func bodyEnded(trailers: HeaderFields = [:], at now: Duration)
        -> [TransferAction]
    {
        guard let open = exchange, let body = open.body, !isEnded else { return [] }
        exchange = nil
        return ended(body, trailers, open, at: now)
    }

    /// The open request failed, before or within the body; its connection is closed.
    ///
    /// `didSend` is of no meaning here: GET is repeated freely.
    package mutating func requestFailed(
        _ failure: TransportFailure,
        didSend: Bool,
        at now: Duration
    ) -> [TransferAction] {
        guard exchange != nil, !isEnded else { return [] }
        exchange = nil
        let actions = pacing.connected(despite: failure)
        return actions + failed(.transport(failure), retryAfter: nil, at: now)
    }

    /// The digests that `verify` asked for are all right, or one is not.
    package mutating func verified(_ isRight: Bool, at now: Duration) -> [TransferAction] {
        guard isVerifying, !isEnded else { return [] }
        isVerifying = false
        if isRight { return finish(isVerified: true) }
        guard parts > 1, !hasDiscarded else {
            return fail(.digestMismatch, isResumable: false)
        }
        hasDiscarded = true
        return restart(.digest) + begin(plan.address, at: now)
    }

    package mutating func timerFired(at now: Duration) -> [TransferAction] {
        guard !isEnded else { return [] }
        return open(pacing.timerFired(at: now))
    }

    package mutating func pathChanged(_ status: PathStatus, at now: Duration) -> [TransferAction] {
        guard !isEnded, pacing.learn(status) else { return [] }
        guard exchange != nil else { return open(pacing.reconsider(at: now)) }
        if let refusal = pacing.refusal {
            exchange = nil
            return [.closeConnection] + leavePath(refusal, at: now)
        }
        if pacing.shouldMove, stored == 0 || canContinue {
            exchange = nil
            return [.closeConnection, .explainMove] + open(pacing.begin(next, at: now))
        }
        guard pacing.isLeftInOutage else { return pacing.noticeOutage() }
        exchange = nil
        return [.closeConnection] + open(pacing.sleepShortly(next, at: now))
    }

    /// A user asks for this transfer now: refusals of the path are lifted for it.
    package mutating func nudge(at now: Duration) -> [TransferAction] {
        guard !isEnded else { return [] }
        pacing.nudge()
        return open(pacing.reconsider(at: now))
    }

    /// Ends with resume data, if there are any; the partial file is to be kept then.
    package mutating func pause() -> [TransferAction] {
        guard !isEnded else { return [] }
        return close() + [.paused(resumeOutcome)]
    }

    /// Ends; the partial file is of no use any more.
    package mutating func cancel() -> [TransferAction] {
        guard !isEnded else { return [] }
        return close() + fail(.cancelled, isResumable: false)
    }

    /// The plan's deadline has passed.
    package mutating func deadlineReached() -> [TransferAction] {
        guard !isEnded else { return [] }
        return close() + fail(.gaveUp(.deadline(last: nil)), isResumable: true)
    }

    /// The partial file could not be written, read or renamed.
    package mutating func storageFailed(
        _ text: String,
        _ problem: FileProblem
    ) -> [TransferAction] {
        guard !isEnded else { return [] }
        return close() + fail(.storage(text, problem), isResumable: true)
    }

    /// The partial file was removed by others before the driver could send the request, or rename the
    /// file; the driver has made an empty one.
    package mutating func partialFileGone(at now: Duration) -> [TransferAction] {
        guard stored > 0, !isEnded || isRenaming else { return [] }
        let closes: [TransferAction] = exchange == nil ? [] : [.closeConnection]
        exchange = nil
        (isEnded, isRenaming) = (false, false)
        return closes
            + (refusalOfRestart() ?? restart(.partialFile) + begin(plan.address, at: now))
    }

    /// Ends the download, which has lost its bytes, unless it may start over.
    private mutating func refusalOfRestart() -> [TransferAction]? {
        guard !plan.retry.restartsFromZero else { return nil }
        isEnded = true
        return [
            .failed(
                TransferFailure(
                    reason: .storage("the partial file is gone", .cannotRead),
                    resume: .none(.partialFile)
                )
            )
        ]
    }

    /// What could be continued from now; the reason if nothing.
    package var resumeOutcome: ResumeOutcome {
        guard stored > 0, let object else { return .none(.partialFile) }
        guard object.acceptsRanges == true else { return .none(.ranges) }
        guard let validator = object.validator else { return .none(.validator) }
        return .data(
            .download(
                DownloadResumption(
                    address: plan.address,
                    final: object.final,
                    validator: validator,
                    stored: stored,
                    size: object.size,
                    contentCoding: object.contentCoding,
                    file: plan.file,
                    fields: plan.fields
                )
            )
        )
    }

    // MARK: Ends

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

    mutating func report(step: UInt64) -> [TransferAction] {
        progress = TransferProgress(
            step: step,
            position: stored,
            acknowledged: stored,
            expected: object?.size
        )
        return [.report(.progress(progress))]
    }

    // MARK: Requests

    /// Whose tokens are used.
    var authority: String { (object?.final ?? plan.address).hostField }

    /// Where the next request goes: a part comes from the URL whose validator is known.
    var next: HTTPURL {
        guard canContinue, let object, !wentBack else { return plan.address }
        return object.final
    }

    /// Whether what is stored can be continued; without `Accept-Ranges` a request is tried.
    var canContinue: Bool {
        stored > 0 && object?.validator != nil && object?.acceptsRanges != false
    }

    mutating func open(_ turn: Pacing<HTTPURL>.Turn) -> [TransferAction] {
        guard let address = turn.open else { return turn.actions }
        return turn.actions + send(to: address)
    }

    mutating func begin(_ address: HTTPURL, at now: Duration) -> [TransferAction] {
        open(pacing.begin(address, at: now))
    }

    private mutating func send(to address: HTTPURL) -> [TransferAction] {
        var fields = carried.fields(for: address, describesContent: false)
        // A coding would change the bytes that offsets count.
        fields.add("Accept-Encoding", "identity")
        if plan.wantsDigest { fields.add("Want-Repr-Digest", "sha-256=1") }
        var asked: UInt64?
        var actions: [TransferAction] = []
        if canContinue, let object, object.final == address, let validator = object.validator {
            asked = stored
            fields.add("Range", "bytes=\(stored)-")
            fields.add("If-Range", validator.field)
            actions.append(.explain("requesting the rest from byte \(stored)"))
        }
        ordinal += 1
        exchange = DownloadExchange(address: address, asked: asked)
        let request = TransferRequest(
            ordinal: ordinal,
            address: address,
            method: "GET",
            fields: fields
        )
        return actions + [.send(request)]
    }
}
