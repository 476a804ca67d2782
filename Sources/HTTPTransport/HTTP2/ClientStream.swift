internal import Basics
internal import HTTP2
internal import HTTPWire
internal import SystemIO

/// One request on a connection of HTTP/2, and its response.
final class ClientStream: ClientCarrier {
    private(set) var number: Int32 = 0
    private unowned let owner: ClientStreams
    private let exchange: ClientExchange
    private var content = ReceivedContent()
    private var trailers: HeaderFields = [:]
    private var source: ContentSource?
    /// Content that waits for the server's word.
    private var isWithheld = false
    private var isRequestWritten = false
    private var hasResponse = false
    /// What the exchange fails with once nothing is left to be read.
    private var failure: ClientFailure.Reason?
    private(set) var sentBytes = 0
    private var unacknowledged = 0
    private var interimsSinceSending = 0
    private var limit: TimeLimit?
    private var continueLimit: TimeLimit?

    /// As many as a connection of HTTP/1.1 takes.
    private static let maximumInterims = 10_000

    init(_ exchange: ClientExchange, of owner: ClientStreams) {
        self.exchange = exchange
        self.owner = owner
        let client = owner.client
        limit = TimeLimit(loop: client.loop, alarms: client.alarms) { [weak self] in
            self?.timeIsOver()
        }
    }

    private var session: HTTP2Session { owner.channel.session }
    private var settings: HTTPClientSettings { owner.client.settings }
    var unacknowledgedBytes: Int { owner.channel.stream.unacknowledgedBytes }

    /// Puts the request on the way; answers its stream.
    func begin() -> Int32? {
        exchange.connection = self
        let stream = owner.channel.stream
        exchange.onConnection?(
            ClientConnectionFacts(
                address: stream.peerAddress,
                isReused: exchange.isReused,
                isSecure: stream.isSecure,
                isHTTP2: true
            )
        )
        guard !exchange.isOver else { return nil }
        let request = exchange.request
        let head = request.framed.head
        do throws(MessageWriteError) {
            _ = try MessageWriter.bytes(of: head)
        } catch {
            exchange.fail(.unwritable(error))
            return nil
        }
        let hasContent = !request.body.segments.isEmpty || request.body.trailers != nil
        if hasContent { source = ContentSource(request.body) }
        if head.expectsContinue, hasContent { withhold() }
        guard let number = session.request(Self.block(head, owner.endpoint), hasContent: hasContent)
        else {
            exchange.fail(.notProcessed)
            return nil
        }
        self.number = number
        noteProgress()
        return number
    }

    private static func block(_ head: RequestHead, _ endpoint: ClientEndpoint) -> [BlockField] {
        let host = head.fields["Host"] ?? endpoint.hostField
        return [
            BlockField(":method", head.method), BlockField(":scheme", "https"),
            BlockField(":authority", host), BlockField(":path", head.target),
        ] + head.fields.block.filter { $0.name != "host" }
    }

    func wake() { owner.wake(self) }

    // MARK: The request

    private func withhold() {
        isWithheld = true
        let client = owner.client
        continueLimit = TimeLimit(loop: client.loop, alarms: client.alarms) { [weak self] in
            self?.sendWithheld()
        }
        continueLimit?.set(after: settings.continueTime)
    }

    private func sendWithheld() {
        guard isWithheld else { return }
        isWithheld = false
        continueLimit = nil
        session.resume(number)
        noteProgress()
        wake()
    }

    func nextContent(_ room: Int) -> ContentSource.Piece {
        guard let source else { return .failed }
        // The answer is early: the rest is not needed.
        guard !isWithheld, !hasResponse else { return .later }
        let piece = source.next(room, owner.channel.buffers.plain)
        guard !exchange.isOver else { return .failed }
        switch piece {
        case .later: limit?.clear()
        case .failed: failure = .sourceFailed
        case .bytes, .last: break
        }
        return piece
    }

    func sent(_ frames: WrittenFrames) {
        sentBytes += frames.bytes
        interimsSinceSending = 0
        isRequestWritten = isRequestWritten || frames.isLast
        if !hasResponse { noteProgress() }
        unacknowledged = unacknowledgedBytes
    }

    /// The kernel has taken the whole request.
    func requestSent() {
        exchange.isRequestSent = true
        unacknowledged = unacknowledgedBytes
    }

    // MARK: The response

