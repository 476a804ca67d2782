internal import HTTPWire
internal import Origin
internal import ResumableServer
internal import SystemIO

/// Resumable uploads in front of a handler that knows nothing of them.
///
/// A server gives it each request first. What is about uploads it answers itself (IETF draft versions
/// 3, 5, 6 and 8, and tus 1.0.0), and the target gets each upload once all of it has come, as one
/// ordinary request, whose answer becomes the client's. It knows no transport: requests and bytes go in,
/// responses and bytes come out.
public actor UploadHandler {
    /// What answers complete uploads; if it throws, it has not taken the upload, which can be completed
    /// again.
    public typealias Target = @Sendable (CompleteUpload) async throws -> ServerResponse
    /// Gives the next piece of a request's content, nil at its end; throws if the client is gone.
    public typealias Body = @Sendable () async throws -> [UInt8]?
    /// Sends an interim response.
    public typealias Interim = @Sendable (ServerResponse) async -> Void

    let storage: any UploadStorage
    let target: Target
    let options: UploadHandlerOptions
    let settings: UploadSettings
    let now: @Sendable () -> Int
    var uploads: [String: LiveUpload] = [:]
    private var exchanges: [ExchangeID: LiveExchange] = [:]
    private var exchangeCount: UInt64 = 0
    /// Uploads that have ended, the oldest first.
    private var ended: [String] = []

    /// A handler that keeps uploads in a storage until its target has taken them.
    ///
    /// Call `restore()` before the first request.
    public init(
        storage: any UploadStorage,
        options: UploadHandlerOptions = UploadHandlerOptions(),
        target: @escaping Target
    ) {
        let now: @Sendable () -> Int = { Int(WallClock.secondsSince1970) }
        self.init(storage: storage, options: options, now: now, target)
    }

    package init(
        storage: any UploadStorage,
        options: UploadHandlerOptions = UploadHandlerOptions(),
        now: @escaping @Sendable () -> Int,
        _ target: @escaping Target
    ) {
        self.storage = storage
        self.options = options
        self.target = target
        self.now = now
        settings = options.settings
    }

    /// Takes up what an earlier run has left; complete uploads that the target has not got are handed
    /// on.
    ///
    /// - Returns: the names of uploads whose records cannot be read.
    /// - Throws: what the storage throws.
    @discardableResult
    public func restore() async throws -> [String] {
        var damaged: [String] = []
        for stored in try await storage.uploads() {
            guard let found = UploadRecordFile(stored.record), uploads[stored.upload] == nil else {
                damaged.append(stored.upload)
                continue
            }
            let (resource, actions) = UploadResource.restored(
                found.record,
                fileSize: stored.contentSize,
                settings: settings,
                at: now()
            )
            let upload = LiveUpload(resource)
            uploads[stored.upload] = upload
            perform(actions, on: upload)
            noteEnd(of: upload)
        }
        return damaged
    }

    /// Ends uploads whose time has come, and tries again to hand on what no client waits for.
    ///
    /// Call it now and then, such as every few seconds.
    public func maintain() {
        let now = now()
        for upload in Array(uploads.values) {
            let expiry = upload.resource.expire(at: now)
            perform(expiry + upload.resource.forwardAgain(at: now), on: upload)
        }
    }

    /// Answers a request, if it is about uploads.
    ///
    /// Cancel the task when the connection is lost: what has come is kept.
    ///
    /// - Parameters:
    ///   - request: as it came.
    ///   - body: asked for content only if the request is about uploads, one piece at a time.
    ///   - interim: gets interim responses, in order and before the final one.
    /// - Returns: the answer, or that there is none.
    public func respond(
        to request: ServerRequest,
        body: @escaping Body,
        interim: @escaping Interim = { _ in }
    ) async -> UploadReply {
        let head = request.head
        let place = UploadPlace(target: head.target, settings: settings)
        switch UploadRequest(head, to: place, settings: settings, at: now()) {
        case .elsewhere, .plain: return .notAnUpload
        case .options(let answer), .refused(_, let answer): return UploadReply(answer)
        case .create(let creation):
            return await serve(newExchange(body, interim)) { self.create(creation, $0) }
        case .resource(let name):
            guard let upload = uploads[name] else {
                return UploadReply(UploadResource.missing(head, settings: settings, at: now()))
            }
            return await serve(newExchange(body, interim)) { exchange in
                exchange.upload = name
                let actions = upload.resource.request(head, from: exchange.name, at: self.now())
                self.perform(actions, on: upload)
            }
        }
    }

    /// Whether nothing is under way for any upload.
    package var isIdle: Bool {
        exchanges.isEmpty && uploads.values.allSatisfy { !$0.isRunning && $0.steps.isEmpty }
    }

    // MARK: Exchanges

    private func newExchange(_ body: @escaping Body, _ interim: @escaping Interim) -> LiveExchange {
        exchangeCount += 1
        return LiveExchange(ExchangeID(exchangeCount), body, interim)
    }

    func exchange(_ name: ExchangeID) -> LiveExchange? { exchanges[name] }

    private func serve(
        _ exchange: LiveExchange,
        _ begin: (LiveExchange) -> Void
    ) async -> UploadReply {
        let name = exchange.name
        exchanges[name] = exchange
        defer { exchanges[name] = nil }
        begin(exchange)
        return await withTaskCancellationHandler {
            await self.reply(to: exchange)
        } onCancel: {
            Task { await self.lost(name) }
        }
    }

    private func reply(to exchange: LiveExchange) async -> UploadReply {
        if let reply = exchange.reply { return reply }
        return await withCheckedContinuation { exchange.whenFinished = $0 }
    }

    /// Takes note that a client is gone.
    func lost(_ name: ExchangeID) {
        guard let exchange = exchanges[name] else { return }
        exchange.isReading = false
        if let upload = exchange.upload.flatMap({ uploads[$0] }) {
            perform(upload.resource.connectionLost(name), on: upload)
        }
        exchange.finish(.reset)
    }

    private func create(_ request: CreationRequest, _ exchange: LiveExchange) {
        guard uploads.count - ended.count < options.maximumUploads else {
            return exchange.finish(UploadReply(Self.tooManyUploads))
        }
        let name = Self.hexadecimal(SecureRandom.bytes(16))
        exchange.upload = name
        do throws(UploadRefusal) {
            let (resource, actions) = try UploadResource.create(
                request,
                identifier: name,
                exchange: exchange.name,
                settings: settings,
                at: now(),
                parts: (request.parts ?? []).map { part(at: $0) }
            )
            let upload = LiveUpload(resource)
            uploads[name] = upload
            perform(actions, on: upload)
        } catch {
            let answer = UploadResource.answer(error, to: request, settings: settings, at: now())
            exchange.finish(UploadReply(answer))
        }
    }

    /// The record of an upload that another one is to be joined from.
    private func part(at address: String) -> UploadRecord? {
        guard case .resource(let name) = UploadPlace(target: address, settings: settings) else {
            return nil
        }
        return uploads[name]?.resource.record
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static let tooManyUploads = UploadAnswer(
        503,
        ["Content-Type": "application/problem+json", "Retry-After": "10"],
        body: Array(#"{"title":"too many uploads are open","status":503}"#.utf8),
        needsDrain: true
    )

    // MARK: The end of uploads

    /// Forgets the uploads that ended longest ago.
    func noteEnd(of upload: LiveUpload) {
        let record = upload.resource.record
        guard record.state != .active, record.state != .finalising, !upload.hasEnded else { return }
        upload.hasEnded = true
        ended.append(record.identifier)
        guard ended.count > UploadHandlerOptions.remembered else { return }
        let oldest = ended.removeFirst()
        uploads[oldest] = nil
        Task { [storage] in
            try? await storage.removeContent(oldest)
            try? await storage.removeRecord(of: oldest)
        }
    }
}

/// What becomes of a request.
public enum UploadReply: Hashable, Sendable {
    /// The request is not about uploads, and none of its content was read.
    case notAnUpload
    /// The final response; if the content may not have been read to its end, read on and discard it
    /// for a while, or close the connection after the response.
    case response(ServerResponse, isBodyUnread: Bool)
    /// There is no response: another request has taken the upload over, or the client is gone. End the
    /// connection.
    case reset

    init(_ answer: UploadAnswer) {
        self = .response(
            ServerResponse(answer.head, body: answer.body),
            isBodyUnread: answer.needsDrain
        )
    }
}
