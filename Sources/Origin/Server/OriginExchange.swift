internal import Basics
internal import HTTPTransport
internal import HTTPWire
internal import ResumableServer
internal import SystemIO

/// One request at the origin: the connection on one side, whoever answers it on the other, and the
/// line of the log that it becomes.
final class OriginExchange {
    let identifier: ExchangeID
    var log: AccessRecord
    /// What goes wrong with it on request.
    var effects: [Misbehaviour.Effect] = []
    /// Takes the body, if anybody does.
    var pipe: BodyPipe?
    /// Runs if the connection is lost while no pipe is there to say so.
    var onLost: () -> Void = {}
    /// Runs once it has left HTTP.
    var onOpen: () -> Void = {}
    /// Runs if the server takes no more requests after that.
    var onServerFinish: () -> Void = {}
    /// Runs when it is over, before it is written down.
    var onFinished: (AccessRecord) -> Void = { _ in }
    /// Runs last.
    private let onOver: (OriginExchange) -> Void
    private let transport: ServerExchange
    private let delays: TimerQueue
    private var isAnswered = false
    private var isOpen = false
    private(set) var isOver = false

    init(
        _ transport: ServerExchange,
        identifier: ExchangeID,
        log: AccessRecord,
        delays: TimerQueue,
        onOver: @escaping (OriginExchange) -> Void
    ) {
        self.transport = transport
        self.identifier = identifier
        self.log = log
        self.delays = delays
        self.onOver = onOver
        // They hold this exchange until it is over.
        transport.onAbort = { reason in self.lost(reason) }
        transport.onEnd = { report in self.ended(report) }
    }

    var head: RequestHead { transport.head }
    var peer: SocketAddress? { transport.peer }

    /// Whether the content of the request came whole.
    var isRequestComplete: Bool { transport.isRequestComplete }

    // MARK: Request

    func pull(
        into buffer: PooledBuffer,
        from start: Int,
        limit: Int,
        then done: @escaping (BodyPiece) -> Void
    ) {
        guard !isOver, !isAnswered else { return }
        transport.read(into: buffer.buffer, from: start, limit: limit) { piece in
            withExtendedLifetime(buffer) { done(piece) }
        }
    }

    /// Reads what comes after `onOpen`.
    func pull(
        into buffer: TransferBuffer,
        limit: Int,
        then done: @escaping (BodyPiece) -> Void
    ) {
        guard !isOver, isOpen else { return }
        transport.read(into: buffer, limit: limit, then: done)
    }

    /// Reads a small body as a whole.
    func collect(limit: Int, then done: @escaping (CollectedBody) -> Void) {
        transport.collect(limit: limit, then: done)
    }

    // MARK: Response

    func interim(_ head: ResponseHead) {
        guard !isOver, !isAnswered else { return }
        if head.status == 104, effects.contains(.drop104) { return note(.drop104) }
        guard (try? transport.sendInterim(head)) == true else { return }
        log.interims.append(head.status)
    }

    func answer(_ answer: UploadAnswer) { self.answer(answer.head, .bytes(answer.body)) }

    func answer(_ head: ResponseHead, _ body: MessageBody = .none) {
        answerInTime { [weak self] in self?.respond(head, body) }
    }

    /// Answers 101; `onOpen` runs once the connection has left HTTP.
    func upgrade(_ head: ResponseHead, sending output: @escaping BodyGenerator) {
        answerInTime { [weak self] in
            guard let self, !isOver else { return }
            log.take(head)
            transport.onFinish = { [weak self] in self?.onServerFinish() }
            guard (try? transport.upgrade(head, sending: output)) != nil, !isOver else { return }
            isOpen = true
            onOpen()
        }
    }

    private func answerInTime(_ respond: @escaping () -> Void) {
        guard !isAnswered else { return }
        isAnswered = true
        guard let milliseconds = slowness else { return respond() }
        note(.slowFinal(milliseconds))
        _ = later(.milliseconds(clamping: UInt64(milliseconds)), respond)
    }

    /// Runs an action after a delay.
    func later(_ delay: Duration, _ action: @escaping () -> Void) -> TimerQueue.Token {
        delays.set(after: delay, action: action)
    }

    func cancel(_ token: TimerQueue.Token) { delays.cancel(token) }

    private var slowness: Int? {
        effects.lazy.compactMap { effect in
            if case .slowFinal(let milliseconds) = effect { milliseconds } else { nil }
        }.first
    }

    private func respond(_ head: ResponseHead, _ body: MessageBody) {
        guard !isOver else { return }
        // The exchange may be over, and written down, before this returns.
        log.take(head)
        do throws(MessageWriteError) {
            try transport.respond(head, body)
        } catch {
            // A field that cannot be written is a mistake of ours, and there is still an answer.
            log.take(ResponseHead(500))
            try? transport.respond(ResponseHead(500))
        }
    }

    /// Says that content that was made so slowly has come.
    func resume() { transport.resume() }

    /// Ends the connection at once.
    func reset(_ outcome: AccessRecord.Outcome) {
        log.outcome = outcome
        transport.reset()
    }

    /// Writes down what goes wrong on request.
    func note(_ effect: Misbehaviour.Effect) {
        log.misbehaviour.append(effect.text)
    }

    // MARK: End

    private func lost(_ reason: AbortReason) {
        isOver = true
        if log.outcome == .answered { log.outcome = .lost }
        if reason == .serverStopped { log.outcome = .cut }
        // Who ends an exchange knows of it.
        if reason != .takenOver {
            if let pipe { pipe.lost() }
            onLost()
        }
    }

    private func ended(_ report: ExchangeReport) {
        isOver = true
        log.bytesIn = UInt64(report.receivedContentBytes)
        log.bytesOut = UInt64(report.sentBytes)
        log.tookMicroseconds = UInt64((report.endedAt - report.beganAt).wholeMicroseconds)
        pipe = nil
        (onLost, onOpen, onServerFinish) = ({}, {}, {})
        onFinished(log)
        onFinished = { _ in }
        onOver(self)
    }
}
