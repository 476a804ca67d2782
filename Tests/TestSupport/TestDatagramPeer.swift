package import SystemIO

/// A client or a server that exchanges datagrams, for tests.
package final class TestDatagramPeer: ReadinessHandler {
    package struct Received: Equatable {
        package var bytes: [UInt8]
        package var ecn: UInt8
        /// Nil for a client, which has one peer.
        package var sender: DatagramPeer?
    }

    package let loop: EventLoop
    private var socket: DatagramSocket
    private var token = WatchToken.none
    private let batch = DatagramBatch()
    package private(set) var received: [Received] = []
    package private(set) var failures: [SystemError] = []
    /// Called for each datagram.
    package var onReceive: (TestDatagramPeer, Received) -> Void = { _, _ in }

    private init(_ loop: EventLoop, _ socket: consuming DatagramSocket) throws {
        self.loop = loop
        self.socket = socket
        token = try self.socket.watch(on: loop, handler: self)
    }

    package static func server(
        at address: SocketAddress,
        on loop: EventLoop
    ) throws -> TestDatagramPeer {
        try TestDatagramPeer(loop, DatagramSocket(on: address))
    }

    package static func client(
        of address: SocketAddress,
        on loop: EventLoop
    ) throws -> TestDatagramPeer {
        try TestDatagramPeer(loop, DatagramSocket(to: address))
    }

    package var address: SocketAddress? { socket.address }

    /// What came, as text.
    package var texts: [String] { received.map { String(decoding: $0.bytes, as: UTF8.self) } }

    package func send(_ text: String, ecn: UInt8 = 0, to peer: DatagramPeer? = nil) {
        send(Array(text.utf8), ecn: ecn, to: peer)
    }

    @discardableResult
    package func send(_ bytes: [UInt8], ecn: UInt8 = 0, to peer: DatagramPeer? = nil) -> Bool {
        batch.send(bytes, ecn: ecn, through: socket, to: peer).count == 0
    }

    /// Sends them as one call's segments, as QUIC stacks do: all of one size but the last.
    @discardableResult
    package func sendTogether(
        _ bytes: [UInt8],
        segment: Int,
        ecn: UInt8 = 0,
        to peer: DatagramPeer? = nil
    ) -> Bool {
        batch.send(bytes, ecn: ecn, through: socket, to: peer, segment: segment).count == 0
    }

    package func ready(_ readiness: Readiness, tag: UInt32) {
        while socket.isOpen {
            let count: Int
            do throws(SystemError) {
                count = try batch.receive(from: socket)
            } catch {
                failures.append(error)
                return
            }
            guard count > 0 else { return }
            let datagrams = (0..<count).flatMap { place in
                (0..<batch[place].count).map {
                    Received(
                        bytes: batch.bytes(at: place, datagram: $0),
                        ecn: batch[place].ecn,
                        sender: batch[place].sender
                    )
                }
            }
            for datagram in datagrams {
                received.append(datagram)
                onReceive(self, datagram)
            }
        }
    }

    /// Takes nothing from the socket any more.
    package func pause() { if token != .none { socket.unwatch(token, on: loop) }; token = .none }

    package func close() {
        guard socket.isOpen else { return }
        pause()
        socket.close()
    }
}
