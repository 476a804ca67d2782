internal import Basics
package import DNS
internal import DNSWire
internal import Faults
package import SystemIO

/// A name server beside a proxy: what it answers, and where.
package struct LookupSettings: Hashable, Sendable {
    /// Of several that fit a name, the first one counts.
    package var names: [NamedAddresses] = []
    /// Servers behind the proxy, whose names lead to where it listens, unless `names` has them.
    package var proxied: [String] = []
    /// Who is asked for other names; nil if they are refused.
    package var upstream: SocketAddress?
    /// Nil for what goes best.
    package var listen: SocketAddress?
    /// Whether the client gets a `resolv.conf` of its own that names this server.
    package var isPrivate = false

    package init() {}

    /// Lets the name of a server lead to the proxy in front of it, unless it leads somewhere already.
    ///
    /// - Parameters:
    ///   - server: its name; an address leads nowhere.
    ///   - listener: of the proxy; one on all addresses of the machine is reached by its loopback.
    package mutating func lead(_ server: String, to listener: SocketAddress?) {
        guard let listener, let address = NetworkAddress(listener.host), server != "localhost",
            SocketAddress(numericHost: server, port: 0) == nil,
            let name = HostPattern.ofNames(server),
            !names.contains(where: { $0.names.matches(host: server, port: nil) })
        else { return }
        let isAny = address.bytes.allSatisfy { $0 == 0 }
        let loopback = NetworkAddress(address.bytes.count == 4 ? "127.0.0.1" : "::1")
        names.append(NamedAddresses(name, [isAny ? loopback ?? address : address]))
    }
}
