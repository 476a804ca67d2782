import Foundation
import CLibrary
import SystemIO
import TestSupport
import Testing

/// As many clients of one proxy for datagrams as its descriptors allow, and more.
@Suite struct ManyFlowsTests {
    private static let most = 10_000
    /// So many datagrams under way fit in any socket's buffer.
    private static let group = 50

    /// Each from another address, which is given back at once: a flow outlives its client.
    private struct Clients {
        let proxy: SocketAddress
        private(set) var count = 0

        init(of proxy: SocketAddress) { self.proxy = proxy }

        mutating func send(_ number: Int) throws {
            for _ in 0..<number {
                let host = 0x7F00_0101 + UInt32(count / 20_000)
                let port = UInt16(10_000 + count % 20_000)
                let socket = try DatagramSocket(to: proxy, from: .ipv4(host, port: port))
                let batch = batch
                #expect(batch.send([120], ecn: 0, through: socket).count == 0)
                count += 1
            }
        }

        private let batch = DatagramBatch()
    }

    @Test func `ten thousand idle flows take little memory, and more take none`() throws {
        let loop = try EventLoop()
        let server = try TestDatagramPeer.server(at: .loopback(port: 0), on: loop)
        defer { server.close() }
        server.onReceive = { $0.send($1.bytes, to: $1.sender) }
        let upstream = try #require(server.address)
        let proxy = try RunningProxy(["--upstream", "udp://\(upstream)", "--listen", "0"])
        let parts = proxy.address.split(separator: ":")
        let address = SocketAddress.loopback(port: try #require(UInt16(parts[1])))
        let first = try TestDatagramPeer.client(of: address, on: loop)
        defer { first.close() }
        first.send("first")
        try loop.run("the first is served") { first.texts == ["first"] }

        var limit = rlimit()
        #expect(unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        let room = min(Self.most, (Int(limit.rlim_max) - 64) / 2)
        var clients = Clients(of: address)
        func serve(upTo count: Int) throws {
            while clients.count < count {
                try clients.send(min(Self.group, count - clients.count))
                try loop.run("client \(clients.count) is served", seconds: 30) {
                    server.received.count > clients.count
                }
            }
        }
        try serve(upTo: 200)
        let before = try Self.residentKibibytes(of: proxy.program)
        try serve(upTo: room - 1)
        let grown = try Self.residentKibibytes(of: proxy.program) - before
        // libuv's own memory of a socket comes on top.
        let each = Platform.isPortable ? 1.7 : 1.5
        #expect(Double(grown) <= each * Double(room - 201), "\(grown) KiB for \(room - 201) flows")

        // As many again; those beyond the limit are not served, the first one still is.
        let limited = room < Self.most
        for round in 0..<room / Self.group {
            try clients.send(Self.group)
            first.send("round \(round)")
            try loop.run("round \(round)") { first.texts.last == "round \(round)" }
        }
        if limited {
            let more = try Self.residentKibibytes(of: proxy.program) - before - grown
            #expect(more < 1_024, "\(more) KiB for flows that there are not")
        }
        let outcome = try proxy.end(SIGINT)
        #expect(outcome.code == 130, "\(outcome.errors)")
        let words = "the limit of flows, \(room), is reached; datagrams of further clients are lost"
        #expect(outcome.errors.contains(words) == limited, "\(outcome.errors)")
    }

    private static func residentKibibytes(of program: Program) throws -> Int {
        let path = "/proc/\(program.identifier)/statm"
        let pages = try String(contentsOfFile: path, encoding: .utf8).split(separator: " ")[1]
        return try #require(Int(pages)) * 4
    }
}
