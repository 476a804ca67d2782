import Journal
import SystemIO
import Testing

@testable import Proxy

/// The address of its server, of which a connection's end tells.
@Suite struct ServerAddressTests {
    @Test(arguments: Rig.Transport.allCases, [[], ["c1:down+1000000000=rst"]])
    func `a connection tells where it went, looked into or not`(
        transport: Rig.Transport,
        faults: [String]
    ) throws {
        let rig = try Rig(faults: faults, transport: transport)
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        client.close()
        server.close()
        try rig.runUntilIdle(1)
        #expect(rig.ends.map(\.server) == [rig.upstreamAddress?.description])
    }

    @Test func `of a name it is the address that has answered`() throws {
        let rig = try Rig {
            guard case .tcp(_, let port) = $0.routes[0].upstream else { return }
            $0.routes = [
                .init(listen: $0.routes[0].listen, upstream: .tcp(host: "localhost", port: port))
            ]
        }
        defer { rig.tearDown() }
        let (client, server) = try rig.connectThrough()
        client.close()
        server.close()
        try rig.runUntilIdle(1)
        #expect(rig.ends.map(\.server) == [rig.upstreamAddress?.description])
    }

    @Test func `a server that was not reached has none`() throws {
        let rig = try Rig(listensForUpstream: false)
        defer { rig.tearDown() }
        try rig.connect()
        try rig.runUntilIdle(1)
        #expect(rig.ends.map(\.server) == [nil])
    }

    @Test(arguments: [false, true])
    func `nor has one that the client names, or to which another proxy leads`(
        isForwarded: Bool
    ) throws {
        let rig = try Rig {
            let listen = $0.routes[0].listen
            guard !isForwarded else {
                $0.routes = [.init(listen: listen, forward: ForwardSettings())]
                return
            }
            $0.via = try? NextProxy(parsing: "http://\($0.routes[0].upstream)")
            $0.routes = [.init(listen: listen, upstream: .tcp(host: "far.test", port: 80))]
        }
        defer { rig.tearDown() }
        let server = try #require(rig.upstreamAddress)
        let client = try rig.connect()
        if isForwarded { client.say("CONNECT \(server) HTTP/1.1\r\nHost: x\r\n\r\nhello") }
        try rig.run("the server is asked") { rig.served.first?.receivedCount ?? 0 > 0 }
        rig.served[0].say("HTTP/1.1 200 OK\r\n\r\nx")
        try rig.run("the client is answered") { client.receivedCount > 0 }
        client.reset()
        try rig.runUntilIdle(1)
        #expect(rig.ends.map(\.server) == [nil])
    }
}
