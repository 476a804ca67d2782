internal import HTTPWire
internal import SystemIO

/// A connection to a server, on which one request at a time is sent and answered.
///
/// As on the server's side, all work is done in `proceed`. Sending and receiving go on side by side,
/// so that interim and early final responses are noticed.
final class ClientConnection: ReadinessHandler, ClientCarrier {
    private enum Phase {
        case idle
        case awaitingResponse
        case receivingContent(MessageFraming)
        case closed
    }

    let endpoint: ClientEndpoint
    private let client: HTTPClient
    private let stream: ByteStream
    private var reader: MessageReader<ResponseParser>
    private let sender = MessageSender()
    private var phase = Phase.idle
    private var exchange: ClientExchange?
    private var isSending = false
    /// Content that waits for the server's word, and whether it goes in chunks.
    private var withheld: (body: MessageBody, isChunked: Bool)?
    private var keepsConnection = true
    private var requestCount = 0
    private var limit: TimeLimit?
    private var continueLimit: TimeLimit?
    private var unacknowledged = 0
    /// What had come when the limit was moved on for it.
    private var received = 0
    /// Interim responses since a byte of the request was sent.
    private var interimsSinceSending = 0
    private var isProceeding = false
    private var isScheduled = false

    /// So many pieces, then other connections have their turn.
    private static let stepsPerTurn = 16

    /// What a server has stored it may report in small steps; that it goes on without an end is no
    /// progress.
    private static let maximumInterims = 10_000

    init(_ stream: ByteStream, _ endpoint: ClientEndpoint, client: HTTPClient) {
        self.stream = stream
        self.endpoint = endpoint
        self.client = client
        reader = MessageReader(ResponseParser(limits: client.settings.messages))
        limit = TimeLimit(loop: client.loop, alarms: client.alarms) { [weak self] in
            self?.timeIsOver()
        }
        continueLimit = TimeLimit(loop: client.loop, alarms: client.alarms) { [weak self] in
            self?.sendWithheld()
            self?.proceed()
        }
    }

    var sentBytes: Int { stream.sentBytes }
    var unacknowledgedBytes: Int { stream.unacknowledgedBytes }

    /// Whether another request may be sent: the server has not ended it, as far as one can see.
    var isUsable: Bool {
        guard case .idle = phase else { return false }
        return !stream.hasPeerEnded && !stream.hasFailed && !stream.hasUnreadBytes
    }

    func begin(_ exchange: ClientExchange) {
        self.exchange = exchange
        exchange.connection = self
        exchange.sentBefore = stream.sentBytes
        interimsSinceSending = 0
        exchange.isReused = requestCount > 0
        requestCount += 1
        let facts = ClientConnectionFacts(
            address: stream.peerAddress,
            isReused: exchange.isReused,
            isSecure: stream.isSecure,
            isHTTP2: false
        )
        exchange.onConnection?(facts)
        guard !exchange.isOver else { return }
        let request = exchange.request
        let (head, isChunked) = request.framed
        do throws(MessageWriteError) {
            sender.append(try MessageWriter.bytes(of: head))
        } catch {
            exchange.fail(.unwritable(error))
            return becomeIdle()
        }
        reader.beginMessage()
        reader.parser.expect(method: head.method)
        keepsConnection = !head.fields.list("Connection", hasToken: "close")
        if head.expectsContinue, !request.body.segments.isEmpty {
            withheld = (request.body, isChunked)
            continueLimit?.set(after: client.settings.continueTime)
        } else {
            sender.append(request.body, chunked: isChunked)
        }
        isSending = true
        phase = .awaitingResponse
        limit?.set(after: client.settings.progressTime)
        proceed()
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        if readiness.isEmpty { isScheduled = false } else { stream.note(readiness) }
        proceed()
    }

    func wake() { proceed() }

    // MARK: The loop

    private func proceed() {
        guard !isProceeding else { return }
        isProceeding = true
        defer { isProceeding = false }
        for _ in 0..<Self.stepsPerTurn where !step() { return }
        guard !isScheduled else { return }
        isScheduled = true
        client.loop.runLater(self)
    }

    /// Moves something in either direction; false if nothing can move.
    private func step() -> Bool {
        switch phase {
        case .closed: return false
        case .idle:
            // A server that says something unasked, or ends, ends the connection.
            if stream.hasPeerEnded || stream.hasFailed || stream.hasUnreadBytes { close() }
            return false
        case .awaitingResponse:
            if awaitResponse() { return true }
        case .receivingContent:
            if receiveContent() { return true }
        }
        return isSending && send()
    }

    // MARK: Sending

    private func send() -> Bool {
        switch sender.advance(stream, client.buffers) {
        case .moved:
            interimsSinceSending = 0
            noteProgress()
            return true
        case .wouldBlock: unacknowledged = stream.unacknowledgedBytes
        case .waiting: limit?.clear()
        case .done:
            guard withheld == nil else { return false }
            isSending = false
            exchange?.isRequestSent = true
            unacknowledged = stream.unacknowledgedBytes
            noteProgress()
        case .failed:
            // The server may have answered before it ended the connection: reading shows it.
            stopSending()
            return true
        case .sourceFailed:
            fail(.sourceFailed)
        }
        return false
    }

    private func sendWithheld() {
        guard let (body, isChunked) = withheld else { return }
        withheld = nil
        continueLimit?.clear()
        sender.append(body, chunked: isChunked)
        noteProgress()
    }

