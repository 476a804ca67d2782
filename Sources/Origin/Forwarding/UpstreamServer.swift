internal import Basics
internal import HTTPTransport
internal import HTTPWire
internal import ResumableServer
internal import SystemIO

/// The server that this one stands in front of.
final class UpstreamServer {
    private let endpoint: ClientEndpoint
    private let client: HTTPClient
    /// Uploads that it has not answered.
    private var outstanding = 0
    private var whenIdle: (() -> Void)?

    init(_ url: HTTPURL, limits: OriginLimits, loop: EventLoop) throws(OriginError) {
        endpoint = ClientEndpoint(url)
        var settings = HTTPClientSettings()
        settings.progressTime = .seconds(Int64(limits.idleSeconds))
        // A kept connection that ends leaves open whether a request on it had come.
        settings.idleConnections = 0
        settings.messages.head = limits.headBytes
        do throws(SystemError) {
            client = try HTTPClient(loop: loop, settings: settings)
        } catch {
            throw OriginError(.internal, "cannot start a timer: \(error)")
        }
    }

    /// Runs an action once all uploads that were handed over are answered.
    func finish(then done: @escaping () -> Void) {
        guard outstanding > 0 else { return done() }
        whenIdle = done
    }

    /// Ends all requests under way without a word to who waits for them.
    func close() { client.close() }

    // MARK: Uploads

    /// Gives it a complete upload as one request.
    ///
    /// - Parameters:
    ///   - record: of the upload.
    ///   - content: its bytes.
    ///   - handingOver: asked before the last byte goes out, with where to answer whether it may.
    ///   - done: hears the answer.
    func take(
        _ record: UploadRecord,
        _ content: File,
        _ handingOver: @escaping (@escaping (Bool) -> Void) -> Void,
        done: @escaping (Result<StoredAnswer, ForwardingFailure>) -> Void
    ) {
        outstanding += 1
        let end = LastByte(of: content, bytes: record.offset, handingOver)
        let finish = { [weak self] (result: Result<StoredAnswer, ForwardingFailure>) in
            done(result)
            self?.answered()
        }
        end.begin { [self] mayGo in
            guard mayGo else {
                return finish(.failure(ForwardingFailure(500, "the record cannot be written")))
            }
            let exchange = start(record.origin.forwarded, end.body)
            end.onReady = { [weak exchange] in exchange?.resume() }
            hear(exchange, end, done: finish)
        }
    }

    private func hear(
        _ exchange: ClientExchange,
        _ end: LastByte,
        done: @escaping (Result<StoredAnswer, ForwardingFailure>) -> Void
    ) {
        exchange.onResponse = { [unowned exchange] head in
            exchange.collect(limit: StoredAnswer.bodyLimit) { body in
                var bytes: [UInt8]?
                if case .complete(let all, _) = body { bytes = all }
                done(.success(StoredAnswer(forwarding: head, body: bytes)))
            }
        }
        exchange.onFailure = { failure in
            let hasGone = end.isGranted && failure.requestBytesSent > 0
            done(
                .failure(
                    ForwardingFailure(failure, mayHaveArrived: hasGone || failure.hasResponse)
                )
            )
        }
    }

    private func answered() {
        outstanding -= 1
        guard outstanding == 0, let action = whenIdle else { return }
        whenIdle = nil
        action()
    }

    private func start(_ head: RequestHead, _ body: MessageBody) -> ClientExchange {
        client.start(
            ClientRequest(
                head.method,
                endpoint,
                target: head.target,
                fields: head.fields,
                body: body
            )
        )
    }

    // MARK: Other requests

    /// Gives it a request as it comes, and the client its answer.
    ///
    /// - Parameters:
    ///   - exchange: the request.
    ///   - offer: what the answer has to say of uploads; it is the answer to what the server refuses.
    ///   - buffers: for content.
    func relay(
        _ exchange: OriginExchange,
        offering offer: UploadAnswer? = nil,
        buffers: BufferPool
    ) {
        guard exchange.head.method != "CONNECT" else {
            return exchange.refuse(405, "There are no tunnels through this server.")
        }
        let relay = ExchangeRelay(exchange, offer, buffers: buffers, loop: client.loop)
        relay.connect(start(exchange.head.forwarded, relay.requestBody))
    }
}

extension ForwardingFailure {
    init(_ failure: ClientFailure, mayHaveArrived: Bool = false) {
        let status =
            switch failure.reason {
            case .connectTimeout, .idleTimeout: 504
            default: 502
            }
        let what =
            failure.hasResponse
            ? "the server's answer was cut off" : "the server behind this one gave no answer"
        // It becomes a part of a JSON text.
        let reason = failure.description.filter { $0 != "\"" && $0 != "\\" && (" "..."~") ~= $0 }
        self.init(status, "\(what): \(reason)", mayHaveArrived: mayHaveArrived)
    }
}
