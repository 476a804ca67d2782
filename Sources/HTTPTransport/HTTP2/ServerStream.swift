internal import Basics
internal import HTTP2
internal import HTTPWire
internal import SystemIO

/// One stream of a client: a request and its response.
final class ServerStream: ExchangeCarrier {
    let number: Int32
    private unowned let owner: ServerStreams
    private let exchange: ServerExchange
    private var content = ReceivedContent()
    private var source: ContentSource?
    private var isHandedOver = false
    private var hasWidened = false
    /// The client has reset the stream, or the connection is gone: nothing can be sent.
    private var isBroken = false
    private var hasPeerEnded = false
    /// Whether the whole response is made as frames.
    private var isWritten = false
    private var failure = AbortReason.reset
    private var unacknowledged = 0
    private var limit: TimeLimit?
    /// What came after the content.
    private var trailers: HeaderFields = [:]

    /// What may be under way of content that somebody asks for.
    private static let window: Int32 = 1 << 20

    init(_ number: Int32, _ head: RequestHead, _ report: ExchangeReport, of owner: ServerStreams) {
        self.number = number
        self.owner = owner
        exchange = ServerExchange(
            head,
            isSecure: owner.channel.stream.isSecure,
            report: report
        )
        exchange.carrier = self
        limit = TimeLimit(loop: owner.server.loop, alarms: owner.server.alarms) { [weak self] in
            self?.timeIsOver()
        }
    }

    var isSecure: Bool { owner.channel.stream.isSecure }
    private var session: HTTP2Session { owner.channel.session }
    private var limits: HTTPServerLimits { owner.server.limits }

    func wake() { owner.wake(self) }

    // MARK: The request

    func received(_ bytes: [UInt8]) {
        // What will not be read is not kept.
        if exchange.hasResponded { return session.giveBack(bytes.count, on: number) }
        content.append(bytes)
        if exchange.pull != nil { wake() }
    }

    func take(trailers fields: [BlockField], _ isTooLarge: Bool) {
        trailers = HeaderFields(fields.regular)
        // Those that are cut must not pass for whole ones.
        if isTooLarge, !exchange.hasResponded { abort(.malformed(.headTooLarge)) }
    }

    func ended() {
        content.end = trailers
        exchange.isRequestComplete = content.isEmpty
        if exchange.pull != nil { wake() }
    }

    /// The client sends no more on any stream.
    func peerEnded() {
        hasPeerEnded = true
        noteEnd(.finished)
        wake()
    }

    /// The stream is over, on both sides.
    func closed(_ code: ErrorCode) { if code != .none || !isWritten { resetByPeer() } }

    private func resetByPeer() {
        isBroken = true
        if failure != .sourceFailed { noteEnd(.reset) }
        wake()
    }

    /// The connection is gone.
    func lost(by failure: StreamFailure?) {
        switch failure {
        case .tls(let error): self.failure = .tls(error)
        case .truncated:
            // It has ended without saying so, as clients do.
            self.failure = .truncatedRequest
        case .system, nil: break
        }
        resetByPeer()
    }

    private func noteEnd(_ end: ServerExchange.PeerEnd) {
        guard isHandedOver, !exchange.isOver, exchange.peerEnd != end, exchange.peerEnd != .reset
        else { return }
        exchange.peerEnd = end
        exchange.onPeerEnd?(end)
    }

    // MARK: The loop

    /// Does what is asked for and can be done now.
    func proceed() {
        guard !exchange.isOver else { return }
        guard isHandedOver else { return handOver() }
        if let action = exchange.deferred {
            exchange.deferred = nil
            action()
            return wake()
        }
        if let pull = exchange.pull { read(pull) }
        guard !exchange.isOver else { return }
        if isBroken {
            // What came before a reset is still there to be read, if somebody may want it.
            let mayBeRead = !exchange.hasDeliveredEnd && !exchange.hasResponded
            if !mayBeRead || content.isEmpty && content.end == nil { abort(failure) }
        } else if source != nil {
            session.resume(number)
        }
    }

    private func handOver() {
        isHandedOver = true
        exchange.hasDeliveredEnd = exchange.isRequestComplete
        owner.server.handle(exchange)
        guard !exchange.isOver else { return }
        // What the client did before could not be told to anybody.
        if hasPeerEnded { noteEnd(.finished) }
        if isBroken { resetByPeer() }
    }

