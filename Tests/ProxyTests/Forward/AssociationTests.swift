import Basics
import Faults
import Journal
import LinkEngine
import LinkProfile
import SystemIO
import TestSupport
import Testing

@testable import Proxy

/// Datagrams of SOCKS clients.
@Suite struct AssociationTests {
    /// A client with a relay, and servers that send back what they get.
    private final class Scene {
        let rig: Rig
        let connection: TestPeer
        let client: TestDatagramPeer
        private var peers: [TestDatagramPeer] = []

        init(
            transport: Rig.Transport = .ipv4,
            link: LinkSettings = LinkSettings(),
            faults: [String] = [],
            change: (inout ProxyConfiguration) -> Void = { _ in }
        ) throws {
            rig = try Rig(link: link, faults: faults, transport: transport) {
                $0.routes = [.init(listen: $0.routes[0].listen, forward: ForwardSettings())]
                change(&$0)
            }
            connection = try rig.connect()
            connection.keepsReceived = true
            connection.say(bytes: [5, 1, 0, 5, 3, 0, 1, 0, 0, 0, 0, 0, 0])
            let length = transport == .ipv6 ? 24 : 12
            try rig.run("there is a relay") { [connection] in connection.receivedCount == length }
            #expect(Array(connection.received[..<5]) == [5, 0, 5, 0, 0])
            let relay = try SOCKSAddress(connection.received, at: 5)
            let host = try #require(relay.host)
            client = try .client(
                of: try #require(SocketAddress(numericHost: host, port: relay.port)),
                on: rig.loop
            )
        }

        func server(at address: SocketAddress = .loopback(port: 0)) throws -> TestDatagramPeer {
            let server = try TestDatagramPeer.server(at: address, on: rig.loop)
            server.onReceive = { $0.send($1.bytes, ecn: $1.ecn, to: $1.sender) }
            peers.append(server)
            return server
        }

        /// Sends text to a server by its address, as the client or another socket.
        func send(
            _ text: String,
            to server: TestDatagramPeer,
            as sender: TestDatagramPeer? = nil
        ) throws {
            let address = try #require(server.address)
            (sender ?? client).send(RelayHeader.bytes(from: address) + Array(text.utf8))
        }

        /// What the client got, by the server that its header names.
        func answers(from server: TestDatagramPeer) -> [String] {
            guard let address = server.address else { return [] }
            let header = RelayHeader.bytes(from: address)
            return client.received.filter { $0.bytes.starts(with: header) }
                .map { String(decoding: $0.bytes.dropFirst(header.count), as: UTF8.self) }
        }

        func stranger() throws -> TestDatagramPeer {
            let relay = try SOCKSAddress(connection.received, at: 5)
            let peer = try TestDatagramPeer.client(of: .loopback(port: relay.port), on: rig.loop)
            peers.append(peer)
            return peer
        }

        func tearDown() {
            client.close()
            for peer in peers { peer.close() }
            rig.tearDown()
        }

        /// Ends the proxy, so that all records are there.
        func flowEnds() -> [FlowEnd] {
            rig.proxy.stop()
            return rig.records.compactMap { if case .flowEnd(let end) = $0 { end } else { nil } }
        }

        var refusals: [String] {
            rig.records.compactMap {
                if case .upstream(_, .notAllowed, let words) = $0 { words } else { nil }
            }
        }
    }

    @Test(arguments: [Rig.Transport.ipv4, .ipv6], [LinkSettings(), .fast(delayMilliseconds: 2)])
    func `each server has a flow of its own, and its answers say which it is`(
        transport: Rig.Transport,
        link: LinkSettings
    ) throws {
        let scene = try Scene(transport: transport, link: link)
        defer { scene.tearDown() }
        let (one, other) = (try scene.server(), try scene.server(at: .ipv6Loopback(port: 0)))
        for text in ["a", "b"] { try scene.send(text, to: one) }
        try scene.send("c", to: other)
        try scene.rig.run("all come back") { scene.client.received.count == 3 }
        #expect(scene.answers(from: one) == ["a", "b"] && scene.answers(from: other) == ["c"])
        // Headers are not counted.
        let ends = scene.flowEnds()
        #expect(ends.map(\.flow.name) == ["u1", "u2"])
        #expect(ends.map(\.cause) == [.shutdown, .shutdown])
        #expect(ends.map(\.up.bytes) == [2, 1] && ends.map(\.down.bytes) == [2, 1])
    }

