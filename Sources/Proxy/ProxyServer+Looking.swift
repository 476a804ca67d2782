package import Journal
package import Libuv

// What there is at this moment.
extension ProxyServer {
    /// Connections accepted so far.
    package var totalConnections: UInt64 { UInt64(nextNumber) }

    /// Whether new connections are accepted.
    package var isAcceptingNow: Bool { isAccepting && !listeners.isEmpty }

    /// Where it listens and where that leads, in the order of the listeners.
    package var routes: [(listen: String, upstream: String)] {
        zip(listeners, upstreams).map { ($0.address.description, $1.endpoint.description) }
    }

    /// Where it listens, with the ports that were found.
    package var listenAddresses: [SocketAddress] { listeners.map(\.address) }

    /// The numbers of its listeners in records.
    package var listenerNumbers: Range<UInt32> {
        configuration.firstListener..<listenerNumber(listeners.count)
    }

    /// Of all random decisions.
    package var seed: UInt64 { configuration.seed }

    /// Some open connections in the order of acceptance.
    ///
    /// - Parameters:
    ///   - id: the one after which to begin; nil for the first.
    ///   - limit: how many at most.
    /// - Returns: them, and whether there are more.
    package func page(
        after id: ConnectionID?,
        limit: Int
    ) -> (rows: [ProxySnapshot.Connection], hasMore: Bool) {
        let order = { (id: ConnectionID) in (id.listener, id.ordinal) }
        let all = connections.values.filter { connection in
            id.map { order(connection.identity.id) > order($0) } ?? true
        }.sorted { order($0.identity.id) < order($1.identity.id) }
        return (all.prefix(limit).map(row), all.count > limit)
    }

    /// One open connection; nil if it is not open.
    package func row(_ id: ConnectionID) -> ProxySnapshot.Connection? {
        connections.values.first { $0.identity.id == id }.map(row)
    }
}
