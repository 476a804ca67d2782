internal import Faults

/// The intervals of a failure, from the records of all points.
struct IntervalReading {
    private struct Place {
        let at: UInt64
        let record: PointRecord
    }

    private let series: [String: [Place]]

    init(_ records: [PointRecord]) {
        var series: [String: [UInt64: PointRecord]] = [:]
        for record in records where record.purpose.isOfItself {
            guard let name = record.series, let at = record.at else { continue }
            series[name, default: [:]][at] = record
        }
        self.series = series.mapValues { places in
            places.map { Place(at: $0, record: $1) }.sorted { $0.at < $1.at }
        }
    }

    /// Where a failure of this cause comes at these places, in order of the series' names.
    func intervals(_ cause: FindingCause, _ positions: [String]) -> [Interval] {
        series.keys.sorted().flatMap { name in
            intervals(in: series[name] ?? []) {
                $0.positions == positions && FindingCause($0) == cause
            }
        }
    }

    private func intervals(
        in places: [Place],
        where shows: (PointRecord) -> Bool
    ) -> [Interval] {
        var intervals: [Interval] = []
        var start: Int?
        for index in 0...places.count {
            let isShown = index < places.count && shows(places[index].record)
            if isShown {
                start = start ?? index
            } else if let first = start {
                intervals.append(interval(places, first, index - 1))
                start = nil
            }
        }
        return intervals
    }

    private func interval(_ places: [Place], _ first: Int, _ last: Int) -> Interval {
        let fault = places[first].record.point.faults.first
        let isExact =
            (first == 0 || places[first].at - places[first - 1].at == 1)
            && (last == places.count - 1 || places[last + 1].at - places[last].at == 1)
        return Interval(
            deed: fault?.deed ?? "",
            first: fault?.address.canonicalText ?? "",
            last: places[last].record.point.faults.first?.address.canonicalText ?? "",
            length: places[last].at - places[first].at + 1,
            isExact: isExact
        )
    }
}
