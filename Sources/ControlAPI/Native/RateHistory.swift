package import Basics

/// What a proxy carried since the run began, for whoever looks later.
///
/// The points grow coarser as the run grows longer, so that their number is bounded.
package struct RateHistory: Sendable {
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

    /// The rates' ceilings from one moment on, in bits a second; nil is none that is fixed.
    package struct Ceilings: Hashable, Sendable {
        package var down: UInt64?
        package var up: UInt64?

        package init(down: UInt64?, up: UInt64?) {
            self.down = down
            self.up = up
        }
    }

    /// Points at most; beyond it every second one goes.
    package static let limit = 1_200
    private(set) var points: [Point] = []
    /// Looks that make one point.
    private var looksPerPoint = 1
    private var looks = 0
    /// The latest look, while nothing moved since the latest point.
    private var still: Point?
    /// The oldest first; the oldest go first.
    private var ceilings: [(elapsedMilliseconds: UInt64, ceilings: Ceilings)] = []

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

    /// Takes the ceilings of this moment; the same ones again are no step.
    package mutating func take(_ now: Ceilings, elapsedMilliseconds: UInt64) {
        guard ceilings.last?.ceilings != now else { return }
        ceilings.append((elapsedMilliseconds, now))
        if ceilings.count > Self.limit { ceilings.removeFirst(Self.limit / 4) }
    }

    private mutating func append(_ point: Point) {
        points.append(point)
        guard points.count > Self.limit else { return }
        looksPerPoint *= 2
        // Totals need no mean: what is left out lies between two that stay.
        points = points.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    }

    /// `{"columns": […], "points": [[…]], "ceilings": [[elapsedMilliseconds, down, up]]}`.
    package var document: JSONObject {
        let columns = [
            "elapsedMilliseconds", "bytesUp", "bytesDown", "queuedBytesUp", "queuedBytesDown",
        ]
        return [
            "columns": .array(columns.map { .string($0) }),
            "points": .array((points + (still.map { [$0] } ?? [])).map(\.row)),
            "ceilings": .array(
                ceilings.map { step in
                    .array([
                        .number(step.elapsedMilliseconds), Self.number(step.ceilings.down),
                        Self.number(step.ceilings.up),
                    ])
                }
            ),
        ]
    }

    private static func number(_ value: UInt64?) -> JSONValue { value.map { .number($0) } ?? .null }
}
