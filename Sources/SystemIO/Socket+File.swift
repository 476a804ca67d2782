internal import CLibuv
internal import CLibrary

extension Socket {
    /// Writes `count` bytes of `buffer` from `offset` on, of which more follow at once.
    ///
    /// They may wait in the kernel to fill a packet (MSG_MORE of send(2)).
    package func sendFirst(
        _ buffer: TransferBuffer,
        from offset: Int,
        count: Int
    ) -> TransferResult {
        precondition(offset >= 0 && count >= 0 && offset + count <= buffer.capacity)
        return unsafe wrote(
            CLibrary.send(descriptor, buffer.start + offset, count, SocketCalls.moreFollows),
            of: count
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
        let flags = moreFollows ? SocketCalls.moreFollows : SocketCalls.sending
        return unsafe bytes.withUnsafeBytes { raw in
            let count = raw.count - offset
            return unsafe wrote(
                CLibrary.send(descriptor, raw.baseAddress?.advanced(by: offset), count, flags),
                of: count
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
        return unsafe didRead(recv(descriptor, buffer.start + start, limit, 0), of: limit)
    }

    /// Bytes that have come and that nobody has read.
    package var unreadBytes: Int {
        var count: CInt = 0
        return unsafe ioctl(descriptor, LINKCOND_UNREAD, &count) == 0 ? Int(count) : 0
    }

    /// Who is at the other end of a Unix socket.
    package struct PeerCredentials: Hashable, Sendable {
        package let process: Int
        package let user: UInt32
        package let group: UInt32
    }
}
