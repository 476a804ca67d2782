internal import Basics
internal import HTTPTransport
internal import HTTPWire
internal import SystemIO

/// One request of a small client, with a limit on the time in which nothing comes.
final class SmallExchange {
    enum Ending {
        /// The whole answer came.
        case answered(ResponseHead, [UInt8])
        /// The connection ended before; what came of the content, if its head did.
        case broken(ResponseHead?, [UInt8])
        /// An answer came before the request was sent, and nobody listened.
        case unheard
        /// Nothing came for too long.
        case late(ResponseHead?, [UInt8])
    }

    private let exchange: ClientExchange
    private let alarms: TimerQueue
    private let habits: ClientHabits
    private let buffer = TransferBuffer(capacity: 16_384)
    private var content: [UInt8] = []
    private var onEnd: ((Ending) -> Void)?
    /// Called with content that comes after the end.
    var onLateContent: ([UInt8]) -> Void = { _ in }
    private var watch = TimerQueue.Token.none
    /// Whether an answer counts that comes before the request is sent.
    private let hearsEarlyAnswers: Bool

    /// Begins the request; `onEnd` is called once, unless it is cancelled before.
    init(
        _ request: ClientRequest,
        _ client: HTTPClient,
        _ alarms: TimerQueue,
        _ habits: ClientHabits,
        hearsEarlyAnswers: Bool = true,
        onEnd: @escaping (Ending) -> Void
    ) {
        self.alarms = alarms
        self.habits = habits
        self.hearsEarlyAnswers = hearsEarlyAnswers
        self.onEnd = onEnd
        exchange = client.start(request)
        exchange.onInterim = { [weak self] in self?.takeInterim($0) }
        exchange.onResponse = { [weak self] in self?.take($0) }
        exchange.onFailure = { [weak self] in self?.failed($0.reason) }
        restartWatch()
    }

    /// Says that a source that had nothing has bytes.
    func resume() { exchange.resume() }

    /// Ends it without a word.
    func cancel() {
        alarms.cancel(watch)
        onEnd = nil
        exchange.abort()
    }

    private func restartWatch() {
        alarms.cancel(watch)
        guard habits.hasTimeLimit, onEnd != nil else { return }
        watch = alarms.set(after: habits.patience) { [weak self] in
            guard let self else { return }
            guard didRequestLeave || habits.limitsHandshakes else { return restartWatch() }
            let response = exchange.response
            if habits.endsOldRequest { exchange.abort() }
            finish(.late(response, content))
        }
    }

    /// Whether the server may have seen anything of it.
    var didRequestLeave: Bool { exchange.requestBytesSent > 0 }

    private func takeInterim(_ head: ResponseHead) {
        guard !habits.awaitsFinalAnswer, head.status != 100 else { return restartWatch() }
        exchange.abort()
        finish(.answered(head, []))
    }

    private func failed(_ reason: ClientFailure.Reason) {
        if reason == .truncatedHead, !habits.noticesCutHeads {
            return finish(.answered(ResponseHead(200), []))
        }
        if case .tls = reason, let head = exchange.response, !habits.noticesBadRecords {
            return finish(.answered(head, content))
        }
        finish(.broken(exchange.response, content))
    }

    private func take(_ head: ResponseHead) {
        guard hearsEarlyAnswers || exchange.isRequestSent else {
            // Whoever only listens once all is sent finds the connection closed then.
            alarms.cancel(watch)
            exchange.abort()
            return finish(.unheard)
        }
        read(head)
    }

    private func read(_ head: ResponseHead) {
        restartWatch()
        exchange.read(into: buffer, limit: buffer.capacity) { [weak self] piece in
            guard let self else { return }
            switch piece {
            case .bytes(let range):
                add(Array(buffer.bytes(range)))
                if onEnd == nil { onLateContent(Array(buffer.bytes(range))) }
                read(head)
            case .end: finish(.answered(head, content))
            }
        }
    }

    /// Takes bytes for content of the answer.
    func add(_ bytes: [UInt8]) { content += bytes }

    private func finish(_ ending: Ending) {
        guard let onEnd else { return }
        self.onEnd = nil
        alarms.cancel(watch)
        onEnd(ending)
    }
}
