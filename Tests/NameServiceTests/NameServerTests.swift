import Basics
import DNS
import DNSWire
import Faults
import SystemIO
import TestSupport
import Testing

@testable import NameService

/// A name server on a loop, with a client that asks it over real sockets.
private final class Service {
    let loop: EventLoop
    let server: NameServer
    let address: SocketAddress
    var reports: [QueryReport] = []
    private var clients: [TestDatagramPeer] = []
    private var peers: [RawPeer] = []

    init(
        names: [String] = ["api.test=127.0.0.1,127.0.0.2,::1"],
        faults: [String] = [],
        upstream: SocketAddress? = nil,
        on address: SocketAddress = .loopback(port: 0),
        takesConnections: Bool = true,
        loop: EventLoop? = nil
    ) throws {
        self.loop = try loop ?? EventLoop()
        var settings = Resolver.Settings(seed: 7)
        settings.names = try names.map { try NamedAddresses(parsing: $0) }
        settings.faults = try faults.map { try QueryFault(parsing: $0) }
        server = try NameServer(
            loop: self.loop,
            settings: settings,
            upstream: upstream,
            takesConnections: takesConnections
        )
        self.address = try server.listen(on: address)
        server.onReport = { [weak self] report, _ in self?.reports.append(report) }
    }

    /// Closes all sockets; to be called at the end of each test.
    func stop() {
        for client in clients { client.close() }
        for peer in peers { peer.close() }
        server.stop()
    }

    func query(_ name: String, _ type: RecordType = .a, id: UInt16 = 5) throws -> [UInt8] {
        let question = DNSMessage.Question(try #require(DomainName(name)), type)
        return DNSMessage(id: id, flags: .init(bits: 0x100), questions: [question]).bytes()
    }

    func ask(_ name: String, _ type: RecordType = .a) throws -> TestDatagramPeer {
        let client = try TestDatagramPeer.client(of: address, on: loop)
        clients.append(client)
        client.send(try query(name, type))
        return client
    }

    func answer(_ name: String, _ type: RecordType = .a) throws -> DNSMessage {
        let client = try ask(name, type)
        try loop.run("an answer for \(name)") { !client.received.isEmpty }
        return try DNSMessage(parsing: client.received[0].bytes)
    }

    func connect() throws -> RawPeer {
        let peer = try RawPeer.connect(to: address, on: loop)
        peers.append(peer)
        return peer
    }

    /// The messages that have come on a connection.
    func messages(_ peer: RawPeer) throws -> [DNSMessage] {
        var rest = peer.received[...]
        var messages: [DNSMessage] = []
        while rest.count >= 2 {
            let length = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
            guard rest.count >= 2 + length else { break }
            messages.append(try DNSMessage(parsing: Array(rest.dropFirst(2).prefix(length))))
            rest = rest.dropFirst(2 + length)
        }
        return messages
    }

    static func framed(_ message: [UInt8]) -> [UInt8] {
        [UInt8(message.count >> 8), UInt8(message.count & 255)] + message
    }
}

extension DNSMessage {
    fileprivate var texts: [String] { answers.compactMap { $0.address?.text } }
}

@Suite struct NameServerTests {
    @Test func `a query over UDP is answered`() throws {
        let service = try Service()
        defer { service.stop() }
        #expect(try service.answer("api.test").texts == ["127.0.0.1", "127.0.0.2"])
        #expect(try service.answer("api.test", .aaaa).texts == ["::1"])
        #expect(try service.answer("else.test").flags.code == 5)
        #expect(service.reports.map(\.source) == [.name, .name, .none])
    }

    @Test func `a query fails at once if the other server refuses datagrams`() throws {
        let loop = try EventLoop()
        let closed = try TestDatagramPeer.server(at: .loopback(port: 0), on: loop)
        let address = closed.address
        closed.close()
        let service = try Service(upstream: address, loop: loop)
        defer { service.stop() }
        let start = loop.now
        #expect(try service.answer("else.test").flags.code == 2)
        #expect(loop.now - start < NameServerLimits.answerTime)
    }

