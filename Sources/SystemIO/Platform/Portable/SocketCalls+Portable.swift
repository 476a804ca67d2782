internal import CLibrary
internal import CLibuv

/// Calls that make sockets and pipes, which are then set close-on-exec and non-blocking.
///
/// A program that another thread starts between the two has a copy.
enum SocketCalls {
    /// A new socket; below 0 on an error.
    static func make(_ family: CInt, _ type: CInt, waits: Bool = false) -> CInt {
        prepared(socket(family, type, 0), waits: waits)
    }

    /// The next connection; below 0 if none waits, or on an error.
    ///
    /// Not every system hands TCP_NODELAY down from the listener.
    static func accept(from listener: CInt) -> CInt {
        let accepted = prepared(CLibrary.accept(listener, nil, nil), waits: false)
        if accepted >= 0 { set(accepted, CInt(IPPROTO_TCP), TCP_NODELAY, 1) }
        return accepted
    }

    /// A new pipe; nil on an error.
    static func makePipe(waits: Bool) -> (readEnd: CInt, writeEnd: CInt)? {
        var ends: [CInt] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        for end in ends { _ = prepared(end, waits: waits) }
        return (ends[0], ends[1])
    }

    /// Flags of every write: one to a socket whose peer is gone answers with an error.
    static var sending: CInt { LINKCOND_NO_SIGNAL }
    /// Flags of a write of which more follows at once.
    static var moreFollows: CInt { LINKCOND_NO_SIGNAL }

    static func bind(_ descriptor: CInt, to address: SocketAddress) -> Bool {
        unsafe address.withSystemAddress { unsafe CLibrary.bind(descriptor, $0, $1) == 0 }
    }

    /// Binds a Unix socket so that only its owner may connect: before it listens, no one can.
    static func bindPrivately(
        _ descriptor: CInt,
        to address: SocketAddress,
        at path: String
    ) -> Bool {
        guard bind(descriptor, to: address) else { return false }
        return unsafe chmod(path, 0o600) == 0
    }

    private static func prepared(_ descriptor: CInt, waits: Bool) -> CInt {
        guard descriptor >= 0 else { return descriptor }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        if !waits { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) }
        #if canImport(Darwin)
            set(descriptor, SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
        return descriptor
    }

    private static func set(_ descriptor: CInt, _ level: CInt, _ option: CInt, _ value: CInt) {
        var value = value
        let size = socklen_t(MemoryLayout<CInt>.size)
        _ = unsafe setsockopt(descriptor, level, option, &value, size)
    }
}

// What the kernel tells of a socket.

extension Socket {
    /// Bytes that were written and that the peer's kernel has not acknowledged (Unix socket: that
    /// the peer has not read); 0 where the system does not tell.
    package var unacknowledgedBytes: Int {
        var count: CInt = 0
        #if canImport(Darwin)
            var size = socklen_t(MemoryLayout<CInt>.size)
            let status = unsafe getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &size)
        #else
            let status = unsafe ioctl(descriptor, UInt(TIOCOUTQ), &count)
        #endif
        return status == 0 ? Int(count) : 0
    }

    /// Bytes that the peer's kernel would take now: not known.
    package var peerWindow: Int? { nil }

    /// The process that connected (or listened) at the other end of a Unix socket: not known.
    package var peerCredentials: PeerCredentials? { nil }
}

// Files.

extension Socket {
    /// Most bytes of a file that one call copies.
    private static let pieceBytes = 65_536

    /// Writes at most `limit` bytes of `file` from `offset` on.
    ///
    /// `ended` means that the file has no byte at `offset`; it became shorter.
    package func send(_ file: File, from offset: UInt64, limit: Int) -> TransferResult {
        let length = min(limit, Self.pieceBytes)
        let descriptor = descriptor
        return unsafe withUnsafeTemporaryAllocation(byteCount: length, alignment: 16) { piece in
            let count = unsafe pread(
                file.descriptor,
                piece.baseAddress,
                length,
                off_t(clamping: offset)
            )
            guard count > 0 else { return TransferResult(reading: count) }
            let sent = unsafe CLibrary.send(
                descriptor,
                piece.baseAddress,
                count,
                SocketCalls.sending
            )
            return wrote(sent, of: count)
        }
    }
}