    @Test func `a server may be named`() throws {
        let scene = try Scene()
        defer { scene.tearDown() }
        let one = try scene.server()
        // Whichever of the two the name means first.
        let port = try #require(one.address?.port)
        let other = try? scene.server(at: .ipv6Loopback(port: port))
        let header = [0, 0, 0] + SOCKSAddress.bytes(of: Destination(host: "localhost", port: port))
        for text in ["a", "b"] { scene.client.send(header + Array(text.utf8)) }
        try scene.rig.run("both come back") { scene.client.received.count == 2 }
        #expect(scene.answers(from: one) + (other.map(scene.answers) ?? []) == ["a", "b"])
        #expect(scene.flowEnds().count == 1)
    }

    @Test func `faults count the datagrams of each server by themselves`() throws {
        let scene = try Scene(faults: ["u1:up#2=drop", "u2:down#1=drop", "u2:up#2=dup"])
        defer { scene.tearDown() }
        let (one, other) = (try scene.server(), try scene.server())
        for text in ["a", "b", "c"] { try scene.send(text, to: one) }
        try scene.rig.run("two come back") { scene.answers(from: one) == ["a", "c"] }
        for text in ["d", "e"] { try scene.send(text, to: other) }
        try scene.rig.run("two come back") { scene.answers(from: other) == ["e", "e"] }
        #expect(one.texts == ["a", "c"] && other.texts == ["d", "e", "e"])
        scene.rig.proxy.stop()
        let fired = scene.rig.faultReports.filter { $0.state == .fired }
        #expect(fired.count == 3 && Set(fired.map(\.connection?.name)) == ["u1", "u2"])
    }

