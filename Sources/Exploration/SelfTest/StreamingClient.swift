internal import Basics
internal import HTTP2
internal import HTTPWire
internal import Proxy
internal import SystemIO
internal import Trials

/// Gets an object into `out` over HTTP/2, then places an order on the same connection; or makes a gRPC
/// call instead, and gets its messages into `out`.
final class StreamingClient: SmallClient {
    private let isCall: Bool
    private var channel: FrameChannel?
    private var encoder = FieldEncoder()
    private var decoder = FieldDecoder()
    /// Whether the server has said that it takes no more streams.
    private var isLeft = false
    private var nextStream: UInt32 = 1
    /// The stream of the request that is under way; 0 for none.
    private var stream: UInt32 = 0
    private var hasObject = false
    private var head: ResponseHead?
    private var content: [UInt8] = []
    private var trailers: HeaderFields?
    /// What is left of the content that comes, and whether it is the last of its stream.
    private var data: (stream: UInt32, left: Int, isLast: Bool) = (0, 0, false)
    private var watch = TimerQueue.Token.none

    private static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    private static let order = Array("an order".utf8)
    /// A message of a call without content.
    private static let question: [UInt8] = [0, 0, 0, 0, 0]

    init(
        _ habits: ClientHabits,
        isCall: Bool,
        loop: EventLoop,
        seed: UInt64
    ) throws(SystemError) {
        self.isCall = isCall
        try super.init(habits, loop: loop, seed: seed)
    }

    override func begin() {
        if isLeft, habits.leavesAfterGoAway { leave() }
        guard let channel = channel ?? connect() else { return tryAgain() }
        (stream, head, content, trailers) = (nextStream, nil, [], nil)
        nextStream += 2
        watch = alarms.set(after: habits.patience) { [weak self] in
            self?.leave()
            self?.broken()
        }
        ask(channel)
    }

    override func finish(_ code: Int) {
        alarms.cancel(watch)
        leave()
        super.finish(code)
    }

    private func connect() -> FrameChannel? {
        guard let address = place?.listen.numericAddress, let socket = try? Socket(like: address),
            (try? socket.connect(to: address)) != nil,
            let channel = try? FrameChannel(socket, loop: loop)
        else { return nil }
        (encoder, decoder, nextStream, isLeft) = (FieldEncoder(), FieldDecoder(), 1, false)
        channel.onEvent = { [weak self] in self?.take($0, $1) }
        channel.onEnd = { [weak self] in
            self?.channel = nil
            self?.broken()
        }
        channel.send(Self.preface + FrameWriter.settings([]))
        self.channel = channel
        return channel
    }

    private func leave() {
        channel?.close()
        channel = nil
    }

    private func ask(_ channel: FrameChannel) {
        let content = isCall ? Self.question : hasObject ? Self.order : []
        var block = FrameReader.Block(stream: stream, endsStream: content.isEmpty, fragment: [])
        block.fragment = encoder.encode(fields)
        let body =
            content.isEmpty ? [] : FrameWriter.data(content, endsStream: true, stream: stream)
        channel.send(FrameWriter.block(block) + body)
    }

    private var fields: [BlockField] {
        let path = isCall ? "/planted.Feed/List" : hasObject ? "/orders" : "/object"
        var fields = [
            BlockField(":method", isCall || hasObject ? "POST" : "GET"),
            BlockField(":scheme", "http"), BlockField(":authority", "server.test"),
            BlockField(":path", path),
        ]
        if isCall {
            fields += [
                BlockField("content-type", "application/grpc"), BlockField("te", "trailers"),
            ]
        } else if hasObject, habits.namesItsOrders {
            fields.append(BlockField("idempotency-key", "1"))
        }
        return fields
    }

    // MARK: What comes

    private func take(_ event: FrameReader.Event, _ bytes: [UInt8]) {
        switch event {
        case .frame(let header, let payload):
            if channel?.answer(header, payload) == false { take(header, payload) }
        case .block(let block, _):
            guard let fields = try? decoder.decode(block.fragment) else { return lose() }
            guard block.stream == stream else { return }
            if let head = ResponseHead(fields) {
                if !head.isInterim { self.head = head }
            } else {
                trailers = HeaderFields(fields.regular)
            }
            if block.endsStream { complete() }
        case .data(let stream, _, let count, _, let isLast):
            data = (stream, count, isLast)
            channel?.giveBack(count, of: stream)
            if count == 0, isLast, stream == self.stream { complete() }
        case .content:
            data.left -= bytes.count
            guard data.stream == stream else { return }
            content += bytes
            if data.left == 0, data.isLast { complete() }
        case .malformed: lose()
        }
    }

    private func take(_ header: FrameHeader, _ payload: [UInt8]) {
        // The code of RST_STREAM, the last stream of GOAWAY.
        let number = UInt32(networkBytes: payload) ?? 0
        switch header.kind {
        case .resetStream where header.stream == stream:
            broken(isRefused: ErrorCode(rawValue: number) == .refusedStream)
        case .goAway:
            isLeft = true
            if stream > number & 0x7FFF_FFFF { broken(isRefused: true) }
        default: break
        }
    }

    /// Gives up a connection that cannot be understood.
    private func lose() {
        leave()
        broken()
    }

    private func complete() {
        guard let head else { return broken() }
        let length = (try? head.fields.contentLength()) ?? nil
        guard length ?? content.count == content.count else { return broken() }
        guard !isCall || head.status != 200 || isCallComplete else { return broken() }
        end()
        switch head.status {
        case 200, 201: proceed()
        case let status where Self.isPassing(status):
            again(after: head) { [weak self] in self?.begin() }
        default: fail()
        }
    }

    /// Whether a call has succeeded; without a status, whether it ended between messages, for one that
    /// knows no better.
    private var isCallComplete: Bool {
        if let trailers { return CallStatus(trailers)?.code == 0 }
        var reader = GRPCReader()
        var events: [InsideEvent] = []
        let content = content
        try? reader.read(content.span, at: 0, into: &events)
        guard !habits.awaitsCallStatus, case .part(let last) = events.last else { return false }
        return last.isLast
    }

    private func proceed() {
        guard !hasObject else { return succeed() }
        guard DownloadingClient.write(content, at: place) else { return fail() }
        guard !isCall else { return succeed() }
        hasObject = true
        begin()
    }

    /// The request has no answer, or half of one.
    private func broken(isRefused: Bool = false) {
        guard stream > 0 else { return }
        end()
        if !habits.noticesCutStreams, head?.status == 200 { return proceed() }
        guard habits.repeatsRefused || !isRefused else { return fail() }
        tryAgain()
    }

    private func tryAgain() { again { [weak self] in self?.begin() } }

    private func end() {
        stream = 0
        alarms.cancel(watch)
    }
}