    private func read(_ pull: BodyPull) {
        if !content.isEmpty {
            let count = content.move(to: pull)
            exchange.report.receivedContentBytes = content.takenBytes
            exchange.isRequestComplete = content.end != nil && content.isEmpty
            if !isBroken, content.end == nil { session.giveBack(count, on: number) }
            return hand(.bytes(pull.start..<pull.start + count), to: pull)
        }
        if let trailers = content.end {
            exchange.hasDeliveredEnd = true
            return hand(.end(trailers: trailers), to: pull)
        }
        if hasPeerEnded { return abort(.truncatedRequest) }
        guard !isBroken else { return }
        if !hasWidened {
            hasWidened = true
            session.widen(number, to: Self.window)
        }
        limit?.set(after: limits.bodyProgressTime)
        guard exchange.head.expectsContinue, !exchange.hasSentContinue, content.takenBytes == 0
        else { return }
        _ = try? exchange.sendInterim(ResponseHead(100))
    }

    private func hand(_ piece: BodyPiece, to pull: BodyPull) {
        exchange.pull = nil
        limit?.clear()
        pull.done(piece)
        if !exchange.isOver { wake() }
    }

    // MARK: The response

    func sendInterim(_ response: ResponseHead) throws(MessageWriteError) -> Bool {
        try MessageWriter.check(response)
        guard !isBroken, session.waitingFrames <= Self.waitingInterims else { return false }
        session.inform(response.block, on: number)
        wake()
        return true
    }

    /// Interim responses that wait for a client that does not read; further ones are left out.
    private static let waitingInterims = 256

    func respond(
        _ response: ResponseHead,
        _ body: MessageBody,
        to exchange: ServerExchange
    ) throws(MessageWriteError) {
        var plan = ResponsePlan(response, body, to: exchange.head, keepsConnection: true)
        owner.server.addDate(to: &plan.head.fields)
        try MessageWriter.check(plan.head)
        exchange.isRequestComplete = content.end != nil
        exchange.pull = nil
        exchange.hasResponded = true
        exchange.report.status = response.status
        exchange.report.respondedAt = owner.server.loop.now
        let hasContent = !plan.body.segments.isEmpty || plan.body.trailers != nil
        if hasContent { source = ContentSource(plan.body) }
        if !isBroken { session.respond(plan.head.block, hasContent: hasContent, on: number) }
        limit?.set(after: limits.sendProgressTime)
        wake()
    }

    func upgrade(
        _ response: ResponseHead,
        sending output: @escaping BodyGenerator,
        of exchange: ServerExchange
    ) {
        preconditionFailure("HTTP/2 has no 101 (RFC 9113 §8.6)")
    }

    func nextContent(_ room: Int) -> ContentSource.Piece {
        guard let source else { return .failed }
        let piece = source.next(room, owner.channel.buffers.plain)
        guard !exchange.isOver else { return .failed }
        switch piece {
        case .later: limit?.clear()
        case .failed: failure = .sourceFailed
        case .last: self.source = nil
        case .bytes: break
        }
        return piece
    }

    /// Notes what was written of the response.
    func sent(_ frames: WrittenFrames) {
        exchange.report.sentBytes += frames.bytes
        isWritten = isWritten || frames.isLast
        unacknowledged = owner.channel.stream.unacknowledgedBytes
        if exchange.hasResponded { limit?.set(after: limits.sendProgressTime) }
    }

    /// The kernel has taken the whole response.
    func complete() {
        if !isBroken { session.dismiss(number) }
        end(.complete)
    }

    // MARK: Ending

    func abort(_ reason: AbortReason) {
        guard !exchange.isOver else { return }
        if reason == .requestTimeout, !exchange.hasResponded, !isBroken {
            exchange.report.status = 408
            owner.answer(408, on: number)
        } else if !isBroken {
            session.reset(number, Self.code(of: reason))
        }
        end(.aborted(reason))
    }

    private static func code(of reason: AbortReason) -> ErrorCode {
        switch reason {
        case .malformed: .protocolError
        case .sourceFailed, .takenOver: .internalError
        default: .cancel
        }
    }

    func end(_ ending: ExchangeReport.Ending) {
        guard !exchange.isOver else { return }
        // What the handler does now may end the connection.
        let owner = owner
        limit = nil
        source?.stop()
        exchange.report.isRequestComplete = exchange.isRequestComplete
        exchange.report.endedAt = owner.server.loop.now
        exchange.report.ending = ending
        let report = exchange.report
        let (onAbort, onEnd) = (exchange.onAbort, exchange.onEnd)
        exchange.release()
        if case .aborted(let reason) = ending { onAbort?(reason) }
        onEnd?(report)
        owner.server.report(report)
        owner.ended(self)
    }

    private func timeIsOver() {
        if exchange.pull != nil { return abort(.requestTimeout) }
        // A slow client acknowledges bytes long before the kernel has room for more.
        let unacknowledged = owner.channel.stream.unacknowledgedBytes
        guard unacknowledged >= self.unacknowledged else {
            self.unacknowledged = unacknowledged
            limit?.set(after: limits.sendProgressTime)
            return
        }
        abort(.responseTimeout)
    }
}
