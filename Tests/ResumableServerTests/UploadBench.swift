import HTTPWire
import ResumableServer

/// A driver of one upload resource that does at once what the resource asks for.
///
/// What a disk and a target do can be held back: then `finalise` and `write` are called by hand.
struct UploadBench {
    var settings: UploadSettings
    var resource: UploadResource?
    var now = 1_000_000
    /// Everything that was to be done, in order.
    private(set) var actions: [UploadAction] = []
    private(set) var answers: [ExchangeID: UploadAnswer] = [:]
    private(set) var interims: [ExchangeID: [ResponseHead]] = [:]
    private(set) var refusal: UploadRefusal?
    /// The bytes to be written that are held back.
    private(set) var unwritten: [(count: UInt64, from: ExchangeID)] = []
    var holdsWrites = false
    var holdsFinalising = false
    var holdsDigests = false
    /// What digests turn out to be.
    var digests: [ExpectedDigest] = []
    var stored = StoredAnswer(201, ["X-Target": "yes"], body: Array("ok".utf8))
    private(set) var finalisations = 0
    private var exchanges: UInt64 = 0

    init(_ settings: UploadSettings = UploadSettings()) { self.settings = settings }

    var record: UploadRecord? { resource?.record }

    mutating func newExchange() -> ExchangeID {
        exchanges += 1
        return ExchangeID(exchanges)
    }

    // MARK: Requests

    /// Sends a head, and goes on as far as the answer allows.
    @discardableResult
    mutating func head(_ head: RequestHead, parts: [UploadRecord?] = []) -> ExchangeID {
        let exchange = newExchange()
        let place = UploadPlace(target: head.target, settings: settings)
        switch UploadRequest(head, to: place, settings: settings, at: now) {
        case .options(let answer): answers[exchange] = answer
        case .refused(let refusal, let answer):
            self.refusal = refusal
            answers[exchange] = answer
        case .create(let request): create(request, exchange, parts)
        case .resource:
            guard resource != nil else {
                answers[exchange] = UploadResource.missing(head, settings: settings, at: now)
                return exchange
            }
            perform(resource?.request(head, from: exchange, at: now))
        case .plain, .elsewhere: break
        }
        return exchange
    }

    private mutating func create(
        _ request: CreationRequest,
        _ exchange: ExchangeID,
        _ parts: [UploadRecord?]
    ) {
        do throws(UploadRefusal) {
            let (resource, actions) = try UploadResource.create(
                request,
                identifier: "u1",
                exchange: exchange,
                settings: settings,
                at: now,
                parts: parts
            )
            self.resource = resource
            perform(actions)
        } catch {
            refusal = error
            answers[exchange] = UploadResource.answer(
                error,
                to: request,
                settings: settings,
                at: now
            )
        }
    }

    /// Sends a head and `count` bytes in one piece, and the end of the body unless it is cut.
    @discardableResult
    mutating func send(
        _ head: RequestHead,
        bytes count: UInt64 = 0,
        isCut: Bool = false,
        trailers: HeaderFields = [:],
        parts: [UploadRecord?] = []
    ) -> ExchangeID {
        let exchange = self.head(head, parts: parts)
        if count > 0 { body(count, exchange) }
        if isCut { lose(exchange) } else { end(exchange, trailers: trailers) }
        return exchange
    }

    // MARK: Events

    mutating func body(_ count: UInt64, _ exchange: ExchangeID) {
        perform(resource?.received(count, from: exchange), exchange)
    }

    mutating func end(_ exchange: ExchangeID, trailers: HeaderFields = [:]) {
        perform(resource?.bodyEnded(trailers: trailers, from: exchange))
    }

    mutating func lose(_ exchange: ExchangeID) { perform(resource?.connectionLost(exchange)) }

    /// Lets the next held-back write finish.
    mutating func write() {
        guard !unwritten.isEmpty else { return }
        let next = unwritten.removeFirst()
        perform(resource?.wrote(next.count, from: next.from))
    }

    mutating func failWrite(_ failure: StoreFailure, _ exchange: ExchangeID) {
        unwritten = []
        perform(resource?.writeFailed(failure, from: exchange))
    }

    mutating func finalise() { perform(resource?.finalised(stored)) }

    mutating func computeDigests() { perform(resource?.digests(digests)) }

    mutating func expire() { perform(resource?.expire(at: now)) }

    mutating func lose(_ loss: UploadLoss) { perform(resource?.lose(loss)) }

    mutating func restart(fileSize: UInt64) {
        guard let record else { return }
        let (resource, actions) = UploadResource.restored(
            record,
            fileSize: fileSize,
            settings: settings,
            at: now
        )
        self.resource = resource
        perform(actions)
    }

    // MARK: Actions

    private mutating func perform(_ actions: [UploadAction]?, _ source: ExchangeID? = nil) {
        for action in actions ?? [] {
            self.actions.append(action)
            perform(action, source)
        }
    }

    private mutating func perform(_ action: UploadAction, _ source: ExchangeID?) {
        switch action {
        case .interim(let head, let exchange): interims[exchange, default: []].append(head)
        case .answer(let answer, let exchange): answers[exchange] = answer
        case .store(let count, _, _):
            guard let source else { return }
            unwritten.append((count, source))
            if !holdsWrites { write() }
        case .storeStaged: perform(resource?.stagedStored())
        case .computeDigests: if !holdsDigests { computeDigests() }
        case .concatenate: perform(resource?.concatenated())
        case .finalise:
            finalisations += 1
            if !holdsFinalising { finalise() }
        case .persist, .read, .stopReading, .reset, .discardStaged, .deleteContent: break
        }
    }
}
