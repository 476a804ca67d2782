internal import HTTPWire
internal import ResumableServer
internal import SystemIO

/// Carries out what the machine of one upload says, in order: the disk on one side, connections on
/// the other.
///
/// Actions wait in a queue while one of them waits for the disk. What an answer or an interim
/// response says has been stored before it leaves; if a record cannot be stored, the answer says so
/// instead. Offsets are committed behind the bytes' back: `OffsetCommits`.
final class UploadDriver {
    private(set) var resource: UploadResource
    private unowned let service: UploadService
    private var queue: [Step] = []
    /// How much of `queue` is done.
    private var done = 0
    /// Whether an action is under way.
    private var isWaiting = false
    private var isProceeding = false
    private let commits: OffsetCommits
    /// Of the request that owns the upload.
    private var pipe: BodyPipe?
    /// Requests for this upload whose answers have not left.
    private var exchanges: [OriginExchange] = []
    /// How often the whole was handed to its target.
    private(set) var completions = 0
    /// Whether it was created in this run.
    let creations: Int

    /// An action, and the bytes that it stores.
    private struct Step {
        let action: UploadAction
        let bytes: BodyBytes
    }

    init(_ resource: UploadResource, service: UploadService, isNew: Bool) {
        self.resource = resource
        self.service = service
        creations = isNew ? 1 : 0
        commits = OffsetCommits(resource.record) { [unowned service] record, done in
            // An origin may be closed and gone before the disk is done.
            let held = service
            held.store.persist(record) { error in withExtendedLifetime(held) { done(error) } }
        }
    }

    var identifier: String { resource.record.identifier }
    var record: UploadRecord { resource.record }
    /// Whether the upload is complete, or gone without being so.
    var hasEnded: Bool { record.state != .active && record.state != .finalising }

    /// Whether nothing is under way.
    var isIdle: Bool { isSettled && resource.owner == nil }

    /// Whether everything that has come is where it belongs; more may come.
    var isSettled: Bool {
        !isWaiting && commits.areSettled && done == queue.count && pipe?.hasHandedOver != false
    }

    /// For the state of the origin.
    var summary: OriginState.Upload {
        let receipt: String? =
            if case .complete(let stored) = record.state, service.keepsObjects {
                StoredObject.name(in: stored)
            } else {
                nil
            }
        return OriginState.Upload(
            identifier: identifier,
            target: record.origin.target,
            protocol: record.dialect.description,
            state: record.state.name,
            bytes: record.offset,
            length: record.length,
            creations: creations,
            completions: completions,
            path: receipt.map(StoredObject.path)
        )
    }

    // MARK: Events

    /// Serves the request that created this upload, as the machine says.
    func begin(_ exchange: OriginExchange, _ actions: [UploadAction]) {
        attach(exchange)
        perform(actions)
    }

    func request(_ exchange: OriginExchange, at now: Int) {
        attach(exchange)
        if commits.lag != nil { perform([.persist(record)]) }
        // What the present owner has sent so far is kept.
        pipe?.stop()
        perform(resource.request(exchange.head, from: exchange.identifier, at: now))
    }

    private func attach(_ exchange: OriginExchange) {
        exchange.log.upload = identifier
        exchange.log.protocol = record.dialect.description
        exchanges.append(exchange)
        let name = exchange.identifier
        exchange.onLost = { [weak self] in self?.connectionLost(name) }
    }

    private func exchange(_ identifier: ExchangeID) -> OriginExchange? {
        exchanges.first { $0.identifier == identifier }
    }

    /// Forgets a request that is over.
    func forget(_ exchange: OriginExchange) { exchanges.removeAll { $0 === exchange } }

    private func connectionLost(_ identifier: ExchangeID) {
        perform(resource.connectionLost(identifier))
    }

    func expire(at now: Int) {
        perform(resource.expire(at: now) + resource.forwardAgain(at: now))
    }

    func limit(to limits: UploadLimits) { resource.limit(to: limits) }

    func lose(_ loss: UploadLoss) { perform(resource.lose(loss)) }

    /// Prepares for the end of all connections, as if the process had been killed.
    func crash(losing loss: OriginLoss) {
        switch loss {
        case .none, .all: break
        case .tail(let bytes): lose(.last(bytes))
        case .uncommitted: lose(.from(commits.offsets.last))
        case .metadata: lose(.from(commits.offsets.before))
        }
    }

