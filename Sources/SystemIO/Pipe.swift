internal import CLibuv
internal import Glibc

/// A kernel pipe through which bytes go from one socket to another without a copy.
package final class Pipe {
    let readEnd: CInt
    let writeEnd: CInt
    /// Bytes that it holds.
    package private(set) var count = 0
    /// Bytes that it takes at most.
    package let capacity: Int

    /// Asks for a pipe of `capacity` bytes; takes the usual 64 KiB if so much is not allowed.
    fileprivate init(capacity: Int) throws(SystemError) {
        var ends: [CInt] = [-1, -1]
        guard unsafe pipe2(&ends, O_NONBLOCK | O_CLOEXEC) == 0 else { throw .last }
        readEnd = ends[0]
        writeEnd = ends[1]
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
        let moved = unsafe Glibc.read(readEnd, buffer.start, min(count, buffer.capacity))
        if moved > 0 { count -= moved }
        return TransferResult(reading: moved)
    }

    private static let flags = CUnsignedInt(LINKCOND_SPLICE_MOVE_NONBLOCK)
}

/// Empty pipes for reuse: making one costs more than a transfer.
package final class PipePool {
    private var idle: [Pipe] = []
    private var lent = 0
    private let capacity: Int
    private let maximumIdle: Int
    /// How many pipes may exist.
    package var limit = Int.max

    /// - Parameters:
    ///   - capacity: bytes for each pipe; 1 MiB is what Linux allows everybody.
    ///   - maximumIdle: how many empty pipes are kept.
    package init(capacity: Int = 1 << 20, maximumIdle: Int = 64) {
        self.capacity = capacity
        self.maximumIdle = maximumIdle
    }

    /// How many pipes exist; each has two descriptors.
    package var count: Int { idle.count + lent }

    /// Lends an empty pipe; nil at the limit, and when no descriptor is left for one.
    package func take() -> Pipe? {
        if let pipe = idle.popLast() {
            lent += 1
            return pipe
        }
        guard lent < limit else { return nil }
        guard let pipe = try? Pipe(capacity: capacity) else { return nil }
        lent += 1
        return pipe
    }

    /// Takes a pipe back; one that still holds bytes is closed, since they belong to nobody now.
    package func give(back pipe: Pipe) {
        lent -= 1
        if pipe.count == 0, idle.count < maximumIdle { idle.append(pipe) }
    }

    /// Closes all that are not lent.
    package func releaseIdle() { idle.removeAll() }
}
