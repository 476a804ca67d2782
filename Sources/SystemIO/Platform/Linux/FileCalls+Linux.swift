internal import CLibrary
internal import CLibuv

/// Calls for files that not every system has.
enum FileCalls {
    /// Waits until the content, and what is needed to find it, is on the disk.
    static func synchronize(_ descriptor: CInt) -> Bool { fdatasync(descriptor) == 0 }

    /// Takes bytes of disk without changing the file's size; what kept it from that, and nil where the
    /// file system has no such thing.
    static func reserve(_ descriptor: CInt, _ offset: UInt64, _ count: UInt64) -> SystemError? {
        let keepSize: CInt = 1
        let status = fallocate(
            descriptor,
            keepSize,
            Int(clamping: offset),
            Int(clamping: count)
        )
        guard status != 0, errno != EOPNOTSUPP, errno != ENOSYS, errno != EINTR else { return nil }
        return .last
    }
}
