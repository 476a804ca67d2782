internal import FaultInjection
internal import HTTPWire
internal import Journal
internal import LinkEngine
internal import LinkProfile

// What servers are told of the path.
extension ProxyServer {
    /// By the profile of now; nil for a path that is neither expensive nor constrained.
    var requestHints: RequestHints? {
        let path = profile.path
        guard configuration.addsHints, path.isExpensive || path.isConstrained else { return nil }
        let link = profile.link
        let rate: BitRate? =
            switch link.down.capacity {
            case .unlimited: nil
            case .rate(let rate): rate
            case .trace(let trace): BitRate(bitsPerSecond: max(1, trace.meanBitsPerSecond))
            }
        return RequestHints(
            roundTrip: link.down.delay + link.up.delay,
            downlink: rate,
            isConstrained: path.isConstrained
        )
    }

    /// Records what a request was given: from there on the server's offsets are not the client's.
    func toldServer(
        _ fields: [HeaderFields.Field],
        _ bytes: Int,
        of request: UInt32,
        on id: ConnectionID
    ) {
        let list = fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
        report(.note(id, text: "r\(request): hints of \(bytes) bytes for the server: \(list)"))
    }
}
