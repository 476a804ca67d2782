import Basics
import Faults
import Journal
import LinkEngine
import LinkProfile
import SystemIO
import TestSupport
import Testing

@testable import Proxy

/// A proxy with a server behind it, on one loop; clients are made as needed.
final class Rig: ReadinessHandler {
    let loop: EventLoop
    private(set) var proxy: ProxyServer
    private(set) var records: [JournalRecord] = []
    private(set) var addresses: [SocketAddress] = []
    /// The server's ends of the connections, in the order of acceptance.
    private(set) var served: [TestPeer] = []
    private(set) var clients: [TestPeer] = []
    /// What the server does with each connection.
    var onServe: (TestPeer) -> Void = { _ in }
    private(set) var upstreamAddress: SocketAddress?
    private var listener: ListeningSocket
    private var listenerToken = WatchToken.none

    /// How the proxy is reached and where it goes.
    enum Transport: CaseIterable { case ipv4, ipv6, unix }

    init(
        link: LinkSettings = LinkSettings(),
        faults: [String] = [],
        seed: UInt64 = 1,
        transport: Transport = .ipv4,
        listensForUpstream: Bool = true,
        configure: (inout ProxyConfiguration) -> Void = { _ in }
    ) throws {
        loop = try EventLoop()
        listener = try ListeningSocket(on: Self.freeAddress(transport))
        let bound = listener.address
        upstreamAddress = bound
        let upstream = try #require(bound)
        if !listensForUpstream { listener.close() }
        let listen = Endpoint(Self.freeAddress(transport))
        var profile = Profile(name: "test")
        profile.link = link
        var configuration = ProxyConfiguration(
            routes: [.init(listen: listen, upstream: Endpoint(upstream))],
            profile: profile
        )
        configuration.faults = try faults.map { try Fault(parsing: $0) }
        configuration.seed = seed
        configure(&configuration)
        let inbox = Inbox()
        proxy = try ProxyServer(loop: loop, configuration: configuration) { record, _ in
            inbox.deliver(record)
        }
        inbox.onRecord = { [weak self] in self?.take($0) }
        addresses = try proxy.start().compactMap(\.numericAddress)
        if listener.isOpen { listenerToken = try listener.watch(on: loop, handler: self) }
    }

    private final class Inbox {
        var onRecord: ((JournalRecord) -> Void)?
        func deliver(_ record: JournalRecord) { onRecord?(record) }
    }

    private static func freeAddress(_ transport: Transport) -> SocketAddress {
        switch transport {
        case .ipv4: .loopback(port: 0)
        case .ipv6: .ipv6(Array(repeating: 0, count: 15) + [1], port: 0, scope: 0)
        case .unix:
            .unix(
                "/tmp/linkcond-test-\(CurrentProcess.identifier)-\(UInt32.random(in: 0 ... .max)).sock"
            )
        }
    }

    /// A new client; the latest one is also the last of `clients`.
    @discardableResult
    func connect(toListener place: Int = 0, seed: UInt8 = 1) throws -> TestPeer {
        let client = try TestPeer.connect(to: addresses[place], on: loop, seed: seed)
        clients.append(client)
        return client
    }

    /// A client whose connection has reached the server.
    func connectThrough() throws -> (client: TestPeer, server: TestPeer) {
        let count = served.count
        let client = try connect()
        try run("the connection reaches the server") { self.served.count > count }
        return (client, served[count])
    }

    /// Runs the loop until `condition` holds; fails after `seconds`.
    func run(
        _ what: Comment,
        seconds: Double = 10,
        _ location: SourceLocation = #_sourceLocation,
        until condition: () -> Bool
    ) throws {
        try loop.run("\(what): \(summary)", seconds: seconds, location, until: condition)
    }

    /// Where everything stands, for the message of a test that waits in vain.
    private var summary: String {
        let states = proxy.snapshot().connections.map {
            "\($0.id.ordinal) \($0.state) up \($0.upBytes) down \($0.downBytes)"
        }
        return "proxy \(states), clients \(clients.map(\.summary)), served \(served.map(\.summary))"
    }

    /// Keeps the loop standing still for a time, as when the process gets no processor.
    func stall(for time: Duration) {
        let end = loop.now + time
        while loop.now < end {}
    }

    /// Lets the loop run for a time.
    func run(milliseconds: UInt64) throws {
        loop.run(milliseconds: milliseconds)
    }

    /// Runs until every connection is over at the proxy and its end was recorded.
    func runUntilIdle(_ count: Int = 0) throws {
        try run("all connections end") {
            self.proxy.openConnections == 0 && self.endCount >= count
        }
    }

    private var endCount = 0

    private func take(_ record: JournalRecord) {
        records.append(record)
        if case .connectionEnd = record { endCount += 1 }
    }

    var ends: [ConnectionEnd] {
        records.compactMap { if case .connectionEnd(let end) = $0 { end } else { nil } }
    }

    var faultReports: [FaultReport] {
        records.compactMap { if case .fault(let report) = $0 { report } else { nil } }
    }

    /// Ends everything; call it at the end of a test, or the loop's own check fails.
    func tearDown() {
        for peer in clients + served { peer.close() }
        proxy.stop()
        stopServing()
        // Work that a connection has deferred would keep it and the loop alive.
        loop.finishClosing()
    }

    /// Closes the server's listener; open connections stay.
    func stopServing() {
        guard listener.isOpen else { return }
        let address = listener.address
        listener.unwatch(listenerToken, on: loop)
        listener.close()
        if case .unix(let path) = address { SocketFile.remove(path) }
    }

    /// Where the server listens now.
    var servingAddress: SocketAddress? { listener.address }

    /// Listens again where the server listened before.
    func serveAgain(at address: SocketAddress) throws {
        listener = try ListeningSocket(on: address)
        listenerToken = try listener.watch(on: loop, handler: self)
    }

    func ready(_ readiness: Readiness, tag: UInt32) {
        while let socket = try? listener.accept(), socket.isOpen {
            guard let peer = try? TestPeer(loop: loop, socket: socket, seed: 2) else { return }
            served.append(peer)
            onServe(peer)
        }
    }
}
