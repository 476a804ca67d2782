internal import HTTPWire
internal import ResumableServer
internal import SystemIO

/// All uploads of an origin: creates them, finds them, ends them, and keeps to the limits.
final class UploadService {
    let store: any UploadStore
    let buffers: BufferPool
    private(set) var settings: UploadSettings
    private let limits: OriginLimits
    /// Seconds since 1970.
    let now: () -> Int
    private var identifiers: UploadIdentifiers
    private var drivers: [String: UploadDriver] = [:]
    /// Identifiers in the order of creation.
    private(set) var order: [String] = []
    /// Uploads that have ended, the oldest first.
    private var ended: [String] = []
    /// Uploads that have not ended.
    private var openUploads: Set<String> = []
    /// Bytes of all uploads that are kept.
    private(set) var storedBytes: UInt64 = 0
    /// Whom complete uploads are for; nil for the folder of finished uploads.
    private let upstream: UpstreamServer?
    private let hook: CompletionHook?
    private(set) var plainUploads: [OriginState.Upload] = []
    let putTargets: PutTargets

    init(
        store: any UploadStore,
        settings: UploadSettings,
        limits: OriginLimits,
        naming: UploadNaming,
        upstream: UpstreamServer? = nil,
        hook: CompletionHook? = nil,
        now: @escaping () -> Int
    ) {
        self.store = store
        self.settings = settings
        self.limits = limits
        self.upstream = upstream
        self.hook = hook
        self.now = now
        identifiers = UploadIdentifiers(naming)
        buffers = BufferPool(limit: limits.bufferedBytes)
        putTargets = PutTargets(limit: limits.replaceableTargets)
    }

    /// Takes up what an earlier run has left.
    ///
    /// - Parameter keptBytes: of finished uploads.
    /// - Throws: what the system says when the store cannot be read.
    func restore(keptBytes: UInt64) throws(SystemError) {
        storedBytes = keptBytes
        let found = try store.restore().sorted {
            ($0.record.endsAt ?? .max, $0.record.identifier)
                < ($1.record.endsAt ?? .max, $1.record.identifier)
        }
        for stored in found {
            let (resource, actions) = UploadResource.restored(
                stored.record,
                fileSize: stored.bytes,
                settings: settings,
                at: now()
            )
            let driver = UploadDriver(resource, service: self, isNew: false)
            if stored.record.state == .active { storedBytes += stored.record.offset }
            add(driver)
            driver.perform(actions)
            rests(driver)
        }
    }

    private func add(_ driver: UploadDriver) {
        drivers[driver.identifier] = driver
        order.append(driver.identifier)
        openUploads.insert(driver.identifier)
    }

    // MARK: Requests

    /// Reads what a request wants of the service.
    func read(_ head: RequestHead) -> UploadRequest {
        let place = UploadPlace(target: head.target, settings: settings)
        return UploadRequest(head, to: place, settings: settings, at: now())
    }

    /// Whether a request points to an upload.
    func isOwn(_ head: RequestHead) -> Bool {
        guard case .resource = UploadPlace(target: head.target, settings: settings) else {
            return false
        }
        return true
    }

    /// Serves a request that is about uploads.
    func take(_ request: UploadRequest, _ exchange: OriginExchange) {
        switch request {
        case .elsewhere: break
        case .options(let answer), .refused(_, let answer): exchange.answer(answer)
        case .create(let request): create(request, exchange)
        case .resource(let identifier): continueUpload(identifier, exchange)
        case .plain(let plain):
            exchange.log.protocol = "plain"
            receive(plain, exchange)
        }
    }

    private func receive(_ plain: PlainUpload, _ exchange: OriginExchange) {
        guard plain.multipartBoundary != nil else {
            return PlainReception(plain, exchange, self).start()
        }
        guard let form = FormReception(plain, exchange, self) else {
            return exchange.refuse(400, "The form has no right boundary.")
        }
        form.start()
    }

