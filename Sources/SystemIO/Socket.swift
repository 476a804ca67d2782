internal import CLibuv
internal import CLibrary

/// A stream socket: non-blocking, close-on-exec, never duplicated, closed when it goes away.
///
/// So that a FIN or a reset really leaves when we say so: both need the last reference to go.
package struct Socket: ~Copyable {
    /// −1 once closed.
    private(set) var descriptor: CInt
    let interest = SocketInterest()

    /// No socket at all.
    package init() { descriptor = -1 }

    init(descriptor: CInt) { self.descriptor = descriptor }

    /// A new socket for addresses like `address`.
    package init(like address: SocketAddress) throws(SystemError) {
        descriptor = SocketCalls.make(address.family, LINKCOND_STREAM)
        guard descriptor >= 0 else { throw .last }
        if !address.isUnix { set(CInt(IPPROTO_TCP), TCP_NODELAY, 1) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        interest.end()
        CLibrary.close(descriptor)
    }

    package var isOpen: Bool { descriptor >= 0 }

    /// Whether it stays within this machine's file system.
    package var isUnix: Bool { localAddress?.isUnix ?? false }

    /// Closes; a FIN leaves if everything was read, a reset otherwise.
    package mutating func close() {
        guard descriptor >= 0 else { return }
        interest.end()
        CLibrary.close(descriptor)
        descriptor = -1
    }

    /// Closes with a reset.
    ///
    /// What the kernel has not yet delivered is thrown away.
    package mutating func reset() {
        guard descriptor >= 0 else { return }
        var option = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_LINGER,
            &option,
            socklen_t(MemoryLayout<linger>.size)
        )
        close()
    }

    /// Sends a FIN after what was written.
    package func shutdownWriting() {
        shutdown(descriptor, CInt(SHUT_WR))
    }

    func set(_ level: CInt, _ option: CInt, _ value: CInt) {
        var value = value
        unsafe setsockopt(
            descriptor,
            level,
            option,
            &value,
            socklen_t(MemoryLayout<CInt>.size)
        )
    }
}

// Connecting.

extension Socket {
    package enum Connecting: Hashable, Sendable { case connected, underWay }

    /// Begins to connect; the end is reported as writable or failed.
    package func connect(to address: SocketAddress) throws(SystemError) -> Connecting {
        let status = unsafe address.withSystemAddress {
            unsafe CLibrary.connect(descriptor, $0, $1)
        }
        if status == 0 { return .connected }
        let error = SystemError.last
        guard error.code == EINPROGRESS else { throw error }
        return .underWay
    }

    /// Takes the error that waits on the socket; nil for none.
    package func takeError() -> SystemError? {
        var code: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else {
            return .last
        }
        return code == 0 ? nil : SystemError(code: code)
    }

    package var localAddress: SocketAddress? { unsafe address(getsockname) }
    package var peerAddress: SocketAddress? { unsafe address(getpeername) }

    private func address(
        _ ask: (CInt, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt
    ) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let status = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe ask(descriptor, $0, &length)
            }
        }
        guard status == 0 else { return nil }
        return SocketAddress(storage, length: length)
    }
}

// The kernel's buffers.

extension Socket {
    /// Lets the kernel ask an idle peer again and again whether it is still there (TCP
    /// keep-alive, RFC 9293 §3.8.4); one that does not know the connection any more resets it.
    ///
    /// - Parameter seconds: of silence before the first question, and between two of them.
    package func probeWhenIdle(seconds: Int) {
        guard !isUnix else { return }
        set(CInt(IPPROTO_TCP), LINKCOND_KEEPALIVE_IDLE, CInt(clamping: seconds))
        set(CInt(IPPROTO_TCP), TCP_KEEPINTVL, CInt(clamping: seconds))
        set(SOL_SOCKET, SO_KEEPALIVE, 1)
    }

    /// Limits what both kernels keep of bytes that a peer has sent and we have not read.
    ///
    /// Linux sizes a sender's buffer by the segments of its window. On loopback one has 64 KiB, so
    /// that a sender gets rid of 2.6 MB at once; with those of Ethernet it is 60 kB.
    ///
    /// - Parameters:
    ///   - received: bytes that we have not read; Linux doubles this for its own bookkeeping.
    ///   - segment: the most payload of one segment, options included; it holds for connections
    ///     that are made from now on.
    package func limitReceived(to received: Int, segment: Int) {
        set(SOL_SOCKET, SO_RCVBUF, CInt(clamping: received))
        if !isUnix { set(CInt(IPPROTO_TCP), TCP_MAXSEG, CInt(clamping: segment)) }
    }

    /// Limits what the kernel keeps of bytes that we have written and that it has not yet sent.
    ///
    /// What is sent still has as large a window as the path needs; only what would wait here waits
    /// with us, where it can be counted and taken back.
    package func limitUnsent(to bytes: Int) {
        guard !isUnix else { return }
        set(CInt(IPPROTO_TCP), TCP_NOTSENT_LOWAT, CInt(clamping: bytes))
    }
}
