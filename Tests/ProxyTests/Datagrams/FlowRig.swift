import Faults
import Journal
import LinkEngine
import LinkProfile
import SystemIO
import TestSupport
import Testing

@testable import Proxy

/// A proxy for datagrams with a server behind it that sends back what it gets.
final class FlowRig {
    let loop: EventLoop
    let server: TestDatagramPeer
    private(set) var proxy: ProxyServer
    private(set) var records: [JournalRecord] = []
    private(set) var address: SocketAddress
    private var clients: [TestDatagramPeer] = []

    init(
        link: LinkSettings = LinkSettings(),
        faults: [String] = [],
        seed: UInt64 = 7,
        isIPv6: Bool = false,
        configure: (inout ProxyConfiguration) -> Void = { _ in }
    ) throws {
        loop = try EventLoop()
        let free: SocketAddress = isIPv6 ? .ipv6Loopback(port: 0) : .loopback(port: 0)
        server = try .server(at: free, on: loop)
        server.onReceive = { server, datagram in
            server.send(datagram.bytes, ecn: datagram.ecn, to: datagram.sender)
        }
        var profile = Profile(name: "test")
        profile.link = link
        var route = ProxyConfiguration.Route(
            listen: Endpoint(free),
            upstream: Endpoint(try #require(server.address))
        )
        route.carriesDatagrams = true
        var configuration = ProxyConfiguration(routes: [route], profile: profile)
        configuration.faults = try faults.map { try Fault(parsing: $0) }
        configuration.seed = seed
        configure(&configuration)
        let inbox = Inbox()
        proxy = try ProxyServer(loop: loop, configuration: configuration) { record, _ in
            inbox.deliver(record)
        }
        do {
            address = try #require(try proxy.start().last?.numericAddress)
        } catch {
            // A rig that was not made is not stopped.
            server.close()
            loop.finishClosing()
            throw error
        }
        inbox.onRecord = { [weak self] in self?.records.append($0) }
    }

    private final class Inbox {
        var onRecord: ((JournalRecord) -> Void)?
        func deliver(_ record: JournalRecord) { onRecord?(record) }
    }

    func client() throws -> TestDatagramPeer {
        let client = try TestDatagramPeer.client(of: address, on: loop)
        clients.append(client)
        return client
    }

    func run(
        _ what: Comment,
        _ location: SourceLocation = #_sourceLocation,
        until condition: () -> Bool
    ) throws {
        let texts = clients.map { $0.texts.map { String($0.prefix(20)) } }
        try loop.run("\(what): clients \(texts)", seconds: 10, location, until: condition)
    }

    /// Sends these one after another, each after the one before has reached the server or been lost.
    func send(_ count: Int, from client: TestDatagramPeer) throws {
        for number in 1...count {
            let before = server.received.count
            client.send("\(number)")
            patiently { self.server.received.count > before }
        }
    }

    /// Runs the loop until something is so, or is not after 50 ms.
    func patiently(_ condition: () -> Bool) {
        for _ in 0..<25 where !condition() { loop.run(milliseconds: 2) }
    }

    /// Ends the proxy, so that all records are there.
    func stop() {
        proxy.stop()
        for client in clients { client.close() }
        server.close()
        loop.finishClosing()
    }

    var flowEnds: [FlowEnd] {
        records.compactMap { if case .flowEnd(let end) = $0 { end } else { nil } }
    }

    var fired: [String] {
        records.compactMap {
            guard case .fault(let report) = $0, report.state == .fired else { return nil }
            return report.address
        }
    }

    var notes: [String] {
        records.compactMap { if case .note(_, let text) = $0 { text } else { nil } }
    }

    /// What the journal says of datagrams that the system lost.
    var losses: [String] {
        records.compactMap {
            if case .trouble(.datagramsLost, let words) = $0 { words } else { nil }
        }
    }

    var upstreamFailures: [UpstreamTrouble] {
        records.compactMap { if case .upstream(_, let failure, _) = $0 { failure } else { nil } }
    }

    var unreached: [String] {
        records.compactMap {
            guard case .fault(let report) = $0, case .unreached(let reason) = report.state else {
                return nil
            }
            return "\(report.id): \(reason)"
        }
    }
}
