import HTTPWire
import Origin
import SystemIO
import Testing

/// A response with what came before it.
struct RawResponse {
    var head: ResponseHead
    var body: [UInt8]
    /// Interim responses to the same request, in order.
    var interims: [ResponseHead]

    var status: Int { head.status }
    var text: String { String(decoding: body, as: UTF8.self) }

    subscript(name: String) -> String? { head.fields[name] }

    /// `Upload-Offset`, as a number.
    var offset: Int? { self["Upload-Offset"].flatMap { Int($0) } }
}

/// A client that sends exactly the bytes that it is told.
final class RawClient {
    struct Ended: Error, Equatable { var failure: SystemError? }

    private let origin: LiveOrigin
    private var socket: Socket
    private let buffer = TransferBuffer(capacity: 65_536)
    private var parser = ResponseParser()
    private var received: [UInt8] = []
    private var end: Ended?

    init(_ origin: LiveOrigin) throws {
        self.origin = origin
        let address = try #require(origin.server.addresses.first)
        socket = try Socket(like: address)
        _ = try socket.connect(to: address)
    }

    deinit { socket.close() }

    // MARK: Requests

    /// Sends a head with `Host` and, for a body, its length, then the body.
    func send(
        _ method: String,
        _ target: String,
        _ fields: [(String, String)] = [],
        _ body: [UInt8]? = nil
    ) throws {
        var lines = ["\(method) \(target) HTTP/1.1", "Host: localhost"]
        lines += fields.map { "\($0.0): \($0.1)" }
        let isFramed = fields.contains { ["Content-Length", "Transfer-Encoding"].contains($0.0) }
        if let body, !isFramed { lines.append("Content-Length: \(body.count)") }
        parser.expect(method: method)
        try send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + (body ?? []))
    }

    func expect(_ method: String) { parser.expect(method: method) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        var failure: SystemError?
        let isDone = origin.run {
            guard sent < bytes.count else { return true }
            let count = min(buffer.capacity, bytes.count - sent)
            buffer.fill(Array(bytes[sent..<sent + count]))
            switch socket.send(buffer, from: 0, count: count) {
            case .moved(let moved): sent += moved
            case .wouldBlock: break
            case .ended: return true
            case .failed(let error):
                failure = error
                return true
            }
            return sent == bytes.count
        }
        #expect(isDone)
        if let failure { throw Ended(failure: failure) }
    }

    func finish() { socket.shutdownWriting() }
    func close() { socket.close() }
    func reset() { socket.reset() }

    // MARK: Responses

    /// The next final response with its body.
    func response() throws -> RawResponse {
        var interims: [ResponseHead] = []
        var head: ResponseHead?
        var body: [UInt8] = []
        while true {
            switch try next() {
            case .head(let found) where found.isInterim: interims.append(found)
            case .head(let found): head = found
            case .body(let bytes): body += bytes
            case .end:
                return RawResponse(head: try #require(head), body: body, interims: interims)
            }
        }
    }

    /// The next head, interim or final.
    func head() throws -> ResponseHead {
        while true {
            if case .head(let head) = try next() { return head }
        }
    }

    /// Waits for the end of the connection.
    func ending() throws -> Ended {
        let isOver = origin.run {
            _ = receive()
            return end != nil
        }
        #expect(isOver)
        return try #require(end)
    }

    private enum Event {
        case head(ResponseHead)
        case body([UInt8])
        case end
    }

    private func next() throws -> Event {
        while true {
            let bytes = received
            let step = try parser.next(bytes.span)
            let used = bytes[..<step.consumed]
            received.removeFirst(step.consumed)
            switch step.event {
            case .head(let head): return .head(head)
            case .body(let range): return .body(Array(used[range]))
            case .end: return .end
            case .opaque: throw Ended(failure: nil)
            case nil:
                #expect(origin.run { receive() || end != nil }, "no answer")
                if received.isEmpty, let end, end.failure == nil, try parser.finish() {
                    return .end
                }
                if received.isEmpty { throw end ?? Ended(failure: .timedOut) }
            }
        }
    }

    /// Whether bytes have come.
    private func receive() -> Bool {
        guard end == nil else { return false }
        switch socket.receive(into: buffer, limit: buffer.capacity) {
        case .moved(let count):
            received += buffer.bytes(0..<count)
            return true
        case .wouldBlock: return false
        case .ended: end = Ended(failure: nil)
        case .failed(let error): end = Ended(failure: error)
        }
        return false
    }
}
