internal import HTTPWire
internal import Libuv
internal import ResumableUpload

/// What happens to a request and its answer, in this order.
enum ExchangeEvent {
    case interim(ResponseHead)
    /// So many bytes of the body were given to the network, in total.
    case sent(UInt64)
    case head(ResponseHead)
    /// Bytes of the answer's body.
    case body(TransferBuffer, Range<Int>)
    case ended(HeaderFields)
    /// `didSend`: a byte of the request may have left.
    case failed(TransportFailure, didSend: Bool, String)
    case sourceFailed(StorageError)
}

/// One request and its answer.
final class Exchange: ReadinessHandler {
    typealias Handler = (Exchange, ExchangeEvent) -> Void

    private let request: TransferRequest
    private let source: UploadSource?
    private let settings: ConnectionSettings
    private let limits: RetryPolicy
    private let loop: EventLoop
    private let handler: Handler
    private var socket = Socket()
    private var token = WatchToken.none
    private var timer: Timer?
    private var parser = ResponseParser()
    private let input = TransferBuffer(capacity: 65_536)
    private let output = TransferBuffer(capacity: 65_536)
    private var outgoing = 0..<0
    private var headBytes = 0
    private var sentBody: UInt64 = 0
    private var readBody: UInt64 = 0
    private var isConnected = false
    private var isClosed = false
    private var hasHead = false

    init(
        _ request: TransferRequest,
        source: UploadSource?,
        settings: ConnectionSettings,
        limits: RetryPolicy,
        in context: ClientContext,
        handler: @escaping Handler
    ) {
        self.request = request
        self.source = source
        self.settings = settings
        self.limits = limits
        loop = context.loop
        self.handler = handler
    }

    func start() {
        timer = try? Timer(loop: loop) { [weak self] in self?.timedOut() }
        timer?.start(afterMilliseconds: limits.connectTimeout.milliseconds)
        if let path = settings.unixSocket { return connect([.unix(path)]) }
        let port = UInt16(request.address.port)
        NameResolver.resolve(request.address.host, port: port, on: loop) { [weak self] result in
            guard let self, !isClosed else { return }
            switch result {
            case .success(let addresses): connect(addresses)
            case .failure(let error): fail(.notConnected, "\(error)")
            }
        }
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        timer?.close()
        loop.unwatch(token)
        socket.close()
    }

    private func connect(_ addresses: [SocketAddress]) {
        guard let address = addresses.first else { return fail(.notConnected, "no address") }
        do throws(SystemError) {
            socket = try Socket(like: address)
            _ = try socket.connect(to: address)
            token = try loop.watch(socket, handler: self)
        } catch {
            fail(.notConnected, "\(error)")
        }
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        guard !isClosed else { return }
        if !isConnected {
            if let error = socket.takeError() { return fail(.notConnected, "\(error)") }
            guard readiness.isWritable else { return }
            isConnected = true
            guard let bytes = try? MessageWriter.bytes(of: request.head) else {
                return fail(.malformed, "the request cannot be written")
            }
            output.fill(bytes)
            headBytes = bytes.count
            outgoing = 0..<bytes.count
            parser.expect(method: request.method)
        }
        moved()
        write()
        read()
    }

    private func moved() { timer?.start(afterMilliseconds: limits.idleTimeout.milliseconds) }

    private func timedOut() {
        fail(isConnected ? .idleTimeout : .connectTimeout, "timed out")
    }

    private func write() {
        while !isClosed {
            if outgoing.isEmpty, !fill() { return }
            let result = socket.send(output, from: outgoing.lowerBound, count: outgoing.count)
            guard case .moved(let count) = result else { return }
            outgoing = (outgoing.lowerBound + count)..<outgoing.upperBound
            let ofHead = min(headBytes, count)
            headBytes -= ofHead
            guard count > ofHead else { continue }
            sentBody += UInt64(count - ofHead)
            moved()
            handler(self, .sent(sentBody))
        }
    }

    private func fill() -> Bool {
        guard let range = request.body, let source else { return false }
        let place = range.lowerBound + readBody
        guard place < range.upperBound else { return false }
        let limit = Int(min(range.upperBound - place, UInt64(output.capacity)))
        guard case .moved(let count) = source.read(into: output, from: 0, limit: limit, at: place)
        else {
            handler(self, .sourceFailed(StorageError("cannot read '\(source.path)'")))
            return false
        }
        readBody += UInt64(count)
        outgoing = 0..<count
        return true
    }

    private func read() {
        while !isClosed {
            switch socket.receive(into: input, limit: input.capacity) {
            case .moved(let count):
                moved()
                parse(count)
            case .wouldBlock: return
            case .ended: finish()
            case .failed(let error): fail(hasHead ? .truncated : .connectionLost, "\(error)")
            }
        }
    }

    private func parse(_ count: Int) {
        var start = 0
        while !isClosed {
            let step: MessageStep<ResponseHead>
            do throws(MessageError) {
                step = try input.withBytes(start..<count) { bytes throws(MessageError) in
                    try parser.next(bytes)
                }
            } catch {
                return fail(.malformed, "\(error)")
            }
            let base = start
            start += step.consumed
            guard let event = step.event else { return }
            switch event {
            case .head(let head):
                if head.isInterim {
                    handler(self, .interim(head))
                } else {
                    hasHead = true
                    handler(self, .head(head))
                }
            case .body(let range):
                handler(self, .body(input, base + range.lowerBound..<base + range.upperBound))
            case .end(let trailers):
                return end(trailers)
            case .opaque: return fail(.malformed, "not HTTP")
            }
        }
    }

    private func finish() {
        do throws(MessageError) {
            if try parser.finish() { return end([:]) }
            fail(.connectionLost, "the connection ended")
        } catch {
            fail(hasHead ? .truncated : .connectionLost, "the connection ended")
        }
    }

    private func end(_ trailers: HeaderFields) {
        guard !isClosed else { return }
        close()
        handler(self, .ended(trailers))
    }

    private func fail(_ failure: TransportFailure, _ text: String) {
        guard !isClosed else { return }
        let didSend = isConnected && (headBytes == 0 || !outgoing.isEmpty)
        close()
        handler(self, .failed(failure, didSend: didSend, text))
    }
}
