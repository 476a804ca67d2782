internal import CLibrary
internal import CLibuv

/// What procfs tells of this process.
struct ProcessFigures {
    let virtualBytes: UInt64?
    /// When the process began, in milliseconds since 1970.
    let startMilliseconds: UInt64?

    init() {
        let statistics = Self.statistics
        virtualBytes = statistics?.virtualBytes
        startMilliseconds = statistics.flatMap { Self.startMilliseconds(ticks: $0.startTicks) }
    }

    /// Two fields of `/proc/self/stat`, see proc(5).
    ///
    /// They are counted from the last parenthesis: the name before it may contain anything.
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

    static var openDescriptors: Int? {
        guard let folder = unsafe opendir("/proc/self/fd") else { return nil }
        defer { unsafe closedir(folder) }
        var count = 0
        while unsafe readdir(folder) != nil { count += 1 }
        // Without `.`, `..` and the descriptor of the folder itself.
        return max(0, count - 3)
    }
}
