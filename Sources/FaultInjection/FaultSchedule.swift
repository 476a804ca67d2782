internal import LinkEngine

/// All faults of a run, as one line that repeats it: `lc1;seed=7;c1:down+1048576=rst`.
package struct FaultSchedule: Hashable, Sendable {
    /// The seed of the run's draws, if the line names one.
    package var seed: UInt64?
    package var faults: [Fault]

    package init(seed: UInt64? = nil, faults: [Fault]) {
        self.seed = seed
        self.faults = faults
    }

    /// Reads a schedule line: `lc1`, then `;seed=N` and faults, each after a `;`.
    ///
    /// - Throws: what is wrong, at its column in `text`.
    package init(parsing text: String) throws(ScheduleError) {
        var parser = try FaultParser(text)
        (seed, faults) = try parser.schedule()
        try parser.end()
    }

    /// The one way to write this schedule: the seed, then the faults in order of their address.
    ///
    /// A schedule means the same in any order of its faults.
    package var canonicalText: String {
        let items = seed.map { ["seed=\($0)"] } ?? []
        let ordered = faults.map { (key: $0.addressOrder, text: $0.canonicalText) }
            .sorted {
                $0.key == $1.key ? $0.text < $1.text : $0.key.lexicographicallyPrecedes($1.key)
            }
        return (["lc1"] + items + ordered.map(\.text)).joined(separator: ";")
    }
}

extension Fault {
    /// Sorts by connection, then by place.
    fileprivate var addressOrder: [UInt64] {
        let connection: [UInt64] =
            switch connections.ordinals {
            case .one(let ordinal): [UInt64(ordinal), 0]
            case .periodic(let first, let period): [UInt64(first), UInt64(period)]
            }
        let chance = connections.chance.map { $0.threshold + 1 } ?? 0
        return connection + [chance] + anchor.order
    }
}

extension Anchor {
    fileprivate var order: [UInt64] {
        switch self {
        case .connect: [0]
        case .byte(let direction, .at(let offset)): [1, UInt64(direction.rawValue), offset, 0]
        case .byte(let direction, .drawn(let range)):
            [1, UInt64(direction.rawValue), range.lowerBound, range.upperBound]
        }
    }
}
