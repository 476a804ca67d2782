package import Basics
internal import ResumableClient

/// Lets through few of many records of progress: one in a while, and always the latest one before
/// any other record, so that whoever reads sees how far it was.
package struct ProgressThrottle: Sendable {
    private let interval: Duration
    private var held: TransferRecord?
    private var last: Instant?

    /// Lets one record of progress through in this time.
    package init(interval: Duration) { self.interval = interval }

    /// The records to write now, in order.
    package mutating func admit(
        _ record: TransferRecord,
        at now: Instant
    ) -> [TransferRecord] {
        guard case .event(.progress) = record else {
            defer { held = nil }
            return (held.map { [$0] } ?? []) + [record]
        }
        if let last, now - last < interval {
            held = record
            return []
        }
        held = nil
        last = now
        return [record]
    }
}