    /// Queues what the machine says.
    func perform(_ actions: [UploadAction], storing bytes: BodyBytes = BodyBytes()) {
        queue += actions.map { Step(action: $0, bytes: bytes) }
        proceed()
    }

    private func proceed() {
        // An action may report at once, which leads back here.
        guard !isProceeding else { return }
        isProceeding = true
        while !isWaiting, done < queue.count {
            let step = queue[done]
            guard commits.areSettled || isFreeOfCommits(step.action) else {
                let goOn = wait { (_: Void) in }
                commits.afterwards { goOn(()) }
                break
            }
            done += 1
            carryOut(step.action, step.bytes)
        }
        isProceeding = false
        if done == queue.count {
            queue.removeAll(keepingCapacity: true)
            done = 0
            if isIdle { service.rests(self) }
        }
    }

    /// Lets the queue wait until `finish` is called.
    private func wait<Value>(
        _ finish: @escaping (Value) -> Void
    ) -> (Value) -> Void {
        isWaiting = true
        // An origin may be closed and gone before the disk is done.
        return { [self, service = Optional(service)] value in
            isWaiting = false
            finish(value)
            proceed()
            withExtendedLifetime(service) {}
        }
    }

    /// Whether an action may be carried out while a commit is under way.
    private func isFreeOfCommits(_ action: UploadAction) -> Bool {
        switch action {
        case .store(_, _, let isStaged): !isStaged
        case .persist(let record): commits.mayBeBehind(record)
        case .interim: true
        default: false
        }
    }

    // MARK: Actions

    private func carryOut(_ action: UploadAction, _ bytes: BodyBytes) {
        switch action {
        case .persist(let record): persist(record)
        case .interim(let head, let exchange): interim(head, to: exchange)
        case .answer(let answer, let exchange): self.answer(answer, to: exchange)
        case .read(let exchange): read(exchange)
        case .stopReading(let exchange): stopReading(exchange)
        // Another request has taken the upload over.
        case .reset(let exchange): self.exchange(exchange)?.reset(.overtaken)
        case .store(let count, let offset, let isStaged):
            store(bytes.prefix(Int(count)), offset, isStaged)
        case .storeStaged(let count, let offset):
            service.store.moveStaged(
                identifier,
                count: count,
                to: offset,
                done: wait { [self] error in stored(count, error) { $0.stagedStored() } }
            )
        case .discardStaged: service.store.discardStaged(identifier)
        case .computeDigests(let algorithms, let scope): digest(algorithms, scope)
        case .concatenate(let parts):
            service.store.join(
                parts.compactMap { service.driver($0)?.record },
                into: identifier,
                done: wait { [self] error in
                    stored(record.length ?? 0, error) { $0.concatenated() }
                }
            )
        case .finalise:
            completions += 1
            service.finalise(
                record,
                handingOver: { [self] in handOver(then: $0) },
                done: wait { [self] in finalised($0) }
            )
        case .deleteContent:
            service.store.removeContent(identifier)
            service.contentRemoved(record)
        }
    }

    private func finalised(_ result: Result<StoredAnswer, ForwardingFailure>) {
        switch result {
        case .success(let stored): perform(resource.finalised(stored))
        case .failure(let failure):
            completions -= 1
            perform(resource.notForwarded(failure, at: service.now()))
        }
    }

    /// Has the record say that the target gets the whole, before it does; `done` hears whether it may.
    private func handOver(then done: @escaping (Bool) -> Void) {
        commits.commit(resource.handsOver())
        commits.afterwards { [self] in done(commits.lag == nil) }
    }

    private func persist(_ record: UploadRecord) {
        commits.commit(record)
        // It may be what the upload has to rest for.
        commits.afterwards { [self] in proceed() }
    }

    private func interim(_ head: ResponseHead, to identifier: ExchangeID) {
        commits.afterwards { [self] in
            guard commits.lag == nil || head.status != 104 else { return }
            exchange(identifier)?.interim(head)
        }
    }

    private func answer(_ answer: UploadAnswer, to identifier: ExchangeID) {
        guard let exchange = exchange(identifier) else { return }
        exchange.answer(commits.lag.map(Self.refusal) ?? answer)
    }

