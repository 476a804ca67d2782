internal import Basics
package import Faults

/// Second faults inside the recovery from a first: the pairs of `--depth 2`.
package struct RecoveryFaults: Hashable, Sendable {
    private let effects: [Effect.Kind]
    /// Those that act on a message as a whole, in their first form.
    private let answers: [Effect.Kind]
    private let delays: Bool
    /// What the baseline asked for, with a `*` where its runs differ.
    private let patterns: [RequestPattern]

    package init(effects: [Effect.Kind], patterns: [RequestPattern] = []) {
        self.patterns = patterns
        self.effects = effects.filter(\.isCheap)
        answers = effects.filter { $0 == .status || $0 == .early }
        delays = effects.contains(.stall)
    }

    /// The pairs that follow from one point, by what its run did after the fault.
    ///
    /// - Parameters:
    ///   - point: a single fault on a request.
    ///   - map: of its run.
    /// - Returns: the first fault with each of the second ones; nothing for other points.
    package func pairs(after point: Point, _ map: BoundaryMap) -> [Point] {
        guard point.faults.count == 1, let first = point.faults.first, !first.isPermanent else {
            return []
        }
        return later(than: first.address.target, map).flatMap { exchange, target in
            let cuts = places(in: exchange, target).flatMap { place in
                effects.compactMap(\.byteEffect).map { Fault(place, $0) }
            }
            return (answers(to: exchange, target) + cuts).map { Point([first, $0]) }
        }
    }

    private typealias Aim = (exchange: BoundaryMap.Exchange, target: FaultTarget)

    /// The exchanges behind the one that a target names, and how to name each of them in the same way.
    private func later(than target: FaultTarget, _ map: BoundaryMap) -> [Aim] {
        switch target {
        case .requests(on: let connections, let requests):
            guard case .one(let connection) = connections.ordinals,
                case .one(let request) = requests.ordinals
            else { return [] }
            return map.exchanges.filter { ($0.connection, $0.request) > (connection, request) }
                .map { ($0, $0.target) }
        case .matching(let pattern, let selector):
            guard case .one(let ordinal) = selector.ordinals else { return [] }
            let aims = patternAims(map)
            let first = aims.firstIndex { $0.target == .matching(pattern, .one(ordinal)) }
            return first.map { Array(aims[($0 + 1)...]) } ?? []
        case .connections, .object, .flows, .queries: return []
        }
    }

    /// All exchanges by what they ask for, since runs differ in their numbers and in generated names.
    private func patternAims(_ map: BoundaryMap) -> [Aim] {
        var counts: [RequestPattern: UInt32] = [:]
        return map.exchanges.map { exchange in
            let pattern =
                patterns.first {
                    $0.matches(
                        method: exchange.method,
                        host: exchange.host,
                        target: exchange.path
                    )
                }
                ?? exchange.pattern
            counts[pattern, default: 0] += 1
            return (exchange, .matching(pattern, .one(counts[pattern, default: 1])))
        }
    }

    /// The first form of each, a server that asks for patience, and an answer that takes long.
    private func answers(to exchange: BoundaryMap.Exchange, _ target: FaultTarget) -> [Fault] {
        var faults = answers.compactMap { $0.forms(in: exchange).first }.map { form in
            Fault(FaultAddress(target, form.anchor), form.effect, form.options)
        }
        if answers.contains(.status) {
            let head = FaultAddress(target, .message(.up, .head, .end))
            faults.append(Fault(head, .unavailable(retryAfter: "1")))
        }
        if delays {
            let start = FaultAddress(target, .message(.down, .head, .fromStart(.at(0))))
            faults.append(Fault(start, .stall(.time(.seconds(1)))))
        }
        return faults
    }

    private func places(
        in exchange: BoundaryMap.Exchange,
        _ target: FaultTarget
    ) -> [FaultAddress] {
        let request = Axis(target, .request, exchange.sent)
        let response = exchange.received.map { Axis(target, .response, $0) }
        return request.landmarks.map(request.place)
            + (response.map { axis in axis.landmarks.map(axis.place) } ?? [])
    }
}

extension BoundaryMap.Exchange {
    fileprivate var target: FaultTarget {
        .requests(on: .one(connection), .one(request))
    }
}
