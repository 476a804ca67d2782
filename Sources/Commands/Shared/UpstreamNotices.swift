internal import Basics
internal import Journal

/// The lines about an upstream that cannot be reached.
///
/// A client that tries again and again would fill the screen with one sentence: one line a second is
/// enough, and the summary counts them all.
struct UpstreamNotices {
    private var toldAt: Instant?
    private var withheld = 0
    /// Connections that have not ended, and of which all that there is to say is told.
    private var failed: Set<ConnectionID> = []

    private static let interval = Duration.seconds(1)

    /// Takes the next record.
    ///
    /// - Parameters:
    ///   - line: what there is to say of the record; nil for nothing.
    ///   - record: the next one of the run.
    ///   - now: when it came up; of several proxies in turn, it may be a little earlier than before.
    /// - Returns: the line as it is to be told; nil for none.
    mutating func line(
        _ line: String?,
        of record: JournalRecord,
        now: Instant
    ) -> String? {
        switch record {
        case .upstream(let id, let trouble, _) where trouble != .notAllowed:
            failed.insert(id)
            return line.flatMap { limited($0, now) }
        case .connectionEnd(let end): return failed.remove(end.connection) == nil ? line : nil
        default: return line
        }
    }

    private mutating func limited(_ line: String, _ now: Instant) -> String? {
        if let told = toldAt, now < told + Self.interval {
            withheld += 1
            return nil
        }
        defer { (toldAt, withheld) = (now, 0) }
        guard withheld > 0 else { return line }
        return "\(line) (and \(Figures.count(withheld, "connection")) before it)"
    }
}
