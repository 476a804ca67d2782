internal import CLibuv
internal import CLibrary

/// A file, pipe or terminal that is only written to.
///
/// `offer` never waits, so that a reader that has stopped reading cannot hold up the loop; what does
/// not fit is kept up to a limit. After the first error nothing more is written.
@safe
package final class OutputFile {
    /// The most bytes that wait for a slow reader.
    package static let waitingLimit = 1 << 20

    package let descriptor: Int32
    /// The error that ended writing.
    package private(set) var failure: SystemError?
    /// Bytes thrown away because the reader was too slow.
    package private(set) var discardedBytes = 0

    private let owned: Bool
    /// Whether a call to write never waits: what was opened here is so, what others opened may not be.
    private let neverWaits: Bool
    private var waiting: [UInt8] = []
    /// How much of `waiting` is written already.
    private var written = 0

    package init(descriptor: Int32, owned: Bool) {
        self.descriptor = descriptor
        self.owned = owned
        neverWaits = false
    }

    private init(nonBlocking descriptor: Int32) {
        self.descriptor = descriptor
        owned = true
        neverWaits = true
    }

    /// Makes the file, or empties it if it is there.
    ///
    /// A named pipe that nobody reads fails with `noReader`; opening it would wait without end.
    package convenience init(creating path: String, mode: UInt32 = 0o644) throws(SystemError) {
        try self.init(path, O_TRUNC, mode)
    }

    /// Makes the file, or writes after what is there.
    package convenience init(appendingTo path: String, mode: UInt32 = 0o644) throws(SystemError) {
        try self.init(path, O_APPEND, mode)
    }

    private convenience init(_ path: String, _ flag: CInt, _ mode: UInt32) throws(SystemError) {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK | flag
        let descriptor = unsafe open(path, flags, mode_t(mode))
        guard descriptor >= 0 else { throw .last }
        self.init(nonBlocking: descriptor)
    }

    /// Takes over a descriptor that the process was started with.
    package convenience init(inherited descriptor: Int32) throws(SystemError) {
        guard fcntl(descriptor, F_GETFL) >= 0 else { throw .last }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        self.init(descriptor: descriptor, owned: true)
    }

    deinit { if owned { close(descriptor) } }

    package var isTerminal: Bool { isatty(descriptor) == 1 }

    package var hasWaitingBytes: Bool { written < waiting.count }

    /// Writes everything, waiting as long as it takes.
    package func writeAll(_ bytes: [UInt8]) throws(SystemError) {
        offer(bytes)
        flush(milliseconds: -1)
        if let failure { throw failure }
    }

    /// Writes what can be written at once and keeps the rest for later calls.
    ///
    /// - Returns: false if the bytes were refused, because of an error or a full buffer.
    @discardableResult
    package func offer(_ bytes: [UInt8]) -> Bool {
        guard failure == nil else { return false }
        guard !hasWaitingBytes || waiting.count - written + bytes.count <= Self.waitingLimit else {
            discardedBytes += bytes.count
            return false
        }
        if written >= 65_536 {
            waiting.removeFirst(written)
            written = 0
        }
        waiting.append(contentsOf: bytes)
        flush(milliseconds: 0)
        return failure == nil
    }

    /// Writes what waits, for at most so long; -1 waits without a limit.
    package func flush(milliseconds: Int32) {
        if neverWaits, hasWaitingBytes { writeOnce(limit: waiting.count) }
        while failure == nil && hasWaitingBytes && isWritable(within: milliseconds) {
            writeOnce(limit: Self.page)
        }
    }

    private func isWritable(within milliseconds: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        return unsafe poll(&request, 1, milliseconds) > 0
    }

    /// What a pipe that is ready takes without waiting.
    private static let page = 4_096

    /// One system call.
    private func writeOnce(limit: Int) {
        let slice = waiting[written..<min(waiting.count, written + limit)]
        let count = unsafe slice.withUnsafeBytes { buffer in
            unsafe write(descriptor, buffer.baseAddress, buffer.count)
        }
        if count >= 0 {
            written += count
            if !hasWaitingBytes { dropWritten() }
            return
        }
        if errno == EINTR || errno == EAGAIN { return }
        failure = .last
        dropWritten()
    }

    private func dropWritten() {
        waiting.removeAll(keepingCapacity: waiting.count <= 65_536)
        written = 0
    }
}
