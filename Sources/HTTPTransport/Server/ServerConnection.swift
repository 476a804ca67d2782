internal import Basics
internal import HTTPWire
internal import SystemIO

/// One client of the server: reads a head, hands it over, serves the exchange, and so on.
///
/// All work is done in `proceed`, which goes on until nothing can move. Whatever a handler's closure
/// asks for while it runs is done by the same loop, so nothing recurs.
final class ServerConnection: ReadinessHandler, ExchangeCarrier {
    enum Phase {
        case handshake
        /// Nothing tells yet whether the client speaks HTTP/2; these bytes have come.
        case opening([UInt8])
        /// HTTP/2, on streams.
        case frames
        /// Between requests, or within a head.
        case head
        case exchange
        /// The last response is sent; what still comes is thrown away, since closing with unread
        /// bytes would reset the connection under the answer.
        case draining(left: Int)
        case closed
    }

    let ordinal: Int
    let acceptedAt: Instant
    unowned let server: HTTPServer
    let stream: ByteStream
    let peer: SocketAddress?
    var reader: MessageReader<RequestParser>
    let sender = MessageSender()
    var phase: Phase
    private(set) var exchange: ServerExchange?
    var streams: ServerStreams?
    private var requestCount = 0
    var keepsConnection = true
    var limit: TimeLimit?
    private var isProceeding = false
    private var isScheduled = false
    /// Since when a request is awaited, if nothing of it has come.
    var idleSince: Instant?
    /// What the kernel had taken when the exchange began.
    private var sentBefore = 0
    var unacknowledged = 0
    /// Whether the time of a head of HTTP/2 runs.
    var isWithinHead = false

    /// So many pieces, then other connections have their turn.
    private static let stepsPerTurn = 16

    init(server: HTTPServer, ordinal: Int, stream: ByteStream) {
        self.server = server
        self.ordinal = ordinal
        acceptedAt = server.loop.now
        self.stream = stream
        peer = stream.peerAddress
        reader = MessageReader(RequestParser(limits: server.limits.messages))
        phase = stream.isSecure ? .handshake : server.takesHTTP2 ? .opening([]) : .head
    }

    var isSecure: Bool { stream.isSecure }
    /// Whether an exchange is under way.
    var isServing: Bool { exchange != nil || streams?.isServing == true }
    /// Whether nothing that has come waits to be read.
    var hasReadAll: Bool { !isScheduled && !stream.hasUnreadBytes }

    func start() throws(SystemError) {
        limit = TimeLimit(loop: server.loop, alarms: server.alarms) { [weak self] in
            self?.timeIsOver()
        }
        try stream.watch(self)
        if stream.isSecure { limit?.set(after: server.limits.headTime) } else { awaitRequest() }
        proceed()
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        if readiness.isEmpty { isScheduled = false } else { stream.note(readiness) }
        proceed()
    }

    /// Goes on with what a handler has asked for.
    func wake() { proceed() }

    // MARK: The loop

    func proceed() {
        guard !isProceeding else { return }
        isProceeding = true
        defer { isProceeding = false }
        for _ in 0..<Self.stepsPerTurn {
            let goesOn =
                switch phase {
                case .handshake: shakeHands()
                case .opening(let bytes): readOpening(bytes)
                case .frames: moveFrames()
                case .head: readHead()
                case .exchange: serve()
                case .draining(let left): drain(left)
                case .closed: false
                }
            if !goesOn { return }
        }
        guard !isScheduled else { return }
        isScheduled = true
        server.loop.runLater(self)
    }

    private func shakeHands() -> Bool {
        switch stream.establish() {
        case .moved:
            awaitRequest()
            if stream.chosenProtocol == "h2" { beginFrames([]) } else { phase = .head }
            return true
        case .wouldBlock: return false
        case .ended, .failed:
            close()
            return false
        }
    }

    // MARK: Heads

    func awaitRequest() {
        idleSince = server.loop.now
        limit?.set(after: server.limits.idleTime)
    }

    private func readHead() -> Bool {
        do throws(MessageError) {
            switch try reader.readHead(stream, server.buffers) {
            case .head(let head):
                begin(head)
                return true
            case .wouldBlock:
                noteHeadBegun()
                return false
            case .ended:
                try reader.parser.finish()
                close()
            case .failed, .piece, .opaque: close()
            }
        } catch {
            refuse(error.status)
            return true
        }
        return false
    }

    /// From the first byte of a head on, time is short.
    private func noteHeadBegun() {
        guard idleSince != nil, !reader.parser.isBetweenMessages else { return }
        idleSince = nil
        limit?.set(after: server.limits.headTime)
    }

    private func begin(_ head: RequestHead) {
        idleSince = nil
        limit?.clear()
        reader.beginMessage()
        let exchange = ServerExchange(head, isSecure: isSecure, report: newReport(head))
        exchange.carrier = self
        sentBefore = stream.sentBytes
        self.exchange = exchange
        keepsConnection = head.keepsConnection && !server.isFinishing
        phase = .exchange
        do throws(MessageError) {
            exchange.isRequestComplete = try reader.findEnd()
            exchange.hasDeliveredEnd = exchange.isRequestComplete
        } catch {
            abort(.malformed(error))
            return
        }
        server.handle(exchange)
    }

    private func newReport(_ head: RequestHead?) -> ExchangeReport {
        requestCount += 1
        let now = server.loop.now
        return ExchangeReport(
            connection: ordinal,
            request: requestCount,
            peer: peer,
            head: head,
            beganAt: now,
            endedAt: now,
            ending: .refused
        )
    }