    private func read(_ identifier: ExchangeID) {
        guard let exchange = exchange(identifier) else { return }
        if let lag = commits.lag {
            exchange.answer(Self.refusal(lag))
            return perform(resource.connectionLost(identifier))
        }
        let pipe = BodyPipe(exchange, to: self, pool: service.buffers)
        self.pipe = pipe
        exchange.pipe = pipe
        pipe.start()
    }

    private func stopReading(_ identifier: ExchangeID) {
        guard pipe?.identifier == identifier else { return }
        pipe?.discard()
        pipe = nil
    }

    /// Says that the disk does not take what would have to be promised.
    static func refusal(_ error: SystemError) -> UploadAnswer {
        let (status, title) =
            switch failure(error) {
            case .noSpace: (507, "there is no space left")
            case .exhausted: (503, "too many files are open")
            case .other: (500, "the content could not be stored")
            }
        var fields: HeaderFields = [
            "Content-Type": "application/problem+json", "Cache-Control": "no-store",
        ]
        if status == 503 { fields["Retry-After"] = "1" }
        return UploadAnswer(
            status,
            fields,
            body: Array("{\"title\":\"\(title)\",\"status\":\(status)}\n".utf8),
            needsDrain: true
        )
    }

    private func digest(_ algorithms: [DigestAlgorithm], _ scope: DigestScope) {
        let (isStaged, count) =
            switch scope {
            case .staged(let bytes): (true, bytes)
            case .whole(let bytes): (false, bytes)
            }
        service.store.digests(
            algorithms,
            of: UploadPlaceInStore(identifier, isStaged ? .staged : .content),
            count: count,
            done: wait { [self] result in
                // What cannot be read does not match.
                perform(resource.digests((try? result.get()) ?? []))
            }
        )
    }

    private func stored(
        _ count: UInt64,
        _ error: SystemError?,
        _ next: (inout UploadResource) -> [UploadAction]
    ) {
        guard let error else {
            service.stored(count)
            return perform(next(&resource))
        }
        // Without an owner the machine asks for none.
        let owner = resource.owner ?? ExchangeID(0)
        perform(resource.writeFailed(Self.failure(error), from: owner))
    }

    private static func failure(_ error: SystemError) -> StoreFailure {
        error.isOutOfSpace ? .noSpace : error.isExhaustion ? .exhausted : .other
    }

    // MARK: Bytes

    private func store(_ bytes: BodyBytes, _ offset: UInt64, _ isStaged: Bool) {
        guard let owner = resource.owner else { return }
        let finish = wait { [self] (outcome: (written: Int, error: SystemError?)) in
            let written = UInt64(outcome.written)
            if !isStaged { service.stored(written) }
            wrote(written, outcome.error, owner)
        }
        guard service.hasRoom(for: UInt64(bytes.count)) else {
            return finish((0, .quotaExceeded))
        }
        service.store.write(
            bytes,
            count: bytes.count,
            to: UploadPlaceInStore(identifier, isStaged ? .staged : .content),
            at: offset,
            done: { finish(($0, $1)) }
        )
    }

    private func wrote(_ count: UInt64, _ error: SystemError?, _ owner: ExchangeID) {
        guard let error else {
            perform(resource.wrote(count, from: owner))
            pipe?.finished()
            return
        }
        // What fitted counts. After a failed write nothing behind it may be written.
        let kept = count > 0 ? resource.wrote(count, from: owner) : []
        pipe?.discard()
        pipe = nil
        queue = queue[done...].filter { if case .store = $0.action { false } else { true } }
        done = 0
        perform(kept + resource.writeFailed(Self.failure(error), from: owner))
    }
}

extension UploadDriver: BodyReceiver {
    func bodyCame(_ bytes: BodyBytes, through pipe: BodyPipe) {
        let actions = resource.received(UInt64(bytes.count), from: pipe.identifier)
        let isStored = actions.contains { if case .store = $0 { true } else { false } }
        perform(actions, storing: bytes)
        if !isStored { pipe.finished() }
    }

    func bodyEnded(trailers: HeaderFields, through pipe: BodyPipe) {
        perform(resource.bodyEnded(trailers: trailers, from: pipe.identifier))
    }

    func bodyLost(through pipe: BodyPipe) { connectionLost(pipe.identifier) }
}
