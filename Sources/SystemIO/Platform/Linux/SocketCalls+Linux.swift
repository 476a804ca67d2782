internal import CLibrary
internal import CLibuv

/// Calls that make sockets and pipes close-on-exec and non-blocking at once.
enum SocketCalls {
    /// A new socket; below 0 on an error.
    static func make(_ family: CInt, _ type: CInt, waits: Bool = false) -> CInt {
        let mode = SOCK_CLOEXEC.rawValue | (waits ? 0 : SOCK_NONBLOCK.rawValue)
        return socket(family, type | CInt(mode), 0)
    }

    /// The next connection; below 0 if none waits, or on an error.
    ///
    /// It has the options of its listener, such as TCP_NODELAY.
    static func accept(from listener: CInt) -> CInt {
        accept4(listener, nil, nil, CInt(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
    }

    /// A new pipe; nil on an error.
    static func makePipe(waits: Bool) -> (readEnd: CInt, writeEnd: CInt)? {
        var ends: [CInt] = [-1, -1]
        let flags = O_CLOEXEC | (waits ? 0 : O_NONBLOCK)
        return unsafe pipe2(&ends, flags) == 0 ? (ends[0], ends[1]) : nil
    }

    /// Flags of every write: one to a socket whose peer is gone answers with an error.
    static var sending: CInt { LINKCOND_NO_SIGNAL }
    /// Flags of a write of which more follows at once, which may fill the packet (send(2)).
    static var moreFollows: CInt { LINKCOND_NO_SIGNAL | CInt(MSG_MORE) }

    static func bind(_ descriptor: CInt, to address: SocketAddress) -> Bool {
        unsafe address.withSystemAddress { unsafe CLibrary.bind(descriptor, $0, $1) == 0 }
    }

    /// Binds a Unix socket so that only its owner may connect.
    ///
    /// The file gets the mode of its socket, so that there is no moment without it.
    static func bindPrivately(
        _ descriptor: CInt,
        to address: SocketAddress,
        at path: String
    ) -> Bool {
        fchmod(descriptor, 0o600) == 0 && bind(descriptor, to: address)
    }
}

// What the kernel tells of a socket.

extension Socket {
    /// Bytes that were written and that the peer's kernel has not acknowledged (Unix socket: that
    /// the peer has not read).
    ///
    /// SIOCOUTQ in the manual (tcp(7)); TIOCOUTQ is the same number.
    package var unacknowledgedBytes: Int {
        var count: CInt = 0
        return unsafe ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
    }

    /// Bytes that the peer's kernel would take now, by the window that it announced last; nil for
    /// Unix sockets and before Linux 5.4.
    package var peerWindow: Int? {
        guard !isUnix else { return nil }
        // `tcpi_snd_wnd` of linux/tcp.h; glibc's own description of the structure ends before it.
        let place = 228
        return unsafe withUnsafeTemporaryAllocation(byteCount: place + 4, alignment: 8) { info in
            var length = socklen_t(info.count)
            let status = unsafe getsockopt(
                descriptor,
                CInt(IPPROTO_TCP),
                TCP_INFO,
                info.baseAddress,
                &length
            )
            guard status == 0, Int(length) == info.count else { return nil }
            return Int(unsafe info.load(fromByteOffset: place, as: UInt32.self))
        }
    }

    /// The process that connected (or listened) at the other end; nil unless it is a Unix socket.
    package var peerCredentials: PeerCredentials? {
        // struct ucred of unix(7): process, user and group.
        var numbers: [UInt32] = [0, 0, 0]
        var size = socklen_t(numbers.count * MemoryLayout<UInt32>.size)
        let status = unsafe getsockopt(
            descriptor,
            SOL_SOCKET,
            CInt(LINKCOND_PEER_CREDENTIALS),
            &numbers,
            &size
        )
        guard status == 0, numbers[0] != 0 else { return nil }
        return PeerCredentials(process: Int(numbers[0]), user: numbers[1], group: numbers[2])
    }
}

// Files.

extension Socket {
    /// Writes at most `limit` bytes of `file` from `offset` on without copying them: sendfile(2).
    ///
    /// `ended` means that the file has no byte at `offset`; it became shorter.
    package func send(_ file: File, from offset: UInt64, limit: Int) -> TransferResult {
        var place = off_t(clamping: offset)
        let count = unsafe sendfile(descriptor, file.descriptor, &place, limit)
        return TransferResult(reading: count)
    }
}
