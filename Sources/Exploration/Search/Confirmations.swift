/// Which runs are repeated, to see whether they end the same way.
struct Confirmations: Sendable {
    /// How often a finding is run again.
    private let wanted: Int
    /// How often each point was, or is about to be.
    private var counts: [PointIdentity: Int] = [:]
    /// What it takes to run warnings again.
    private var warningMilliseconds: UInt64 = 0

    /// How often a warning is run again, and what all of that may take, in milliseconds of runs.
    private static let warningRuns = 3
    private static let warningLimit: UInt64 = 9_000

    init(wanted: Int) { self.wanted = wanted }

    /// Whether one of these was not run often enough yet.
    func isMissing(_ points: [Point]) -> Bool {
        points.contains { counts[$0.identity, default: 0] < wanted }
    }

    /// Notes that a point needs no further run.
    mutating func settle(_ point: Point) { counts[point.identity] = wanted }

    /// The runs that the smallest schedules of findings still need, one point for each run.
    mutating func runs(for points: [Point]) -> [Point] {
        points.flatMap { point in
            let missing = wanted - counts[point.identity, default: 0]
            settle(point)
            return Array(repeating: point, count: max(0, missing))
        }
    }

    /// The runs that the simplest schedules of warnings still need, within `warningLimit`.
    mutating func runs(for warnings: [CampaignAdvice]) -> [Point] {
        warnings.flatMap { advice -> [Point] in
            let identity = advice.simplest.identity
            let missing = min(Self.warningRuns, wanted) - counts[identity, default: 0]
            guard missing > 0 else { return [] }
            let cost = UInt64(missing) * advice.milliseconds
            guard warningMilliseconds + cost <= Self.warningLimit else { return [] }
            warningMilliseconds += cost
            counts[identity, default: 0] += missing
            return Array(repeating: advice.simplest, count: missing)
        }
    }
}
