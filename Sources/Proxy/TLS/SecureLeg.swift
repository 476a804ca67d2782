internal import SystemIO

/// TLS with one side of a connection.
final class SecureLeg {
    let session: TLSSession
    /// Ciphertext that waits for the socket.
    private(set) var outgoing: ByteQueue
    /// Whether the peer has said that no more comes (close_notify).
    var hasPeerClosed = false

    init(_ session: TLSSession, pool: ChunkPool) {
        self.session = session
        outgoing = ByteQueue(pool: pool)
    }

    /// Turns `count` bytes of `buffer`, at most one record's content, to a record.
    func sealed(_ buffer: TransferBuffer, count: Int) throws(TLSError) -> [UInt8] {
        guard try session.write(buffer, count: count) == count else { throw TLSError.writeRefused }
        return takeWords(using: buffer)
    }

    /// Turns `count` bytes of `buffer` to ciphertext that waits; `buffer` is overwritten.
    func seal(_ buffer: TransferBuffer, count: Int) throws(TLSError) {
        var start = 0
        while start < count {
            let taken = try session.write(buffer, from: start, count: count - start)
            guard taken > 0 else { throw TLSError.writeRefused }
            start += taken
        }
        collect(using: buffer)
    }

    /// Lets what the session wants to say wait for the socket.
    func collect(using buffer: TransferBuffer) { session.drain(into: &outgoing, using: buffer) }

    /// Takes what the session wants to say.
    func takeWords(using buffer: TransferBuffer) -> [UInt8] {
        var words: [UInt8] = []
        while case let count = session.drain(into: buffer), count > 0 {
            words += buffer.bytes(0..<count)
        }
        return words
    }

    /// Adds bytes that go as they are.
    func append(_ bytes: [UInt8]) { outgoing.append(bytes) }

    func send(to socket: borrowing Socket) -> TransferResult {
        outgoing.send(to: socket, limit: .max)
    }
}