    private func create(_ request: CreationRequest, _ exchange: OriginExchange) {
        exchange.log.protocol = request.dialect.description
        guard openUploads.count < limits.openUploads else {
            return exchange.answer(Self.tooManyUploads)
        }
        if let length = request.length, !hasRoom(for: length) {
            return exchange.answer(UploadDriver.refusal(.quotaExceeded))
        }
        let identifier = identifiers.next { drivers[$0] != nil }
        let parts = (request.parts ?? []).map { part(at: $0) }
        do throws(UploadRefusal) {
            let (resource, actions) = try UploadResource.create(
                request,
                identifier: identifier,
                exchange: exchange.identifier,
                settings: settings,
                at: now(),
                parts: parts
            )
            let driver = UploadDriver(resource, service: self, isNew: true)
            add(driver)
            driver.begin(exchange, actions)
        } catch {
            exchange.answer(
                UploadResource.answer(error, to: request, settings: settings, at: now())
            )
        }
    }

    /// The record of an upload that another one is to be joined from.
    private func part(at address: String) -> UploadRecord? {
        guard case .resource(let name) = UploadPlace(target: address, settings: settings) else {
            return nil
        }
        return drivers[name]?.record
    }

    private func continueUpload(_ identifier: String, _ exchange: OriginExchange) {
        guard let driver = drivers[identifier] else {
            return exchange.answer(
                UploadResource.missing(exchange.head, settings: settings, at: now())
            )
        }
        driver.request(exchange, at: now())
    }

    private static let tooManyUploads = UploadAnswer(
        503,
        ["Content-Type": "application/problem+json", "Retry-After": "10"],
        body: Array("{\"title\":\"too many uploads are open\",\"status\":503}\n".utf8),
        needsDrain: true
    )

    /// For a file without a protocol for uploads.
    func newIdentifier() -> String { identifiers.next { drivers[$0] != nil } }

    // MARK: What drivers ask for

    func driver(_ identifier: String) -> UploadDriver? { drivers[identifier] }

    /// Whether no upload waits for the disk.
    var areSettled: Bool { drivers.values.allSatisfy(\.isSettled) }

    /// Forgets a request that is over.
    func forget(_ exchange: OriginExchange) {
        exchange.log.upload.flatMap { drivers[$0] }?.forget(exchange)
    }

    /// Whether so many bytes more may be kept.
    func hasRoom(for bytes: UInt64) -> Bool {
        guard let most = limits.storedBytes else { return true }
        return storedBytes <= most && bytes <= most - storedBytes
    }

    func stored(_ bytes: UInt64) { storedBytes += bytes }
    func removed(_ bytes: UInt64) { storedBytes -= min(bytes, storedBytes) }

    /// Takes note that an upload's bytes are gone; finished ones stay under their final name.
    func contentRemoved(_ record: UploadRecord) {
        guard record.state != .gone || record.origin.concatenation == .partial else { return }
        removed(record.offset)
    }

    /// Whether complete uploads become objects of this origin.
    var keepsObjects: Bool { upstream == nil }

    /// Makes a complete upload an object, or gives it to the server that it is for.
    ///
    /// - Parameters:
    ///   - record: of the upload.
    ///   - handingOver: asked, with where to answer, before the other server gets the last byte.
    ///   - done: hears how it ended.
    func finalise(
        _ record: UploadRecord,
        handingOver: @escaping (@escaping (Bool) -> Void) -> Void,
        done: @escaping (Result<StoredAnswer, ForwardingFailure>) -> Void
    ) {
        guard let upstream else { return publish(record) { done(.success($0)) } }
        do throws(SystemError) {
            let content = try store.content(of: record.identifier)
            upstream.take(record, content, handingOver) { [weak self] result in
                // The bytes go with the record of the answer.
                if case .success = result { self?.removed(record.offset) }
                done(result)
            }
        } catch {
            done(.failure(ForwardingFailure(500, "the stored upload cannot be read")))
        }
    }

