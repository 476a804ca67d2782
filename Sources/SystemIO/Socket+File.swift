internal import CLibuv
internal import Glibc

extension Socket {
    /// Writes at most `limit` bytes of `file` from `offset` on without copying them: sendfile(2).
    ///
    /// `ended` means that the file has no byte at `offset`; it became shorter.
    package func send(_ file: File, from offset: UInt64, limit: Int) -> TransferResult {
        var place = off_t(clamping: offset)
        let count = unsafe sendfile(descriptor, file.descriptor, &place, limit)
        return TransferResult(reading: count)
    }

    /// Writes `count` bytes of `buffer` from `offset` on, of which more follow at once.
    ///
    /// They may wait in the kernel to fill a packet (MSG_MORE of send(2)).
    package func sendFirst(
        _ buffer: TransferBuffer,
        from offset: Int,
        count: Int
    ) -> TransferResult {
        precondition(offset >= 0 && count >= 0 && offset + count <= buffer.capacity)
        let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_MORE)
        return unsafe TransferResult(
            writing: Glibc.send(descriptor, buffer.start + offset, count, flags)
        )
    }

    /// Writes `bytes` from `offset` on.
    ///
    /// - Parameters:
    ///   - bytes: what is to be sent.
    ///   - offset: the first byte to write.
    ///   - moreFollows: they may wait in the kernel to fill a packet.
    /// - Returns: how many were written.
    package func send(
        _ bytes: [UInt8],
        from offset: Int,
        moreFollows: Bool = false
    ) -> TransferResult {
        precondition(offset >= 0 && offset <= bytes.count)
        let flags = CInt(MSG_NOSIGNAL) | (moreFollows ? CInt(MSG_MORE) : 0)
        return unsafe bytes.withUnsafeBytes { raw in
            unsafe TransferResult(
                writing: Glibc.send(
                    descriptor,
                    raw.baseAddress?.advanced(by: offset),
                    raw.count - offset,
                    flags
                )
            )
        }
    }

    /// Reads at most `limit` bytes into `buffer` from `start` on.
    package func receive(
        into buffer: TransferBuffer,
        from start: Int,
        limit: Int
    ) -> TransferResult {
        precondition(start >= 0 && limit > 0 && start + limit <= buffer.capacity)
        return unsafe TransferResult(reading: recv(descriptor, buffer.start + start, limit, 0))
    }

    /// Bytes that have come and that nobody has read.
    package var unreadBytes: Int {
        var count: CInt = 0
        return unsafe ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Who is at the other end of a Unix socket.
    package struct PeerCredentials: Hashable, Sendable {
        package let process: Int
        package let user: UInt32
        package let group: UInt32
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
