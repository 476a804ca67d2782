internal import Basics
internal import Faults
internal import Journal

/// How many connections went to each server, so that faults can count those to a host.
struct DestinationCounts {
    private var counts: [Destination: UInt32] = [:]
    /// Of the connections that are open: their ordinals among those to each host that faults name.
    var ordinals: [ConnectionID: HostOrdinals] = [:]

    /// Connections to further servers are not counted, and no fault that names a host acts on them.
    private static let limit = 65_536

    /// Counts a connection.
    ///
    /// - Parameters:
    ///   - id: of the connection.
    ///   - server: where it goes.
    ///   - patterns: the hosts that faults name.
    mutating func count(_ id: ConnectionID, _ server: Destination, by patterns: Set<HostPattern>) {
        guard counts[server] != nil || counts.count < Self.limit else { return }
        counts[server, default: 0] &+= 1
        for pattern in patterns where pattern.matches(host: server.host, port: server.port) {
            ordinals[id, default: [:]][pattern] = total(pattern)
        }
    }

    /// How many connections went to a host so far.
    func total(_ pattern: HostPattern) -> UInt32 {
        counts.reduce(0) { total, entry in
            let isMeant = pattern.matches(host: entry.key.host, port: entry.key.port)
            return isMeant ? total &+ entry.value : total
        }
    }
}
