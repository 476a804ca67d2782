/// All faults of a run, as one line that repeats it: `lc1;seed=7;c1:down+1048576=rst`.
package struct FaultSchedule: Hashable, Sendable {
    /// The seed of the run's draws, if the line names one.
    package var seed: UInt64?
    /// The first 64 bits of the digest of the boundary map that the addresses were taken from.
    package var base: UInt64?
    package var faults: [Fault]

    package init(seed: UInt64? = nil, base: UInt64? = nil, faults: [Fault]) {
        self.seed = seed
        self.base = base
        self.faults = faults
    }

    /// Reads a schedule line: `lc1`, then `;seed=N`, `;base=` with 16 hexadecimal digits, and
    /// faults, each after a `;`.
    ///
    /// - Throws: what is wrong, at its column in `text`.
    package init(parsing text: String) throws(ScheduleError) {
        var parser = try FaultParser(text)
        self = try parser.schedule()
        try parser.end()
    }

    /// The faults without others, each of which takes one equal fault away.
    package func faults(without others: [Fault]) -> [Fault] {
        var left: [Fault: Int] = [:]
        for fault in others { left[fault, default: 0] += 1 }
        return faults.filter { fault in
            guard let count = left[fault], count > 0 else { return true }
            left[fault] = count - 1
            return false
        }
    }

    /// The one way to write this schedule: seed, base, then the faults in order of their address.
    ///
    /// A schedule means the same in any order of its faults.
    package var canonicalText: String {
        var items = ["lc1"]
        if let seed { items.append("seed=\(seed)") }
        if let base {
            let digits = String(base, radix: 16)
            items.append("base=" + String(repeating: "0", count: 16 - digits.utf8.count) + digits)
        }
        return (items + faults.sorted().map(\.canonicalText)).joined(separator: ";")
    }
}
