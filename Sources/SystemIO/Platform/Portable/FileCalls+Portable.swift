internal import CLibrary
internal import CLibuv

/// Calls for files that not every system has.
enum FileCalls {
    /// Waits until the content, and what is needed to find it, is on the disk.
    static func synchronize(_ descriptor: CInt) -> Bool {
        #if canImport(Darwin)
            // fsync(2) there does not wait for the disk's own memory.
            fcntl(descriptor, F_FULLFSYNC) == 0 || fsync(descriptor) == 0
        #else
            fsync(descriptor) == 0
        #endif
    }

    /// Whether there is room on the disk now: POSIX has no call that takes it without changing the
    /// file's size.
    static func reserve(_ descriptor: CInt, _ offset: UInt64, _ count: UInt64) -> SystemError? {
        var status = statvfs()
        guard unsafe fstatvfs(descriptor, &status) == 0 else { return nil }
        let free = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return free.overflow || free.partialValue >= count ? nil : .noSpace
    }
}
