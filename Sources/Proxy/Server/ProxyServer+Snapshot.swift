package import Basics
internal import Faults
package import Journal
internal import LinkEngine
package import LinkProfile
package import SystemIO

// What others see of a proxy.
extension ProxyServer {
    /// The network that is imitated now.
    package var profile: Profile { link.profile }

    /// The networks of connections to some hosts.
    package var hostNetworks: [HostNetwork] { configuration.hostNetworks }

    /// The seed of all random decisions.
    package var seed: UInt64 { configuration.seed }

    /// Whether new connections are accepted.
    package var isAccepting: Bool {
        !acceptor.isClosed && acceptor.count + flows.routes.count > 0
    }

    /// Where each route listens and where that leads, in the order of the listeners.
    package var routes: [(listen: String, upstream: String)] {
        acceptor.descriptions + flows.descriptions
    }

    /// Where it listens, with the ports that were found; those for datagrams last.
    package var listenAddresses: [SocketAddress] {
        acceptor.addresses + flows.routes.compactMap(\.address)
    }

    /// The numbers of its listeners in records.
    package var listenerNumbers: Range<UInt32> {
        let connections = acceptor.listenerNumbers
        return connections.lowerBound..<connections.upperBound + UInt32(flows.routes.count)
    }

    /// Where this process answers, so that nothing is forwarded there.
    package var ownEndpoints: OwnEndpoints { acceptor.ownEndpoints }

    /// Hands over the records that wait.
    package func flushRecords() { context.reporter.flush() }

    // MARK: Connections

    /// Connections accepted so far.
    package var totalConnections: UInt64 { UInt64(connections.totalCount) }

    /// How many connections are open, those included whose upstream has not answered.
    package var openConnections: Int { connections.count }

    /// Open connections on which something waits or an answer is due.
    package var busyConnections: Int {
        connections.inOrder.count { !$0.isIdle && !$0.onlySilenceIsLeft }
    }

    /// Payload bytes that were read from the senders of a direction since the start.
    package func receivedBytes(_ direction: Direction) -> UInt64 {
        connections.receivedBytes(direction) + flows.tally(direction).bytes
    }

    /// Payload bytes that were handed to the receivers' kernels since the start.
    package func deliveredBytes(_ direction: Direction) -> UInt64 {
        connections.deliveredBytes(direction) + flows.tally(direction).bytes
    }

    /// What the second path is like; nil without one.
    package var secondPath: PathAttributes? { paths.second?.path }

    /// Those of connections and flows that took the second path.
    package func deliveredOverSecondPath(_ direction: Direction) -> UInt64 {
        guard let second = paths.second else { return 0 }
        return flows.inOrder.filter { $0.context.link === second }
            .reduce(connections.deliveredBytes(direction, over: second)) {
                $0 + $1.bytes(direction)
            }
    }

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
        // Flows come after all connections.
        let isPast = id.map { $0.isFlow } ?? false
        var page = isPast ? (rows: [], hasMore: false) : connections.page(after: id, limit: limit)
        let further = flows.rows(.max).filter { row in !isPast || id.map { $0 < row.id } ?? true }
        page.hasMore = page.hasMore || further.count > limit - page.rows.count
        page.rows += further.prefix(max(0, limit - page.rows.count))
        return page
    }

    /// One open connection; nil if it is not open.
    package func row(_ id: ConnectionID) -> ProxySnapshot.Connection? {
        id.isFlow ? flows.rows(.max).first { $0.id == id } : connections.row(id)
    }

    // MARK: All of it

    /// How late packets left so far.
    package var lateness: ProxySnapshot.Lateness { context.reporter.lateness }

    /// What is going on; computed when asked for.
    ///
    /// - Parameter rows: how many connections are described: those that a fault acts on, then the
    ///   latest ones. Each costs a system call.
    /// - Returns: the figures of this moment.
    package func snapshot(rows: Int = .max) -> ProxySnapshot {
        let reporter = context.reporter
        var snapshot = ProxySnapshot()
        snapshot.openConnections = connections.count
        snapshot.totalConnections = totalConnections
        snapshot.up = summary(.up)
        snapshot.down = summary(.down)
        snapshot.flows = flows.summary
        snapshot.connections = connections.rows(rows)
        snapshot.connections += flows.rows(rows - snapshot.connections.count)
        snapshot.faults = reporter.ledger.rows
        snapshot.recentEvents = reporter.recentEvents
        snapshot.troubles = reporter.troubles
        snapshot.lateness = reporter.lateness
        return snapshot
    }

    private func summary(_ direction: Direction) -> ProxySnapshot.Direction {
        let queued = links.map { $0.queued(direction) }
        return ProxySnapshot.Direction(
            bytes: deliveredBytes(direction),
            queuedPackets: queued.reduce(0) { $0 + $1.packets },
            queuedBytes: queued.reduce(0) { $0 + $1.bytes }
        )
    }
}
