internal import HTTPTransport
internal import HTTPWire
internal import SystemIO

/// The server's end of an open WebSocket (RFC 6455).
///
/// What a client of numbered messages sends is read and counts for nothing, so that the messages are the
/// same in each run.
final class WebSocketSession {
    /// The most bytes of a message that is taken.
    static let maximumMessage = 65_536
    /// What waits for a client that does not read; beyond, nothing more is read of it.
    private static let maximumWaiting = 262_144
    /// How long a client may take to answer a close frame.
    private static let closeNanoseconds: UInt64 = 10_000_000_000

    private let exchange: OriginExchange
    private var receiver = WebSocketReceiver(isMasked: true, maximumMessage: maximumMessage)
    private var messages: Range<UInt64>?
    private let idleNanoseconds: UInt64
    private let input = TransferBuffer(capacity: 16_384)
    /// Frames for the client.
    private var output: [UInt8] = []
    private var hasSentClose = false
    /// Whether the connection ends after what waits.
    private var isOver = false
    private var isReading = false
    private var alarm = TimerQueue.Token.none

    /// - Parameters:
    ///   - exchange: its request is a handshake.
    ///   - messages: the numbers of those to send before the close frame; nil to send back what comes.
    ///   - idleSeconds: for how long the client may send nothing.
    init(_ exchange: OriginExchange, messages: Range<UInt64>?, idleSeconds: Int) {
        self.exchange = exchange
        self.messages = messages
        idleNanoseconds = UInt64(idleSeconds) * 1_000_000_000
    }

    deinit { exchange.cancel(alarm) }

    /// Opens the WebSocket; the exchange holds it until it is over.
    func start(_ answer: ResponseHead) {
        exchange.onOpen = { [self] in
            watch(idleNanoseconds) { $0.close(1_001) }
            listen()
        }
        exchange.onServerFinish = { [weak self] in self?.close(1_001) }
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
        if !hasSentClose { watch(idleNanoseconds) { $0.close(1_001) } }
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
        watch(Self.closeNanoseconds) { $0.exchange.reset(.lost) }
        exchange.resume()
    }

    /// Ends the connection once everything is sent.
    private func end() {
        isOver = true
        exchange.resume()
    }

    /// From here on the client has so much time.
    private func watch(_ nanoseconds: UInt64, _ action: @escaping (WebSocketSession) -> Void) {
        exchange.cancel(alarm)
        alarm = exchange.later(nanoseconds) { [weak self] in
            if let self { action(self) }
        }
    }

    // MARK: Output

    private func make(_ buffer: TransferBuffer, _ room: Range<Int>) -> GeneratedBytes {
        addMessages(upTo: room.count)
        guard !output.isEmpty else { return isOver ? .end : .later }
        let count = min(room.count, output.count)
        buffer.store(Array(output.prefix(count)), at: room.lowerBound)
        output.removeFirst(count)
        listen()
        return .stored(count)
    }

    /// Adds numbered messages until so many bytes wait, and the close frame after the last one.
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
