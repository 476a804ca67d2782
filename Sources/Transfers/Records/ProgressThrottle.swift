internal import ResumableClient

/// Lets through few of many records of progress: one in a while, and always the latest one before
/// any other record, so that whoever reads sees how far it was.
package struct ProgressThrottle: Sendable {
    private let intervalNanoseconds: UInt64
    private var held: TransferRecord?
    private var last: UInt64?

    package init(intervalNanoseconds: UInt64) { self.intervalNanoseconds = intervalNanoseconds }

    /// The records to write now, in order.
    package mutating func admit(
        _ record: TransferRecord,
        atNanoseconds now: UInt64
    ) -> [TransferRecord] {
        guard case .event(.progress) = record else {
            defer { held = nil }
            return (held.map { [$0] } ?? []) + [record]
        }
        if let last, now - last < intervalNanoseconds {
            held = record
            return []
        }
        held = nil
        last = now
        return [record]
    }
}
