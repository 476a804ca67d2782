package import Basics
internal import CLibuv
internal import CLibrary

/// What this process uses of the machine; nil for what the system does not tell.
package struct ProcessUsage: Hashable, Sendable {
    /// Time on processors, in user and kernel.
    package let processorTime: Duration
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
        var usage = uv_rusage_t()
        let status = unsafe uv_getrusage(&usage)
        processorTime =
            status == 0
            ? Self.duration(usage.ru_utime) + Self.duration(usage.ru_stime) : .zero
        residentBytes = UInt64(CurrentProcess.residentBytes)
        let figures = ProcessFigures()
        virtualBytes = figures.virtualBytes
        startMilliseconds = figures.startMilliseconds
        openDescriptors = ProcessFigures.openDescriptors
        descriptorLimit = Self.softLimit(LINKCOND_OPEN_FILES)
        virtualLimit = Self.softLimit(LINKCOND_ADDRESSES)
    }

    private static func softLimit(_ resource: linkcond_resource) -> UInt64? {
        var limit = rlimit()
        let answer = unsafe linkcond_get_limit(resource, &limit)
        return answer == 0 ? UInt64(limit.rlim_cur) : nil
    }

    private static func duration(_ time: uv_timeval_t) -> Duration {
        .seconds(Int64(max(0, time.tv_sec))) + .microseconds(Int64(max(0, time.tv_usec)))
    }
}
