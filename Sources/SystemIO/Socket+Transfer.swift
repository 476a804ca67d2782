internal import CLibuv
internal import CLibrary

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
    /// What a call that read has answered.
    func didRead(_ count: Int, of asked: Int) -> TransferResult {
        let result = TransferResult(reading: count)
        interest.noteRead(result, of: asked)
        return result
    }

    /// What a call that wrote has answered.
    func wrote(_ count: Int, of asked: Int) -> TransferResult {
        let result = TransferResult(writing: count)
        interest.noteWrite(result, of: asked)
        return result
    }

    /// Reads at most `limit` bytes to the start of `buffer`.
    package func receive(into buffer: TransferBuffer, limit: Int) -> TransferResult {
        let length = min(limit, buffer.capacity)
        return unsafe didRead(recv(descriptor, buffer.start, length, 0), of: length)
    }

    /// Copies at most `limit` bytes that have come to the start of `buffer`, and leaves them to be read.
    package func peek(into buffer: TransferBuffer, limit: Int) -> TransferResult {
        let length = min(limit, buffer.capacity)
        let result = unsafe TransferResult(
            reading: recv(descriptor, buffer.start, length, CInt(MSG_PEEK))
        )
        if case .moved = result {
            interest.notePeek()
        } else {
            interest.noteRead(result, of: length)
        }
        return result
    }

    /// Writes `count` bytes of `buffer` from `offset` on.
    package func send(_ buffer: TransferBuffer, from offset: Int, count: Int) -> TransferResult {
        precondition(offset >= 0 && count >= 0 && offset + count <= buffer.capacity)
        return unsafe wrote(
            CLibrary.send(descriptor, buffer.start + offset, count, SocketCalls.sending),
            of: count
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
