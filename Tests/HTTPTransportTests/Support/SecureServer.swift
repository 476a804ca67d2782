import HTTP2
import SystemIO
import TestSupport

/// A server that speaks TLS, and what the test says: frames of HTTP/2, or bytes.
final class SecureServer: ReadinessHandler {
    private let loop: EventLoop
    private let tls: TLSContext
    private var listener: ListeningSocket
    private var token = WatchToken.none
    private let onEvent: (HTTP2Session, SessionEvent) -> Void
    let address: SocketAddress
    private(set) var peers: [SecureServerPeer] = []

    init(
        on loop: EventLoop,
        tls: TLSContext,
        onEvent: @escaping (HTTP2Session, SessionEvent) -> Void
    ) throws {
        self.loop = loop
        self.tls = tls
        self.onEvent = onEvent
        listener = try ListeningSocket(on: .loopback(port: 0))
        address = listener.address ?? .loopback(port: 0)
        token = try listener.watch(on: loop, handler: self)
    }

    func close() {
        listener.unwatch(token, on: loop)
        listener.close()
        for peer in peers { peer.close() }
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        while (try? accept()) == true {}
    }

    private func accept() throws -> Bool {
        let socket = try listener.accept()
        guard socket.isOpen else { return false }
        peers.append(try SecureServerPeer(socket, tls, on: loop, onEvent))
        return true
    }
}

/// One of its connections.
final class SecureServerPeer: ReadinessHandler {
    private let loop: EventLoop
    private var socket: Socket
    private var token = WatchToken.none
    private let tls: TLSSession
    private let buffer = TransferBuffer(capacity: 65_536)
    private let session = HTTP2Session(isServer: true)
    private let onEvent: (HTTP2Session, SessionEvent) -> Void
    private var isEstablished = false
    private var outgoing: [UInt8] = []

    init(
        _ socket: consuming Socket,
        _ context: TLSContext,
        on loop: EventLoop,
        _ onEvent: @escaping (HTTP2Session, SessionEvent) -> Void
    ) throws {
        self.loop = loop
        self.onEvent = onEvent
        tls = try TLSSession(context, protocols: ["h2", "http/1.1"])
        self.socket = socket
        session.source = { _, room in
            let large = BlockField("x-large", String(repeating: "v", count: 20_000))
            return .last([UInt8](repeating: 7, count: min(room, 100)), trailers: [large])
        }
        token = try loop.watch(self.socket, handler: self)
    }

    func close() {
        loop.unwatch(token)
        socket.close()
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        repeat {
            if !isEstablished { isEstablished = (try? tls.handshake()) ?? false }
            if isEstablished { exchange() }
            flush()
        } while receive()
    }

    private func exchange() {
        while case .bytes(let count)? = try? tls.read(into: buffer, limit: buffer.capacity) {
            take(buffer.bytes(0..<count))
        }
        if tls.chosenProtocol == "h2" { outgoing += session.send(atLeast: .max) }
        while !outgoing.isEmpty {
            let piece = Array(outgoing.prefix(buffer.capacity))
            buffer.store(piece, at: 0)
            guard let count = try? tls.write(buffer, count: piece.count), count > 0 else { return }
            outgoing.removeFirst(count)
        }
    }

    private func take(_ bytes: [UInt8]) {
        guard tls.chosenProtocol == "h2" else {
            outgoing += Array("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nold".utf8)
            return
        }
        session.receive(bytes.span)
        for event in session.takeEvents() { onEvent(session, event) }
    }

    private func flush() {
        while case let count = tls.drain(into: buffer), count > 0 {
            _ = socket.send(buffer.bytes(0..<count), from: 0)
        }
    }

    private func receive() -> Bool {
        guard socket.isOpen,
            case .moved(let count) = socket.receive(into: buffer, limit: buffer.capacity)
        else { return false }
        tls.feed(buffer, count: count)
        return true
    }
}