    @Test func `and over IPv6`() throws {
        let service = try Service(on: .ipv6Loopback(port: 0))
        defer { service.stop() }
        #expect(try service.answer("api.test").texts.count == 2)
        let peer = try service.connect()
        peer.send(Service.framed(try service.query("api.test")))
        try service.loop.run("an answer over TCP") { !peer.received.isEmpty }
    }

    @Test func `several queries on one connection are answered, however they are cut`() throws {
        let service = try Service()
        defer { service.stop() }
        let peer = try service.connect()
        peer.sendsSingly = true
        peer.send(Service.framed(try service.query("api.test", id: 1)))
        peer.send(Service.framed(try service.query("api.test", .aaaa, id: 2)))
        peer.finishAfterwards()
        try service.loop.run("the end of the connection") { peer.isOver }
        let messages = try service.messages(peer)
        #expect(messages.map(\.id) == [1, 2])
        #expect(messages.map { $0.texts.count } == [2, 1])
        #expect(peer.failure == nil)
    }

    @Test func `a late answer comes late, and others overtake it`() throws {
        let service = try Service(faults: ["A(api.test)#1=delay(150ms)"])
        defer { service.stop() }
        let start = service.loop.now
        let late = try service.ask("api.test")
        #expect(try service.answer("api.test", .aaaa).texts == ["::1"])
        #expect(late.received.isEmpty)
        try service.loop.run("the late answer") { !late.received.isEmpty }
        #expect(service.loop.now - start >= .milliseconds(150))
    }

    @Test func `a late answer reaches a client that has ended its side of a connection`() throws {
        let service = try Service(faults: ["A(api.test)#1=delay(50ms)"])
        defer { service.stop() }
        let peer = try service.connect()
        peer.send(Service.framed(try service.query("api.test")))
        peer.finishAfterwards()
        try service.loop.run("the end of the connection") { peer.isOver }
        #expect(try service.messages(peer).map { $0.texts.count } == [2])
    }

    @Test func `no answer is no answer, and no error`() throws {
        let service = try Service(faults: ["A(api.test)#1=timeout"])
        defer { service.stop() }
        let silent = try service.ask("api.test")
        // The next answer shows that this one will not come.
        #expect(try service.answer("api.test").texts.count == 2)
        #expect(silent.received.isEmpty && silent.failures.isEmpty)
        #expect(service.server.resolver.accounts[0].fired == 1)
    }

    @Test func `a truncated answer is whole over TCP on the same port`() throws {
        let service = try Service(faults: ["A(api.test)#1=truncate"])
        defer { service.stop() }
        #expect(try service.answer("api.test").flags.isTruncated)
        let peer = try service.connect()
        peer.send(Service.framed(try service.query("api.test")))
        try service.loop.run("an answer over TCP") { !peer.received.isEmpty }
        #expect(try service.messages(peer)[0].texts.count == 2)
    }

    @Test func `TCP that ends, ends without a byte`() throws {
        let service = try Service(faults: ["A(api.test)#1=truncate(fin)"])
        defer { service.stop() }
        #expect(try service.answer("api.test").flags.isTruncated)
        let peer = try service.connect()
        peer.send(Service.framed(try service.query("api.test")))
        try service.loop.run("the end of the connection") { peer.isOver }
        #expect(peer.hasEnded && peer.failure == nil && peer.received.isEmpty)
    }

    @Test func `TCP that is reset is reset`() throws {
        let service = try Service(faults: ["A(api.test)#1=truncate(rst)"])
        defer { service.stop() }
        #expect(try service.answer("api.test").flags.isTruncated)
        let peer = try service.connect()
        peer.send(Service.framed(try service.query("api.test")))
        try service.loop.run("the reset") { peer.isOver }
        #expect(peer.failure == .connectionReset && peer.received.isEmpty)
    }

