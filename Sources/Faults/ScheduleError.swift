/// Why a text is not a fault or a schedule, and where.
package struct ScheduleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Place of the mistake in the text: Unicode scalars, from 1.
    package let column: Int
    /// What is wrong and what was expected, in one line without a position.
    package let description: String

    package init(column: Int, _ description: String) {
        self.column = column
        self.description = description
    }

    /// A whole diagnostic, `--fault:4: error: unknown effect 'rts'; did you mean 'rst'?`, where
    /// `label` names the text.
    package func diagnostic(label: String) -> String { "\(label):\(column): error: \(description)" }
}

/// Bounds of what a fault text may ask for.
package enum ScheduleLimits {
    /// Bytes of a schedule line.
    package static let textLength = 65_536
    /// Faults of one schedule.
    package static let faults = 1_024
    /// The largest byte offset; the largest signed 64-bit number, so that sums never overflow.
    package static let offset = UInt64(Int64.max)
    /// Connections that one `refuse(N)` refuses.
    package static let refusals: UInt32 = 10_000
    /// Bytes of a path pattern.
    package static let globLength = 1_024
    /// Values of one effect.
    package static let values = 16
    /// Bytes of a field's name.
    package static let nameLength = 64
    /// Bytes that `late` keeps in memory.
    package static let lateBytes: UInt64 = 1_048_576
}
