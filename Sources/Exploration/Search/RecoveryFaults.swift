/// Second faults inside the recovery from a first: the pairs of `--depth 2`.
package struct RecoveryFaults: Hashable, Sendable {
    private let effects: [PointEffect]
    /// Those that act on a message as a whole, in their first form.
    private let answers: [PointEffect]

    package init(effects: [PointEffect]) {
        self.effects = effects.filter(\.isCheap)
        answers = effects.filter { $0 == .status || $0 == .early }
    }

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
            let cuts = places(in: exchange).flatMap { place in
                effects.map { PlannedFault(place, $0.rawValue) }
            }
            return (answers(to: exchange) + cuts).map { Point([first, $0]) }
        }
    }

    private func answers(to exchange: BoundaryMap.Exchange) -> [PlannedFault] {
        answers.compactMap { $0.forms(in: exchange).first }.map { form in
            let place = FaultPlace(exchange.target, form.part, form.offset)
            return PlannedFault(place, form.effect, form.arguments)
        }
    }

    private func places(in exchange: BoundaryMap.Exchange) -> [FaultPlace] {
        let request = Axis(exchange.target, .request, exchange.sent)
        let response = exchange.received.map { Axis(exchange.target, .response, $0) }
        return request.landmarks.map(request.place)
            + (response.map { axis in axis.landmarks.map(axis.place) } ?? [])
    }
}

extension BoundaryMap.Exchange {
    fileprivate var target: FaultPlace.Target {
        .request(connection: .one(connection), request: .one(request))
    }
}
