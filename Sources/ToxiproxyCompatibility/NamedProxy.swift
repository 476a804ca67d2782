internal import Libuv
package import Proxy

/// A proxy of the registry: one listener, one upstream, its toxics.
package final class NamedProxy {
    package let name: String
    /// As clients see it: resolved and with its port from the first start on.
    package internal(set) var listenText: String
    /// As it was given; nobody looks at it before the first connection.
    package internal(set) var upstreamText: String
    package internal(set) var isEnabled = false
    /// In the order of their creation.
    package private(set) var toxics: [RegisteredToxic] = []
    package let server: ProxyServer
    /// Where it listens, or did last.
    private(set) var address: SocketAddress?
    private var hasRoute = false

    init(name: String, listen: String, upstream: String, server: ProxyServer) {
        self.name = name
        listenText = listen
        upstreamText = upstream
        self.server = server
    }

    // MARK: Listening

    /// Accepts connections on a socket from now on, in place of the one before.
    func listen(on bound: BoundListener) throws(SystemError) {
        if !hasRoute {
            hasRoute = true
            try server.listen(on: bound, to: Self.endpoint(upstreamText))
        } else {
            try server.listen(on: bound, insteadOf: 0)
        }
        address = bound.address
        listenText = bound.address.description
        isEnabled = true
    }

    /// Refuses new connections and ends those that are open.
    func disable() {
        isEnabled = false
        server.suspendListening()
        server.finishConnections()
    }

    /// Notes where it is to listen once it is enabled.
    func moved(to text: String) {
        listenText = text
        address = nil
    }

    /// Lets new connections go elsewhere; open ones end.
    func setUpstream(_ text: String) {
        upstreamText = text
        if hasRoute { server.connect(to: Self.endpoint(text)) }
        server.finishConnections()
    }

    /// What a text means; one without a host is this machine, as a listener's is.
    ///
    /// A text that means nothing is an unknown host, which shows when somebody connects.
    static func endpoint(_ text: String) -> Endpoint {
        let full = text.hasPrefix(":") ? "127.0.0.1\(text)" : text
        if !full.hasPrefix("unix:"), let endpoint = try? Endpoint(parsing: full) { return endpoint }
        return .tcp(host: text, port: 0)
    }

    // MARK: Toxics

    package func toxic(_ name: String) -> RegisteredToxic? { toxics.first { $0.name == name } }

    /// Changes all toxics at once, for open connections too.
    func set(_ toxics: [RegisteredToxic]) {
        self.toxics = toxics
        server.apply(toxics.map(\.toxic))
    }

    // MARK: Writing

    package var json: OrderedJSON {
        .object([
            .init("name", .string(name)), .init("listen", .string(listenText)),
            .init("upstream", .string(upstreamText)), .init("enabled", .bool(isEnabled)),
            .init("Logger", .object([])), .init("toxics", toxicsJSON),
        ])
    }

    /// Those of the way up first.
    package var toxicsJSON: OrderedJSON {
        .array((toxics.filter(\.isUpstream) + toxics.filter { !$0.isUpstream }).map(\.json))
    }
}
