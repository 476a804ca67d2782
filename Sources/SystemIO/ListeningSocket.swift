internal import CLibuv
internal import CLibrary

/// A socket that accepts connections.
package struct ListeningSocket: ~Copyable {
    private(set) var socket: Socket
    /// What a Unix socket has made in the file system; nil if it was made by somebody else.
    package private(set) var file: SocketFile.Made?
    private let isInherited: Bool

    /// Binds and listens.
    ///
    /// - Parameters:
    ///   - address: port 0 takes a free one.
    ///   - backlog: connections that the kernel keeps until they are accepted.
    ///   - isPrivate: whether only the owner of a Unix socket's file may connect, whatever the
    ///     process's file mode creation mask says.
    ///   - servesBothFamilies: whether the IPv6 wildcard address takes IPv4 connections, too.
    /// - Throws: what the system says, such as "address already in use".
    package init(
        on address: SocketAddress,
        backlog: Int = 4_096,
        isPrivate: Bool = false,
        servesBothFamilies: Bool = false
    ) throws(SystemError) {
        let new = try Socket(like: address)
        if case .ipv6 = address {
            new.set(CInt(IPPROTO_IPV6), IPV6_V6ONLY, servesBothFamilies ? 0 : 1)
        }
        try Self.bind(new, to: address, backlog: backlog, isPrivate: isPrivate)
        socket = new
        isInherited = false
        if case .unix(let path) = address { file = SocketFile.Made(at: path) }
    }

    /// Takes over a socket that listens already, which the process was started with.
    ///
    /// - Throws: `invalidArgument` if it is no listening stream socket.
    package init(inherited descriptor: Int32) throws(SystemError) {
        guard Self.option(SO_ACCEPTCONN, of: descriptor) == 1,
            Self.option(SO_TYPE, of: descriptor) == LINKCOND_STREAM
        else { throw .invalidArgument }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        socket = Socket(descriptor: descriptor)
        isInherited = true
        if !socket.isUnix { socket.set(CInt(IPPROTO_TCP), TCP_NODELAY, 1) }
    }

    private static func option(_ name: CInt, of descriptor: Int32) -> CInt? {
        var value: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 else {
            return nil
        }
        return value
    }

    package var isOpen: Bool { socket.isOpen }

    /// Where it listens, with the port that was found.
    package var address: SocketAddress? { socket.localAddress }

    /// Takes the next connection; a closed socket if none waits.
    ///
    /// It has TCP_NODELAY, as its listener has.
    package func accept() throws(SystemError) -> Socket {
        let descriptor = SocketCalls.accept(from: socket.descriptor)
        if descriptor >= 0 { return Socket(descriptor: descriptor) }
        let error = SystemError.last
        switch error.code {
        // The last two: a connection that was gone before we came (accept(2), "Error handling").
        case EAGAIN, EINTR, ECONNABORTED, EPROTO: return Socket()
        default: throw error
        }
    }

    /// Limits what both kernels keep of bytes that later clients have sent and we have not read.
    package func limitReceived(to received: Int, segment: Int) {
        socket.limitReceived(to: received, segment: segment)
    }

    /// Reports each time that connections wait, level-triggered.
    package func watch(
        on loop: EventLoop,
        handler: any ReadinessHandler,
        tag: UInt32 = 0
    ) throws(SystemError) -> WatchToken {
        try loop.watchReading(socket, handler: handler, tag: tag)
    }

    /// Ends the reports; waiting connections stay in the backlog.
    package func unwatch(_ token: WatchToken, on loop: EventLoop) {
        loop.unwatch(socket, token)
    }

    /// Ends listening; the address is free at once.
    package mutating func close() {
        endListening()
        socket.close()
    }

    deinit { endListening() }

    /// For all copies of the descriptor: a program that is being started has one until its `exec`.
    ///
    /// The process that passed on an inherited socket keeps listening.
    private func endListening() {
        if socket.isOpen, !isInherited { shutdown(socket.descriptor, CInt(SHUT_RDWR)) }
    }

    private static func bind(
        _ socket: borrowing Socket,
        to address: SocketAddress,
        backlog: Int,
        isPrivate: Bool
    ) throws(SystemError) {
        if !address.isUnix { socket.set(SOL_SOCKET, SO_REUSEADDR, 1) }
        let descriptor = socket.descriptor
        let isBound =
            if isPrivate, case .unix(let path) = address {
                SocketCalls.bindPrivately(descriptor, to: address, at: path)
            } else {
                SocketCalls.bind(descriptor, to: address)
            }
        guard isBound, listen(descriptor, CInt(backlog)) == 0 else { throw .last }
    }
}
