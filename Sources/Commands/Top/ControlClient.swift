internal import Basics
internal import HTTPTransport
internal import HTTPWire
internal import SystemIO

/// Talks to the control API of a running linkcond.
///
/// Everything happens on the loop's thread; no answer comes before a call has returned.
final class ControlClient {
    typealias Answer = (Result<JSONObject, ControlFailure>) -> Void

    let address: ControlAddress
    private let token: String?
    private let client: HTTPClient
    private let endpoint: ClientEndpoint

    private static let answerLimit = 8 << 20
    private static let pieceBytes = 65_536

    /// - Parameters:
    ///   - loop: where everything happens.
    ///   - address: of the control API.
    ///   - token: what it asks for; nil for a socket file.
    /// - Throws: what the system lacks.
    init(loop: EventLoop, address: ControlAddress, token: String?) throws(SystemError) {
        self.address = address
        self.token = token
        var settings = HTTPClientSettings()
        settings.connectTime = .seconds(5)
        // Samples come several times a second.
        settings.progressTime = .seconds(10)
        client = try HTTPClient(loop: loop, settings: settings)
        switch address {
        case .http(let url): endpoint = ClientEndpoint(url)
        case .unix(let path): endpoint = ClientEndpoint(socketFile: path)
        }
    }

    func close() { client.close() }

    /// Gets a document.
    func get(_ target: String, then answer: @escaping Answer) {
        send("GET", target, [:], .none) {
            $0.object
        } done: {
            answer($0)
        }
    }

    /// Sends a document, and gets one.
    func send(
        _ method: String,
        _ target: String,
        _ body: JSONObject,
        then answer: @escaping Answer
    ) {
        var bytes: [UInt8] = []
        body.write(to: &bytes)
        send(method, target, ["Content-Type": "application/json"], .bytes(bytes)) {
            $0.object
        } done: {
            answer($0)
        }
    }

    /// Gets the journal's records as lines.
    func lines(
        _ target: String,
        then answer: @escaping (Result<[UInt8], ControlFailure>) -> Void
    ) {
        send("GET", target, [:], .none) {
            $0
        } done: {
            answer($0)
        }
    }

    /// Follows a stream of server-sent events.
    ///
    /// - Parameters:
    ///   - target: of the stream.
    ///   - onEvent: called for each event.
    ///   - onEnd: called once, with nil if the stream closed normally.
    /// - Returns: what ends it; then nothing is called any more.
    func follow(
        _ target: String,
        onEvent: @escaping (ServerEvent) -> Void,
        onEnd: @escaping (ControlFailure?) -> Void
    ) -> () -> Void {
        let exchange = client.start(request("GET", target, ["Accept": "text/event-stream"], .none))
        exchange.onFailure = { onEnd(.transport($0)) }
        exchange.onResponse = { [unowned exchange] head in
            guard head.status == 200 else {
                return Self.refuse(exchange, head) { onEnd($0) }
            }
            EventStream(exchange, onEvent: onEvent, onEnd: onEnd).readMore()
        }
        return { [weak exchange] in exchange?.abort() }
    }

    // MARK: Requests

    private func request(
        _ method: String,
        _ target: String,
        _ fields: HeaderFields,
        _ body: MessageBody
    ) -> ClientRequest {
        var fields = fields
        if let token { fields.add("Authorization", "Bearer \(token)") }
        return ClientRequest(method, endpoint, target: target, fields: fields, body: body)
    }

    private func send<Value>(
        _ method: String,
        _ target: String,
        _ fields: HeaderFields,
        _ body: MessageBody,
        read: @escaping ([UInt8]) -> Value?,
        done: @escaping (Result<Value, ControlFailure>) -> Void
    ) {
        let exchange = client.start(request(method, target, fields, body))
        exchange.onFailure = { done(.failure(.transport($0))) }
        exchange.onResponse = { [unowned exchange] head in
            guard (200...299).contains(head.status) else {
                return Self.refuse(exchange, head) { done(.failure($0)) }
            }
            exchange.collect(limit: Self.answerLimit) { body in
                guard case .complete(let bytes, _) = body, let value = read(bytes) else {
                    return done(.failure(.foreign))
                }
                done(.success(value))
            }
        }
    }

    private static func refuse(
        _ exchange: ClientExchange,
        _ head: ResponseHead,
        then done: @escaping (ControlFailure) -> Void
    ) {
        exchange.collect(limit: answerLimit) { body in
            guard case .complete(let bytes, _) = body else { return done(.foreign) }
            done(.refused(head.status, bytes))
        }
    }

    /// A response that goes on, piece by piece; held by its reads alone.
    private final class EventStream {
        private let exchange: ClientExchange
        private let onEvent: (ServerEvent) -> Void
        private let onEnd: (ControlFailure?) -> Void
        private let buffer = TransferBuffer(capacity: pieceBytes)
        private var parser = EventStreamParser()

        init(
            _ exchange: ClientExchange,
            onEvent: @escaping (ServerEvent) -> Void,
            onEnd: @escaping (ControlFailure?) -> Void
        ) {
            self.exchange = exchange
            self.onEvent = onEvent
            self.onEnd = onEnd
        }

        func readMore() {
            exchange.read(into: buffer, limit: buffer.capacity) { [self] piece in receive(piece) }
        }

        private func receive(_ piece: BodyPiece) {
            guard case .bytes(let range) = piece else { return onEnd(nil) }
            do throws(EventStreamParser.TooLong) {
                for event in try parser.parse(buffer.bytes(range)) { onEvent(event) }
            } catch {
                exchange.abort()
                return onEnd(.foreign)
            }
            readMore()
        }
    }
}

extension [UInt8] {
    /// What is read if it is a JSON object.
    fileprivate var object: JSONObject? {
        guard case .object(let object) = try? JSONParser.parse(self[...], .document) else {
            return nil
        }
        return object
    }
}
