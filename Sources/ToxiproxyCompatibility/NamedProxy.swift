package import Basics
internal import Journal
package import Proxy
internal import SystemIO

/// A proxy of the registry: one listener, one upstream, its toxics.
package final class NamedProxy {
    package let name: String
    /// As clients see it: resolved and with its port from the first start on.
    package internal(set) var listenText: String { didSet { changed() } }
    /// As it was given; it is resolved when the first connection needs it.
    package internal(set) var upstreamText: String { didSet { changed() } }
    package internal(set) var isEnabled = false { didSet { changed() } }
    /// In the order of their creation.
    package private(set) var toxics: [RegisteredToxic] = [] { didSet { changed() } }
    package let server: ProxyServer
    /// Where it listens, or did last, with the port that was found.
    private(set) var place: ListenPlace?
    /// The addresses of that place.
    private(set) var addresses: [SocketAddress] = []
    /// When the log last reported an upstream that could not be reached, on the loop's clock.
    var lastFailure: Instant?
    private var hasRoute = false
    /// Called after each change of what clients see.
    var onChange: () -> Void = {}
    /// `json` in UTF-8 since the last change; nil if nobody asked for it.
    private var written: [UInt8]?

    init(name: String, listen: String, upstream: String, server: ProxyServer) {
        self.name = name
        listenText = listen
        upstreamText = upstream
        self.server = server
    }

    // MARK: Listening

    /// The first of its addresses.
    var address: SocketAddress? { addresses.first }

    /// Accepts connections on a socket from now on, in place of the one before.
    func listen(on bound: BoundListener) throws(SystemError) {
        if !hasRoute {
            hasRoute = true
            try server.listen(on: bound, to: Self.endpoint(upstreamText))
        } else {
            try server.listen(on: bound, insteadOf: 0)
        }
        place = bound.place
        addresses = bound.addresses
        listenText = bound.address.description
        isEnabled = true
    }

    /// Refuses new connections and ends those that are open.
    func disable() {
        isEnabled = false
        server.suspendListening()
        server.finishConnections()
    }

    /// Sets where it will listen once it is enabled.
    func moved(to text: String) {
        listenText = text
        place = nil
        addresses = []
    }

    /// Sends new connections to another upstream and ends open ones.
    func setUpstream(_ text: String) {
        upstreamText = text
        if hasRoute { server.connect(to: Self.endpoint(text)) }
        server.finishConnections()
    }

    /// What a text means; one without a host is this machine, as a listener's is.
    ///
    /// Any other text is an unknown host, which fails when a client connects.
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

    package var json: JSONValue {
        .object([
            "name": .string(name), "listen": .string(listenText),
            "upstream": .string(upstreamText), "enabled": .bool(isEnabled),
            "Logger": .object([:]), "toxics": toxicsJSON,
        ])
    }

    /// `json` in UTF-8, kept until something changes.
    var bytes: [UInt8] {
        if let written { return written }
        let new = GoJSON.bytes(of: json)
        written = new
        return new
    }

    private func changed() {
        written = nil
        onChange()
    }

    /// Those of the way up first.
    package var toxicsJSON: JSONValue {
        .array((toxics.filter(\.isUpstream) + toxics.filter { !$0.isUpstream }).map(\.json))
    }
}
