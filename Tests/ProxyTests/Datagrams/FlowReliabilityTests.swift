import Basics
import CLibrary
import Journal
import LinkEngine
import SystemIO
import TestSupport
import Testing

@testable import Proxy

/// Datagrams of clients and servers that flood, restart, vanish, or are not what they seem.
@Suite struct FlowReliabilityTests {
    @Test(.onLinux("how many datagrams the system has dropped"))
    func `what is lost at the end of a flood is told when the proxy stops`() throws {
        let rig = try FlowRig()
        let client = try rig.client()
        // More than the listener's buffer takes; the loop has no turn in between, nor after.
        let datagram = [UInt8](repeating: 1, count: 60_000)
        for _ in 0..<600 { client.send(datagram) }
        rig.stop()
        #expect(rig.losses.count == 1)
        #expect(rig.losses.first?.hasPrefix("the system lost ") == true)
    }

    @Test func `a server that restarts is reached again, from the same port`() throws {
        let rig = try FlowRig()
        let address = try #require(rig.server.address)
        let client = try rig.client()
        client.send("before")
        try rig.run("it is back") { client.texts == ["before"] }
        rig.server.close()
        for number in 1...3 {
            client.send("lost \(number)")
            try rig.run("the failure is recorded") { !rig.upstreamFailures.isEmpty }
        }
        let server = try TestDatagramPeer.server(at: address, on: rig.loop)
        defer { server.close() }
        server.onReceive = { $0.send($1.bytes, to: $1.sender) }
        // An answer of the network to an earlier one may be on its way.
        try rig.run("it is served again") {
            client.send("after")
            return client.texts.last == "after"
        }
        #expect(Set(server.received.map(\.sender)) == Set(rig.server.received.map(\.sender)))
        rig.stop()
        #expect(rig.upstreamFailures.count == 1)
        #expect(rig.losses.isEmpty)
    }

    @Test func `only an address that has sent something is sent anything`() throws {
        let rig = try FlowRig()
        let client = try rig.client()
        client.send("1")
        try rig.run("it is back") { client.texts == ["1"] }
        let sender = try #require(rig.server.received.first?.sender)
        // A stranger to the flow, and the server after the flow has ended.
        let stranger = try TestDatagramPeer.client(of: sender.address, on: rig.loop)
        defer { stranger.close() }
        stranger.send("of a stranger")
        let table = try #require(rig.proxy.flows.routes.first?.table)
        table.sweep(idleTime: .zero)
        rig.server.send("too late", to: sender)
        client.send("2")
        try rig.run("it is back") { client.received.count == 2 }
        #expect(client.texts == ["1", "2"])
        rig.stop()
        #expect(rig.flowEnds.map(\.cause) == [.idle, .shutdown])
        #expect(rig.flowEnds.map(\.down.count) == [1, 1])
    }

    @Test func `flows that end leave no descriptor and no memory behind`() throws {
        let rig = try FlowRig()
        defer { rig.stop() }
        let table = try #require(rig.proxy.flows.routes.first?.table)
        let before = rig.loop.watchedDescriptors
        for round in 1...3 * testScale {
            let clients = try (0..<100).map { _ in
                try TestDatagramPeer.client(of: rig.address, on: rig.loop)
            }
            for client in clients { client.send("x") }
            try rig.run("all are served") { clients.allSatisfy { !$0.received.isEmpty } }
            for client in clients { client.close() }
            let flows = table.inOrder.map { Weak($0) }
            #expect(flows.count == 100 && flows.allSatisfy { $0.value != nil })
            table.sweep(idleTime: .zero)
            #expect(flows.allSatisfy { $0.value == nil })
            #expect(rig.loop.watchedDescriptors == before, "after round \(round)")
        }
        #expect(rig.proxy.flows.count == 0)
    }

    private struct Weak {
        weak var value: Flow?
        init(_ value: Flow) { self.value = value }
    }

    /// With the header of UDP written by hand, as only root may.
    @Test(.enabled(if: geteuid() == 0, "only root may forge a datagram"))
    func `a datagram that seems to come from ourselves, or from port 0, begins no flow`() throws {
        let rig = try FlowRig()
        let own = try #require(rig.address.port)
        let raw = socket(AF_INET, CInt(SOCK_RAW.rawValue), CInt(IPPROTO_UDP))
        try #require(raw >= 0)
        defer { close(raw) }
        for source in [own, 0] {
            let header = [source, own, 9, 0].flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
            let datagram = header + [120]
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let sent = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe sendto(
                        raw,
                        datagram,
                        datagram.count,
                        0,
                        $0,
                        socklen_t(MemoryLayout<sockaddr_in>.size)
                    )
                }
            }
            #expect(sent == datagram.count)
        }
        let client = try rig.client()
        client.send("genuine")
        try rig.run("it is back") { client.texts == ["genuine"] }
        #expect(rig.server.texts == ["genuine"])
        rig.stop()
        #expect(rig.flowEnds.count == 1 && rig.losses.isEmpty)
    }
}
