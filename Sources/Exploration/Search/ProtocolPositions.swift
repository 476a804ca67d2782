/// The places of a schedule in the protocol, by the exchanges of the baseline.
///
/// `c1/r1:resp.body+7`, `c2/r1:resp.body~500` and `GET(/a)#*:resp.body+1` are all places of
/// `GET /a resp.body`: a retry on another connection makes no other place of it.
package struct ProtocolPositions: Hashable, Sendable {
    private let exchanges: [BoundaryMap.Exchange]

    package init(_ map: BoundaryMap) { exchanges = map.exchanges }

    package func names(of point: Point) -> [String] { point.faults.map { name(of: $0.place) } }

    package func name(of place: FaultPlace) -> String {
        let part = FaultPlace(.connection(.every), place.part).message.dropFirst("c*:".count)
        switch place.target {
        case .matching(let method, let path, _): return "\(method) \(path) \(part)"
        case .object(let path, _): return "object \(path)"
        case .connection: return "connection \(part)"
        case .request:
            guard let exchange = exchange(of: place.target) else { return place.message }
            return "\(exchange.method) \(exchange.path) \(part)"
        }
    }

    /// The exchange of the baseline that a target stands for.
    ///
    /// A connection that the baseline did not have is taken for another try of what its last one
    /// did.
    package func exchange(of target: FaultPlace.Target) -> BoundaryMap.Exchange? {
        switch target {
        case .matching(let method, let path, let ordinal):
            let matches = exchanges.filter { $0.method == method && $0.path == path }
            return matches.first { ordinal == .one($0.match) } ?? matches.last
        case .request(let connection, let request):
            let on = exchanges.filter { .one($0.connection) == connection }
            let candidates = on.isEmpty ? exchanges : on
            return candidates.last { .one($0.request) == request } ?? candidates.last
        case .connection, .object: return nil
        }
    }

    /// The axis that a fault is on, with the lengths of the baseline.
    package func axis(of fault: PlannedFault) -> Axis? {
        guard let exchange = exchange(of: fault.place.target) else { return nil }
        switch fault.place.part {
        case .requestHead, .requestBody, .requestEnd:
            return Axis(fault.place.target, .request, exchange.sent)
        case .responseHead, .responseBody, .responseEnd:
            return exchange.received.map { Axis(fault.place.target, .response, $0) }
        default: return nil
        }
    }
}
