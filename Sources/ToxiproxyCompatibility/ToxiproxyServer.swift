internal import Basics
internal import HTTPTransport
internal import HTTPWire
package import Proxy
package import SystemIO

/// The Toxiproxy API on HTTP/1.1.
///
/// Everything happens on the thread of its loop. Call `stop` before the loop ends.
package final class ToxiproxyServer {
    private let api: ToxiproxyAPI
    private let access: ToxiproxyAccess
    private var http: HTTPServer?
    /// Names of requests: from a random number on, so that they are new in each run.
    private var requestNumber: UInt64
    /// Where it listens, with the port that was found.
    package private(set) var addresses: [SocketAddress] = []
    /// Called for each request, with its method, path and status.
    package var onRequest: ((String, String, Int) -> Void)?

    private static let bodyBytes = 1 << 20

    /// Listens.
    ///
    /// - Throws: what the system says, such as "address already in use".
    package init(
        loop: EventLoop,
        place: ListenPlace,
        api: ToxiproxyAPI,
        access: ToxiproxyAccess = ToxiproxyAccess()
    ) throws(SystemError) {
        self.api = api
        self.access = access
        requestNumber = SecureRandom.bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
        let server = try HTTPServer(loop: loop, limits: Self.limits) { [weak self] in
            self?.receive($0)
        }
        http = server
        do throws(SystemError) {
            try listen(on: try BoundListener.bind(at: place))
        } catch {
            stop()
            throw error
        }
    }

    deinit { stop() }

    /// The first of its addresses.
    package var address: SocketAddress { addresses.first ?? .loopback(port: 0) }

    private func listen(on bound: BoundListener) throws(SystemError) {
        if let socket = bound.takeSocket() { try http?.listen(on: socket) }
        addresses.append(bound.address)
        if let twin = bound.twin { try listen(on: twin) }
    }

    /// Closes the listener and all connections.
    package func stop() {
        http?.stop()
        http = nil
    }

    private static var limits: HTTPServerLimits {
        var limits = HTTPServerLimits()
        limits.openConnections = 1_024
        limits.headTime = .seconds(15)
        limits.bodyProgressTime = .seconds(15)
        limits.sendProgressTime = .seconds(30)
        limits.idleTime = .seconds(60)
        return limits
    }

    // MARK: Requests

    private func receive(_ exchange: ServerExchange) {
        let head = exchange.head
        if let error = access.objection(to: head) {
            return give(.error(error), to: exchange)
        }
        switch ToxiproxyRoute(head, hasMetrics: api.hasMetrics) {
        case .unknown:
            give(.text(404, "404 page not found\n"), to: exchange)
        case .server: give(ToxiproxyAnswer(200), to: exchange)
        case .wrongMethod: give(ToxiproxyAnswer(405), to: exchange)
        case .moved(let path): give(ToxiproxyAnswer(301), to: exchange, location: path)
        case .operation(let operation, let names): begin(operation, names, exchange)
        }
    }

    private func begin(
        _ operation: ToxiproxyOperation,
        _ names: [String],
        _ exchange: ServerExchange
    ) {
        guard !ToxiproxyAccess.isBrowser(exchange.head) else {
            let refusal = ToxiproxyAnswer.text(403, "User agent not allowed\n")
            return give(refusal, to: exchange, identifier: nextIdentifier())
        }
        guard operation.readsBody else { return perform(operation, names, [], exchange) }
        exchange.collect(limit: Self.bodyBytes) { [weak self] body in
            switch body {
            case .complete(let bytes, _): self?.perform(operation, names, bytes, exchange)
            case .tooLarge:
                self?.give(
                    .error(ToxiproxyError(413, "bad request body: more than 1 MiB")),
                    to: exchange,
                    identifier: self?.nextIdentifier()
                )
            }
        }
    }

    private func perform(
        _ operation: ToxiproxyOperation,
        _ names: [String],
        _ body: [UInt8],
        _ exchange: ServerExchange
    ) {
        api.perform(operation, names, body: body) { [weak self] answer in
            self?.give(answer, to: exchange, identifier: self?.nextIdentifier())
        }
    }

    // MARK: Answers

    private func give(
        _ answer: ToxiproxyAnswer,
        to exchange: ServerExchange,
        identifier: String? = nil,
        location: String? = nil
    ) {
        onRequest?(exchange.head.method, exchange.head.target, answer.status)
        var head = ResponseHead(answer.status)
        if let type = answer.type {
            head.fields.add("Content-Type", type)
            if type == ToxiproxyAnswer.plain {
                head.fields.add("X-Content-Type-Options", "nosniff")
            }
        }
        if let identifier { head.fields.add("X-Toxiproxy-Request-Id", identifier) }
        if let location { head.fields.add("Location", location) }
        for warning in answer.warnings {
            head.fields.add("X-Linkcond-Warning", Self.fieldText(warning))
        }
        let body: MessageBody = answer.body.isEmpty ? .none : .bytes(answer.body)
        do throws(MessageWriteError) {
            try exchange.respond(head, body)
        } catch {
            // A field that cannot be written is a mistake of ours, and there is still an answer.
            try? exchange.respond(ResponseHead(500))
        }
    }

    /// Text as a field may have it.
    private static func fieldText(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.prefix(200).map {
                    (0x20..<0x7F).contains($0.value) ? $0 : "?"
                }
            )
        )
    }

    private func nextIdentifier() -> String {
        requestNumber &+= 1
        let digits = Array("0123456789abcdefghijklmnopqrstuv")
        var rest = requestNumber
        var text = ""
        for _ in 0..<20 {
            text.append(digits[Int(rest & 31)])
            rest = rest >> 5 | (rest & 31) << 59
        }
        return text
    }
}