    private func publish(_ record: UploadRecord, done: @escaping (StoredAnswer) -> Void) {
        let name = Self.name(for: record)
        store.publish(record.identifier, as: name.text) { [weak self] result in
            switch result {
            case .success(let name):
                let receipt = StoredObject(name: name, bytes: record.offset)
                let answer = receipt.answer(saysLocation: record.dialect == .ietf(.v8))
                guard let self else { return done(answer) }
                tell(receipt, CompletionHook.Facts(record)) { isDone in
                    done(isDone ? answer : Self.stored(Self.hookFailed))
                }
            case .failure(let error): done(Self.stored(UploadDriver.refusal(error)))
            }
        }
    }

    private static func stored(_ refusal: UploadAnswer) -> StoredAnswer {
        let fields: HeaderFields = ["Content-Type": "application/problem+json"]
        return StoredAnswer(refusal.head.status, fields, body: refusal.body)
    }

    /// Runs what the user wants to run for a file that is complete; `done` hears whether that went well.
    func tell(
        _ file: StoredObject,
        _ facts: CompletionHook.Facts,
        done: @escaping (Bool) -> Void
    ) {
        guard let hook else { return done(true) }
        hook.run(file, facts, done: done)
    }

    /// The answer for a file that is kept, but was not dealt with.
    static let hookFailed = UploadAnswer(
        500,
        ["Content-Type": "application/problem+json", "Cache-Control": "no-store"],
        body: Array(
            #"{"title":"the file is kept, but --on-complete failed","status":500}"#.utf8
        )
    )

    /// What the client suggests, by the target or by metadata; else the identifier.
    private static func name(for record: UploadRecord) -> ObjectName {
        let metadata = record.origin.metadata.flatMap { TusMetadata($0) }
        let suggestions = [
            ObjectName.suggestion(inTarget: record.origin.target),
            metadata?.text("filename"), metadata?.text("name"),
        ]
        return suggestions.lazy.compactMap { $0 }.compactMap { ObjectName(suggestion: $0) }.first
            ?? ObjectName(trusted: record.identifier)
    }

    /// Records that an upload is no longer in use.
    func rests(_ driver: UploadDriver) {
        store.rest(driver.identifier)
        guard driver.hasEnded, openUploads.remove(driver.identifier) != nil else { return }
        ended.append(driver.identifier)
        while ended.count > limits.rememberedUploads { forgetOldest() }
    }

    private func forgetOldest() {
        let identifier = ended.removeFirst()
        drivers[identifier] = nil
        order.removeAll { $0 == identifier }
        store.forget(identifier)
    }

    /// Forgets an upload as if it had never been: misbehaviour.
    func forgetUpload(_ identifier: String) {
        guard let driver = drivers.removeValue(forKey: identifier) else { return }
        if driver.record.state == .active { removed(driver.record.offset) }
        order.removeAll { $0 == identifier }
        ended.removeAll { $0 == identifier }
        openUploads.remove(identifier)
        store.forget(identifier)
    }

    /// Takes less or more from now on, also of uploads that have begun: misbehaviour.
    func limit(_ change: (inout UploadLimits) -> Void) {
        change(&settings.limits)
        for identifier in order { drivers[identifier]?.limit(to: settings.limits) }
    }

    /// Ends what has expired.
    func expire() {
        let now = now()
        for identifier in order { drivers[identifier]?.expire(at: now) }
    }

    /// Whether time can end something.
    var awaitsExpiry: Bool { drivers.values.contains { $0.record.endsAt != nil } }

    /// All uploads, in the order in which they were created, the plain ones last.
    func list(limit: Int) -> [OriginState.Upload] {
        Array((order.compactMap { drivers[$0]?.summary } + plainUploads).prefix(limit))
    }

    /// Takes note of a file that came without a protocol for uploads.
    func notePlain(_ identifier: String, _ target: String, _ receipt: StoredObject) {
        for index in plainUploads.indices where plainUploads[index].path == receipt.path {
            plainUploads[index].state = "replaced"
            plainUploads[index].path = nil
        }
        guard plainUploads.count < limits.listedUploads else { return }
        plainUploads.append(
            OriginState.Upload(
                identifier: identifier,
                target: target,
                protocol: "plain",
                state: "complete",
                bytes: receipt.bytes,
                length: receipt.bytes,
                creations: 1,
                completions: 1,
                path: receipt.path
            )
        )
    }
}
