import HTTPTransport
import HTTPWire
import SystemIO

/// A server that knows nothing of resumable uploads: it keeps what it gets and answers as it is told.
final class PlainUpstream {
    struct Request {
        var head: RequestHead
        var body: [UInt8]
    }

    enum Answer {
        case response(ResponseHead, [UInt8])
        /// With interim responses before it.
        case interims([Int], ResponseHead)
        /// In chunks.
        case chunked(ResponseHead, [UInt8])
        /// The request is read to its end, and then nothing comes.
        case silence
        /// The request is read to its end, and then the connection is reset.
        case reset
    }

    private(set) var requests: [Request] = []
    var answer: (Request) -> Answer = { _ in .response(ResponseHead(200), Array("kept".utf8)) }
    /// Asked before the content is read.
    var early: (RequestHead) -> ResponseHead? = { _ in nil }
    private(set) var address: SocketAddress
    private let loop: EventLoop
    private var server: HTTPServer?
    private var waiting: [ServerExchange] = []

    /// Listens at an address; nil for a port of its own.
    init(on loop: EventLoop, at address: SocketAddress? = nil) throws {
        self.loop = loop
        self.address = .loopback(port: 0)
        server = try HTTPServer(loop: loop) { [weak self] in self?.take($0) }
        if let server { self.address = try server.listen(on: address ?? .loopback(port: 0)) }
    }

    deinit { stop() }

    var url: String { "http://\(address)" }

    func stop() {
        waiting = []
        server?.stop()
        server = nil
    }

    /// Answers what was met by silence.
    func speak(_ head: ResponseHead, _ body: String) throws {
        for exchange in waiting { try exchange.respond(head, .text(body)) }
        waiting = []
    }

    /// Whether content is left where it is.
    var reads = true

    private func take(_ exchange: ServerExchange) {
        guard reads else { return waiting.append(exchange) }
        if let head = early(exchange.head) {
            try? exchange.respond(head)
            return
        }
        exchange.collect(limit: 1 << 28) { [weak self] body in
            guard let self, case .complete(let bytes, _) = body else { return }
            let request = Request(head: exchange.head, body: bytes)
            requests.append(request)
            try? give(answer(request), exchange)
        }
    }

    private func give(_ answer: Answer, _ exchange: ServerExchange) throws {
        switch answer {
        case .response(let head, let body): try exchange.respond(head, .bytes(body))
        case .interims(let statuses, let head):
            for status in statuses { try exchange.sendInterim(ResponseHead(status)) }
            try exchange.respond(head)
        case .chunked(let head, let body):
            var content = MessageBody.bytes(body)
            content.framing = .chunked
            try exchange.respond(head, content)
        case .silence: waiting.append(exchange)
        case .reset: exchange.reset()
        }
    }
}
