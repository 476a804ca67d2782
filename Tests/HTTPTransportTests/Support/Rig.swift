import HTTPTransport
import HTTPWire
import SystemIO
import Testing
import TestSupport

/// A server, its loop, and what it reported.
final class Rig {
    let loop: EventLoop
    let alarms: TimerQueue
    private(set) var server: HTTPServer?
    private(set) var address = SocketAddress.loopback(port: 0)
    private(set) var reports: [ExchangeReport] = []

    init(
        limits: HTTPServerLimits = HTTPServerLimits(),
        tls: TLSContext? = nil,
        takesHTTP2: Bool = false,
        onRequest: @escaping (ServerExchange) -> Void
    ) throws {
        loop = try EventLoop()
        alarms = try TimerQueue(loop: loop)
        let server = try HTTPServer(loop: loop, limits: limits, onRequest: onRequest)
        server.sendsDate = false
        server.takesHTTP2 = takesHTTP2
        address = try server.listen(on: .loopback(port: 0), tls: tls)
        self.server = server
        server.onReport = { [weak self] in self?.reports.append($0) }
    }

    deinit {
        server?.stop()
        alarms.close()
    }

    func connect() throws -> RawPeer { try RawPeer.connect(to: address, on: loop) }

    /// Runs the loop until `condition` holds; an issue after some seconds.
    func run(
        until condition: () -> Bool,
        seconds: UInt64 = 20,
        _ location: SourceLocation = #_sourceLocation
    ) {
        loop.run(until: condition, seconds: Double(seconds), location)
    }

    /// Runs the loop for so long.
    func run(milliseconds: UInt64) {
        loop.run(milliseconds: milliseconds)
    }
}

/// Bytes that are a function of their place.
func content(_ range: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    var place = range.lowerBound
    while place < range.upperBound {
        let start = place % pattern.count
        let end = min(pattern.count, start + range.upperBound - place)
        bytes += pattern[start..<end]
        place += end - start
    }
    return bytes
}

/// As long as a prime, so that pieces of usual sizes all differ.
private let pattern: [UInt8] = (0..<65_521).map {
    UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8)
}

/// A source of such bytes, of at most `step` at once.
func contentSource(_ count: Int, step: Int = .max) -> BodyGenerator {
    var place = 0
    return { buffer, room in
        let length = min(room.count, count - place, step)
        guard length > 0 else { return .end }
        buffer.store(content(place..<place + length), at: room.lowerBound)
        place += length
        return .stored(length)
    }
}

/// Reads all content of a request, as fast as it comes.
final class Reader {
    let exchange: ServerExchange
    private let buffer = TransferBuffer(capacity: 65_536)
    private let limit: Int
    private(set) var bytes: [UInt8] = []
    private(set) var trailers: HeaderFields?
    private(set) var reads = 0
    var onEnd: ((Reader) -> Void)?

    init(_ exchange: ServerExchange, limit: Int = 65_536) {
        self.exchange = exchange
        self.limit = limit
    }

    func goOn(once: Bool = false) {
        reads += 1
        exchange.read(into: buffer, limit: limit) { [self] piece in
            switch piece {
            case .bytes(let range):
                bytes += buffer.bytes(range)
                if !once { goOn() }
            case .end(let trailers):
                self.trailers = trailers
                onEnd?(self)
                onEnd = nil
            }
        }
    }
}
