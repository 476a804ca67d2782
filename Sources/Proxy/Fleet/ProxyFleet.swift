internal import Basics
package import Journal
package import SystemIO

/// A proxy in a fleet, with what its user keeps of it.
package protocol FleetMember: AnyObject {
    /// Unique in the fleet.
    var name: String { get }
    var server: ProxyServer { get }
    /// It was removed from the fleet.
    func removed()
}

/// Every proxy of a run: its own, which begins and ends with it, and those that clients made.
///
/// No two listeners have the same number, so that a connection's name shows whose it is.
package final class ProxyFleet<Member: FleetMember> {
    /// The one of the command line.
    package let own: Member
    /// The run's own first, then in the order in which they were made.
    package private(set) var all: [Member]
    /// Where control listens; nothing is forwarded there.
    package var controlAddresses: [SocketAddress] = [] {
        didSet { join(own) }
    }
    private let draining = DrainingProxies()
    /// What the proxies did that are gone.
    private var past = ProxySnapshot()
    private var upcomingListener: UInt32?

    /// Proxies of one run, its own included.
    package static var limit: Int { 64 }

    package init(own: Member) {
        self.own = own
        all = [own]
    }

    // MARK: Finding

    package subscript(name: String) -> Member? { all.first { $0.name == name } }

    /// The proxy that a connection came through; nil if it is gone.
    package func proxy(of connection: ConnectionID) -> Member? { proxy(at: connection.listener) }

    /// The proxy with a listener of this number.
    package func proxy(at listener: UInt32) -> Member? {
        all.first { $0.server.listenerNumbers.contains(listener) }
    }

    package var isFull: Bool { all.count >= Self.limit }

    /// Whether a connection to an address, which is canonical, would end at this process.
    package func answers(at address: SocketAddress) -> Bool {
        let listening = all.flatMap(\.server.listenAddresses)
        return (controlAddresses + listening).contains { $0.answers(at: address) }
    }

    /// The number for the next listener; none is used twice.
    package func nextListenerNumber() -> UInt32 {
        let number = upcomingListener ?? own.server.listenerNumbers.upperBound
        upcomingListener = number + 1
        return number
    }

    // MARK: Coming and going

    package func add(_ proxy: Member) {
        all.append(proxy)
        join(own)
        join(proxy)
    }

    /// Lets a proxy refuse to forward to the others; one that is alone is spared the question.
    private func join(_ proxy: Member) {
        let server = proxy.server
        server.ownEndpoints.others = { [weak self, weak server] in
            guard let self else { return [] }
            let others = all.filter { $0.server !== server }
            return controlAddresses + others.flatMap(\.server.listenAddresses)
        }
    }

    /// Ends a proxy; its connections are reset.
    package func remove(_ proxy: Member) {
        guard proxy !== own, let place = all.firstIndex(where: { $0 === proxy }) else { return }
        all.remove(at: place)
        proxy.removed()
        let server = proxy.server
        draining.add(server, resetting: true) { [weak self] in
            self?.past.add(server.snapshot(rows: 0))
        }
    }

    // MARK: The run as a whole

    /// Open connections on which something waits or an answer is due.
    package var busyConnections: Int { all.reduce(0) { $0 + $1.server.busyConnections } }

    /// Connections that are open, also of proxies that are gone.
    package var openConnections: Int {
        all.reduce(draining.openConnections) { $0 + $1.server.openConnections }
    }

    /// What all did so far, also those that are gone; conditions are those of the run's own.
    package func snapshot(rows: Int = .max) -> ProxySnapshot {
        var sum = own.server.snapshot(rows: rows)
        for proxy in all where proxy !== own { sum.add(proxy.server.snapshot(rows: rows)) }
        for server in draining.servers { sum.add(server.snapshot(rows: 0)) }
        sum.add(past)
        return sum
    }

    /// Accepts nothing more and lets open connections finish.
    ///
    /// - Parameters:
    ///   - milliseconds: connections that are open then are reset.
    ///   - closesIdle: whether connections on which nothing happens are closed at once.
    ///   - done: called once, on the loop, when none is open.
    package func drain(
        limitMilliseconds milliseconds: UInt64,
        closesIdle: Bool = false,
        then done: @escaping () -> Void
    ) {
        ProxyServer.drain(
            all.map(\.server),
            limitMilliseconds: milliseconds,
            closesIdle: closesIdle,
            then: done
        )
    }

    /// Ends at once what clients made; the run's own is ended by the run.
    package func stop() {
        for proxy in all where proxy !== own { proxy.server.stop() }
        draining.stop()
    }
}

extension ProxySnapshot {
    /// Counts what another proxy did, too.
    fileprivate mutating func add(_ other: ProxySnapshot) {
        for (mine, its) in [(\ProxySnapshot.up, other.up), (\.down, other.down)] {
            self[keyPath: mine].bytes += its.bytes
            self[keyPath: mine].queuedBytes += its.queuedBytes
            self[keyPath: mine].queuedPackets += its.queuedPackets
        }
        openConnections += other.openConnections
        totalConnections += other.totalConnections
        connections += other.connections
        faults += other.faults
        troubles += other.troubles
        lateness.count += other.lateness.count
        lateness.worst = max(lateness.worst, other.lateness.worst)
    }
}
