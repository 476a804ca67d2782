internal import Basics
internal import HTTPTransport
internal import HTTPWire
internal import SystemIO

/// The server's end of an open WebSocket (RFC 6455).
///
/// What a client of numbered messages sends is read and ignored, so that the messages are the same
/// in each run.
final class WebSocketSession {
    /// The largest message that is accepted, in bytes.
    static let maximumMessage = 65_536
    /// Bytes that may wait for a client that does not read; above this, it is not read from.
    private static let maximumWaiting = 262_144
    /// How long a client may take to answer a close frame when the server ends.
    private static let closeTime = Duration.seconds(10)

    private let exchange: OriginExchange
    private var receiver = WebSocketReceiver(isMasked: true, maximumMessage: maximumMessage)
    private var messages: Range<UInt64>?
    private let idleTime: Duration
    private let input = TransferBuffer(capacity: 16_384)
    /// Frames for the client.
    private var output: [UInt8] = []
    private var hasSentClose = false
    /// Whether the connection ends after what waits.
    private var isOver = false
    private var isReading = false
    private var alarm = TimerQueue.Token.none
    /// How long nothing may move, and what comes then.
    private var patience: (time: Duration, end: (WebSocketSession) -> Void)

    /// - Parameters:
    ///   - exchange: its request is a handshake.
    ///   - messages: the numbers of those to send before the close frame; nil to send back what comes.
    ///   - idleSeconds: for how long the client may send nothing.
    init(_ exchange: OriginExchange, messages: Range<UInt64>?, idleSeconds: Int) {
        self.exchange = exchange
        self.messages = messages
        idleTime = .seconds(Int64(idleSeconds))
        patience = (idleTime, { $0.close(1_001) })
    }

    deinit { exchange.cancel(alarm) }

    /// Opens the WebSocket; the exchange holds it until it is over.
    func start(_ answer: ResponseHead) {
        exchange.onOpen = { [self] in
            watch()
            listen()
        }
        exchange.onServerFinish = { [weak self] in self?.finish() }
        exchange.upgrade(answer) { [self] buffer, room in make(buffer, room) }
    }

    // MARK: Input

    private func listen() {
        guard !isReading, !isOver, output.count < Self.maximumWaiting else { return }
        isReading = true
        exchange.pull(into: input, limit: input.capacity) { [weak self] in self?.take($0) }
    }

    private func take(_ piece: BodyPiece) {
        isReading = false
        guard case .bytes(let range) = piece else { return end() }
        if !hasSentClose { watch() }
        var events: [WebSocketReceiver.Event] = []
        let bytes = input.bytes(range)
        receiver.read(bytes.span, into: &events)
        for event in events { take(event) }
        listen()
        exchange.resume()
    }

    private func take(_ event: WebSocketReceiver.Event) {
        switch event {
        case .message(let content, let isText):
            guard messages == nil, !hasSentClose else { return }
            output += WebSocketFrame.message(content, isText: isText, isMasked: false)
        case .ping(let content):
            guard !hasSentClose else { return }
            output += WebSocketFrame.control(.pong, content, isMasked: false)
        case .pong: break
        case .close(let code):
            if let code { close(code) } else { closeWithoutCode() }
            end()
        case .failed(let code):
            close(code)
            end()
        }
    }

    // MARK: The end

    private func close(_ code: UInt16) { close(WebSocketFrame.close(code, isMasked: false)) }

    private func closeWithoutCode() { close(WebSocketFrame.control(.close, isMasked: false)) }

    /// Sends the one close frame there is, and awaits the client's.
    private func close(_ frame: [UInt8]) {
        guard !hasSentClose else { return }
        hasSentClose = true
        output += frame
        // What waits for the client in the system's buffers still reaches it.
        patience = (idleTime, { $0.end() })
        watch()
        exchange.resume()
    }

    /// Ends soon, since the server does.
    private func finish() {
        close(1_001)
        patience = (Self.closeTime, { $0.exchange.reset(.lost) })
        watch()
    }

    /// Ends the connection once everything is sent.
    private func end() {
        isOver = true
        exchange.resume()
    }

    /// Begins to wait for the client: it was there until now.
    private func watch() {
        exchange.cancel(alarm)
        alarm = exchange.later(patience.time) { [weak self] in
            if let self { patience.end(self) }
        }
    }

    // MARK: Output

    private func make(_ buffer: TransferBuffer, _ room: Range<Int>) -> GeneratedBytes {
        addMessages(upTo: room.count)
        guard !output.isEmpty else { return isOver ? .end : .later }
        let count = min(room.count, output.count)
        buffer.store(Array(output.prefix(count)), at: room.lowerBound)
        output.removeFirst(count)
        watch()
        listen()
        return .stored(count)
    }

    /// Adds numbered messages until `room` bytes wait, and a close frame after the last message.
    private func addMessages(upTo room: Int) {
        guard var left = messages, !hasSentClose else { return }
        while output.count < room, let number = left.first {
            output += WebSocketFrame.message(WebSocketFeed.message(number), isMasked: false)
            left = number + 1..<left.upperBound
        }
        messages = left
        if left.isEmpty { close(1_000) }
    }
}
