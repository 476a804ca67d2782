internal import Basics
package import Faults
internal import LinkEngine

/// The places of a schedule in the protocol, by the exchanges of the baseline.
///
/// `c1/r1:resp.body+7`, `c2/r1:resp.body~500` and `GET(/a)#*:resp.body+1` are all places of
/// `GET /a resp.body`: a retry on another connection makes no other place of it.
package struct ProtocolPositions: Hashable, Sendable {
    private let exchanges: [BoundaryMap.Exchange]
    private let connections: [BoundaryMap.Connection]
    private let lookups: [BoundaryMap.Lookup]

    package init(_ map: BoundaryMap) {
        exchanges = map.exchanges
        connections = map.connections
        lookups = map.lookups
    }

    package func names(of point: Point) -> [String] { point.faults.map { name(of: $0.address) } }

    package func name(of place: FaultAddress) -> String {
        let part = place.anchor.message
        switch place.target {
        case .matching(let pattern, _):
            let host = pattern.host.map { "//\($0.canonicalText)" } ?? ""
            return "\(pattern.method ?? "*") \(host)\(pattern.path.canonicalText) \(part)"
        case .object(let path, _): return "object \(path.canonicalText)"
        case .connections:
            return place.host.map { "connection to \($0.canonicalText) \(part)" }
                ?? "connection \(part)"
        case .queries: return "lookup \(place.target.canonicalText.prefix { $0 != "#" })"
        case .flows: return "flow \(place.target.canonicalText) \(part)"
        case .requests:
            guard let exchange = exchange(of: place.target) else { return place.message }
            return "\(exchange.method) \(exchange.place) \(part)"
        }
    }

    /// The exchange of the baseline that a target stands for.
    ///
    /// A connection that the baseline did not have is taken for another try of what its last one
    /// did.
    package func exchange(of target: FaultTarget) -> BoundaryMap.Exchange? {
        switch target {
        case .matching(let pattern, let ordinal):
            let matches = exchanges.filter { $0.pattern == pattern }
            return matches.first { ordinal == .one($0.match) } ?? matches.last
        case .requests(on: let connection, let request):
            let on = exchanges.filter { .one($0.connection) == connection }
            let candidates = on.isEmpty ? exchanges : on
            return candidates.last { .one($0.request) == request } ?? candidates.last
        case .connections, .object, .flows, .queries: return nil
        }
    }

    /// How many exchanges of the baseline are so.
    func count(where isCounted: (BoundaryMap.Exchange) -> Bool) -> Int {
        exchanges.count(where: isCounted)
    }

    /// Whether a run has more requests, or connections without one, after the place of its first fault
    /// than the baseline has.
    package func triesAgain(_ point: Point, _ run: BoundaryMap) -> Bool {
        guard let target = point.faults.first?.address.target else { return false }
        if case .connections(let selector) = target, case .one(let ordinal) = selector.ordinals {
            let usual = connections.count { $0.ordinal > ordinal }
            return run.connections.count { $0.ordinal > ordinal } > usual
        }
        if case .queries(_, let names, _) = target {
            func asked(_ lookups: [BoundaryMap.Lookup]) -> Int {
                lookups.count { names.matches(host: $0.name, port: nil) }
            }
            return asked(run.lookups) > asked(lookups)
        }
        guard let met = exchange(of: target) else { return false }
        func later(_ map: BoundaryMap, _ counts: (BoundaryMap.Exchange) -> Bool) -> Int {
            map.exchanges.count { ($0.connection, $0.request) > met.spot && counts($0) }
        }
        let used = Set(run.exchanges.map(\.connection))
        let idle = run.connections.count {
            $0.ordinal > met.connection && !used.contains($0.ordinal)
        }
        let baseline = BoundaryMap(connections: connections, exchanges: exchanges)
        return later(run) { _ in true } + idle > later(baseline) { _ in true }
            || later(run, met.isLike) > later(baseline, met.isLike)
    }

    /// The request that a fault keeps from the server; nil if it acts on something else.
    func request(of fault: Fault) -> BoundaryMap.Exchange? {
        switch (fault.address.anchor, fault.address.target) {
        case (.message(.up, _, _), let target): exchange(of: target)
        case (.connect, .connections(let selector)):
            exchanges.first { selector.ordinals == .one($0.connection) }
        default: nil
        }
    }

    /// The axis that a fault is on, with the lengths of the baseline.
    package func axis(of fault: Fault) -> Axis? {
        let target = fault.address.target
        guard let exchange = exchange(of: target) else { return nil }
        switch fault.address.anchor {
        case .message(.up, _, _): return Axis(target, .request, exchange.sent)
        case .message(.down, _, _):
            return exchange.received.map { Axis(target, .response, $0) }
        case .connect, .byte, .interim, .idle, .whole, .datagrams, .silence, .tls, .inside:
            return nil
        }
    }
}

extension BoundaryMap.Exchange {
    fileprivate var spot: (connection: UInt32, request: UInt32) { (connection, request) }

    /// Whether another one asks for the same.
    fileprivate func isLike(_ other: BoundaryMap.Exchange) -> Bool {
        pattern.matches(method: other.method, host: other.host, target: other.path)
    }
}
