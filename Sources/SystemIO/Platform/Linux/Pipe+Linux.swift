internal import CLibrary
internal import CLibuv

/// A kernel pipe through which bytes go from one socket to another without a copy.
package final class Pipe {
    /// Whether there is such a thing on this system.
    package static let isAvailable = true

    let readEnd: CInt
    let writeEnd: CInt
    /// Bytes that it holds.
    package private(set) var count = 0
    /// Bytes that it takes at most.
    package let capacity: Int

    /// A pipe of `capacity` bytes, or of the usual 64 KiB if so much is not allowed; nil if no descriptor
    /// is left for one.
    static func make(capacity: Int) -> Pipe? {
        SocketCalls.makePipe(waits: false).map { Pipe($0, capacity: capacity) }
    }

    private init(_ ends: (readEnd: CInt, writeEnd: CInt), capacity: Int) {
        (readEnd, writeEnd) = ends
        let given = fcntl(writeEnd, CInt(LINKCOND_SET_PIPE_SIZE), CInt(capacity))
        self.capacity = given > 0 ? Int(given) : 65_536
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    /// Takes at most `limit` bytes from `socket`.
    ///
    /// Call it on an empty pipe.
    package func fill(from socket: borrowing Socket, limit: Int) -> TransferResult {
        let moved = splice(
            socket.descriptor,
            nil,
            writeEnd,
            nil,
            min(limit, capacity),
            Self.flags
        )
        if moved > 0 { count += moved }
        return TransferResult(reading: moved)
    }

    /// Gives what it holds to `socket`.
    package func drain(into socket: borrowing Socket) -> TransferResult {
        let moved = splice(readEnd, nil, socket.descriptor, nil, count, Self.flags)
        if moved > 0 { count -= moved }
        return TransferResult(writing: moved)
    }

    /// Takes what it holds back into user space, as much as `buffer` has room for.
    package func read(into buffer: TransferBuffer) -> TransferResult {
        let moved = unsafe CLibrary.read(readEnd, buffer.start, min(count, buffer.capacity))
        if moved > 0 { count -= moved }
        return TransferResult(reading: moved)
    }

    private static let flags = CUnsignedInt(LINKCOND_SPLICE_MOVE_NONBLOCK)
}
