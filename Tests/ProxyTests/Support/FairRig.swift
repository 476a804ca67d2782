import Basics
import LinkEngine
import LinkProfile
import SystemIO
import TestSupport
import Testing
import Toxics

@testable import Proxy

/// What one end of a connection has to be able to do for it.
protocol CountingPeer: AnyObject {
    var receivedCount: Int { get }
    func send(_ count: Int)
    func close()
}

extension TestPeer: CountingPeer {
    func send(_ count: Int) { send(count, then: .nothing) }
}

extension SecurePeer: CountingPeer {
    func send(_ count: Int) { say(Array(repeating: 1, count: count)) }
}

/// Connections that all go one way through a proxy, to servers on the same loop.
final class FairRig {
    let path: FairPath
    private let rig: Rig
    /// Before the rig's proxy, where TLS is opened on both sides of it.
    private var front: ProxyServer?
    private var entrance: SocketAddress
    private let certificates: TestCertificates?
    private var secured: [SecurePeer] = []

    init(_ path: FairPath) throws {
        self.path = path
        let certificates = path.opensTLS ? try TestCertificates() : nil
        self.certificates = certificates
        rig = try Rig(
            link: path == .link ? .fast(delayMilliseconds: 0) : LinkSettings(),
            faults: path == .armedFault ? ["c*:down+1000000000000=rst"] : []
        ) {
            $0.observesRequests = path.isObserved
            $0.tls = certificates.map(Self.tls)
            guard path.forwards else { return }
            $0.routes = [.init(listen: $0.routes[0].listen, forward: ForwardSettings())]
        }
        entrance = rig.addresses[0]
        rig.onServe = { peer in
            peer.keepsReceived = true
            if let content = path.content(ofClient: false) { peer.content = content }
        }
        if path == .toxic {
            rig.proxy.apply([.on(.down, .latency(milliseconds: 0, jitterMilliseconds: 0))])
        }
        if path == .bothTLS { try addFront() }
    }

    private static func tls(_ certificates: TestCertificates) -> TLSConfiguration {
        var configuration = TLSConfiguration()
        configuration.clients = .init(certificates.serverSettings)
        configuration.upstream.authorities = certificates.authority
        return configuration
    }

    private func addFront() throws {
        let route = ProxyConfiguration.Route(
            listen: Endpoint(.loopback(port: 0)),
            upstream: Endpoint(entrance),
            upstreamName: "localhost"
        )
        var configuration = ProxyConfiguration(routes: [route])
        configuration.tls = certificates.map(Self.tls)
        let proxy = try ProxyServer(loop: rig.loop, configuration: configuration) { _, _ in }
        front = proxy
        entrance = try #require(try proxy.start().first?.numericAddress)
    }

    /// Opens a connection on which both sides may send pieces of any content.
    func open() throws -> (client: any CountingPeer, server: TestPeer) {
        try path.opensTLS ? openSecurely() : openPlainly()
    }

    private func openSecurely() throws -> (any CountingPeer, TestPeer) {
        let count = rig.served.count
        let client = try SecurePeer(
            to: entrance,
            on: rig.loop,
            authorities: certificates?.authority
        )
        client.keepsReceived = false
        secured.append(client)
        try rig.run("TLS begins") { client.isEstablished && self.rig.served.count > count }
        return (client, rig.served[count])
    }

    private func openPlainly() throws -> (any CountingPeer, TestPeer) {
        let count = rig.served.count
        let client = try rig.connect()
        client.keepsReceived = true
        if let content = path.content(ofClient: true) { client.content = content }
        let opening = path.opening(to: try #require(rig.upstreamAddress))
        client.say(bytes: opening)
        try rig.run("the server gets what the client says first") {
            self.rig.served.count > count
                && self.rig.served[count].receivedCount >= self.path.passing(opening)
        }
        let server = rig.served[count]
        server.say(bytes: path.answer)
        try rig.run("the client is answered") { self.path.hasOpened(client.received) }
        client.keepsReceived = false
        return (client, server)
    }

    /// Bytes that the proxy has moved to clients.
    var downloaded: UInt64 {
        (front ?? rig.proxy).snapshot().connections.reduce(0) { $0 + $1.downBytes }
    }

    func run(_ what: Comment, until condition: () -> Bool) throws {
        try rig.run(what, until: condition)
    }

    /// One turn of the loop; `most` is the most that one has moved.
    func turn(_ most: inout UInt64) {
        let before = downloaded
        rig.loop.runOnce()
        most = max(most, downloaded - before)
    }

    func tearDown() {
        for peer in secured { peer.close() }
        front?.stop()
        rig.tearDown()
    }
}
