import CLibrary
import SystemIO

/// The limit of descriptors of this process; for processes of a test's own only.
enum Descriptors {
    /// Allows so many beside those that are open now.
    static func limit(toOpenAnd more: Int) throws {
        // The limit is one of numbers, and new descriptors get the lowest that are free.
        let open = Set(FileSystem.names(in: "/proc/self/fd").compactMap { Int($0) })
        let free = (0..<open.count + more).filter { !open.contains($0) }.prefix(more)
        let number = rlim_t((free.last ?? 0) + 1)
        var limit = rlimit(rlim_cur: number, rlim_max: number)
        guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            throw SystemError(code: errno)
        }
    }
}
