extension SessionActivity {
    /// Looks at all processes of the system.
    ///
    /// - Parameter sessions: the ones wanted, by the number of the process that leads each.
    /// - Returns: what is known of each; nothing of one without processes, and of any where the
    ///   system does not tell.
    package static func all(of sessions: Set<Int>) -> [Int: SessionActivity] {
        var found: [Int: SessionActivity] = [:]
        guard !sessions.isEmpty else { return found }
        for name in FileSystem.names(in: "/proc") {
            guard let number = Int(name),
                let text = try? FileSystem.read("/proc/\(number)/stat", limit: 65_536),
                let entry = Entry(text), sessions.contains(entry.session), !entry.hasEnded
            else { continue }
            found[entry.session, default: .init()].add(number, entry)
        }
        return found
    }

    private mutating func add(_ number: Int, _ entry: Entry) {
        processes.insert(number)
        ticks += entry.ticks
        if entry.isBusy { isBusy = true }
    }

    /// A line of `/proc/PID/stat`.
    private struct Entry {
        let session: Int
        let ticks: UInt64
        let isBusy: Bool
        let hasEnded: Bool

        /// - Parameter text: the line. Its second field is a name in parentheses and may hold anything,
        ///   the fields after it are numbered from 3, see proc(5).
        init?(_ text: [UInt8]) {
            guard let end = text.lastIndex(of: UInt8(ascii: ")")) else { return nil }
            let fields = text[(end + 1)...].split(separator: UInt8(ascii: " "))
            guard fields.count > 14, let state = fields[0].first,
                let session = Int(String(decoding: fields[3], as: UTF8.self))
            else { return nil }
            self.session = session
            ticks = fields[11...14].reduce(0) {
                $0 + (UInt64(String(decoding: $1, as: UTF8.self)) ?? 0)
            }
            isBusy = state == UInt8(ascii: "R") || state == UInt8(ascii: "D")
            hasEnded = state == UInt8(ascii: "Z") || state == UInt8(ascii: "X")
        }
    }
}