    func take(_ fields: [BlockField], _ isTooLarge: Bool) {
        guard !hasResponse else { return take(trailers: fields, isTooLarge) }
        guard !isTooLarge else { return failHere(.malformed(.headTooLarge)) }
        guard var head = ResponseHead(fields), head.status != 101 else {
            return failHere(.malformed(.malformed("a response without a status")))
        }
        head.version = .http2
        noteProgress()
        guard head.isInterim else { return respond(head) }
        interimsSinceSending += 1
        guard interimsSinceSending <= Self.maximumInterims else {
            return failHere(.malformed(.malformed("interim responses without an end")))
        }
        if head.status == 100 { sendWithheld() }
        exchange.interim(head)
    }

    private func take(trailers fields: [BlockField], _ isTooLarge: Bool) {
        trailers = HeaderFields(fields.regular)
        // Those that are cut must not pass for whole ones; the content before them is.
        guard isTooLarge else { return }
        failure = .malformed(.headTooLarge)
        session.reset(number, .protocolError)
    }

    private func respond(_ head: ResponseHead) {
        hasResponse = true
        continueLimit = nil
        // No time limit until the owner reads.
        limit?.clear()
        exchange.responded(head)
    }

    func received(_ bytes: [UInt8]) {
        content.append(bytes)
        if exchange.pull != nil { owner.wake(self) }
    }

    func ended() {
        guard hasResponse, failure == nil else { return owner.wake(self) }
        content.end = trailers
        // Of a request that is not sent, the rest is given up (RFC 9113 §8.1).
        if !isRequestWritten { session.reset(number, .cancel) }
        owner.wake(self)
    }

    /// The stream is over; what has come can still be read.
    func closed(_ code: ErrorCode) {
        guard content.end == nil, failure == nil else { return wake() }
        switch code {
        case .refusedStream where !hasResponse: failure = .notProcessed
        case .http11Required where !hasResponse:
            owner.client.avoidHTTP2(owner.endpoint)
            failure = .notProcessed
        default: failure = .streamReset(code.name)
        }
        wake()
    }

    func lost(_ end: ConnectionEnd) {
        guard content.end == nil, failure == nil else { return }
        switch end {
        case .failed(.tls(let error)): failure = .tls(error)
        case .failed(.system): failure = unbegun ?? .reset
        case .ended, .failed(.truncated):
            failure = hasResponse ? .truncatedBody : unbegun ?? .closedBeforeResponse
        case .broken: failure = .malformed(.malformed("frames that HTTP/2 does not allow"))
        }
        wake()
    }

    /// The failure of a request that most likely came to a connection that had ended.
    private var unbegun: ClientFailure.Reason? {
        exchange.isReused && !hasResponse && exchange.interimCount == 0 ? .staleReuse : nil
    }

    // MARK: The loop

    func proceed() {
        guard !exchange.isOver else { return }
        if let pull = exchange.pull, !content.isEmpty { return hand(to: pull) }
        if content.isEmpty, let failure { return fail(failure) }
        if content.isEmpty, let trailers = content.end {
            return end { $0.complete(trailers: trailers) }
        }
        if exchange.pull != nil { limit?.set(after: settings.progressTime) }
        if source != nil, !isWithheld, !hasResponse { session.resume(number) }
    }

    private func hand(to pull: BodyPull) {
        let count = content.move(to: pull)
        exchange.pull = nil
        exchange.receivedContentBytes = content.takenBytes
        limit?.clear()
        if failure == nil, content.end == nil { session.giveBack(count, on: number) }
        pull.done(.bytes(pull.start..<pull.start + count))
        if !exchange.isOver { owner.wake(self) }
    }

    // MARK: The end

    private func noteProgress() { limit?.set(after: settings.progressTime) }

    /// Ends the stream alone.
    private func failHere(_ reason: ClientFailure.Reason) {
        session.reset(number, .protocolError)
        fail(reason)
    }

    func fail(_ reason: ClientFailure.Reason) { end { $0.fail(reason) } }

    private func end(_ tell: (ClientExchange) -> Void) {
        // What is told may end the connection.
        let owner = owner
        limit = nil
        continueLimit = nil
        source?.stop()
        tell(exchange)
        owner.ended(self)
    }

    func reset() {
        session.reset(number, .cancel)
        limit = nil
        continueLimit = nil
        source?.stop()
        owner.ended(self)
    }

    private func timeIsOver() {
        // A slow server acknowledges bytes long before the kernel has room for more.
        let unacknowledged = unacknowledgedBytes
        guard unacknowledged >= self.unacknowledged else {
            self.unacknowledged = unacknowledged
            return noteProgress()
        }
        let silence = owner.client.loop.now - owner.receivedAt
        guard silence < settings.progressTime else {
            return owner.abandon(.idleTimeout)
        }
        session.reset(number, .cancel)
        fail(.idleTimeout)
    }
}
