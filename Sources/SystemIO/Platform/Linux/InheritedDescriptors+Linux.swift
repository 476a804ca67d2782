internal import CLibrary
internal import CLibuv

/// Descriptors that this process was started with and does not know.
enum InheritedDescriptors {
    /// Marks all but the standard ones close-on-exec, as ours are anyway.
    static func close() {
        let mark = CUnsignedInt(LINKCOND_CLOSE_RANGE_CLOEXEC)
        guard linkcond_close_range(3, .max, mark) != 0 else { return }
        for name in FileSystem.names(in: "/proc/self/fd") {
            guard let number = CInt(name), number > 2 else { continue }
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        }
    }
}
