import Basics
import ControlAPI
import Faults
import HTTPWire
import Journal
import LinkEngine
import LinkProfile
import Proxy
import SystemIO
import Testing
import TestSupport

/// A proxy with the control API, a server behind it and clients before it, on one loop.
///
/// Requests are answered by call; `ControlRig` shows how they come in over a socket.
final class NativeRig {
    let loop: EventLoop
    let alarms: TimerQueue
    let server: ProxyServer
    /// Where the run's own proxy listens.
    let address: SocketAddress
    let api: NativeAPI
    private(set) var applied: [Profile] = []
    private(set) var clients: [RawPeer] = []
    private(set) var served: [RawPeer] = []
    private var listener: ListeningSocket
    private var token = WatchToken.none

    private final class Inbox {
        var take: (JournalRecord) -> Void = { _ in }
        var applied: (Profile) -> Void = { _ in }
    }

    /// With `carriesDatagrams` a second listener takes datagrams, for a server that is not there; with
    /// `hasTestServer` the server behind it is the run's own.
    init(
        faults: [String] = [],
        carriesDatagrams: Bool = false,
        hasTestServer: Bool = false,
        secondPath: Profile? = nil
    ) throws {
        loop = try EventLoop()
        alarms = try TimerQueue(loop: loop)
        listener = try ListeningSocket(on: .loopback(port: 0))
        let bound = listener.address
        let upstream = try #require(bound)
        var configuration = ProxyConfiguration(
            routes: [
                .init(listen: .tcp(host: "127.0.0.1", port: 0), upstream: Endpoint(upstream))
            ]
        )
        if carriesDatagrams {
            var route = configuration.routes[0]
            route.carriesDatagrams = true
            configuration.routes.append(route)
        }
        let testServer = hasTestServer ? configuration.routes[0].upstream.description : nil
        configuration.faults = try faults.map { try Fault(parsing: $0) }
        configuration.seed = 7
        configuration.secondPath = secondPath
        configuration.observesRequests = true
        let inbox = Inbox()
        server = try ProxyServer(loop: loop, configuration: configuration) { record, _ in
            inbox.take(record)
        }
        address = try #require(try server.start().first?.numericAddress)
        let library = ProfileLibrary.builtinOnly()
        api = NativeAPI(
            fleet: ProxyFleet(
                own: SteeredProxy(
                    name: NativeAPI.proxyName,
                    server: server,
                    profileReference: "none",
                    settings: []
                )
            ),
            program: .init(
                version: "9.9",
                seed: 7,
                command: { (["linkcond --seed 7"] + $0).joined(separator: " --fault ") },
                profileNames: { ["lte", "wifi"] },
                profileCards: {
                    [
                        ProfileCard(
                            name: "lte",
                            kind: .cellular,
                            summary: "LTE",
                            figures: "50M/10M, 115 ms"
                        )
                    ]
                },
                loadProfile: { name, settings throws(ProfileError) in
                    try library.load(name, settings: settings)
                },
                readProfile: { text throws(ProfileError) in try library.load(text) },
                onProfile: { inbox.applied($0) },
                makeServer: { [loop] configuration throws(ProxyError) in
                    var configuration = configuration
                    configuration.observesRequests = true
                    return try ProxyServer(loop: loop, configuration: configuration) { record, _ in
                        inbox.take(record)
                    }
                },
                testServer: testServer,
                commandLine: { (["linkcond"] + $0).joined(separator: " ") }
            ),
            startedAt: loop.now
        )
        inbox.take = { [weak self] record in
            guard let self else { return }
            api.take(record, now: loop.now)
        }
        server.paths.onChange = { [weak api] in api?.paths.look() }
        inbox.applied = { [weak self] in self?.applied.append($0) }
        token = try listener.watch(on: loop, handler: Acceptor(self))
    }

    deinit {
        api.stop()
        server.stop()
        for peer in clients + served { peer.close() }
        listener.unwatch(token, on: loop)
        listener.close()
        alarms.close()
    }

    /// The loop keeps who listens; it must not keep the rig, which closes what it has when it goes.
    private final class Acceptor: ReadinessHandler {
        private weak var rig: NativeRig?

        init(_ rig: NativeRig) { self.rig = rig }

        func ready(_ readiness: Readiness, tag: UInt32) { rig?.accept() }
    }

    private func accept() {
        while let socket = try? listener.accept(), socket.isOpen {
            if let peer = try? RawPeer(loop: loop, socket: socket) { served.append(peer) }
        }
    }

    /// A client whose connection has reached the server.
    @discardableResult
    func connect(
        to other: SocketAddress? = nil
    ) throws -> (client: RawPeer, server: RawPeer) {
        let client = try knock(at: other ?? address)
        let count = served.count
        run { served.count > count }
        return (client, served[served.count - 1])
    }

    /// A client that connects, whatever becomes of it.
    func knock(at address: SocketAddress) throws -> RawPeer {
        let client = try RawPeer.connect(to: address, on: loop)
        clients.append(client)
        return client
    }

    /// Where the server behind the proxies listens.
    var upstream: String { listener.address?.description ?? "" }

    // MARK: Requests

    struct Answer {
        var status: Int
        var fields: HeaderFields
        var body: String
        var json: JSONValue

        /// A member of the document, by its path.
        subscript(_ path: String...) -> JSONValue? {
            var value: JSONValue? = json
            for step in path {
                switch value {
                case .object(let object)?: value = object[step]
                case .array(let values)?:
                    value = Int(step).flatMap { $0 < values.count ? values[$0] : nil }
                default: return nil
                }
            }
            return value
        }
    }

    func send(
        _ method: String,
        _ target: String,
        _ body: String = "",
        fields: HeaderFields = [:],
        _ location: SourceLocation = #_sourceLocation
    ) throws -> Answer {
        let head = RequestHead(method, target, fields: fields)
        let request = try ControlRequest(head, body: Array(body.utf8))
        guard case .complete(let head, let bytes) = api.answer(request) else {
            Issue.record("no whole answer", sourceLocation: location)
            return Answer(status: 0, fields: [:], body: "", json: .null)
        }
        let json = (try? JSONParser.parse(bytes[...], .document)) ?? .null
        return Answer(
            status: head.status,
            fields: head.fields,
            body: String(decoding: bytes, as: UTF8.self),
            json: json
        )
    }

    func post(_ target: String, _ body: String) throws -> Answer {
        try send("POST", target, body)
    }

    // MARK: Running

    func run(
        until condition: () -> Bool,
        _ location: SourceLocation = #_sourceLocation
    ) {
        loop.run(until: condition, location)
    }
}
