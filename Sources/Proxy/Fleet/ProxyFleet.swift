internal import Journal
package import Libuv
package import Proxy

/// Every proxy of a run: its own, which begins and ends with it, and those that clients made.
///
/// Their listeners have numbers of their own, so that a connection's name says whose it is.
package final class ProxyFleet {
    /// The one of the command line.
    package let own: SteeredProxy
    /// The run's own first, then in the order in which they were made.
    package private(set) var all: [SteeredProxy]
    /// Where control listens; nothing is forwarded there.
    package var controlAddresses: [SocketAddress] = []
    private let leaving = LeavingProxies()
    /// What those did that are gone.
    private var past = ProxySnapshot()
    private var nextListener: UInt32?

    /// Proxies of one run, its own included.
    package static let limit = 64

    package init(own: SteeredProxy) {
        self.own = own
        all = [own]
        join(own)
    }

    // MARK: Finding

    package subscript(name: String) -> SteeredProxy? { all.first { $0.name == name } }

    /// The proxy that a connection came through; nil if it is gone.
    func proxy(of connection: ConnectionID) -> SteeredProxy? { proxy(at: connection.listener) }

    /// The proxy with a listener of this number.
    func proxy(at listener: UInt32) -> SteeredProxy? {
        all.first { $0.server.listenerNumbers.contains(listener) }
    }

    var isFull: Bool { all.count >= Self.limit }

    /// Whether a connection to an address, which is canonical, would end at this process.
    func answers(at address: SocketAddress) -> Bool {
        let listening = all.flatMap(\.server.listenAddresses)
        return (controlAddresses + listening).contains { $0.answers(at: address) }
    }

    /// The number for the next listener; none is used twice.
    func takeListenerNumber() -> UInt32 {
        let number = nextListener ?? own.server.listenerNumbers.upperBound
        nextListener = number + 1
        return number
    }

    // MARK: Coming and going

    func add(_ proxy: SteeredProxy) {
        all.append(proxy)
        join(proxy)
    }

    private func join(_ proxy: SteeredProxy) {
        let server = proxy.server
        server.otherEndpoints = { [weak self, weak server] in
            guard let self else { return [] }
            let others = all.filter { $0.server !== server }
            return controlAddresses + others.flatMap(\.server.listenAddresses)
        }
    }

    /// Ends a proxy; its connections are reset.
    func remove(_ proxy: SteeredProxy) {
        guard proxy !== own, let place = all.firstIndex(where: { $0 === proxy }) else { return }
        all.remove(at: place)
        proxy.isEnabled = false
        let server = proxy.server
        leaving.add(server, resetting: true) { [weak self] in
            self?.past.add(server.snapshot(rows: 0))
        }
    }

    // MARK: The run as a whole

    /// Connections that are open, also of proxies that are gone.
    package var openConnections: Int {
        all.reduce(leaving.openConnections) { $0 + $1.server.openConnections }
    }

    /// What all did so far, also those that are gone; conditions are those of the run's own.
    package func snapshot(rows: Int = .max) -> ProxySnapshot {
        var sum = own.server.snapshot(rows: rows)
        for proxy in all where proxy !== own { sum.add(proxy.server.snapshot(rows: rows)) }
        for server in leaving.servers { sum.add(server.snapshot(rows: 0)) }
        sum.add(past)
        return sum
    }

    /// Accepts nothing more and lets open connections finish.
    ///
    /// - Parameters:
    ///   - milliseconds: connections that are open then are reset.
    ///   - done: called once, on the loop, when none is open.
    package func drain(limitMilliseconds milliseconds: UInt64, then done: @escaping () -> Void) {
        ProxyServer.drain(all.map(\.server), limitMilliseconds: milliseconds, then: done)
    }

    /// Ends at once what clients made; the run's own is ended by the run.
    func stop() {
        for proxy in all where proxy !== own { proxy.server.stop() }
        leaving.stop()
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
        lateness.worstNanoseconds = max(
            lateness.worstNanoseconds,
            other.lateness.worstNanoseconds
        )
    }
}
