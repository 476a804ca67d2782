internal import Faults

/// The series of a shard, and where between their points an edge is still to be found.
struct EdgeSearch {
    /// A pair of neighbours whose lower one belongs to this shard.
    private struct Segment: Equatable {
        let low: UInt64
        let high: UInt64
    }

    /// Positions that were not tried.
    private struct Gap: Comparable {
        let series: Int
        let segment: Segment
        let isInHead: Bool

        static func < (a: Gap, b: Gap) -> Bool {
            guard a.isInHead == b.isInHead else { return a.isInHead }
            let (mine, other) = (a.segment.high - a.segment.low, b.segment.high - b.segment.low)
            guard mine == other else { return mine > other }
            return (a.series, a.segment.low) < (b.series, b.segment.low)
        }
    }

    private let series: [Series]
    private var segments: [[Segment]] = []
    /// What each series showed, by position.
    private var signatures: [[UInt64: Signature]]

    /// The first points of the shard: its own, and the upper neighbour of each of them.
    private(set) var firstPoints: [(series: Int, position: UInt64)] = []

    init(_ planned: [PlannedSeries], shard: Shard) {
        series = planned.map(\.series)
        signatures = Array(repeating: [:], count: planned.count)
        for (index, plan) in planned.enumerated() {
            var segments: [Segment] = []
            var positions: Set<UInt64> = []
            for (place, position) in plan.positions.enumerated()
            where shard.owns(plan.series.point(at: position)) {
                positions.insert(position)
                guard place + 1 < plan.positions.count else { continue }
                let next = plan.positions[place + 1]
                positions.insert(next)
                segments.append(Segment(low: position, high: next))
            }
            self.segments.append(segments)
            firstPoints += positions.sorted().map { (index, $0) }
        }
    }

    func point(_ index: Int, at position: UInt64) -> Point { series[index].point(at: position) }

    func name(_ index: Int) -> String { series[index].name }

    /// The series that a point is on, and where.
    func spot(of point: Point) -> (series: Int, position: UInt64)? {
        guard let fault = point.faults.first, point.faults.count == 1 else { return nil }
        for (index, candidate) in series.enumerated()
        where candidate.effect == fault.effect && candidate.options == fault.options {
            if let position = candidate.axis.position(of: fault.address),
                candidate.axis.place(at: position) == fault.address
            {
                return (index, position)
            }
        }
        return nil
    }

    /// Notes what one point showed; answers the positions that are to be tried because of it.
    mutating func note(_ signature: Signature, series index: Int, at position: UInt64) -> [UInt64] {
        signatures[index][position] = signature
        return segments[index].lazy.filter { $0.low <= position && position <= $0.high }
            .flatMap { frontier(index, $0.low, $0.high) }
    }

    /// Places between neighbours that behave alike, heads first and then where most is untried.
    ///
    /// - Parameter count: as many at most.
    /// - Returns: series and position of each; nothing once all are tried, or stand for all around them.
    mutating func untried(_ count: Int) -> [(series: Int, position: UInt64)] {
        let gaps = segments.indices.filter { series[$0].effect.kind.isCheap }.flatMap { index in
            segments[index].filter { $0.high - $0.low > 1 }.map { segment in
                Gap(
                    series: index,
                    segment: segment,
                    isInHead: segment.low < series[index].axis.head
                )
            }
        }
        return gaps.sorted().prefix(count).map { gap in
            let (low, high) = (gap.segment.low, gap.segment.high)
            let middle = low + (high - low) / 2
            segments[gap.series].removeAll { $0 == gap.segment }
            segments[gap.series] += [
                Segment(low: low, high: middle), Segment(low: middle, high: high),
            ]
            return (gap.series, middle)
        }
    }

    /// The middles of unequal neighbours, as far as they are not known.
    private func frontier(_ index: Int, _ low: UInt64, _ high: UInt64) -> [UInt64] {
        let axis = series[index].axis
        // A head is short, and its bytes are not all alike.
        guard high - low > (low < axis.head ? 1 : axis.tolerance),
            let first = signatures[index][low], let last = signatures[index][high],
            first.differs(from: last), first.isTelling, last.isTelling
        else {
            return []
        }
        let middle = low + (high - low) / 2
        guard signatures[index][middle] != nil else { return [middle] }
        return frontier(index, low, middle) + frontier(index, middle, high)
    }
}

extension Signature {
    /// Whether the run showed how the client behaves; a fault that did not act shows nothing.
    fileprivate var isTelling: Bool { verdict != "unreached" && verdict != "inconclusive" }
}
