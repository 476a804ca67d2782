internal import Basics
internal import HTTPTransport
internal import HTTPWire
internal import ResumableServer
package import SystemIO

/// The origin: an HTTP server for files and computed bytes that takes resumable uploads.
///
/// Everything happens on the thread of its loop. Call `stop` before the loop ends.
package final class OriginServer {
    private let loop: EventLoop
    private let configuration: OriginConfiguration
    private let folders: OriginFolders
    private let objects: ObjectService
    private let uploads: UploadService
    private let upstream: UpstreamServer?
    private let hook: CompletionHook?
    private let control: ControlService
    private let reporter: StateReporter
    private var http: HTTPServer?
    private let delays: TimerQueue
    private var expiry: Timer?
    private var faults: PlannedFaults
    private var faultCounter: OriginFaultCounter
    private var requests: UInt64 = 0
    private let startedAt: Instant
    private let now: () -> Int
    private var isStopped = false
    /// Whether requests are checks, which nothing goes wrong with and nothing counts.
    private var answersChecks = false

    /// Where it listens.
    package private(set) var addresses: [SocketAddress] = []
    /// Called for each request that is over.
    package var onAccess: ((AccessRecord) -> Void)?
    /// Called when the command for complete uploads fails, with the file's name and the reason.
    package var onHookFailure: ((String, String) -> Void)? {
        didSet { hook?.onFailure = { [weak self] in self?.onHookFailure?($0, $1) } }
    }
    /// Called with the identity of an origin fault whenever it acts.
    package var onFault: ((String) -> Void)?
    /// Names of records of an earlier run that cannot be read; their uploads are unknown.
    package let damagedRecords: [String]

    /// Opens folders, takes up what an earlier run has left, and listens.
    ///
    /// - Parameters:
    ///   - loop: where everything happens.
    ///   - configuration: what it serves, takes and promises.
    ///   - now: seconds since 1970, for what expires and for dates.
    /// - Throws: why it cannot start, in one line.
    package init(
        loop: EventLoop,
        configuration: OriginConfiguration,
        now: @escaping () -> Int = { Int(WallClock.secondsSince1970) }
    ) throws(OriginError) {
        self.loop = loop
        self.configuration = configuration
        startedAt = loop.now
        faults = try PlannedFaults(configuration.misbehaviour)
        faultCounter = OriginFaultCounter(configuration.faults)
        self.now = now
        let limits = configuration.limits
        folders = try OriginFolders(configuration)
        let tally = ObjectTally(limit: limits.listedObjects)
        objects = ObjectService(
            source: ObjectSource(folder: folders.served, uploads: folders.objects, loop: loop),
            policy: configuration.objects,
            tally: tally,
            loop: loop,
            idleSeconds: limits.idleSeconds,
            now: now
        )
        let store = DiskUploadStore(
            folder: folders.uploads,
            objects: folders.objects,
            commit: configuration.commit ?? (folders.arePrivate ? .write : .fsync),
            loop: loop
        )
        upstream = try configuration.upstream.map { url throws(OriginError) in
            try UpstreamServer(url, limits: limits, loop: loop)
        }
        hook = configuration.onComplete.map { [folders] command in
            CompletionHook(
                command,
                folder: folders.objectsPath,
                limit: limits.runningHooks,
                loop: loop
            )
        }
        uploads = UploadService(
            store: store,
            settings: configuration.uploads,
            limits: limits,
            naming: configuration.naming,
            upstream: upstream,
            hook: hook,
            now: now
        )
        reporter = StateReporter(
            uploads: uploads,
            objects: tally,
            folder: folders.objects,
            loop: loop,
            limits: limits
        )
        control = ControlService(bodyLimit: limits.controlBytes)
        do throws(SystemError) {
            delays = try TimerQueue(loop: loop)
            try uploads.restore(keptBytes: folders.keptBytes())
        } catch {
            throw OriginError(.folderUnusable, "cannot read back earlier uploads: \(error)")
        }
        damagedRecords = store.damaged
        connectControl()
        do throws(OriginError) {
            try listen()
        } catch {
            stop()
            folders.removeWhatWasMade()
            throw error
        }
    }

    deinit { stop() }

    private func connectControl() {
        control.rules = { [weak self] in self?.faults.text ?? "" }
        control.setRules = { [weak self] text throws(MisbehaviourError) in
            self?.faults = try PlannedFaults(rules: text)
        }
        control.state = { [weak self] done in self?.state(done) }
    }

    // MARK: Listening

    private func listen() throws(OriginError) {
        let tls: TLSContext?
        do throws(TLSError) {
            tls = try configuration.tls.map { settings throws(TLSError) in
                try TLSContext.server(settings)
            }
        } catch {
            throw OriginError(.refused, error.description)
        }
        for address in configuration.listens {
            guard configuration.allowsRemote || address.isLoopback else {
                throw OriginError(
                    .refused,
                    "\(address) can be reached by other machines; give --allow-remote if you mean it"
                )
            }
            do throws(SystemError) {
                try removeStaleSocket(address)
                if http == nil { http = try makeServer() }
                if let found = try http?.listen(on: address, tls: tls) { addresses.append(found) }
            } catch {
                throw OriginError(
                    .addressUnavailable,
                    "cannot listen on \(address): \(error)" + Self.hint(error)
                )
            }
        }
        do throws(SystemError) {
            expiry = try Timer(loop: loop) { [weak self] in self?.uploads.expire() }
            expiry?.start(afterMilliseconds: 1_000, repeatMilliseconds: 1_000)
        } catch {
            throw OriginError(.internal, "cannot start a timer: \(error)")
        }
    }

    private static func hint(_ error: SystemError) -> String {
        error == .addressInUse ? "; choose another port, or port 0 for a free one" : ""
    }

    private func removeStaleSocket(_ address: SocketAddress) throws(SystemError) {
        guard case .unix(let path) = address, try SocketFile.state(at: path) == .stale else {
            return
        }
        SocketFile.remove(path)
    }

    private func makeServer() throws(SystemError) -> HTTPServer {
        let limits = configuration.limits
        var http = HTTPServerLimits()
        http.openConnections = limits.connections
        http.messages.head = limits.headBytes
        http.headTime = .seconds(Int64(limits.headSeconds))
        http.idleTime = .seconds(Int64(limits.idleSeconds))
        http.bodyProgressTime = .seconds(Int64(limits.idleSeconds))
        http.sendProgressTime = .seconds(Int64(limits.idleSeconds))
        let server = try HTTPServer(loop: loop, limits: http) { [weak self] in self?.take($0) }
        server.takesHTTP2 = configuration.takesHTTP2
        server.onReport = { [weak self] in self?.note($0) }
        return server
    }

    package var openConnections: Int { http?.openConnections ?? 0 }

    /// Takes no more requests and lets those under way end; `stop` is still to be called.
    package func finish(then done: @escaping () -> Void) {
        guard let http else { return done() }
        // What no client waits for any more is to be answered, too.
        http.finish { [upstream, hook] in
            let next = { hook?.finish(then: done) ?? done() }
            upstream?.finish(then: next) ?? next()
        }
    }

    /// Closes all connections, waits for the disk and, if it is private, removes the folder.
    package func stop() {
        guard !isStopped else { return }
        close()
        // What has been read is written down before the end.
        while loop.pendingWork > 0 { loop.runOnce() }
        folders.removeIfPrivate()
    }

    /// Closes all connections; what was read and is not written may be lost.
    ///
    /// For an origin among others on one loop, which must not turn meanwhile. A private folder goes
    /// with the origin.
    package func close() {
        isStopped = true
        http?.stop()
        http = nil
        upstream?.close()
        hook?.close()
        expiry?.close()
        delays.close()
    }

    /// Ends all connections at once, as if the process had been killed and started again.
    ///
    /// It never stops listening: a port that is free for a moment may be taken by another.
    ///
    /// - Parameter loss: what is missing afterwards of uploads that are not complete.
    package func crash(losing loss: OriginLoss = .none) {
        for identifier in uploads.order { uploads.driver(identifier)?.crash(losing: loss) }
        http?.dropConnections()
        if loss == .all { uploads.order.forEach(uploads.forgetUpload) }
    }

    /// Whether everything that has come from a client is read, and stored where it belongs, so that
    /// nothing is under way that could make the origin say more.
    package func hasDealtWithAll(from client: SocketAddress) -> Bool {
        http?.hasReadAll(from: client) != false && uploads.areSettled
    }

    /// From here on requests are checks of what there is: they get it as the last request before left
    /// it, without anything that goes wrong on request, and change no count.
    package func answerChecks() { answersChecks = true }

    /// What was received and given so far.
    package func state(_ done: @escaping (OriginState) -> Void) {
        reporter.report(requests: requests, done: done)
    }

    // MARK: Requests

    private func take(_ transport: ServerExchange) {
        requests += 1
        let exchange = OriginExchange(
            transport,
            identifier: ExchangeID(requests),
            log: AccessRecord(
                ordinal: requests,
                connection: UInt64(transport.connectionOrdinal),
                peer: transport.peer?.description ?? "",
                head: transport.head,
                atMicroseconds: UInt64((loop.now - startedAt).wholeMicroseconds)
            ),
            delays: delays,
            onOver: { [weak self] in self?.over($0) }
        )
        if let host = foreignHost(exchange.head) {
            return exchange.refuse(
                421,
                "This test server is not \(host). To reach servers by their names, start a forward"
                    + " proxy with linkcond --forward; for one server, name it with --upstream and"
                    + " connect to linkcond instead of it."
            )
        }
        if control.take(exchange) { return }
        // What pages may do to the server behind this one is that server's to say.
        guard configuration.allowsRemote || upstream != nil || BrowserGuard.mayChange(exchange.head)
        else {
            return exchange.refuse(403, "No page from elsewhere may change anything here.")
        }
        serve(exchange)
    }

    /// The host of a request in absolute form, as for a forward proxy, that means another server.
    private func foreignHost(_ head: RequestHead) -> String? {
        guard !configuration.allowsRemote, !head.target.hasPrefix("/"),
            case .absolute(let url) = RequestTarget(head), url.host.lowercased() != "localhost",
            SocketAddress(numericHost: url.host, port: 0)?.isLoopback != true
        else { return nil }
        return PrintableText.escaped(url.hostField)
    }

    private func serve(_ exchange: OriginExchange) {
        let request = uploads.read(exchange.head)
        guard !answersChecks else {
            var fate = faults.standing(of: exchange.head, request)
            faultCounter.addChanges(of: exchange.head.target, to: &fate)
            return take(request, exchange, fate.mutations)
        }
        var fate = faults.fate(of: exchange.head, request)
        faultCounter.count(exchange.head, into: &fate)
        for id in fate.fired { onFault?(id) }
        exchange.effects = fate.effects
        limit(fate.effects)
        if case .resource(let identifier) = request { harm(identifier, exchange) }
        for status in configuration.interims { exchange.interim(ResponseHead(status)) }
        let now = HTTPDate(secondsSince1970: now())
        for effect in fate.effects {
            guard let answer = effect.answer(now: now) else { continue }
            exchange.note(effect)
            return exchange.answer(answer)
        }
        take(request, exchange, fate.mutations)
    }

    private func take(
        _ request: UploadRequest,
        _ exchange: OriginExchange,
        _ mutations: [(Misbehaviour.Mutation, count: Int)]
    ) {
        switch request {
        case .plain where !configuration.takesPlainUploads:
            exchange.refuse(405, "Only resumable uploads are taken.")
        case .options(let offer) where upstream != nil && !uploads.isOwn(exchange.head):
            upstream?.relay(exchange, offering: offer, buffers: uploads.buffers)
        case .elsewhere, .plain:
            if let upstream { return upstream.relay(exchange, buffers: uploads.buffers) }
            guard case .plain = request else { return objects.take(exchange, mutations) }
            uploads.take(request, exchange)
        default: uploads.take(request, exchange)
        }
    }

    private func limit(_ effects: [Misbehaviour.Effect]) {
        for effect in effects {
            switch effect {
            case .limitAppend(let bytes):
                uploads.limit { $0.maxAppendSize = UInt64(bytes) }
            case .limitSize(let bytes): uploads.limit { $0.maxSize = UInt64(bytes) }
            default: break
            }
        }
    }

    private func harm(_ identifier: String, _ exchange: OriginExchange) {
        for effect in exchange.effects {
            switch effect {
            case .forget: uploads.forgetUpload(identifier)
            case .lose(let bytes): uploads.driver(identifier)?.lose(.last(UInt64(bytes)))
            default: continue
            }
            exchange.note(effect)
        }
    }

    /// Writes down what was no request.
    private func note(_ report: ExchangeReport) {
        guard report.ending == .refused, let onAccess else { return }
        requests += 1
        onAccess(
            AccessRecord(
                ordinal: requests,
                refused: report,
                atMicroseconds: UInt64((report.beganAt - startedAt).wholeMicroseconds)
            )
        )
    }

    private func over(_ exchange: OriginExchange) {
        uploads.forget(exchange)
        onAccess?(exchange.log)
    }
}

/// What a crash of the origin takes with it.
package enum OriginLoss: Hashable, Sendable {
    /// Nothing: what was received is kept, whether it was promised or not.
    case none
    /// So many bytes at the end of each upload, though their storage was promised.
    case tail(UInt64)
    /// What came after the latest record was written, so nothing that was promised.
    case uncommitted
    /// The latest record of each upload, so that the one before it counts.
    case metadata
    /// No upload is known any more.
    case all
}
