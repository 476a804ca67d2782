/// Second faults inside the recovery from a first: the pairs of `--depth 2`.
package struct RecoveryFaults: Hashable, Sendable {
    private let effects: [PointEffect]

    package init(effects: [PointEffect]) { self.effects = effects.filter(\.isCheap) }

    /// The pairs that follow from one point, by what its run did after the fault.
    ///
    /// - Parameters:
    ///   - point: a single fault on a request.
    ///   - map: of its run.
    /// - Returns: the first fault with each of the second ones; nothing for other points.
    package func pairs(after point: Point, _ map: BoundaryMap) -> [Point] {
        guard point.faults.count == 1, let first = point.faults.first, !first.isPermanent,
            case .request(connection: .one(let connection), request: .one(let request)) =
                first.place.target
        else {
            return []
        }
        let later = map.exchanges.filter {
            ($0.connection, $0.request) > (connection, request)
        }
        return later.flatMap { exchange in
            places(in: exchange).flatMap { place in
                effects.map { Point([first, PlannedFault(place, $0.rawValue)]) }
            }
        }
    }

    private func places(in exchange: BoundaryMap.Exchange) -> [FaultPlace] {
        let target = FaultPlace.Target.request(
            connection: .one(exchange.connection),
            request: .one(exchange.request)
        )
        let request = Axis(target, .request, exchange.sent)
        let response = exchange.received.map { Axis(target, .response, $0) }
        return request.landmarks.map(request.place)
            + (response.map { axis in axis.landmarks.map(axis.place) } ?? [])
    }
}
