package import Basics
internal import CLibuv
internal import CLibrary

/// An open regular file: close-on-exec, closed when the last reference to it goes.
///
/// Reading and writing name their place in the file, so that no hidden position and no append mode
/// decides where bytes go. These calls block for as long as the page cache takes; those that wait
/// for the disk have a form that works in the background.
@safe
package final class File: Sendable {
    package enum Access: Hashable, Sendable {
        case reading, writing, readingAndWriting

        var flags: CInt {
            switch self {
            case .reading: O_RDONLY
            case .writing: O_WRONLY
            case .readingAndWriting: O_RDWR
            }
        }
    }

    /// What to do about a file that is there, or is not.
    package enum Creation: Hashable, Sendable {
        case mustExist, ifMissing, mustNotExist

        var flags: CInt {
            switch self {
            case .mustExist: 0
            case .ifMissing: O_CREAT
            case .mustNotExist: O_CREAT | O_EXCL
            }
        }
    }

    let descriptor: CInt

    /// Opens the regular file at `path`.
    ///
    /// - Parameters:
    ///   - path: follows symbolic links.
    ///   - access: what will be done with it.
    ///   - creation: whether it may, must or must not be made.
    ///   - permissions: of a file that is made, less the process's mask.
    /// - Throws: what the system says; `notRegularFile` for anything but a file.
    package convenience init(
        _ path: String,
        for access: Access,
        creation: Creation = .mustExist,
        permissions: UInt32 = 0o644
    ) throws(SystemError) {
        try SystemError.checkPath(path)
        let flags = access.flags | creation.flags | Self.commonFlags
        try self.init(checking: unsafe open(path, flags, mode_t(permissions)))
    }

    /// Never waits for the other end of a pipe, never takes a terminal.
    static let commonFlags = O_CLOEXEC | O_NONBLOCK | O_NOCTTY

    /// Takes over what `open` answered, if it is a regular file.
    init(checking descriptor: CInt) throws(SystemError) {
        guard descriptor >= 0 else { throw .last }
        self.descriptor = descriptor
        switch try information().kind {
        case .regular: return
        case .folder: throw .isFolder
        default: throw .notRegularFile
        }
    }

    deinit {
        // A program that is being started holds a copy of each descriptor until its `exec`, and with
        // it the lock of a file that is closed here.
        unlock()
        close(descriptor)
    }

    package func information() throws(SystemError) -> FileInformation {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .last }
        return FileInformation(status)
    }

    package func size() throws(SystemError) -> UInt64 { try information().size }

    /// Cuts or lengthens (with zeros) the file.
    package func truncate(to size: UInt64) throws(SystemError) {
        guard ftruncate(descriptor, off_t(clamping: size)) == 0 else { throw .last }
    }

    /// Sets when the content last changed.
    package func setModificationTime(_ modified: Duration) throws(SystemError) {
        let (seconds, rest) = modified.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        let borrowed = rest < 0 ? 1 : 0
        let time = timespec(
            tv_sec: Int(seconds) - borrowed,
            tv_nsec: Int(rest) + borrowed * 1_000_000_000
        )
        let times = [time, time]
        guard unsafe futimens(descriptor, times) == 0 else { throw .last }
    }

    /// Takes the file for this `File` alone among all who ask so, until it goes.
    ///
    /// - Returns: false if another open file has it. Advisory: flock(2).
    package func lock() throws(SystemError) -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        let error = SystemError.last
        guard error.code == EWOULDBLOCK else { throw error }
        return false
    }

    /// Gives the lock back before the file is closed, which work in the background may delay.
    package func unlock() { flock(descriptor, LOCK_UN) }

    /// Waits until the content (and what is needed to find it) is on the disk.
    package func synchronize() throws(SystemError) {
        guard FileCalls.synchronize(descriptor) else { throw .last }
    }

    /// As `synchronize`, with the times of the file too: fsync(2).
    func synchronizeAll() throws(SystemError) {
        guard fsync(descriptor) == 0 else { throw .last }
    }

    /// Asks the system for `count` further bytes of disk from `offset` on, without changing the size.
    ///
    /// So a full disk is known before the bytes come. Where the file system cannot do that, nothing
    /// happens.
    package func reserve(from offset: UInt64, count: UInt64) throws(SystemError) {
        guard count > 0, let error = FileCalls.reserve(descriptor, offset, count) else { return }
        throw error
    }
}

// Content.

extension File {
    /// Reads at most `limit` bytes at `offset` into `buffer` from `start` on.
    ///
    /// `ended` means that the file has no byte at `offset`.
    package func read(
        into buffer: TransferBuffer,
        from start: Int = 0,
        limit: Int,
        at offset: UInt64
    ) -> TransferResult {
        precondition(start >= 0 && limit >= 0 && start + limit <= buffer.capacity)
        return unsafe TransferResult(
            reading: pread(descriptor, buffer.start + start, limit, off_t(clamping: offset))
        )
    }

    /// Reads `count` bytes at `offset`, fewer where the file ends.
    package func read(at offset: UInt64, count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = unsafe bytes.withUnsafeMutableBytes { memory in
                unsafe pread(
                    descriptor,
                    memory.baseAddress?.advanced(by: filled),
                    count - filled,
                    off_t(clamping: offset) + off_t(filled)
                )
            }
            if got == 0 { break }
            if got > 0 { filled += got } else if errno != EINTR { throw .last }
        }
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Writes `count` bytes of `buffer` from `start` on to the place `offset` of the file.
    ///
    /// On an error some of them may have been written.
    package func write(
        _ buffer: TransferBuffer,
        from start: Int = 0,
        count: Int,
        at offset: UInt64
    ) throws(SystemError) {
        precondition(start >= 0 && count >= 0 && start + count <= buffer.capacity)
        try unsafe Self.writeAll(
            UnsafeRawBufferPointer(start: buffer.start + start, count: count),
            to: descriptor,
            at: offset
        )
    }

    /// Writes `bytes` to the place `offset` of the file.
    package func write(_ bytes: [UInt8], at offset: UInt64) throws(SystemError) {
        let failure = unsafe bytes.withUnsafeBytes { raw in
            unsafe Self.put(raw, to: descriptor, at: offset).failure
        }
        if let failure { throw failure }
    }

    private static func writeAll(
        _ bytes: UnsafeRawBufferPointer,
        to descriptor: CInt,
        at offset: UInt64
    ) throws(SystemError) {
        if let failure = unsafe put(bytes, to: descriptor, at: offset).failure {
            throw failure
        }
    }

    /// Writes bytes; how many, and what kept the rest from it.
    static func put(
        _ bytes: UnsafeRawBufferPointer,
        to descriptor: CInt,
        at offset: UInt64
    ) -> (written: Int, failure: SystemError?) {
        var written = 0
        while written < bytes.count {
            let count = unsafe pwrite(
                descriptor,
                bytes.baseAddress?.advanced(by: written),
                bytes.count - written,
                off_t(clamping: offset) + off_t(written)
            )
            if count > 0 { written += count }
            // A write of nothing is no answer that the manual knows for a regular file.
            if count == 0 { return (written, .inputOutput) }
            if count < 0 && errno != EINTR { return (written, .last) }
        }
        return (written, nil)
    }
}
