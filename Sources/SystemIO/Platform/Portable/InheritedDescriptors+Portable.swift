internal import CLibrary

/// Descriptors that this process was started with and does not know.
enum InheritedDescriptors {
    /// Marks all but the standard ones close-on-exec, as ours are anyway.
    static func close() {
        for name in FileSystem.names(in: "/dev/fd") {
            guard let number = CInt(name), number > 2 else { continue }
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        }
    }
}
