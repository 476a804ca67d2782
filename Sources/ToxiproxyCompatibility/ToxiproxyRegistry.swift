package import Basics
internal import ControlAPI
package import Journal
internal import LinkProfile
internal import Proxy
package import SystemIO

/// An event for the log.
package struct ToxiproxyEvent: Hashable, Sendable {
    package enum Level: String, Comparable, CaseIterable, Sendable {
        case info, warn, error

        /// By how much it matters.
        package static func < (a: Level, b: Level) -> Bool {
            (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
        }
    }

    package var level = Level.info
    package var proxy: String?
    package var message: String
}

/// The named proxies, and everything that clients can do to them.
///
/// Each change is made completely or not at all. Nothing waits: addresses are looked up before.
package final class ToxiproxyRegistry {
    package let loop: EventLoop
    package let seed: UInt64
    package let allowsRemote: Bool
    /// When the journal began, on the loop's clock.
    private let startedAt: Instant
    private let onRecord: ((JournalRecord, Instant) -> Void)?
    var proxies: [String: NamedProxy] = [:] {
        didSet {
            keptOrder = nil
            keptListing = nil
        }
    }
    /// `all`, until a proxy comes or goes.
    private var keptOrder: [NamedProxy]?
    private var keptListing: [UInt8]?
    private var created: UInt32 = 0
    var toxicSerial: UInt64 = 0
    private let memory = ToxicMemory()
    let leaving = DrainingProxies()
    /// Addresses of ours that are no proxies, such as that of the API; nothing is forwarded there.
    package var ownAddresses: [SocketAddress] = []
    package var onEvent: ((ToxiproxyEvent) -> Void)?

    /// - Parameters:
    ///   - loop: where everything happens.
    ///   - seed: of all draws.
    ///   - allowsRemote: whether proxies may listen where other machines can reach them.
    ///   - startedAt: when the journal began, on the loop's clock, for times within records; nil for now.
    ///   - onRecord: receives each record for the journal, and when it came up; nil if there is none.
    package init(
        loop: EventLoop,
        seed: UInt64,
        allowsRemote: Bool = false,
        startedAt: Instant? = nil,
        onRecord: ((JournalRecord, Instant) -> Void)? = nil
    ) {
        self.startedAt = startedAt ?? loop.now
        self.loop = loop
        self.seed = seed
        self.allowsRemote = allowsRemote
        self.onRecord = onRecord
    }

    /// All proxies in the order of their names' bytes.
    package var all: [NamedProxy] {
        if let keptOrder { return keptOrder }
        let order = proxies.values.sorted {
            $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
        }
        keptOrder = order
        return order
    }

    /// All proxies by their names, as JSON in UTF-8.
    ///
    /// Clients ask for it again and again, some before each test: what was written is kept until a
    /// proxy changes, and then only that proxy is written anew.
    package var listing: [UInt8] {
        if let keptListing { return keptListing }
        var bytes = [UInt8(ascii: "{")]
        for proxy in all {
            if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
            bytes += GoJSON.bytes(of: .string(proxy.name))
            bytes.append(UInt8(ascii: ":"))
            bytes += proxy.bytes
        }
        bytes.append(UInt8(ascii: "}"))
        keptListing = bytes
        return bytes
    }

    package func proxy(_ name: String) throws(ToxiproxyError) -> NamedProxy {
        guard let proxy = proxies[name] else { throw .proxyNotFound }
        return proxy
    }

    package func contains(_ name: String) -> Bool { proxies[name] != nil }

    /// Connections that are open, also of proxies that are gone.
    package var openConnections: Int {
        proxies.values.reduce(leaving.openConnections) { $0 + $1.server.openConnections }
    }

    /// Open connections on which something waits or an answer is due.
    package var busyConnections: Int {
        proxies.values.reduce(0) { $0 + $1.server.busyConnections }
    }

    // MARK: Proxies

    /// Makes a proxy with its toxics; they are there before its first connection.
    package func create(
        _ fields: inout ProxyFields,
        _ addresses: ListenAddresses
    ) throws(ToxiproxyError) -> NamedProxy {
        guard let name = fields.name, !name.isEmpty else { throw .missing("name") }
        guard let upstream = fields.upstream, !upstream.isEmpty else { throw .missing("upstream") }
        guard proxies[name] == nil else { throw .proxyExists }
        let toxics = try makeToxics(&fields)
        let listen = fields.listen ?? ""
        let bound: BoundListener? =
            fields.isEnabled ?? true ? try bind(addresses.place(of: listen)) : nil
        let proxy = try makeProxy(name, listen: listen, upstream: upstream)
        proxy.set(toxics)
        do throws(ToxiproxyError) {
            if let bound { try start(proxy, on: bound) }
        } catch {
            retire(proxy)
            throw error
        }
        proxies[name] = proxy
        log(proxy, "created, \(proxy.listenText) to \(proxy.upstreamText)")
        return proxy
    }

    /// Enables all proxies and removes all toxics; a failure does not stop it.
    ///
    /// - Throws: 500 with all failures.
    package func reset(_ addresses: ListenAddresses) throws(ToxiproxyError) {
        var failures: [String] = []
        for proxy in all {
            proxy.set([])
            guard !proxy.isEnabled else { continue }
            do throws(ToxiproxyError) {
                let place = try place(of: proxy, addresses)
                try start(proxy, on: try bind(place))
            } catch {
                failures.append("\(proxy.name): \(error.text)")
            }
        }
        log(nil, "reset")
        guard failures.isEmpty else {
            throw ToxiproxyError(500, failures.joined(separator: "; "))
        }
    }

    /// Texts of listeners that must be looked up before `reset`.
    package var neverStarted: [String] {
        all.filter { !$0.isEnabled && $0.address == nil }.map(\.listenText)
    }

    func makeProxy(
        _ name: String,
        listen: String,
        upstream: String
    ) throws(ToxiproxyError) -> NamedProxy {
        created += 1
        var configuration = ProxyConfiguration(routes: [])
        configuration.name = name
        configuration.seed = seed
        configuration.firstListener = created
        configuration.allowsRemote = allowsRemote
        configuration.startedAt = startedAt
        do throws(ProxyError) {
            let server = try ProxyServer(
                loop: loop,
                configuration: configuration,
                onRecord: onRecord
            )
            server.toxicMemory = memory
            _ = try server.start()
            let proxy = NamedProxy(name: name, listen: listen, upstream: upstream, server: server)
            proxy.onChange = { [weak self] in self?.keptListing = nil }
            server.ownEndpoints.refuses = { [weak self, weak proxy] address in
                guard let self, let proxy else { return false }
                return leadsBack(address, to: proxy)
            }
            server.onUpstreamFailure = { [weak self, weak proxy] endpoint, error in
                guard let self, let proxy else { return }
                upstreamFailed(endpoint, error, of: proxy)
            }
            return proxy
        } catch {
            throw ToxiproxyError(500, error.description)
        }
    }

    /// Whether a connection of `proxy` to an address would come back to it, or reach the API.
    private func leadsBack(_ address: SocketAddress, to proxy: NamedProxy) -> Bool {
        if ownAddresses.contains(where: { $0.answers(at: address) }) { return true }
        var next: SocketAddress? = address
        for _ in 0...proxies.count {
            guard let address = next?.canonical,
                let hop = proxies.values.first(where: { $0.listens(at: address) })
            else { return false }
            if hop === proxy { return true }
            next = NamedProxy.endpoint(hop.upstreamText).numericAddress
        }
        return true
    }

    func log(_ proxy: NamedProxy?, _ message: String) {
        onEvent?(ToxiproxyEvent(proxy: proxy?.name, message: message))
    }

    func warn(_ message: String) { onEvent?(ToxiproxyEvent(level: .warn, message: message)) }

    /// Reports an upstream that could not be reached, once a second and proxy at most.
    private func upstreamFailed(_ endpoint: Endpoint, _ error: SystemError, of proxy: NamedProxy) {
        let now = loop.now
        if let last = proxy.lastFailure, now - last < .seconds(1) { return }
        proxy.lastFailure = now
        let message = "cannot connect to upstream \(endpoint): \(error)"
        onEvent?(ToxiproxyEvent(level: .error, proxy: proxy.name, message: message))
    }
}

extension NamedProxy {
    fileprivate func listens(at address: SocketAddress) -> Bool {
        isEnabled && addresses.contains { $0.answers(at: address) }
    }
}
