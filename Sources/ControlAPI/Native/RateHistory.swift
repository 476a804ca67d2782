package import Basics

/// What a proxy carried since the run began, for whoever looks later.
///
/// The points grow coarser as the run grows longer, so that their number is bounded.
package struct RateHistory: Hashable, Sendable {
    /// Totals at one moment.
    package struct Point: Hashable, Sendable {
        package var elapsedMilliseconds: UInt64
        /// Delivered since the start.
        package var bytesUp: UInt64
        package var bytesDown: UInt64
        /// What waits in the link's queue.
        package var queuedBytesUp: Int
        package var queuedBytesDown: Int

        package init(
            elapsedMilliseconds: UInt64,
            bytesUp: UInt64,
            bytesDown: UInt64,
            queuedBytesUp: Int,
            queuedBytesDown: Int
        ) {
            self.elapsedMilliseconds = elapsedMilliseconds
            self.bytesUp = bytesUp
            self.bytesDown = bytesDown
            self.queuedBytesUp = queuedBytesUp
            self.queuedBytesDown = queuedBytesDown
        }

        /// In the order of `document`'s columns.
        fileprivate var row: JSONValue {
            .array([
                .number(elapsedMilliseconds), .number(bytesUp), .number(bytesDown),
                .number(queuedBytesUp), .number(queuedBytesDown),
            ])
        }

        fileprivate func moved(since earlier: Point) -> Bool {
            bytesUp != earlier.bytesUp || bytesDown != earlier.bytesDown || !isEmpty
                || !earlier.isEmpty
        }

        private var isEmpty: Bool { queuedBytesUp == 0 && queuedBytesDown == 0 }
    }

    /// Points at most; beyond it every second one goes.
    package static let limit = 1_200
    private(set) var points: [Point] = []
    /// Looks that make one point.
    private var looksPerPoint = 1
    private var looks = 0
    /// The latest look, while nothing moved since the latest point.
    private var still: Point?

    package init() {}

    /// Takes the totals of this moment; one call a second is meant.
    ///
    /// While nothing moves, only the ends of the pause are kept.
    package mutating func take(_ point: Point) {
        guard let last = points.last else { return points.append(point) }
        guard point.moved(since: last) else {
            still = point
            return
        }
        if let end = still {
            still = nil
            // Else the rate after a pause would be a mean over the pause.
            append(end)
        }
        looks += 1
        guard looks >= looksPerPoint else { return }
        looks = 0
        append(point)
    }

    private mutating func append(_ point: Point) {
        points.append(point)
        guard points.count > Self.limit else { return }
        looksPerPoint *= 2
        // Totals need no mean: what is left out lies between two that stay.
        points = points.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    }

    /// `{"columns": […], "points": [[…]]}`.
    package var document: JSONObject {
        let columns = [
            "elapsedMilliseconds", "bytesUp", "bytesDown", "queuedBytesUp", "queuedBytesDown",
        ]
        return [
            "columns": .array(columns.map { .string($0) }),
            "points": .array((points + (still.map { [$0] } ?? [])).map(\.row)),
        ]
    }
}
