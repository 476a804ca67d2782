internal import CLibuv
internal import CLibrary

/// What procfs tells of processes that run, as far as this one may look: proc(5).
@safe
enum RunningProcesses {
    /// Their numbers, in ascending order.
    static var all: [Int] { FileSystem.names(in: "/proc").compactMap { Int($0) }.sorted() }

    /// The sockets that a process has open, by their inodes.
    static func sockets(of process: Int) -> Set<UInt64> {
        let folder = "/proc/\(process)/fd"
        return Set(FileSystem.names(in: folder).compactMap { socket("\(folder)/\($0)") })
    }

    private static func socket(_ path: String) -> UInt64? {
        var text = [CChar](repeating: 0, count: 64)
        let count = unsafe readlink(path, &text, text.count)
        let bytes = text.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
        let target = String(decoding: bytes, as: UTF8.self)
        guard target.hasPrefix("socket:["), target.hasSuffix("]") else { return nil }
        return UInt64(target.dropFirst(8).dropLast())
    }

    /// The children of a process, theirs, and so on.
    ///
    /// Bounded, since a process that starts others all the time is never at an end.
    static func descendants(of process: Int) -> [Int] {
        var found: [Int] = []
        var next = children(of: process)
        while let child = next.popLast(), found.count < 1_000 {
            found.append(child)
            next += children(of: child)
        }
        return found
    }

    private static func children(of process: Int) -> [Int] {
        let folder = "/proc/\(process)/task"
        return FileSystem.names(in: folder).flatMap { thread in
            text("\(folder)/\(thread)/children").split(separator: " ").compactMap { Int($0) }
        }
    }

    /// The process group; nil if there is no such process.
    static func group(of process: Int) -> Int? {
        let status = text("/proc/\(process)/stat")
        // The second field is a name in parentheses and may hold anything.
        guard let end = status.lastIndex(of: ")") else { return nil }
        let fields = status[status.index(after: end)...].split(separator: " ")
        return fields.count > 2 ? Int(fields[2]) : nil
    }

    static func name(of process: Int) -> String {
        text("/proc/\(process)/comm").filter { $0 != "\n" }
    }

    /// Whether a process was started with this `NAME=VALUE`.
    static func hasInEnvironment(_ mark: String, _ process: Int) -> Bool {
        text("/proc/\(process)/environ").utf8.split(separator: 0).contains {
            $0.elementsEqual(mark.utf8)
        }
    }

    private static func text(_ path: String) -> String {
        String(decoding: (try? FileSystem.read(path, limit: 1 << 20)) ?? [], as: UTF8.self)
    }
}
