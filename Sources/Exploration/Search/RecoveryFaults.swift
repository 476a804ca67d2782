package import Faults

/// Second faults inside the recovery from a first: the pairs of `--depth 2`.
package struct RecoveryFaults: Hashable, Sendable {
    private let effects: [Effect.Kind]
    /// Those that act on a message as a whole, in their first form.
    private let answers: [Effect.Kind]

    package init(effects: [Effect.Kind]) {
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
            case .requests(on: let connections, let requests) = first.address.target,
            case .one(let connection) = connections.ordinals,
            case .one(let request) = requests.ordinals
        else {
            return []
        }
        let later = map.exchanges.filter {
            ($0.connection, $0.request) > (connection, request)
        }
        return later.flatMap { exchange in
            let cuts = places(in: exchange).flatMap { place in
                effects.compactMap(\.byteEffect).map { Fault(place, $0) }
            }
            return (answers(to: exchange) + cuts).map { Point([first, $0]) }
        }
    }

    private func answers(to exchange: BoundaryMap.Exchange) -> [Fault] {
        answers.compactMap { $0.forms(in: exchange).first }.map { form in
            Fault(FaultAddress(exchange.target, form.anchor), form.effect, form.options)
        }
    }

    private func places(in exchange: BoundaryMap.Exchange) -> [FaultAddress] {
        let request = Axis(exchange.target, .request, exchange.sent)
        let response = exchange.received.map { Axis(exchange.target, .response, $0) }
        return request.landmarks.map(request.place)
            + (response.map { axis in axis.landmarks.map(axis.place) } ?? [])
    }
}

extension BoundaryMap.Exchange {
    fileprivate var target: FaultTarget {
        .requests(on: .one(connection), .one(request))
    }
}
