internal import Basics
internal import HTTPTransport
internal import HTTPWire
internal import Proxy
internal import SystemIO
internal import Trials

/// Writes down the numbers of a WebSocket's messages until it has all of them, and comes back when it
/// breaks; or sends the numbers itself, and writes down those that come back.
final class MessagingClient: SmallClient {
    private let count: Int
    private let isSender: Bool
    /// The number that was sent last.
    private var sent = 0
    /// The numbers, in the order in which they came.
    private var numbers: [Int] = []
    private var channel: ByteChannel?
    private var parser = ResponseParser()
    /// What of the answer was not understood yet.
    private var unread: [UInt8] = []
    private var head: ResponseHead?
    private var receiver = WebSocketReceiver(isMasked: false, maximumMessage: 1_024)
    private var watch = TimerQueue.Token.none
    /// Whether nothing has come since a ping.
    private var awaitsPong = false

    private static let key = Base64.encode("linkcond's test.".utf8)

    init(
        _ habits: ClientHabits,
        count: Int,
        isSender: Bool,
        loop: EventLoop,
        seed: UInt64
    ) throws(SystemError) {
        self.count = count
        self.isSender = isSender
        try super.init(habits, loop: loop, seed: seed)
    }

    /// What a client that has all messages once writes.
    static func result(of numbers: some Sequence<Int>) -> [UInt8] {
        numbers.flatMap { Array("\($0)\n".utf8) }
    }

    override func begin() {
        guard let channel = connect() else { return comeBack() }
        channel.send(request)
        restartWatch()
    }

    override func finish(_ code: Int) {
        leave()
        super.finish(code)
    }

    private var target: String {
        guard !isSender else { return "/ws" }
        let last = habits.namesLastEvent ? numbers.last : nil
        return "/ws/\(count)\(last.map { "?after=\($0)" } ?? "")"
    }

    private var request: [UInt8] {
        let request = RequestHead(
            "GET",
            target,
            fields: [
                "Host": "server.test", "Upgrade": "websocket", "Connection": "Upgrade",
                "Sec-WebSocket-Version": "13", "Sec-WebSocket-Key": Self.key,
            ]
        )
        return (try? MessageWriter.bytes(of: request)) ?? []
    }

    private func connect() -> ByteChannel? {
        guard let address = place?.listen.numericAddress, let socket = try? Socket(like: address),
            (try? socket.connect(to: address)) != nil,
            let channel = try? ByteChannel(socket, loop: loop)
        else { return nil }
        (parser, unread) = (ResponseParser(), [])
        parser.expect(method: "GET")
        receiver = WebSocketReceiver(isMasked: false, maximumMessage: 1_024)
        channel.onBytes = { [weak self] in self?.take($0) }
        channel.onEnd = { [weak self] in self?.broken() }
        self.channel = channel
        return channel
    }

    private func leave() {
        alarms.cancel(watch)
        channel?.close()
        (channel, head) = (nil, nil)
    }

    /// Asks with a ping whether the server is there, then takes a silence for an end.
    private func restartWatch() {
        alarms.cancel(watch)
        awaitsPong = false
        watchPatiently()
    }

    private func watchPatiently() {
        watch = alarms.set(after: habits.patience / 2) { [weak self] in
            guard let self else { return }
            guard !awaitsPong else { return comeBack() }
            awaitsPong = true
            if head != nil {
                channel?.send(WebSocketFrame.control(.ping, isMasked: true))
            }
            if habits.hasTimeLimit { watchPatiently() }
        }
    }

    // MARK: What comes

    private func take(_ bytes: [UInt8]) {
        restartWatch()
        unread += bytes
        if head == nil { readHead() }
        guard head != nil, channel != nil else { return }
        var events: [WebSocketReceiver.Event] = []
        let read = unread
        unread = []
        receiver.read(read.span, into: &events)
        for event in events where channel != nil { take(event) }
    }

    private func readHead() {
        while channel != nil, head == nil {
            let read = unread
            guard let step = try? parser.next(read.span) else { return comeBack() }
            unread.removeFirst(step.consumed)
            guard case .head(let head) = step.event else { return }
            if head.isInterim { continue }
            guard head.opensWebSocket,
                head.fields["Sec-WebSocket-Accept"] == WebSocketHandshake.accept(of: Self.key)
            else {
                return Self.isPassing(head.status) ? comeBack(after: head) : fail()
            }
            self.head = head
            if isSender { sendNext() }
        }
    }

    /// Sends one number, or the end after the last one.
    private func sendNext() {
        sent = habits.repeatsUnanswered ? numbers.last ?? 0 : sent
        guard sent < count else {
            channel?.send(WebSocketFrame.close(1_000, isMasked: true))
            return
        }
        sent += 1
        channel?.send(WebSocketFrame.message(Array("\(sent)".utf8), isMasked: true))
    }

    private func take(_ event: WebSocketReceiver.Event) {
        switch event {
        case .message(let content, _):
            let text = String(decoding: content, as: UTF8.self)
            let digits = text.drop { !$0.isNumber }.prefix { $0.isNumber }
            if let number = Int(digits) { numbers.append(number) }
            if isSender { sendNext() }
        case .ping(let content):
            channel?.send(WebSocketFrame.control(.pong, content, isMasked: true))
        case .pong: break
        case .close(let code):
            if !isSender || numbers.last != count {
                channel?.send(WebSocketFrame.close(code ?? 1_000, isMasked: true))
            }
            let isWhole = code == 1_000 && numbers.last == count
            isWhole || !habits.mindsCloseCodes ? complete() : comeBack()
        case .failed: comeBack()
        }
    }

    /// The connection has ended without a close frame.
    private func broken() {
        guard head != nil, !habits.noticesBrokenStreams, receiver.isBetweenMessages else {
            return comeBack()
        }
        complete()
    }

    private func complete() {
        DownloadingClient.write(Self.result(of: numbers), at: place) ? succeed() : fail()
    }

    private func comeBack(after answer: ResponseHead? = nil) {
        let wasOpen = head != nil
        leave()
        guard habits.comesBackToStreams || !wasOpen else { return fail() }
        again(after: answer) { [weak self] in self?.begin() }
    }
}