    private func stopSending() {
        withheld = nil
        continueLimit?.clear()
        isSending = false
        keepsConnection = false
        sender.stop()
    }

    // MARK: Receiving

    private func awaitResponse() -> Bool {
        guard let exchange else { return false }
        do throws(MessageError) {
            switch try reader.readHead(stream, client.buffers) {
            case .head(let head) where head.isInterim:
                try countInterim()
                if head.status == 100 { sendWithheld() }
                exchange.interim(head)
                return true
            case .head(let head):
                try take(head, for: exchange)
                return true
            case .wouldBlock:
                noteReceived()
                return false
            case .ended:
                failBeforeResponse(
                    reader.parser.isBetweenMessages ? .closedBeforeResponse : .truncatedHead
                )
            case .failed(.system): failBeforeResponse(.reset)
            case .failed(.truncated): failBeforeResponse(.closedBeforeResponse)
            case .failed(.tls(let error)): fail(.tls(error))
            case .opaque, .piece: fail(.malformed(.malformed("content without a head")))
            }
        } catch {
            fail(.malformed(error))
        }
        return false
    }

    /// Holds back a server that says forever that it will answer.
    private func countInterim() throws(MessageError) {
        interimsSinceSending += 1
        guard interimsSinceSending <= Self.maximumInterims else {
            throw .malformed("more than \(Self.maximumInterims) interim responses in a row")
        }
    }

    private func failBeforeResponse(_ reason: ClientFailure.Reason) {
        let isUnbegun = reader.parser.isBetweenMessages && exchange?.interimCount == 0
        fail(isUnbegun && exchange?.isReused == true ? .staleReuse : reason)
    }

    private func take(
        _ head: ResponseHead,
        for exchange: ClientExchange
    ) throws(MessageError) {
        let method = exchange.request.head.method
        guard !head.opensTunnel(answering: method) else {
            throw .malformed("the server changed the protocol unasked")
        }
        if isSending { stopSending() }
        keepsConnection = keepsConnection && head.keepsConnection(answering: method)
        let framing = try head.framing(answering: method)
        phase = .receivingContent(framing)
        let isComplete = try reader.findEnd()
        // Whoever does not read is not waited for.
        limit?.clear()
        exchange.responded(head)
        guard isComplete, !exchange.isOver else { return }
        finish(trailers: [:])
    }

    private func receiveContent() -> Bool {
        guard let exchange, case .receivingContent = phase else { return false }
        guard let pull = exchange.pull else {
            // What came before a failure can still be read.
            if stream.hasFailed, !stream.hasUnreadBytes, !reader.hasLeftBytes, !reader.hasFoundEnd {
                fail(.reset)
            }
            return false
        }
        do throws(MessageError) {
            switch try reader.readBody(pull, stream) {
            case .piece(.bytes(let range)):
                exchange.pull = nil
                exchange.receivedContentBytes = reader.contentBytes
                limit?.clear()
                pull.done(.bytes(range))
                return true
            case .piece(.end(let trailers)): finish(trailers: trailers)
            case .wouldBlock: limit?.set(after: client.settings.progressTime)
            case .ended:
                exchange.isLengthProven = try !reader.parser.finish()
                keepsConnection = false
                finish(trailers: [:])
            case .failed(.system): fail(.reset)
            case .failed(.truncated): fail(.truncatedBody)
            case .failed(.tls(let error)): fail(.tls(error))
            case .head, .opaque: fail(.malformed(.malformed("a head within content")))
            }
        } catch {
            fail(error == .incomplete ? .truncatedBody : .malformed(error))
        }
        return false
    }

    // MARK: The end

    private func finish(trailers: HeaderFields) {
        guard let exchange else { return }
        self.exchange = nil
        becomeIdle()
        exchange.complete(trailers: trailers)
    }

    private func becomeIdle() {
        exchange = nil
        guard keepsConnection, !isSending, !reader.hasLeftBytes, !stream.hasPeerEnded,
            client.settings.idleConnections > 0
        else {
            return close()
        }
        phase = .idle
        limit?.set(after: client.settings.idleTime)
        client.keep(self)
    }

    private func fail(_ reason: ClientFailure.Reason) {
        let exchange = exchange
        // It counts what the connection has sent.
        exchange?.fail(reason)
        self.exchange = nil
        reset()
    }

    private func noteProgress() { limit?.set(after: client.settings.progressTime) }

    /// A head may come in small pieces.
    private func noteReceived() {
        guard stream.receivedBytes != received else { return }
        received = stream.receivedBytes
        noteProgress()
    }

    private func timeIsOver() {
        switch phase {
        case .closed: break
        case .idle: close()
        case .awaitingResponse, .receivingContent:
            // A slow server acknowledges bytes long before the kernel has room for more.
            let unacknowledged = stream.unacknowledgedBytes
            guard unacknowledged >= self.unacknowledged else {
                self.unacknowledged = unacknowledged
                return noteProgress()
            }
            fail(.idleTimeout)
        }
    }

    func reset() {
        stream.reset()
        close()
    }

    func close() {
        if case .closed = phase { return }
        phase = .closed
        exchange = nil
        limit = nil
        continueLimit = nil
        withheld = nil
        sender.stop()
        stream.close()
        client.ended(self)
    }
}
