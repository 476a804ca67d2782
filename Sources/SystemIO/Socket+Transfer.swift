internal import CLibuv
internal import Glibc

/// What came of moving bytes.
package enum TransferResult: Hashable, Sendable {
    /// So many, at least one.
    case moved(Int)
    case wouldBlock
    /// The peer has sent its last byte.
    case ended
    case failed(SystemError)

    init(reading count: Int) {
        self = count > 0 ? .moved(count) : count == 0 ? .ended : .lastError
    }

    init(writing count: Int) {
        self = count >= 0 ? .moved(count) : .lastError
    }

    private static var lastError: TransferResult {
        let code = errno
        return code == EAGAIN || code == EINTR ? .wouldBlock : .failed(SystemError(code: code))
    }
}

extension Socket {
    /// Reads at most `limit` bytes to the start of `buffer`.
    package func receive(into buffer: TransferBuffer, limit: Int) -> TransferResult {
        let length = min(limit, buffer.capacity)
        return unsafe TransferResult(reading: recv(descriptor, buffer.start, length, 0))
    }

    /// Copies at most `limit` bytes that have come to the start of `buffer`, and leaves them to be read.
    package func peek(into buffer: TransferBuffer, limit: Int) -> TransferResult {
        let length = min(limit, buffer.capacity)
        return unsafe TransferResult(
            reading: recv(descriptor, buffer.start, length, CInt(MSG_PEEK))
        )
    }

    /// Writes `count` bytes of `buffer` from `offset` on.
    package func send(_ buffer: TransferBuffer, from offset: Int, count: Int) -> TransferResult {
        precondition(offset >= 0 && count >= 0 && offset + count <= buffer.capacity)
        return unsafe TransferResult(
            writing: Glibc.send(
                descriptor,
                buffer.start + offset,
                count,
                CInt(MSG_NOSIGNAL)
            )
        )
    }

    /// Reads and forgets what has come; answers how the last read ended.
    package func discardReceived(using buffer: TransferBuffer) -> TransferResult {
        for _ in 0..<64 {
            let result = receive(into: buffer, limit: buffer.capacity)
            guard case .moved = result else { return result }
        }
        return .moved(buffer.capacity)
    }
}
