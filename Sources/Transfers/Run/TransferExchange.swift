internal import HTTPTransport
internal import HTTPWire
internal import ResumableClient
internal import SystemIO

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

/// One request and its answer, in the words of the machines.
final class TransferExchange {
    typealias Handler = (TransferExchange, ExchangeEvent) -> Void

    private let request: TransferRequest
    private let source: UploadSource?
    private let settings: ConnectionSettings
    private let limits: RetryPolicy
    private let context: ClientContext
    private let handler: Handler
    private let input = TransferBuffer(capacity: 65_536)
    private var exchange: ClientExchange?
    /// Bytes of the body that were handed to the connection.
    private var handed: UInt64 = 0
    private var told: UInt64 = 0
    private var isReporting = false
    private var isClosed = false
    /// A kept connection had ended; the request went out again on a new one.
    private var hasRepeated = false

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
        self.context = context
        self.handler = handler
    }

    /// Begins; what fails at once is told a turn later.
    func start() {
        do throws(TransportSettingsError) {
            let client = try context.client(settings, limits)
            begin(client.start(makeRequest()))
        } catch {
            context.later { [weak self] in
                self?.fail(error.failure, didSend: false, error.description)
            }
        }
    }

    /// Ends it at once; nothing more is told.
    func close() {
        isClosed = true
        exchange?.abort()
        exchange = nil
    }

    /// Tells nothing more; what is left of a short answer is read, so that the connection can be used
    /// again.
    func discard() {
        guard let exchange, let length = exchange.response?.fields["Content-Length"],
            let count = Int(length), count <= Self.discardLimit
        else { return close() }
        isClosed = true
        Self.drain(exchange, input)
    }

    private static func drain(_ exchange: ClientExchange, _ buffer: TransferBuffer) {
        exchange.read(into: buffer, limit: buffer.capacity) { piece in
            if case .bytes = piece { drain(exchange, buffer) }
        }
    }

    /// A longer rest costs more than a new connection.
    private static let discardLimit = 65_536

    private func makeRequest() -> ClientRequest {
        var made = ClientRequest(
            request.method,
            ClientEndpoint(request.address, unixPath: settings.unixSocket),
            target: request.address.target,
            fields: request.fields
        )
        guard let range = request.body, let source else { return made }
        var place = range.lowerBound
        made.body = .generated(length: range.upperBound - range.lowerBound) {
            [weak self] buffer, room in
            let limit = Int(min(UInt64(room.count), range.upperBound - place))
            guard limit > 0 else { return .end }
            let read = source.read(into: buffer, from: room.lowerBound, limit: limit, at: place)
            guard case .moved(let count) = read else { return .failed }
            place += UInt64(count)
            self?.hand(UInt64(count))
            return .stored(count)
        }
        return made
    }

    private func begin(_ new: ClientExchange) {
        exchange = new
        new.onInterim = { [weak self] head in
            guard let self else { return }
            tellSent()
            tell(.interim(head))
        }
        new.onResponse = { [weak self] head in self?.answered(head) }
        new.onFailure = { [weak self] failure in self?.failed(failure) }
    }

    // MARK: The request

    /// Notes bytes that a connection took; told later, since a source may not act while it is asked.
    private func hand(_ count: UInt64) {
        handed += count
        guard !isReporting else { return }
        isReporting = true
        context.later { [weak self] in
            guard let self else { return }
            isReporting = false
            tellSent()
        }
    }

    private func tellSent() {
        var sent = handed
        // What was handed over may still wait; the last byte counts only once it is gone.
        if let range = request.body, sent == range.upperBound - range.lowerBound, sent > 0,
            exchange?.isRequestSent == false
        {
            sent -= 1
        }
        guard sent > told else { return }
        told = sent
        tell(.sent(sent))
    }

    // MARK: The answer

    private func answered(_ head: ResponseHead) {
        tellSent()
        tell(.head(head))
        read()
    }

    private func read() {
        guard !isClosed, let exchange else { return }
        let buffer = input
        exchange.read(into: buffer, limit: buffer.capacity) { [weak self] piece in
            guard let self, !isClosed else { return }
            switch piece {
            case .bytes(let range):
                tell(.body(buffer, range))
                read()
            case .end(let trailers):
                self.exchange = nil
                tell(.ended(trailers))
            }
        }
    }

    // MARK: Failures

    private func failed(_ failure: ClientFailure) {
        guard !isClosed else { return }
        if !hasRepeated, mayRepeat(failure.reason) {
            hasRepeated = true
            handed = 0
            start()
            return
        }
        if case .sourceFailed = failure.reason {
            exchange = nil
            return tell(
                .sourceFailed(StorageError("cannot read '\(source?.path ?? "")'", .cannotRead))
            )
        }
        tellSent()
        fail(Self.kind(of: failure), didSend: failure.didRequestLeave, failure.description)
    }

    private func fail(_ failure: TransportFailure, didSend: Bool, _ text: String) {
        exchange = nil
        tell(.failed(failure, didSend: didSend, text))
    }

    /// Whether a request that failed so can be sent again at once.
    private func mayRepeat(_ reason: ClientFailure.Reason) -> Bool {
        switch reason {
        case .staleReuse: isRepeatable
        case .notProcessed: true
        default: false
        }
    }

    /// Whether it makes no difference if the server had seen it (RFC 9110 §9.2.2).
    private var isRepeatable: Bool {
        ["GET", "HEAD", "OPTIONS", "DELETE"].contains(request.method)
    }

    private static func kind(of failure: ClientFailure) -> TransportFailure {
        switch failure.reason {
        case .refused: .refused
        case .resolve: .unknownHost
        case .unreachable, .local: .notConnected
        case .connectTimeout: .connectTimeout
        case .tls: .untrusted
        case .reset, .closedBeforeResponse, .truncatedHead, .staleReuse, .truncatedBody,
            .notProcessed,
            .streamReset:
            failure.hasResponse ? .truncated : .connectionLost
        case .idleTimeout: .idleTimeout
        case .malformed, .unwritable, .sourceFailed: .malformed
        }
    }

    private func tell(_ event: ExchangeEvent) {
        guard !isClosed else { return }
        handler(self, event)
    }
}
