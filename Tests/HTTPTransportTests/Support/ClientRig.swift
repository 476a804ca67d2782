import Basics
import HTTPTransport
import HTTPWire
import SystemIO
import Testing
import TestSupport

/// A client, and a listener whose connections do what the test says.
final class ClientRig {
    let loop: EventLoop
    let alarms: TimerQueue
    let client: HTTPClient
    private var listener: ListeningSocket
    private(set) var address = SocketAddress.loopback(port: 0)
    private(set) var peers: [RawPeer] = []

    init(
        on place: SocketAddress = .loopback(port: 0),
        _ change: (inout HTTPClientSettings) -> Void = { _ in }
    ) throws {
        loop = try EventLoop()
        alarms = try TimerQueue(loop: loop)
        var settings = HTTPClientSettings()
        change(&settings)
        client = try HTTPClient(loop: loop, settings: settings)
        listener = try ListeningSocket(on: place)
        if let bound = listener.address { address = bound }
    }

    deinit {
        client.close()
        loop.finishPendingWork()
        for peer in peers { peer.close() }
        alarms.close()
    }

    var url: String { "http://127.0.0.1:\(address.port ?? 80)/" }

    func request(_ method: String = "GET", body: MessageBody = .none) throws -> ClientRequest {
        var request = ClientRequest(method, try HTTPURL(url), body: body)
        if case .unix(let path) = address { request.endpoint.unixPath = path }
        return request
    }

    func start(_ request: ClientRequest) -> Outcome {
        Outcome(client.start(request))
    }

    /// Waits for the next connection to the listener.
    func accept() throws -> RawPeer {
        var socket = Socket()
        for _ in 0..<5_000 {
            socket = try listener.accept()
            if socket.isOpen { break }
            run(milliseconds: 1)
        }
        let peer = try RawPeer(loop: loop, socket: socket)
        peers.append(peer)
        return peer
    }

    func run(
        until condition: () -> Bool,
        seconds: UInt64 = 20,
        _ location: SourceLocation = #_sourceLocation
    ) {
        loop.run(until: condition, seconds: Double(seconds), location)
    }

    func run(milliseconds: UInt64) {
        loop.run(milliseconds: milliseconds)
    }

    /// Acts `count` times, `step` milliseconds apart.
    ///
    /// - Returns: false if the machine stood still so long that `limit` milliseconds may have been
    ///   reached by that alone; nothing can be said of the client then.
    func pace(
        _ count: Int,
        step: UInt64,
        within limit: UInt64,
        _ act: (Int) -> Void
    ) -> Bool {
        var longest = Duration.zero
        var last = loop.now
        for number in 0..<count {
            act(number)
            run(milliseconds: step)
            longest = max(longest, loop.now - last)
            last = loop.now
        }
        return longest < .milliseconds(clamping: limit)
    }
}

/// What came of a request.
final class Outcome {
    let exchange: ClientExchange
    private let buffer = TransferBuffer(capacity: 65_536)
    private(set) var facts: ClientConnectionFacts?
    private(set) var interims: [ResponseHead] = []
    private(set) var response: ResponseHead?
    private(set) var bytes: [UInt8] = []
    private(set) var trailers: HeaderFields?
    private(set) var failure: ClientFailure?
    /// While false, content is not read.
    var reads = true { didSet { if reads, response != nil { goOn() } } }

    init(_ exchange: ClientExchange) {
        self.exchange = exchange
        exchange.onConnection = { [unowned self] in facts = $0 }
        exchange.onInterim = { [unowned self] in interims.append($0) }
        exchange.onFailure = { [unowned self] in failure = $0 }
        exchange.onResponse = { [unowned self] in
            response = $0
            if reads { goOn() }
        }
    }

    var isOver: Bool { trailers != nil || failure != nil }
    var text: String { String(decoding: bytes, as: UTF8.self) }

    private func goOn() {
        exchange.read(into: buffer, limit: 10_000) { [unowned self] piece in
            switch piece {
            case .bytes(let range):
                bytes += buffer.bytes(range)
                if reads { goOn() }
            case .end(let trailers): self.trailers = trailers
            }
        }
    }
}