    /// Answers what is no request, and ends.
    func refuse(_ status: Int) {
        var report = newReport(nil)
        report.status = status
        report.respondedAt = report.beganAt
        let before = stream.sentBytes
        sendRefusal(status)
        report.sentBytes = stream.sentBytes - before
        report.endedAt = server.loop.now
        endWriting()
        server.report(report)
    }

    /// Puts a short answer on the way, as much of it as the kernel takes at once.
    func sendRefusal(_ status: Int) {
        let text = Array("\(status) \(ReasonPhrase.of(status))\n".utf8)
        var head = ResponseHead(status)
        head.fields.add("Content-Type", "text/plain")
        head.fields.add("Content-Length", "\(text.count)")
        head.fields.add("Connection", "close")
        server.addDate(to: &head.fields)
        guard let bytes = try? MessageWriter.bytes(of: head) else { return }
        sender.append(bytes + text)
        while case .moved = sender.advance(stream, server.buffers) {}
    }

    // MARK: Exchanges

    private func serve() -> Bool {
        guard let exchange else { return false }
        if let action = exchange.deferred {
            exchange.deferred = nil
            action()
            return true
        }
        noteEnding(exchange)
        guard !exchange.isOver else { return true }
        if let pull = exchange.pull {
            if read(pull, exchange) { return true }
            guard !exchange.isOver else { return true }
        }
        return write(exchange)
    }

    private func noteEnding(_ exchange: ServerExchange) {
        if stream.hasPeerEnded, exchange.peerEnd == nil || exchange.peerEnd == .finished {
            let end: ServerExchange.PeerEnd = stream.hasFailed ? .reset : .finished
            guard end != exchange.peerEnd else { return }
            exchange.peerEnd = end
            exchange.onPeerEnd?(end)
        }
        // What came before a reset is still there to be read, if somebody may want it.
        guard stream.hasFailed, !exchange.isOver else { return }
        let mayBeRead = !exchange.hasDeliveredEnd && !exchange.hasResponded
        let isSomeLeft = reader.hasLeftBytes || reader.hasFoundEnd || stream.hasUnreadBytes
        if !mayBeRead || !isSomeLeft { abort(.reset) }
    }

    private func read(_ pull: BodyPull, _ exchange: ServerExchange) -> Bool {
        do throws(MessageError) {
            let finding =
                exchange.isUpgraded
                ? reader.readBytes(pull, stream) : try reader.readBody(pull, stream)
            switch finding {
            case .piece(let piece):
                exchange.pull = nil
                limit?.clear()
                exchange.report.receivedContentBytes = reader.contentBytes
                if case .end = piece { exchange.hasDeliveredEnd = true }
                exchange.isRequestComplete = exchange.hasDeliveredEnd || reader.hasFoundEnd
                pull.done(piece)
                return true
            case .wouldBlock:
                // How long an upgraded connection may be idle is its handler's to say.
                guard !exchange.isUpgraded else { return false }
                offerContinue(exchange)
                limit?.set(after: server.limits.bodyProgressTime)
                return false
            case .ended: abort(.truncatedRequest)
            case .failed(.system): abort(.reset)
            case .failed(.truncated): abort(.truncatedRequest)
            case .failed(.tls(let error)): abort(.tls(error))
            case .head, .opaque: abort(.malformed(.malformed("no content was expected")))
            }
        } catch {
            abort(.malformed(error))
        }
        return true
    }

    /// Somebody waits for content, and the client for a word that it is wanted.
    private func offerContinue(_ exchange: ServerExchange) {
        guard exchange.head.expectsContinue, !exchange.hasSentContinue,
            reader.contentBytes == 0
        else {
            return
        }
        _ = try? exchange.sendInterim(ResponseHead(100))
    }

    /// Throws away content that has come already, so that a small one that nobody wants does not
    /// end the connection; whether that was all of it.
    func discardContent() -> Bool {
        let buffer = server.buffers.plain
        let pull = BodyPull(buffer: buffer, start: 0, limit: 16_384) { _ in }
        for _ in 0..<8 {
            switch try? reader.readBody(pull, stream) {
            case .piece(.end): return true
            case .piece(.bytes): continue
            default: return false
            }
        }
        return false
    }

    private func write(_ exchange: ServerExchange) -> Bool {
        guard exchange.hasResponded || !sender.isIdle else { return false }
        switch sender.advance(stream, server.buffers) {
        case .moved: return true
        case .wouldBlock:
            // While content is awaited, its own time limit holds.
            if exchange.pull == nil || exchange.isUpgraded {
                limit?.set(after: server.limits.sendProgressTime)
            }
            unacknowledged = stream.unacknowledgedBytes
            return false
        case .waiting:
            limit?.clear()
            return false
        case .done:
            guard exchange.hasResponded else { return false }
            finish(exchange)
            return true
        case .failed(.tls(let error)): abort(.tls(error))
        case .failed: abort(.reset)
        case .sourceFailed: abort(.sourceFailed)
        }
        return false
    }

    private func finish(_ exchange: ServerExchange) {
        end(exchange, .complete)
        guard case .exchange = phase else { return }
        if keepsConnection, !server.isFinishing {
            phase = .head
            awaitRequest()
        } else {
            endWriting()
        }
    }

    func end(_ exchange: ServerExchange, _ ending: ExchangeReport.Ending) {
        guard !exchange.isOver else { return }
        self.exchange = nil
        exchange.report.isRequestComplete = exchange.isRequestComplete
        exchange.report.sentBytes = stream.sentBytes - sentBefore
        exchange.report.endedAt = server.loop.now
        exchange.report.ending = ending
        let (onAbort, onEnd) = (exchange.onAbort, exchange.onEnd)
        exchange.release()
        if case .aborted(let reason) = ending { onAbort?(reason) }
        onEnd?(exchange.report)
        server.report(exchange.report)
    }
}
