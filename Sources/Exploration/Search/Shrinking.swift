internal import Faults

/// The failing schedules of several faults that are made smaller, as runs of their parts become known.
struct Shrinking: Sendable {
    /// What came of a look at what is known.
    struct Step {
        /// What is to be run.
        var needed: [Point] = []
        var minima: [Minimum] = []
        /// The smallest forms, with the places of each.
        var smallest: [(Point, positions: [String])] = []
    }

    private var shrinkers: [Shrinker] = []
    /// The runs that each of them asked for, by what it began with.
    private var asked: [PointIdentity: [Point]] = [:]
    /// Failing schedules that nothing simpler explains yet.
    private var unexplained: [PointRecord] = []

    /// Runs of one shrinker at once, if they mostly wait.
    private static let waitingRuns = 8

    var isEmpty: Bool { shrinkers.isEmpty && unexplained.isEmpty }

    /// Takes a schedule of several faults that fails.
    mutating func add(_ record: PointRecord) {
        if !isSmallerForm(record) { unexplained.append(record) }
    }

    /// Whether it was tried as a smaller form of another one, which fails in the same way.
    private func isSmallerForm(_ record: PointRecord) -> Bool {
        record.purpose == .shrink
            && shrinkers.contains { shrinker in
                shrinker.sign == record.signOfPart
                    && asked[shrinker.start.identity]?.contains(record.point) == true
            }
    }

    /// Starts a search for each failure that nothing explains, the most telling ones first.
    ///
    /// Failures that an earlier one explains need no search.
    mutating func start(
        _ effects: [Effect.Kind],
        _ positions: ProtocolPositions,
        _ groups: inout FindingGroups
    ) {
        let waiting = unexplained.sorted { Simplicity($0.point) < Simplicity($1.point) }
        unexplained = []
        for record in waiting {
            guard let cause = FindingCause(record) else { continue }
            if groups.explains(cause, record.positions) {
                groups.addIfSimplest(cause, record.positions, record.point)
            } else if isBeingMadeSmaller(record, cause) {
                unexplained.append(record)
            } else {
                shrinkers.append(
                    Shrinker(
                        record.point,
                        sign: cause.sign,
                        effects: effects,
                        positions: positions
                    )
                )
            }
        }
    }

    /// Whether the result of one of the shrinkers may explain this failure.
    private func isBeingMadeSmaller(_ record: PointRecord, _ cause: FindingCause) -> Bool {
        shrinkers.contains {
            $0.sign == cause.sign && $0.start.position == record.point.position
                || cause.sign.isOfLaterRun && !$0.sign.isOfLaterRun
                    && $0.sign.kind == cause.sign.kind
        }
    }

    /// Advances each search, using the results that are known.
    mutating func step(
        _ known: [PointIdentity: PointRecord],
        _ positions: ProtocolPositions
    ) -> Step {
        let sign: Shrinker.Known = { known[$0.identity].map(\.signOfPart) }
        var step = Step()
        shrinkers = shrinkers.filter { shrinker in
            let start = shrinker.start.identity
            // All of them before the next ones are chosen: what is run does not depend on which ends first.
            guard asked[start, default: []].allSatisfy({ sign($0) != nil }) else { return true }
            switch shrinker.step(sign) {
            case .needs(let point):
                let count = point.lane == .waiting ? Self.waitingRuns : 1
                let points = shrinker.needs(sign, atMost: count)
                asked[start, default: []] += points
                step.needed += points
                return true
            case .done(let point, let tests):
                let names = positions.names(of: point)
                let larger = asked[start, default: []].filter {
                    $0 != point && sign($0) == shrinker.sign
                }
                step.minima += ([shrinker.start] + larger).map { form in
                    Minimum(
                        of: form,
                        kind: shrinker.sign.kind,
                        point: point,
                        positions: names,
                        tests: tests
                    )
                }
                step.smallest.append((point, names))
                return false
            }
        }
        return step
    }
}
