internal import HTTPTransport
internal import HTTPWire
internal import ResumableServer
internal import SystemIO

/// A request on its way to another server while it comes, and the answer on its way back.
///
/// It lives as long as the exchanges, which hold it.
final class ExchangeRelay {
    private let exchange: OriginExchange
    private let offer: UploadAnswer?
    private let buffers: BufferPool
    private let loop: EventLoop
    private let request: ContentRelay
    private var response: ContentRelay?

    init(
        _ exchange: OriginExchange,
        _ offer: UploadAnswer?,
        buffers: BufferPool,
        loop: EventLoop
    ) {
        self.exchange = exchange
        self.offer = offer
        self.buffers = buffers
        self.loop = loop
        request = ContentRelay(buffers, loop)
    }

    /// The content of the request, piece by piece.
    var requestBody: MessageBody {
        switch BodyLength(exchange.head) {
        case .known(0): .none
        case .known(let bytes): .generated(length: bytes, request.make)
        case .unknown: .generated(length: nil, request.make)
        }
    }

    /// Begins, with the exchange that carries the request on.
    func connect(_ upstream: ClientExchange) {
        exchange.onLost = { [weak upstream] in upstream?.abort() }
        request.start { [exchange] memory, done in
            exchange.pull(into: memory, from: 0, limit: memory.buffer.capacity, then: done)
        } resume: { [weak upstream] in
            upstream?.resume()
        }
        upstream.onInterim = { [exchange] head in
            // The client got its 100 when its content was first read.
            if head.status != 100 { exchange.interim(head.forwarded) }
        }
        upstream.onResponse = { [self, unowned upstream] head in respond(head, upstream) }
        upstream.onFailure = { [self] failure in
            if let response { return response.fail() }
            let failure = ForwardingFailure(failure)
            exchange.refuse(failure.status, "linkcond: \(failure.title)")
        }
    }

    private func respond(_ head: ResponseHead, _ upstream: ClientExchange) {
        var forwarded = head.forwarded
        if let offer {
            guard head.status < 400 else {
                upstream.abort()
                return exchange.answer(offer)
            }
            for field in offer.head.fields.fields where field.name != "Allow" {
                forwarded.fields.add(field.name, field.value)
            }
        }
        let response = ContentRelay(buffers, loop)
        self.response = response
        let length = (try? head.fields.contentLength()).flatMap { $0 }.map { UInt64($0) }
        exchange.answer(forwarded, .generated(length: length, response.make))
        response.start { memory, done in
            upstream.read(into: memory.buffer, limit: memory.buffer.capacity) { piece in
                withExtendedLifetime(memory) { done(piece) }
            }
        } resume: { [weak exchange] in
            exchange?.resume()
        }
    }
}

/// The content of a message on its way from one connection to another, a buffer at a time.
final class ContentRelay: ReadinessHandler {
    typealias Read = (PooledBuffer, @escaping (BodyPiece) -> Void) -> Void

    private enum State {
        case waiting
        /// What has come and is not written.
        case filled(Range<Int>)
        case ended
        case failed
    }

    private let memory: PooledBuffer
    private let loop: EventLoop
    private var state = State.waiting
    private var read: Read?
    private var resume: () -> Void = {}

    init(_ buffers: BufferPool, _ loop: EventLoop) {
        memory = buffers.take(size: 1)
        self.loop = loop
    }

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - read: asks one side for content.
    ///   - resume: tells the other that there is some.
    func start(_ read: @escaping Read, resume: @escaping () -> Void) {
        self.read = read
        self.resume = resume
        pull()
    }

    /// Says that no more will come, and that this is not the end.
    func fail() { become(.failed) }

    private func pull() {
        read?(memory) { [self] piece in
            switch piece {
            case .bytes(let range): become(.filled(range))
            case .end: become(.ended)
            }
        }
    }

    private func become(_ next: State) {
        state = next
        resume()
    }

    /// Who writes must not be led back to who reads.
    func ready(_ readiness: Readiness, tag: UInt32) { pull() }

    /// Gives what has come to the side that writes.
    func make(_ buffer: TransferBuffer, _ room: Range<Int>) -> GeneratedBytes {
        switch state {
        case .waiting: return .later
        case .ended: return .end
        case .failed: return .failed
        case .filled(let range):
            let part = range.prefix(room.count)
            buffer.store(memory.buffer.bytes(part.startIndex..<part.endIndex), at: room.lowerBound)
            let rest = part.endIndex..<range.upperBound
            state = rest.isEmpty ? .waiting : .filled(rest)
            if rest.isEmpty { loop.runLater(self) }
            return .stored(part.count)
        }
    }
}
