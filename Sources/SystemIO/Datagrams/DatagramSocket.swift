internal import CLibuv
internal import CLibrary

/// A UDP socket: non-blocking, close-on-exec, closed when it goes away.
///
/// It asks the kernel for what it has: the ECN bits of what comes, a count of what its own buffer
/// dropped, and datagrams put together (`UDP_GRO`). Where the kernel lacks one of these, it works
/// without.
package struct DatagramSocket: ~Copyable {
    private var socket: Socket
    let isIPv6: Bool
    /// Whether a datagram that is longer than the path allows leaves in fragments; otherwise it is not
    /// taken.
    package private(set) var isFragmented = true

    /// What the kernel may keep for us, as far as it allows: a burst of 1,500 datagrams of 1,400 bytes.
    private static let bufferBytes: CInt = 4_194_304

    /// A socket that takes datagrams for an address; port 0 takes a free one.
    ///
    /// - Parameter address: ours.
    /// - Throws: what the system says, such as "address already in use".
    package init(on address: SocketAddress) throws(SystemError) {
        let new = try Self.make(like: address)
        try Self.bind(new, to: address)
        socket = new
        isIPv6 = address.isIPv6
    }

    /// A socket that exchanges datagrams with one address.
    ///
    /// - Parameters:
    ///   - address: whose datagrams alone it takes.
    ///   - source: our address; nil for what the system chooses.
    ///   - isFragmented: whether a datagram that is longer than the path allows leaves in fragments;
    ///     otherwise it is not taken.
    /// - Throws: what the system says, such as "network is unreachable".
    package init(
        to address: SocketAddress,
        from source: SocketAddress? = nil,
        isFragmented: Bool = true
    ) throws(SystemError) {
        let new = try Self.make(like: address)
        if let source { try Self.bind(new, to: source) }
        let descriptor = new.descriptor
        guard unsafe address.withSystemAddress({ unsafe CLibrary.connect(descriptor, $0, $1) }) == 0
        else { throw .last }
        socket = new
        isIPv6 = address.isIPv6
        if !isFragmented { setFragmented(false) }
    }

    /// Says whether what is sent from now on may be fragmented; no call to the system if that is so
    /// already.
    package mutating func setFragmented(_ isFragmented: Bool) {
        guard isFragmented != self.isFragmented else { return }
        self.isFragmented = isFragmented
        DatagramCalls.setFragmented(isFragmented, isIPv6: isIPv6, socket)
    }

    private static func bind(
        _ socket: borrowing Socket,
        to address: SocketAddress
    ) throws(SystemError) {
        guard SocketCalls.bind(socket.descriptor, to: address) else { throw .last }
    }

    private static func make(
        like address: SocketAddress
    ) throws(SystemError) -> Socket {
        let descriptor = SocketCalls.make(address.family, LINKCOND_DATAGRAM)
        guard descriptor >= 0 else { throw .last }
        let socket = Socket(descriptor: descriptor)
        socket.set(SOL_SOCKET, SO_RCVBUF, bufferBytes)
        socket.set(SOL_SOCKET, SO_SNDBUF, bufferBytes)
        if address.isIPv6 {
            socket.set(CInt(IPPROTO_IPV6), IPV6_V6ONLY, 1)
            socket.set(CInt(IPPROTO_IPV6), LINKCOND_IPV6_RECEIVE_CLASS, 1)
        } else {
            socket.set(CInt(IPPROTO_IP), IP_RECVTOS, 1)
        }
        DatagramCalls.askForMore(socket)
        return socket
    }

    var descriptor: CInt { socket.descriptor }

    package var isOpen: Bool { socket.isOpen }

    /// Our address, with the port that was found.
    package var address: SocketAddress? { socket.localAddress }

    /// How many datagrams its full buffer has dropped so far; nil where the kernel does not tell.
    package var dropped: UInt32? { DatagramCalls.dropped(by: socket.descriptor) }

    /// Takes the error that waits, such as "connection refused" from the network (ICMP); nil for none.
    package func takeError() -> SystemError? { socket.takeError() }

    /// Reports each time that datagrams wait, level-triggered.
    package func watch(
        on loop: EventLoop,
        handler: any ReadinessHandler,
        tag: UInt32 = 0
    ) throws(SystemError) -> WatchToken {
        try loop.watchReading(socket, handler: handler, tag: tag)
    }

    /// Ends the reports; what comes stays with the kernel, as far as it has room.
    package func unwatch(_ token: WatchToken, on loop: EventLoop) {
        loop.unwatch(socket, token)
    }

    package mutating func close() { socket.close() }
}

extension SocketAddress {
    fileprivate var isIPv6: Bool { if case .ipv6 = self { true } else { false } }
}