    @Test func `fragments, strangers and nonsense are dropped`() throws {
        let scene = try Scene()
        defer { scene.tearDown() }
        let server = try scene.server()
        try scene.send("first", to: server)
        try scene.rig.run("it comes") { server.texts == ["first"] }
        try scene.send("stranger", to: server, as: scene.stranger())
        let header = RelayHeader.bytes(from: try #require(server.address))
        for place in 0..<3 {
            var changed = header
            changed[place] = 1
            scene.client.send(changed + [1])
        }
        for length in 0..<header.count { scene.client.send(Array(header[..<length])) }
        try scene.send("last", to: server)
        try scene.rig.run("it comes") { server.texts.last == "last" }
        #expect(server.texts == ["first", "last"])
        #expect(scene.flowEnds().map(\.up.count) == [2])
    }

    @Test func `a relay is for the host that asked for it`() throws {
        let scene = try Scene()
        defer { scene.tearDown() }
        let server = try scene.server()
        let elsewhere = try #require(SocketAddress(numericHost: "127.0.0.2", port: 0))
        let other = try scene.server(at: elsewhere)
        let relay = try SOCKSAddress(scene.connection.received, at: 5)
        let header = RelayHeader.bytes(from: try #require(server.address))
        let port = DatagramPeer(.loopback(port: relay.port))
        other.send(header + Array("stranger".utf8), to: port)
        try scene.send("ours", to: server)
        try scene.rig.run("it comes back") { scene.answers(from: server) == ["ours"] }
        #expect(server.texts == ["ours"])
    }

    @Test(arguments: [TestPeer.Ending.finish, .reset])
    func `a relay ends with its connection`(ending: TestPeer.Ending) throws {
        let scene = try Scene()
        defer { scene.tearDown() }
        let server = try scene.server()
        try scene.send("a", to: server)
        try scene.rig.run("it comes back") { scene.answers(from: server) == ["a"] }
        #expect(scene.rig.proxy.snapshot().flows?.open == 1)
        scene.connection.end(ending)
        try scene.rig.runUntilIdle(1)
        #expect(scene.rig.proxy.snapshot().flows?.open == 0)
        try scene.send("b", to: server)
        try scene.rig.run("nobody listens there") { !scene.client.failures.isEmpty }
        #expect(server.texts == ["a"])
        #expect(scene.flowEnds().map(\.cause) == [.association])
    }

    @Test func `what else the connection carries does not matter`() throws {
        let scene = try Scene()
        defer { scene.tearDown() }
        let server = try scene.server()
        scene.connection.say("anything")
        try scene.send("a", to: server)
        try scene.rig.run("it comes back") { scene.answers(from: server) == ["a"] }
        #expect(scene.rig.proxy.snapshot().connections.first?.state == .open)
        var isDrained = false
        scene.rig.proxy.drain(limitMilliseconds: 60_000, closesIdle: true) { isDrained = true }
        try scene.rig.run("it is not waited for") { isDrained }
    }

    @Test func `an answer that is too long with its header is lost, and that is told`() throws {
        let scene = try Scene()
        defer { scene.tearDown() }
        let server = try scene.server()
        server.onReceive = { server, datagram in
            server.send([UInt8](repeating: 1, count: 65_507), to: datagram.sender)
            server.send("short", to: datagram.sender)
        }
        try scene.send("a", to: server)
        try scene.rig.run("the short one comes") { scene.answers(from: server) == ["short"] }
        let ends = scene.flowEnds()
        #expect(ends.map(\.down.count) == [2] && ends.map(\.down.delivered) == [1])
        let notes = scene.rig.records.compactMap {
            if case .note(_, let text) = $0 { text } else { nil }
        }
        #expect(notes == ["some datagrams are too long for the path to the client, and are lost"])
    }

    @Test func `servers are judged as those of connections are`() throws {
        let scene = try Scene {
            $0.routes[0].forward?.rules.patterns = ["169.254.*"].compactMap(HostPattern.init)
        }
        defer { scene.tearDown() }
        let refused = [
            Destination(host: "192.0.2.1", port: 9), Destination(host: "a.test", port: 9),
            Destination(host: "169.254.1.1", port: 9), Destination(host: "0x7f.1", port: 9),
        ]
        for destination in refused + refused {
            scene.client.send([0, 0, 0] + SOCKSAddress.bytes(of: destination) + [1])
        }
        let server = try scene.server()
        try scene.send("a", to: server)
        try scene.rig.run("only this comes back") { scene.answers(from: server) == ["a"] }
        #expect(scene.refusals.count == 4, "\(scene.refusals)")
        let refusal = "192.0.2.1:9 is not allowed; allow it with --allow 192.0.2.1:9"
        #expect(scene.refusals.first == refusal)
        #expect(scene.flowEnds().count == 1)
    }

    @Test func `a server has the network of its host`() throws {
        var own = Profile(name: "own")
        own.link = .fast(delayMilliseconds: 1)
        let scene = try Scene {
            $0.routes[0].forward?.networks = ["127.0.0.1"].compactMap(HostPattern.init)
                .map { HostNetwork($0, own) }
        }
        defer { scene.tearDown() }
        let (one, other) = (try scene.server(), try scene.server(at: .ipv6Loopback(port: 0)))
        for server in [one, other] { try scene.send("a", to: server) }
        try scene.rig.run("both come back") { scene.client.received.count == 2 }
        let names = scene.rig.proxy.flows.inOrder.map(\.context.link.profile.name)
        #expect(names == ["own", "test"])
    }

    @Test(arguments: [Rig.Transport.ipv4, .unix])
    func `there is no relay behind another proxy, nor where there are no addresses`(
        transport: Rig.Transport
    ) throws {
        let rig = try Rig(transport: transport) {
            $0.routes = [.init(listen: $0.routes[0].listen, forward: ForwardSettings())]
            if transport == .ipv4 { $0.via = try? NextProxy(parsing: "http://127.0.0.1:9") }
        }
        defer { rig.tearDown() }
        let client = try rig.connect()
        client.keepsReceived = true
        client.say(bytes: [5, 1, 0, 5, 3, 0, 1, 0, 0, 0, 0, 0, 0])
        try rig.run("it ends") { client.isOver }
        #expect(client.received == [5, 0, 5, 7, 0, 1, 0, 0, 0, 0, 0, 0])
    }
}
