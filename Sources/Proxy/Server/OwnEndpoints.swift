package import SystemIO

/// Where this process answers, so that no connection is forwarded to it.
package final class OwnEndpoints {
    /// Whether an address must not be connected to, because it leads back here.
    package var refuses: ((SocketAddress) -> Bool)?
    /// Where else this process answers, such as control and other proxies.
    package var others: (() -> [SocketAddress])?
    /// Where the proxy itself listens.
    var listeners: [SocketAddress] = []

    /// Whether a connection to `address` would come back.
    func contains(_ address: SocketAddress) -> Bool {
        let address = address.canonical
        if refuses?(address) == true { return true }
        return any { $0.answers(at: address) }
    }

    /// Whether a connected socket ends at one of our own endpoints that accept any address.
    func leadsBack(_ socket: borrowing Socket) -> Bool {
        // Most have none, and to ask the system for addresses costs more.
        guard any(\.isWildcard) else { return false }
        guard let local = socket.localAddress, let peer = socket.peerAddress else { return false }
        let isThisMachine = local.with(port: 0) == peer.with(port: 0)
        return isThisMachine && any { $0.isWildcard && $0.port == peer.port }
    }

    private func any(_ isMeant: (SocketAddress) -> Bool) -> Bool {
        listeners.contains(where: isMeant) || others?().contains(where: isMeant) == true
    }
}

extension SocketAddress {
    /// Whether a listener that is bound here answers a connection to `address`, which is canonical.
    package func answers(at address: SocketAddress) -> Bool {
        let own = canonical
        if own == address { return true }
        guard let port = address.port, own.port == port else { return false }
        return own.isWildcard && (address.isLoopback || address.isWildcard)
            || address.isWildcard && own.isLoopback
    }
}
