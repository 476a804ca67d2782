internal import Basics
internal import HTTP2
internal import HTTPWire
internal import SystemIO

/// The streams of a client that speaks HTTP/2: reads frames, hands requests over, and writes what
/// their exchanges answer.
///
/// The connection owns the socket and the time limit, and calls `step` until nothing can move.
final class ServerStreams {
    let server: HTTPServer
    let channel: FrameChannel
    let ordinal: Int
    private var streams: [Int32: ServerStream] = [:]
    /// Those whose handlers have asked for something.
    private var woken: [ServerStream] = []
    private var written = UndeliveredStreams<ServerStream>()
    /// Streams that end with an answer to which no exchange belongs.
    private var dismissed: Set<Int32> = []
    private var requestCount = 0
    private var isEnding = false
    /// The client has said that it ends the connection: it is the one to do so.
    private var isPeerLeaving = false
    private var hasPeerEnded = false
    private(set) var hasFailed = false
    /// Tells the connection that a request has come.
    private let onRequest: () -> Void
    /// Wakes the connection.
    private let onWoken: () -> Void

    init(
        server: HTTPServer,
        ordinal: Int,
        stream: ByteStream,
        begun bytes: [UInt8],
        onRequest: @escaping () -> Void,
        onWoken: @escaping () -> Void
    ) {
        self.server = server
        self.ordinal = ordinal
        self.onRequest = onRequest
        self.onWoken = onWoken
        var limits = SessionLimits()
        limits.listSize = server.limits.messages.head
        limits.fields = server.limits.messages.fields
        channel = FrameChannel(stream, server.buffers, isServer: true, limits)
        channel.session.source = { [unowned self] in content(of: $0, $1) }
        if !bytes.isEmpty { channel.take(bytes) }
    }

    var isServing: Bool { !streams.isEmpty }
    var isWithinHead: Bool { channel.session.isWithinBlock }

    /// Whether nothing is left to be done.
    var isOver: Bool {
        guard streams.isEmpty, !hasFailed else { return streams.isEmpty }
        guard channel.isFlushed else { return false }
        let isLeftToPeer = isPeerLeaving && !server.isFinishing && !channel.session.hasGivenUp
        return hasPeerEnded || channel.session.isOver && !isLeftToPeer
    }

    // MARK: The loop

    /// Moves something in either direction; false if nothing can move.
    func step() -> Bool {
        if server.isFinishing { goAway() }
        takeEvents()
        if let stream = woken.popLast() {
            stream.proceed()
            return true
        }
        let hasRead = read()
        let hasWritten = write()
        // A client that broke the protocol, or floods, has been sent a GOAWAY.
        if channel.session.hasGivenUp, channel.session.isOver, channel.isFlushed { abort(.reset) }
        return hasRead || hasWritten || !woken.isEmpty
    }

    func wake(_ stream: ServerStream) {
        if !woken.contains(where: { $0 === stream }) { woken.append(stream) }
        onWoken()
    }

    private func read() -> Bool {
        guard !hasPeerEnded, !hasFailed else { return false }
        switch channel.read() {
        case .moved:
            channel.calmDown(at: server.loop.now)
            return true
        case .wouldBlock: return false
        case .ended: hasPeerEnded = true
        case .failed(let failure):
            hasFailed = true
            for stream in inOrder { stream.lost(by: failure) }
            return true
        }
        for stream in inOrder { stream.peerEnded() }
        return true
    }

    private func write() -> Bool {
        guard !hasFailed else { return false }
        let progress = channel.write()
        for (number, frames) in channel.session.takeWritten() {
            if frames.isLast, dismissed.remove(number) != nil { channel.session.dismiss(number) }
            guard let stream = streams[number] else { continue }
            stream.sent(frames)
            if frames.isLast { written.add(stream, channel) }
        }
        let complete = written.takeDelivered(channel)
        for stream in complete { stream.complete() }
        switch progress {
        case .moved: return true
        case .wouldBlock, .done: return !complete.isEmpty
        case .failed:
            hasFailed = true
            for stream in inOrder { stream.lost(by: nil) }
            return true
        }
    }

    private var inOrder: [ServerStream] { streams.keys.sorted().compactMap { streams[$0] } }

    // MARK: What the client has done

    private func takeEvents() {
        for event in channel.session.takeEvents() {
            switch event {
            case .fields(let number, let fields, let isTooLarge, let endsStream):
                if let stream = streams[number] {
                    stream.take(trailers: fields, isTooLarge)
                } else {
                    begin(number, fields, isTooLarge, endsStream)
                }
            case .data(let number, let bytes): streams[number]?.received(bytes)
            case .end(let number): streams[number]?.ended()
            case .closed(let number, let code):
                dismissed.remove(number)
                streams[number]?.closed(code)
            case .goAway: isPeerLeaving = true
            }
        }
    }

    private func begin(
        _ number: Int32,
        _ fields: [BlockField],
        _ isTooLarge: Bool,
        _ endsStream: Bool
    ) {
        onRequest()
        guard !isTooLarge, var head = RequestHead(fields.joiningCookies) else {
            return refuse(number, isTooLarge ? 431 : 400)
        }
        head.endsStream = endsStream
        let stream = ServerStream(number, head, newReport(head), of: self)
        streams[number] = stream
        // Whether there is content shows with the events that came with the head.
        wake(stream)
    }

    private func newReport(_ head: RequestHead?) -> ExchangeReport {
        requestCount += 1
        let now = server.loop.now
        return ExchangeReport(
            connection: ordinal,
            request: requestCount,
            peer: channel.stream.peerAddress,
            head: head,
            beganAt: now,
            endedAt: now,
            ending: .refused
        )
    }

    /// Answers what is no request, and ends its stream alone.
    private func refuse(_ number: Int32, _ status: Int) {
        var report = newReport(nil)
        report.status = status
        report.respondedAt = report.beganAt
        answer(status, on: number)
        server.report(report)
    }

    /// Answers by a status alone, and ends the stream after it.
    func answer(_ status: Int, on number: Int32) {
        var head = ResponseHead(status)
        server.addDate(to: &head.fields)
        channel.session.respond(head.block, hasContent: false, on: number)
        dismissed.insert(number)
    }

    // MARK: What is sent

    private func content(of number: Int32, _ room: Int) -> SessionContent {
        streams[number].map { SessionContent($0.nextContent(room)) } ?? .failed
    }

    // MARK: Ending

    func ended(_ stream: ServerStream) {
        streams[stream.number] = nil
        woken.removeAll { $0 === stream }
        written.remove(stream)
        onWoken()
    }

    /// Takes no more requests, and lets those under way end.
    func goAway() {
        guard !isEnding, !isPeerLeaving else { return }
        isEnding = true
        channel.session.goAway()
    }

    /// Ends all exchanges.
    func abort(_ reason: AbortReason) {
        for stream in inOrder { stream.end(.aborted(reason)) }
    }

    /// Says that the connection ends, if that can be said at once.
    func sayGoodbye() {
        goAway()
        channel.writeAll()
    }
}
