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
    /// Those whose messages are written but for what the kernel has not taken.
    private var written: [ServerStream] = []
    /// Streams that end with an answer to which no exchange belongs.
    private var dismissed: Set<Int32> = []
    private var requestCount = 0
    private var isEnding = false
    /// The client has said that it ends the connection: it is the one to do so.
    private var isPeerLeaving = false
    private var hasPeerEnded = false
    private var hasFailed = false
    /// When counting what may be a flood began.
    private var countingSince: UInt64
    /// Wakes the connection.
    private let onWoken: () -> Void

    /// A flood is more than the session allows within this time.
    private static let floodNanoseconds: UInt64 = 10_000_000_000

    init(
        server: HTTPServer,
        ordinal: Int,
        stream: ByteStream,
        begun bytes: [UInt8],
        onWoken: @escaping () -> Void
    ) {
        self.server = server
        self.ordinal = ordinal
        self.onWoken = onWoken
        countingSince = server.loop.nowNanoseconds
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
        streams.isEmpty && channel.isFlushed
            && (hasPeerEnded || hasFailed || channel.session.isOver && !isPeerLeaving)
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
        // Who does not keep to the protocol, or floods, has been told by a GOAWAY.
        if channel.session.isOver, channel.isFlushed, written.isEmpty { abort(.reset) }
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
            calmDown()
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

    private func calmDown() {
        let now = server.loop.nowNanoseconds
        guard now - countingSince > Self.floodNanoseconds else { return }
        countingSince = now
        channel.session.calm()
    }

    private func write() -> Bool {
        guard !hasFailed else { return false }
        let progress = channel.write()
        for (number, frames) in channel.session.takeWritten() {
            if frames.isLast, dismissed.remove(number) != nil { channel.session.dismiss(number) }
            guard let stream = streams[number] else { continue }
            stream.sent(frames)
            if frames.isLast { written.append(stream) }
        }
        switch progress {
        case .moved: return true
        case .wouldBlock: return false
        case .done:
            guard !written.isEmpty else { return false }
            let complete = written
            written = []
            for stream in complete { stream.complete() }
            return true
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
            case .fields(let number, let fields, let isTooLarge):
                if let stream = streams[number] {
                    stream.trailers = HeaderFields(fields.regular)
                } else {
                    begin(number, fields, isTooLarge)
                }
            case .data(let number, let bytes): streams[number]?.received(bytes)
            case .end(let number): streams[number]?.ended()
            case .closed(let number, let code):
                dismissed.remove(number)
                if code != .none { streams[number]?.resetByPeer() }
            case .goAway: isPeerLeaving = true
            }
        }
    }

    private func begin(_ number: Int32, _ fields: [BlockField], _ isTooLarge: Bool) {
        guard !isTooLarge, let head = RequestHead(fields.joiningCookies) else {
            return refuse(number, isTooLarge ? 431 : 400)
        }
        let stream = ServerStream(number, head, newReport(head), of: self)
        streams[number] = stream
        // Whether there is content shows with the events that came with the head.
        wake(stream)
    }

    private func newReport(_ head: RequestHead?) -> ExchangeReport {
        requestCount += 1
        let now = server.loop.nowNanoseconds
        return ExchangeReport(
            connection: ordinal,
            request: requestCount,
            peer: channel.stream.peerAddress,
            head: head,
            beginNanoseconds: now,
            endNanoseconds: now,
            ending: .refused
        )
    }

    /// Answers what is no request, and ends its stream alone.
    private func refuse(_ number: Int32, _ status: Int) {
        var report = newReport(nil)
        report.status = status
        report.responseNanoseconds = report.beginNanoseconds
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
        guard let stream = streams[number] else { return .failed }
        switch stream.nextContent(room) {
        case .bytes(let bytes): return .bytes(bytes)
        case .last(let bytes, let trailers): return .last(bytes, trailers: trailers.block)
        case .later: return .later
        case .failed: return .failed
        }
    }

    // MARK: Ending

    func ended(_ stream: ServerStream) {
        streams[stream.number] = nil
        woken.removeAll { $0 === stream }
        written.removeAll { $0 === stream }
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

    /// Says that the connection ends, as far as that can be said at once.
    func sayGoodbye() {
        goAway()
        channel.writeAll()
    }
}