    @Test func `TCP that is silent stays open, and other queries on it are answered`() throws {
        let service = try Service(faults: ["A(api.test)#1=truncate(hole)"])
        defer { service.stop() }
        #expect(try service.answer("api.test").flags.isTruncated)
        let peer = try service.connect()
        peer.send(Service.framed(try service.query("api.test", id: 1)))
        peer.send(Service.framed(try service.query("api.test", .aaaa, id: 2)))
        try service.loop.run("the other answer") { !peer.received.isEmpty }
        #expect(try service.messages(peer).map(\.id) == [2])
        #expect(!peer.isOver)
        // A client that gives up ends it.
        peer.finish()
        try service.loop.run("the end of the connection") { peer.isOver }
    }

    @Test func `without TCP a connection is refused`() throws {
        let service = try Service(takesConnections: false)
        defer { service.stop() }
        #expect(try service.answer("api.test").texts.count == 2)
        let peer = try service.connect()
        try service.loop.run("the refusal") { peer.isOver }
        #expect(peer.failure == .connectionRefused)
    }

    @Test func `the connection that is idle longest makes room`() throws {
        let service = try Service()
        defer { service.stop() }
        let first = try service.connect()
        first.send(Service.framed(try service.query("api.test")))
        try service.loop.run("the first answer") { !first.received.isEmpty }
        let others = try (0..<NameServerLimits.connections).map { _ in try service.connect() }
        let last = try #require(others.last)
        last.send(Service.framed(try service.query("api.test")))
        try service.loop.run("the last answer") { !last.received.isEmpty }
        try service.loop.run("the first connection's end") { first.isOver }
        #expect(others.allSatisfy { !$0.isOver })
    }

    // Other servers.

    @Test func `another server is asked over UDP and TCP`() throws {
        let loop = try EventLoop()
        let behind = try Service(names: ["far.example=192.0.2.7,192.0.2.8"], loop: loop)
        defer { behind.stop() }
        let service = try Service(
            faults: ["A(far.example)#2=dead-first(10.0.0.1)"],
            upstream: behind.address,
            loop: loop
        )
        defer { service.stop() }
        #expect(try service.answer("far.example").texts == ["192.0.2.7", "192.0.2.8"])
        #expect(
            try service.answer("far.example").texts == ["10.0.0.1", "192.0.2.7", "192.0.2.8"]
        )
        // What it refuses is refused.
        #expect(try service.answer("other.example").flags.code == 5)
        let peer = try service.connect()
        peer.send(Service.framed(try service.query("far.example", id: 9)))
        try loop.run("an answer over TCP") { !peer.received.isEmpty }
        let message = try service.messages(peer)[0]
        #expect(message.id == 9 && message.texts.count == 2)
        #expect(behind.reports.map(\.transport) == [.udp, .udp, .udp, .tcp])
        #expect(service.reports.map(\.source) == [.upstream, .upstream, .upstream, .upstream])
    }

    @Test func `a server that is not there is a failure`() throws {
        let loop = try EventLoop()
        let gone = try Service(loop: loop)
        let address = gone.address
        gone.stop()
        let service = try Service(upstream: address, loop: loop)
        defer { service.stop() }
        #expect(try service.answer("far.example").flags.code == 2)
        let peer = try service.connect()
        peer.send(Service.framed(try service.query("far.example")))
        try loop.run("an answer over TCP") { !peer.received.isEmpty }
        #expect(try service.messages(peer)[0].flags.code == 2)
    }

    @Test func `an answer to another question is not taken`() throws {
        let loop = try EventLoop()
        let behind = try TestDatagramPeer.server(at: .loopback(port: 0), on: loop)
        defer { behind.close() }
        behind.onReceive = { server, query in
            guard var message = try? DNSMessage(parsing: query.bytes) else { return }
            message.flags.isResponse = true
            var forged = message
            forged.id &+= 1
            forged.flags.code = 3
            server.send(forged.bytes(), to: query.sender)
            message.flags.code = 4
            server.send(message.bytes(), to: query.sender)
        }
        let service = try Service(upstream: behind.address, loop: loop)
        defer { service.stop() }
        #expect(try service.answer("far.example").flags.code == 4)
    }
}
