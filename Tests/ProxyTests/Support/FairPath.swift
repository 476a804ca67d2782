import Faults
import HTTP2
import SystemIO
import Testing

@testable import Proxy

/// A way through the proxy, on which connections have to share the time of its loop.
enum FairPath: CaseIterable {
    case plain
    case journal
    case armedFault
    case link
    case toxic
    /// TLS that the proxy opens: that of clients, and that of both sides.
    case clientTLS
    case bothTLS
    /// What is read inside.
    case http2
    case grpc
    case webSocket
    /// What clients ask a forward proxy for.
    case tunnel
    case absoluteForm
    case socks

    var isSpliced: Bool { [.plain, .tunnel, .socks].contains(self) }
    var forwards: Bool { [.tunnel, .absoluteForm, .socks].contains(self) }
    var opensTLS: Bool { [.clientTLS, .bothTLS].contains(self) }
    var isObserved: Bool { [.journal, .http2, .grpc, .webSocket].contains(self) }

    /// Bytes of a piece of what either side sends.
    static let piece = 1_000

    /// What a client says first.
    func opening(to server: SocketAddress) -> [UInt8] {
        switch self {
        case .http2: StreamGates.preface + FrameWriter.settings([]) + request([])
        case .grpc:
            StreamGates.preface + FrameWriter.settings([])
                + request([.init("content-type", "application/grpc"), .init("te", "trailers")])
        case .webSocket:
            Array(
                """
                GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r
                Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
                """.utf8
            )
        case .tunnel: Array("CONNECT \(server) HTTP/1.1\r\nHost: \(server)\r\n\r\n".utf8)
        case .absoluteForm:
            Array(
                """
                POST http://\(server)/ HTTP/1.1\r\nHost: \(server)\r
                Content-Length: 1000000\r\n\r\n
                """.utf8
            )
        case .socks:
            [5, 1, 0, 5, 1, 0, 1, 127, 0, 0, 1] + UInt32(server.port ?? 0).networkBytes.suffix(2)
        default: []
        }
    }

    /// How many of these bytes the server gets at least.
    func passing(_ opening: [UInt8]) -> Int {
        switch self {
        case .tunnel, .socks: 0
        // The name of the server is left out of the target.
        case .absoluteForm: opening.count / 2
        default: opening.count
        }
    }

    /// What the server says before anything else.
    var answer: [UInt8] {
        switch self {
        case .http2, .grpc: FrameWriter.settings([]) + block([.init(":status", "200")])
        case .webSocket:
            Array(
                """
                HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r
                Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n
                """.utf8
            )
        case .absoluteForm: Array("HTTP/1.1 200 OK\r\n\r\n".utf8)
        default: []
        }
    }

    /// Whether a client that has got these bytes may go on.
    func hasOpened(_ received: [UInt8]) -> Bool {
        switch self {
        case .tunnel: received.suffix(4) == Array("\r\n\r\n".utf8)
        case .socks: received.count == 12
        default: received.count == answer.count
        }
    }

    /// What a side sends again and again; nil for anything.
    func content(ofClient isClient: Bool) -> Content? {
        let piece: [UInt8]
        switch self {
        case .http2: piece = data(Array(repeating: 1, count: 991))
        case .grpc: piece = data([0, 0, 0, 0x03, 0xDA] + Array(repeating: 1, count: 986))
        case .webSocket where isClient: piece = [0x82, 0x80 | 126, 0x03, 0xE0, 0, 0, 0, 0]
        case .webSocket: piece = [0x82, 126, 0x03, 0xE4]
        default: return nil
        }
        let filling = Array(repeating: UInt8(1), count: Self.piece - piece.count)
        return Content(repeating: piece + filling)
    }

    private func request(_ fields: [BlockField]) -> [UInt8] {
        block(
            [
                .init(":method", "POST"), .init(":scheme", "http"), .init(":authority", "x"),
                .init(":path", "/"),
            ] + fields
        )
    }

    private func block(_ fields: [BlockField]) -> [UInt8] {
        let fragment = FieldEncoder().encode(fields)
        return FrameWriter.block(.init(stream: 1, endsStream: false, fragment: fragment))
    }

    private func data(_ content: [UInt8]) -> [UInt8] {
        FrameWriter.data(content, endsStream: false, stream: 1)
    }
}
