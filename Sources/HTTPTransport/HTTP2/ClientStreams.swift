internal import Basics
internal import HTTP2
internal import HTTPWire
internal import SystemIO

/// A connection to a server that speaks HTTP/2: each request is a stream.
///
/// As elsewhere, all work is done in `proceed`, which continues until nothing can move.
final class ClientStreams: ReadinessHandler {
    let endpoint: ClientEndpoint
    let channel: FrameChannel
    let client: HTTPClient
    private var streams: [Int32: ClientStream] = [:]
    private var woken: [ClientStream] = []
    private var written = UndeliveredStreams<ClientStream>()
    private var requestCount = 0
    /// No more requests are begun on it.
    private var isRetired = false
    /// Nothing more comes; what has come can still be read.
    private var hasEnded = false
    private var isClosed = false
    private var limit: TimeLimit?
    private var isProceeding = false
    private var isScheduled = false
    /// When something came last.
    private(set) var receivedAt: Instant

    /// So many pieces, then other connections have their turn.
    private static let stepsPerTurn = 16
    /// What may be under way of the content of each response.
    private static let window: UInt32 = 1 << 20
    /// What is still read of a connection that is closed.
    private static let drainBytes = 1 << 20

    init(_ stream: ByteStream, _ endpoint: ClientEndpoint, client: HTTPClient) {
        self.endpoint = endpoint
        self.client = client
        receivedAt = client.loop.now
        var limits = SessionLimits()
        limits.window = Self.window
        limits.listSize = client.settings.messages.head
        limits.fields = client.settings.messages.fields
        channel = FrameChannel(stream, client.buffers, isServer: false, limits)
        channel.session.source = { [unowned self] in content(of: $0, $1) }
        limit = TimeLimit(loop: client.loop, alarms: client.alarms) { [weak self] in
            self?.close()
        }
    }

    /// Whether another request may be begun on it.
    var isUsable: Bool {
        !isClosed && !isRetired && !hasEnded && !channel.stream.hasPeerEnded
            && !channel.stream.hasFailed
            && streams.count < Int(channel.session.allowedStreams) && channel.session.takesRequests
    }

    var isIdle: Bool { streams.isEmpty }

    func begin(_ exchange: ClientExchange) {
        limit?.clear()
        exchange.isReused = requestCount > 0
        requestCount += 1
        let stream = ClientStream(exchange, of: self)
        guard let number = stream.begin() else { return endIfUnused() }
        streams[number] = stream
        proceed()
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        if readiness.isEmpty { isScheduled = false } else { channel.stream.note(readiness) }
        proceed()
    }

    // MARK: The loop

    func proceed() {
        guard !isProceeding else { return }
        isProceeding = true
        defer { isProceeding = false }
        for _ in 0..<Self.stepsPerTurn where !step() { return }
        guard !isScheduled, !isClosed else { return }
        isScheduled = true
        client.loop.runLater(self)
    }

    func wake(_ stream: ClientStream) {
        if !woken.contains(where: { $0 === stream }) { woken.append(stream) }
        proceed()
    }

    private func step() -> Bool {
        guard !isClosed else { return false }
        if let stream = woken.popLast() {
            stream.proceed()
            return true
        }
        guard !hasEnded else { return false }
        let hasRead = read()
        guard !isClosed, !hasEnded else { return !woken.isEmpty }
        let hasWritten = write()
        if channel.session.isOver, channel.isFlushed { end(.broken) }
        return hasRead || hasWritten || !woken.isEmpty
    }

    private func read() -> Bool {
        let result = channel.read()
        takeEvents()
        switch result {
        case .moved:
            receivedAt = client.loop.now
            channel.calmDown(at: receivedAt)
            return true
        case .wouldBlock: return false
        case .ended: end(.ended)
        case .failed(let failure): end(.failed(failure))
        }
        return false
    }

    private func write() -> Bool {
        let progress = channel.write()
        for (number, frames) in channel.session.takeWritten() {
            guard let stream = streams[number] else { continue }
            stream.sent(frames)
            if frames.isLast { written.add(stream, channel) }
        }
        for stream in written.takeDelivered(channel) { stream.requestSent() }
        switch progress {
        case .moved: return true
        // The server may have answered before it ended the connection: reading shows it.
        case .wouldBlock, .failed, .done: return false
        }
    }

    private func takeEvents() {
        for event in channel.session.takeEvents() {
            switch event {
            case .fields(let number, let fields, let isTooLarge, _):
                streams[number]?.take(fields, isTooLarge)
            case .data(let number, let bytes): streams[number]?.received(bytes)
            case .end(let number): streams[number]?.ended()
            case .closed(let number, let code): streams[number]?.closed(code)
            case .goAway: retire()
            }
        }
    }

    private func content(of number: Int32, _ room: Int) -> SessionContent {
        streams[number].map { SessionContent($0.nextContent(room)) } ?? .failed
    }

    // MARK: The end

    /// Begins no more requests on it; those under way continue.
    func retire() {
        isRetired = true
        endIfUnused()
    }

    func ended(_ stream: ClientStream) {
        streams[stream.number] = nil
        woken.removeAll { $0 === stream }
        written.remove(stream)
        endIfUnused()
        // A reset may wait to be sent.
        if !isClosed { proceed() }
    }

    private func endIfUnused() {
        guard streams.isEmpty, !isClosed else { return }
        if isRetired || client.settings.idleConnections == 0 {
            close()
        } else {
            limit?.set(after: client.settings.idleTime)
        }
    }

    private func end(_ end: ConnectionEnd) {
        isRetired = true
        hasEnded = true
        for number in streams.keys.sorted() { streams[number]?.lost(end) }
        endIfUnused()
    }

    /// Ends the connection, which seems to be dead, and all that is on it.
    func abandon(_ reason: ClientFailure.Reason) {
        isRetired = true
        for number in streams.keys.sorted() { streams[number]?.fail(reason) }
        channel.stream.reset()
        close()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        if channel.stream.isOpen, !channel.stream.hasFailed, !hasEnded {
            channel.session.terminate(.none)
            channel.writeAll()
            // Closing with unread bytes would send a reset.
            var left = Self.drainBytes
            while left > 0, case .moved(let count) = channel.read() { left -= count }
        }
        limit = nil
        streams = [:]
        channel.stream.close()
        client.ended(self)
    }
}

/// How a connection ended.
enum ConnectionEnd {
    case ended
    case failed(StreamFailure)
    /// What the server sends is no HTTP/2.
    case broken
}
