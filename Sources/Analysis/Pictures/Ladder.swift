internal import Basics

/// A transfer as a ladder: one rung for each attempt, at its true place in the object.
package struct Ladder: Hashable, Sendable {
    package struct Segment: Hashable, Sendable {
        package enum Kind: Hashable, Sendable {
            /// Delivered for the first time.
            case new
            /// Delivered before.
            case again
            /// Left out: between what was confirmed and where the attempt began.
            case missing
        }

        package let range: Range<UInt64>
        package let kind: Kind

        package init(range: Range<UInt64>, kind: Kind) {
            self.range = range
            self.kind = kind
        }
    }

    package struct Rung: Hashable, Sendable {
        /// Place of the attempt in the transfer's list.
        package let attempt: Int
        /// In order, apart from each other.
        package let segments: [Segment]
        /// Offset behind the last byte before the connection failed.
        package let cut: UInt64?
        /// Offsets that the server told during the attempt.
        package let learnt: [UInt64]
        /// The changes from its beginning to that of the next attempt.
        package let changes: [Timed<LiveChange>]
    }

    /// What the whole width stands for: the size of the object, or as much as was seen of it.
    package let length: UInt64
    package let rungs: [Rung]

    /// - Parameters:
    ///   - transfer: whose attempts are rungs.
    ///   - changes: all changes during the run, in order.
    package init(_ transfer: Transfer, changes: [Timed<LiveChange>] = []) {
        var coverage = Coverage()
        let end = transfer.attempts.last?.endedAt ?? .never
        rungs = transfer.attempts.enumerated().map { place, attempt in
            let moved = attempt.kind == .opaque ? 0..<0 : attempt.range
            let next = transfer.attempts.dropFirst(place + 1).first
            let rung = Rung(
                attempt: place,
                segments: Self.segments(of: attempt, moved, coverage),
                cut: Self.cut(attempt),
                learnt: Array(Set(attempt.learntOffsets.map(\.offset))).sorted(),
                changes: changes.filter {
                    $0.at >= attempt.beganAt && $0.at < (next?.beganAt ?? end)
                }
            )
            coverage.insert(moved)
            return rung
        }
        let seen = rungs.flatMap { rung in
            rung.segments.map(\.range.upperBound) + rung.learnt
        }
        length = max(transfer.size ?? 0, seen.max() ?? 0)
    }

    private static func segments(
        of attempt: Attempt,
        _ moved: Range<UInt64>,
        _ before: Coverage
    ) -> [Segment] {
        var segments: [Segment] = []
        if attempt.kind == .gap {
            let missing = attempt.confirmedBefore..<attempt.start
            segments.append(Segment(range: missing, kind: .missing))
        }
        var place = moved.lowerBound
        for known in before.ranges.map({ $0.clamped(to: moved) }) where !known.isEmpty {
            if place < known.lowerBound {
                segments.append(Segment(range: place..<known.lowerBound, kind: .new))
            }
            segments.append(Segment(range: known, kind: .again))
            place = known.upperBound
        }
        if place < moved.upperBound {
            segments.append(Segment(range: place..<moved.upperBound, kind: .new))
        }
        return segments
    }

    private static func cut(_ attempt: Attempt) -> UInt64? {
        guard attempt.carriesData, let failure = attempt.failure, failure.isOfConnection else {
            return nil
        }
        return attempt.range.upperBound
    }
}
