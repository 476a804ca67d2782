internal import CLibuv
internal import Glibc

/// What this process uses of the machine, by procfs and the kernel's count; nil for what neither
/// tells.
package struct ProcessUsage: Hashable, Sendable {
    /// Time on processors, in user and kernel.
    package let processorNanoseconds: UInt64
    package let residentBytes: UInt64
    package let virtualBytes: UInt64?
    package let openDescriptors: Int?
    /// The soft limit.
    package let descriptorLimit: UInt64?
    /// The soft limit of memory in addresses; `UInt64.max` for none.
    package let virtualLimit: UInt64?
    /// When the process began, in milliseconds since 1970.
    package let startMilliseconds: UInt64?

    /// Looks now.
    package init() {
        var usage = rusage()
        let status = unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
        processorNanoseconds =
            status == 0
            ? Self.nanoseconds(usage.ru_utime) + Self.nanoseconds(usage.ru_stime) : 0
        residentBytes = UInt64(CurrentProcess.residentBytes)
        let statistics = Self.statistics
        virtualBytes = statistics?.virtualBytes
        startMilliseconds = statistics.flatMap { Self.startMilliseconds(ticks: $0.startTicks) }
        openDescriptors = Self.countDescriptors()
        descriptorLimit = Self.softLimit(RLIMIT_NOFILE)
        virtualLimit = Self.softLimit(RLIMIT_AS)
    }

    private static func softLimit(_ resource: __rlimit_resource) -> UInt64? {
        var limit = rlimit()
        let answer = unsafe getrlimit(__rlimit_resource_t(resource.rawValue), &limit)
        return answer == 0 ? UInt64(limit.rlim_cur) : nil
    }

    private static func nanoseconds(_ time: timeval) -> UInt64 {
        UInt64(max(0, time.tv_sec)) * 1_000_000_000 + UInt64(max(0, time.tv_usec)) * 1_000
    }

    /// Of proc(5), `/proc/pid/stat`: the fields behind the name, which may hold anything but has a
    /// parenthesis around it.
    private static var statistics: (startTicks: UInt64, virtualBytes: UInt64)? {
        guard let bytes = try? FileSystem.read("/proc/self/stat", limit: 65_536),
            let end = bytes.lastIndex(of: UInt8(ascii: ")"))
        else {
            return nil
        }
        let fields = bytes[(end + 1)...].split(separator: 0x20).map {
            String(decoding: $0, as: UTF8.self)
        }
        // The first one here is field 3 of the page.
        guard fields.count > 20, let start = UInt64(fields[19]), let size = UInt64(fields[20])
        else {
            return nil
        }
        return (start, size)
    }

    /// Of proc(5), `/proc/stat`: the line `btime` is when the machine started, in seconds.
    private static func startMilliseconds(ticks: UInt64) -> UInt64? {
        let perSecond = UInt64(max(1, sysconf(CInt(_SC_CLK_TCK))))
        guard let bytes = try? FileSystem.read("/proc/stat", limit: 1 << 22) else { return nil }
        for line in bytes.split(separator: UInt8(ascii: "\n")).reversed()
        where line.starts(with: "btime ".utf8) {
            let text = String(decoding: line.dropFirst("btime ".utf8.count), as: UTF8.self)
            return UInt64(text).map { $0 * 1_000 + ticks * 1_000 / perSecond }
        }
        return nil
    }

    private static func countDescriptors() -> Int? {
        guard let folder = unsafe opendir("/proc/self/fd") else { return nil }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        // Without `.`, `..` and the descriptor of the folder itself.
        return max(0, count - 3)
    }
}
