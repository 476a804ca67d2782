extension ProcessIdentity {
    /// The process with this number now; nil if there is none, or only what is left of one that
    /// ended and was not waited for.
    package init?(of number: Int) {
        guard let status = Self.text("/proc/\(number)/stat"),
            let boot = Self.text("/proc/sys/kernel/random/boot_id"),
            // The second field is a name in parentheses and may hold anything: proc(5).
            let end = status.lastIndex(of: ")")
        else {
            return nil
        }
        let fields = status[status.index(after: end)...].split(separator: " ")
        guard fields.count > 19, let start = UInt64(fields[19]), !["Z", "X"].contains(fields[0])
        else {
            return nil
        }
        self.init(number: number, startTicks: start, boot: boot.filter { $0 != "\n" })
    }

    private static func text(_ path: String) -> String? {
        guard let bytes = try? FileSystem.read(path, limit: 65_536) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }
}
