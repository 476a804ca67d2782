/// The system calls in which programs wait, if they say for how long.
///
/// As Linux tells it, for the first thread of each process; elsewhere nothing is known.
package enum WaitingCall {
    /// Whether the absence of a time means something.
    package static let isKnown = true

    /// The times, in nanoseconds, for which the processes of a group wait; those that wait without end, and
    /// of which nothing is known, are not among them.
    package static func timeouts(of group: Int) -> [UInt64] {
        ([group] + children(of: group)).compactMap(timeout)
    }

    /// The times, in nanoseconds, after which timers of the processes of a group go off that do so once
    /// (`timerfd`); event loops wait for those in calls without an end.
    package static func timers(of group: Int) -> [UInt64] {
        ([group] + children(of: group)).flatMap { process in
            let folder = "/proc/\(process)/fdinfo"
            return FileSystem.names(in: folder).compactMap { timer("\(folder)/\($0)") }
        }
    }

    /// As proc(5) shows a `timerfd`; nil for other descriptors, and for what repeats or does not run.
    private static func timer(_ path: String) -> UInt64? {
        guard let text = try? FileSystem.read(path, limit: 1_024) else { return nil }
        var times: [String: UInt64] = [:]
        for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].hasPrefix("it_") else { continue }
            let numbers = parts[1].split { !$0.isNumber }.compactMap { UInt64($0) }
            guard numbers.count == 2, numbers[0] < 1 << 32 else { continue }
            times[String(parts[0])] = numbers[0] * 1_000_000_000 + numbers[1]
        }
        guard times["it_interval"] == 0, let rest = times["it_value"], rest > 0 else { return nil }
        return rest
    }

    private static func children(of process: Int) -> [Int] {
        guard
            let text = try? FileSystem.read(
                "/proc/\(process)/task/\(process)/children",
                limit: 4_096
            )
        else { return [] }
        let numbers = text.split(separator: UInt8(ascii: " ")).compactMap {
            Int(String(decoding: $0, as: UTF8.self))
        }
        return numbers + numbers.flatMap(children)
    }

    private static func timeout(_ process: Int) -> UInt64? {
        guard let text = try? FileSystem.read("/proc/\(process)/syscall", limit: 1_024) else {
            return nil
        }
        let words = String(decoding: text, as: UTF8.self).split { $0 == " " || $0.isNewline }
        guard words.count > 6, let number = Int(words[0]), let place = places[number] else {
            return nil
        }
        guard let value = UInt64(words[place.argument + 1].dropFirst(2), radix: 16) else {
            return nil
        }
        guard place.isTime else {
            let milliseconds = Int32(truncatingIfNeeded: value)
            return milliseconds < 0 ? nil : UInt64(milliseconds) * 1_000_000
        }
        return value == 0 ? nil : time(at: value, of: process)
    }

    /// A time in the memory of a process: seconds and nanoseconds.
    private static func time(at address: UInt64, of process: Int) -> UInt64? {
        guard let memory = try? File("/proc/\(process)/mem", for: .reading),
            let bytes = try? memory.read(at: address, count: 16), bytes.count == 16
        else { return nil }
        func number(_ range: Range<Int>) -> UInt64 {
            range.reversed().reduce(0) { $0 << 8 | UInt64(bytes[$1]) }
        }
        let (seconds, nanoseconds) = (number(0..<8), number(8..<16))
        guard seconds < 1 << 32, nanoseconds < 1_000_000_000 else { return nil }
        return seconds * 1_000_000_000 + nanoseconds
    }

    /// Which argument of a call says for how long it waits: in milliseconds, or as the address of a time.
    private struct Place {
        let argument: Int
        let isTime: Bool
    }

    #if arch(x86_64)
        /// poll, nanosleep, clock_nanosleep, epoll_wait, pselect6, ppoll, epoll_pwait.
        private static let places: [Int: Place] = [
            7: Place(argument: 2, isTime: false), 35: Place(argument: 0, isTime: true),
            230: Place(argument: 2, isTime: true), 232: Place(argument: 3, isTime: false),
            270: Place(argument: 4, isTime: true), 271: Place(argument: 2, isTime: true),
            281: Place(argument: 3, isTime: false),
        ]
    #elseif arch(arm64)
        /// epoll_pwait, pselect6, ppoll, nanosleep, clock_nanosleep.
        private static let places: [Int: Place] = [
            22: Place(argument: 3, isTime: false), 72: Place(argument: 4, isTime: true),
            73: Place(argument: 2, isTime: true), 101: Place(argument: 0, isTime: true),
            115: Place(argument: 2, isTime: true),
        ]
    #else
        private static let places: [Int: Place] = [:]
    #endif
}
