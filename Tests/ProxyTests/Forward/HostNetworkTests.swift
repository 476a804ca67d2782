import Basics
import LinkEngine
import LinkProfile
import SystemIO
import Testing

@testable import Proxy

/// A forward proxy on which some hosts have a network of their own.
@Suite struct HostNetworkTests {
    private static func network(
        _ hosts: String,
        _ link: LinkSettings = LinkSettings(),
        change: (inout Profile) -> Void = { _ in }
    ) throws -> HostNetwork {
        var profile = Profile(name: "own")
        profile.link = link
        change(&profile)
        return HostNetwork(try #require(HostPattern(hosts)), profile)
    }

    private static func rig(
        _ networks: [HostNetwork],
        change: @escaping (inout ProxyConfiguration) -> Void = { _ in }
    ) throws -> Rig {
        try Rig { configuration in
            var forward = ForwardSettings()
            forward.networks = networks
            configuration.routes = [.init(listen: configuration.routes[0].listen, forward: forward)]
            change(&configuration)
        }
    }

    /// A client that asks for a tunnel to the server under one of its names.
    private static func tunnel(_ rig: Rig, to host: String) throws -> TestPeer {
        guard case .ipv4(_, let port)? = rig.upstreamAddress else { throw CancellationError() }
        let client = try rig.connect()
        client.keepsReceived = true
        client.say("CONNECT \(host):\(port) HTTP/1.1\r\nHost: \(host):\(port)\r\n\r\n")
        return client
    }

    private static func profiles(_ rig: Rig) -> [String] {
        rig.proxy.connections.inOrder.map { $0.context.link.profile.name }
    }

    @Test func `connections go over the network of their host, the first that fits`() throws {
        let slow = try Self.network("127.0.0.1", .fast(delayMilliseconds: 100))
        let never = try Self.network("127.*") { $0.name = "never" }
        let rig = try Self.rig([slow, never])
        defer { rig.tearDown() }
        let far = try Self.tunnel(rig, to: "127.0.0.1")
        try rig.run("the far one is there") { rig.served.count == 1 }
        let near = try Self.tunnel(rig, to: "localhost")
        try rig.run("both are there") { rig.served.count == 2 && near.text.contains("200") }
        #expect(Self.profiles(rig) == ["own", "test"])
        try rig.run("the far one is told so") { far.text.contains("200") }
        let begin = rig.loop.now
        far.say("x")
        try rig.run("it arrives") { rig.served[0].receivedCount == 1 }
        #expect(rig.loop.now - begin >= .milliseconds(100))
        let later = rig.loop.now
        near.say("x")
        try rig.run("it arrives") { rig.served[1].receivedCount == 1 }
        #expect(rig.loop.now - later < .milliseconds(90))
    }

    @Test func `a budget is that of one network`() throws {
        let spent = try Self.network("127.0.0.1") {
            $0.budget = DataBudget()
            $0.budget?.hardLimitBytes = 1_000
        }
        let rig = try Self.rig([spent])
        defer { rig.tearDown() }
        let first = try Self.tunnel(rig, to: "127.0.0.1")
        try rig.run("it is there") { rig.served.count == 1 }
        let other = try Self.tunnel(rig, to: "localhost")
        try rig.run("both are there") { rig.served.count == 2 }
        rig.served[0].send(5_000)
        rig.served[1].send(5_000)
        try rig.run("the budget ends the first") { first.isOver }
        try rig.run("and not the other") { other.receivedCount >= 5_000 }
        let again = try Self.tunnel(rig, to: "127.0.0.1")
        try rig.run("a further one is refused") { again.isOver }
        _ = try Self.tunnel(rig, to: "localhost")
        try rig.run("by this network alone") { rig.served.count == 3 }
    }

    @Test func `the budget of all others does not refuse a host with its own network`() throws {
        let rig = try Self.rig([try Self.network("127.0.0.1")]) {
            $0.profile.budget = DataBudget()
            $0.profile.budget?.hardLimitBytes = 0
        }
        defer { rig.tearDown() }
        let refused = try Self.tunnel(rig, to: "localhost")
        try rig.run("refused") { refused.isOver }
        _ = try Self.tunnel(rig, to: "127.0.0.1")
        try rig.run("served") { rig.served.count == 1 }
    }

    @Test func `an outage by hand is one of all networks`() throws {
        let rig = try Self.rig([try Self.network("127.0.0.1")])
        defer { rig.tearDown() }
        let clients = try ["127.0.0.1", "localhost"].map { try Self.tunnel(rig, to: $0) }
        try rig.run("both are there") { rig.served.count == 2 }
        try rig.proxy.manual.beginOutage()
        for client in clients { client.say("x") }
        try rig.run(milliseconds: 100)
        #expect(rig.served.allSatisfy { $0.receivedCount == 0 })
        _ = try rig.proxy.manual.endOutage()
        try rig.run("they go on") { rig.served.allSatisfy { $0.receivedCount == 1 } }
    }

    @Test func `draws depend on the seed and the hosts, not on other networks`() throws {
        let (one, other) = try (Self.network("a.test"), Self.network("b.test"))
        #expect(one.seed(1) == one.seed(1) && one.seed(1) != one.seed(2))
        #expect(one.seed(1) != other.seed(1) && one.seed(1) != 1)
    }

    @Test func `a digest tells networks apart`() throws {
        let plain = Profile(name: "none")
        let own = try Self.network("a.test", .fast(delayMilliseconds: 1))
        #expect([HostNetwork]().canonicalText(with: plain) == plain.canonicalText)
        let texts = Set([
            [own].canonicalText(with: plain),
            [HostNetwork(own.hosts, plain)].canonicalText(with: plain),
            plain.canonicalText,
        ])
        #expect(texts.count == 3)
    }
}
