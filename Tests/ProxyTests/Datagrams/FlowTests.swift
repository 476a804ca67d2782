import Basics
import Faults
import Journal
import LinkEngine
import LinkProfile
import SystemIO
import TestSupport
import Testing

@testable import Proxy

struct FlowTests {
    @Test(arguments: [false, true], [LinkSettings(), .fast(delayMilliseconds: 1)])
    func `datagrams go there and back, of any length`(isIPv6: Bool, link: LinkSettings) throws {
        let rig = try FlowRig(link: link, isIPv6: isIPv6)
        defer { rig.stop() }
        let client = try rig.client()
        let lengths = [0, 1, 1_200, 1_472, 9_000, isIPv6 ? 65_527 : 65_507]
        for length in lengths {
            let count = client.received.count
            #expect(client.send([UInt8](repeating: UInt8(length % 251), count: length)))
            try rig.run("\(length) bytes come back") { client.received.count > count }
        }
        #expect(client.received.map(\.bytes.count) == lengths)
        #expect(
            client.received.allSatisfy { one in
                one.bytes.allSatisfy { Int($0) == one.bytes.count % 251 }
            }
        )
    }

    @Test(arguments: [[], ["u1:up#9=drop"]])
    func `datagrams that are sent together are counted and arrive one by one`(
        faults: [String]
    ) throws {
        let rig = try FlowRig(faults: faults)
        let client = try rig.client()
        client.send("first")
        try rig.run("it is back") { client.received.count == 1 }
        let bytes = (0..<4_950).map { UInt8($0 / 500) }
        #expect(client.sendTogether(bytes, segment: 500))
        let isDropped = !faults.isEmpty
        try rig.run("all are back") { client.received.count == (isDropped ? 10 : 11) }
        let numbers = client.received.dropFirst().map { $0.bytes[0] }
        #expect(numbers == (isDropped ? [0, 1, 2, 3, 4, 5, 6, 8, 9] : Array(0...9)))
        #expect(client.received.last?.bytes.count == 450)
        rig.stop()
        #expect(rig.flowEnds.first?.up.count == 11)
    }

    @Test func `a new flow goes where the name leads then, with all that was sent meanwhile`()
        throws
    {
        let rig = try FlowRig {
            $0.findsUpstreamsLate = true
            $0.routes[0].upstream = .tcp(host: "moving.test", port: 80)
        }
        defer { rig.stop() }
        let other = try TestDatagramPeer.server(at: .loopback(port: 0), on: rig.loop)
        defer { other.close() }
        let upstream = rig.proxy.flows.routes[0].upstream
        upstream.lifetime = .zero
        let old = try #require(rig.server.address)
        upstream.resolve = { _, _, _, done in done(.success([old])) }
        let first = try rig.client()
        first.send("1")
        try rig.run("the first is there") { rig.server.texts == ["1"] }
        var answer: ((Result<[SocketAddress], SystemError>) -> Void)?
        upstream.resolve = { _, _, _, done in answer = done }
        let second = try rig.client()
        for text in ["2", "3", "4"] { second.send(text) }
        try rig.run("the name is looked up") { answer != nil }
        first.send("5")
        try rig.run("a flow that is there goes on") { rig.server.texts == ["1", "5"] }
        #expect(other.texts.isEmpty)
        try answer?(.success([#require(other.address)]))
        try rig.run("all are there") { other.texts.count == 3 }
        #expect(other.texts == ["2", "3", "4"] && rig.server.texts == ["1", "5"])
    }

    @Test func `a handover is silent for a time, and the server sees another address`() throws {
        var link = LinkSettings.fast(delayMilliseconds: 1)
        link.handovers = [
            Handover(
                at: .milliseconds(200),
                silence: .milliseconds(150),
                down: link.down,
                up: link.up
            )
        ]
        let rig = try FlowRig(link: link)
        defer { rig.stop() }
        let client = try rig.client()
        client.send("before")
        try rig.run("it is back") { client.texts == ["before"] }
        try rig.run("the network is away") { rig.proxy.link.outage.isPresent }
        client.send("lost")
        try rig.run("it is there again") { !rig.proxy.link.outage.isPresent }
        client.send("after")
        try rig.run("it is back") { client.texts == ["before", "after"] }
        let senders = rig.server.received.map(\.sender)
        #expect(senders.count == 2 && senders[0] != senders[1])
        #expect(senders[1]?.address.description.hasPrefix("127.0.0.2:") == true)
    }

    @Test func `a handover by hand is told as the fault that does the same`() throws {
        let rig = try FlowRig()
        defer { rig.stop() }
        let client = try rig.client()
        client.send("before")
        try rig.run("it is back") { client.texts == ["before"] }
        let places = try rig.proxy.manual.handOver(for: .milliseconds(100))
        #expect(places.flatMap(\.faults) == ["u1:up#2=rebind(address)"])
        #expect(rig.proxy.manual.schedule.canonicalText.contains("u1:up#2=rebind(address)"))
        try rig.run("it is there again") { !rig.proxy.link.outage.isPresent }
        client.send("after")
        try rig.run("it is back") { client.texts == ["before", "after"] }
        #expect(Set(rig.server.received.map(\.sender)).count == 2)
    }

    @Test func `each client has a flow and a port of its own`() throws {
        let rig = try FlowRig()
        let clients = try (0..<5).map { _ in try rig.client() }
        for (number, client) in clients.enumerated() { client.send("client \(number)") }
        try rig.run("all have their own") { clients.allSatisfy { $0.received.count == 1 } }
        #expect(rig.proxy.snapshot(rows: 2).connections.map(\.id.name) == ["u4", "u5"])
        for (number, client) in clients.enumerated() {
            #expect(client.texts == ["client \(number)"])
        }
        #expect(Set(rig.server.received.map(\.sender)).count == 5)
        rig.stop()
        #expect(Set(rig.flowEnds.map(\.flow.ordinal)) == [1, 2, 3, 4, 5])
        #expect(rig.flowEnds.allSatisfy { $0.cause == .shutdown && $0.up.delivered == 1 })
    }

    @Test(arguments: [false, true])
    func `the ECN field is carried`(isIPv6: Bool) throws {
        let rig = try FlowRig(isIPv6: isIPv6)
        defer { rig.stop() }
        let client = try rig.client()
        for ecn in 0...3 as ClosedRange<UInt8> {
            client.send("\(ecn)", ecn: ecn)
            try rig.run("it is back") { client.received.count > Int(ecn) }
        }
        #expect(rig.server.received.map(\.ecn) == [0, 1, 2, 3])
        #expect(client.received.map(\.ecn) == [0, 1, 2, 3])
    }

    @Test func `congestion is told only to who can hear of it`() throws {
        let rig = try FlowRig(faults: ["u1:up#1..2=ecn(ce)", "u1:up#3=ecn(bleach)"])
        defer { rig.stop() }
        let client = try rig.client()
        for (number, ecn) in [UInt8(0), 2, 2].enumerated() {
            client.send("x", ecn: ecn)
            try rig.run("it is there") { rig.server.received.count > number }
        }
        #expect(rig.server.received.map(\.ecn) == [0, 3, 0])
    }

    @Test func `faults act on their datagrams, and the journal says on which`() throws {
        let rig = try FlowRig(
            faults: ["u1:up#2=drop", "u1:up#3=dup", "u1:down#1=drop", "u1:up#9=drop"]
        )
        let client = try rig.client()
        try rig.send(4, from: client)
        try rig.run("the last is back") { client.texts.last == "4" }
        #expect(rig.server.texts == ["1", "3", "3", "4"])
        #expect(client.texts == ["3", "3", "4"])
        rig.stop()
        #expect(rig.fired.sorted() == ["down#1", "up#2", "up#3"])
        #expect(rig.unreached == ["u1:up#9=drop: flow ended"])
        let end = try #require(rig.flowEnds.first)
        #expect(end.up.count == 4 && end.up.delivered == 4)
        #expect(end.down.count == 4 && end.down.delivered == 3)
    }

    @Test func `a datagram is overtaken by so many, or leaves when no more come`() throws {
        let rig = try FlowRig(faults: ["u1:up#1=reorder(2)", "u1:up#4=reorder(9)"])
        defer { rig.stop() }
        let client = try rig.client()
        for number in 1...4 { client.send("\(number)") }
        try rig.run("all are there") { rig.server.received.count == 4 }
        #expect(rig.server.texts == ["2", "3", "1", "4"])
    }

    @Test func `a delayed datagram is overtaken, those behind a stall are not`() throws {
        let rig = try FlowRig(faults: ["u1:up#1=delay(60ms)", "u1:down#2=stall(60ms)"])
        defer { rig.stop() }
        let client = try rig.client()
        for number in 1...4 { client.send("\(number)") }
        try rig.run("all are back") { client.received.count == 4 }
        #expect(rig.server.texts == ["2", "3", "4", "1"])
        #expect(client.texts == ["2", "3", "4", "1"])
    }

    @Test func `one bit is flipped, the same one each time`() throws {
        func flipped(seed: UInt64) throws -> [[UInt8]] {
            let rig = try FlowRig(faults: ["u*:up?50%=corrupt"], seed: seed)
            defer { rig.stop() }
            let client = try rig.client()
            for number in 0..<8 {
                client.send([UInt8](repeating: 0, count: 100))
                try rig.run("it is there") { rig.server.received.count > number }
            }
            return rig.server.received.map(\.bytes)
        }
        let first = try flipped(seed: 7)
        let bits = first.map { $0.reduce(0) { $0 + $1.nonzeroBitCount } }
        #expect(bits.allSatisfy { $0 <= 1 } && bits.contains(1) && bits.contains(0))
        #expect(try flipped(seed: 7) == first)
        #expect(try flipped(seed: 8) != first)
    }

    @Test func `the link loses the same datagrams each time, and says which`() throws {
        var link = LinkSettings()
        link.up.loss = .bernoulli(try #require(Probability(20, outOf: 100)))
        link.up.delay = .milliseconds(2)
        func lost() throws -> String {
            let rig = try FlowRig(link: link)
            let client = try rig.client()
            for number in 1...50 { client.send("\(number)") }
            try rig.run("the last ones are there") {
                rig.server.texts.last == "50" || rig.server.texts.last == "49"
                    || rig.server.texts.last == "48"
            }
            rig.stop()
            return try #require(rig.flowEnds.first).up.lost.text
        }
        let first = try lost()
        #expect(!first.isEmpty)
        #expect(try lost() == first)
    }

    @Test func `after a rebinding the server sees another port, and the old one hears nothing`()
        throws
    {
        let rig = try FlowRig(faults: ["u1:up#2=rebind(port)", "u1:up#3=rebind(address)"])
        defer { rig.stop() }
        let client = try rig.client()
        for number in 1...3 {
            client.send("\(number)")
            try rig.run("it is back") { client.received.count == number }
        }
        let senders = rig.server.received.compactMap(\.sender)
        #expect(Set(senders).count == 3)
        #expect(senders[2].address.description.hasPrefix("127.0.0.3:"))
        rig.server.send("to the first port", to: senders[0])
        rig.server.send("to the last port", to: senders[2])
        try rig.run("the last port is heard") { client.received.count == 4 }
        #expect(client.texts == ["1", "2", "3", "to the last port"])
        // Nobody told the server that the old ports are gone.
        #expect(rig.server.failures.isEmpty)
    }

    @Test(arguments: ["rebind(port)", "forget"])
    func `what the server sent after a datagram that abandons its port is lost`(
        effect: String
    ) throws {
        let rig = try FlowRig(faults: ["u1:down#2=\(effect)"])
        // All at once, so that the proxy reads them together.
        rig.server.onReceive = { server, datagram in
            for number in 1...5 {
                server.send(
                    "\(String(decoding: datagram.bytes, as: UTF8.self))\(number)",
                    to: datagram.sender
                )
            }
        }
        let client = try rig.client()
        client.send("a")
        try rig.run("some are there") { client.received.count >= 2 }
        client.send("b")
        try rig.run("the next ones are there") { client.texts.contains("b5") }
        #expect(client.texts == ["a1", "a2", "b1", "b2", "b3", "b4", "b5"])
        rig.stop()
        #expect(rig.flowEnds.map(\.down.count) == [7])
    }

    @Test func `silence has a flow forgotten, once`() throws {
        let rig = try FlowRig(faults: ["u1:idle(50ms)=forget"])
        let client = try rig.client()
        client.send("1")
        try rig.run("it is back") { client.received.count == 1 }
        try rig.run("it is forgotten") { rig.fired == ["idle(50ms)"] }
        rig.server.send("vanishes", to: rig.server.received[0].sender)
        client.send("2")
        try rig.run("it is back") { client.received.count == 2 }
        #expect(client.texts == ["1", "2"])
        #expect(Set(rig.server.received.map(\.sender)).count == 2)
        rig.stop()
        #expect(rig.flowEnds.count == 1)
    }

    @Test func `a server that is not there is told of once, and may come later`() throws {
        let rig = try FlowRig()
        rig.server.close()
        let client = try rig.client()
        client.send("1")
        client.send("2")
        try rig.run("the failure is recorded") {
            rig.records.contains { if case .upstream(_, .refused, _) = $0 { true } else { false } }
        }
        rig.stop()
        #expect(rig.records.count { if case .upstream = $0 { true } else { false } } == 1)
    }

    @Test func `further clients are told nothing, and the operator is`() throws {
        let rig = try FlowRig { $0.limits.connections = 2 }
        let clients = try (0..<3).map { _ in try rig.client() }
        for client in clients {
            client.send("x")
            rig.patiently { !client.received.isEmpty }
        }
        #expect(clients.map(\.received.count) == [1, 1, 0])
        rig.stop()
        #expect(
            rig.records.contains {
                if case .trouble(.descriptorLimit, let words) = $0 {
                    words.contains("the limit of flows, 2, is reached")
                } else {
                    false
                }
            }
        )
    }

    @Test(.onLinux("how many datagrams the system has dropped"))
    func `what the system loses is no silence`() throws {
        let rig = try FlowRig()
        let client = try rig.client()
        // More than the listener's buffer takes, before the loop has a turn.
        let datagram = [UInt8](repeating: 1, count: 60_000)
        for _ in 0..<600 { client.send(datagram) }
        try rig.run("a datagram comes") { !client.received.isEmpty }
        // The kernel tells with the next one.
        client.send("after")
        try rig.run("the loss is recorded") {
            client.send("more")
            return rig.records.contains {
                if case .trouble(.datagramsLost, _) = $0 { true } else { false }
            }
        }
        rig.stop()
    }

    @Test func `a QUIC connection is known by its first datagram`() throws {
        let rig = try FlowRig(faults: ["u1/initial:up#1=drop"])
        let client = try rig.client()
        var initial: [UInt8] = [0xC0, 0, 0, 0, 1, 1, 9, 0, 0, 0x44, 0xA5]
        initial += [UInt8](repeating: 7, count: 1_200 - initial.count)
        client.send(initial)
        client.send(initial)
        try rig.run("the second one is back") { client.received.count == 1 }
        rig.stop()
        #expect(rig.fired == ["initial:up#1"])
        #expect(
            rig.records.contains {
                if case .quic(_, let report) = $0 {
                    // Two bytes, as the header says; nothing in it could be opened.
                    report.version == "1" && report.destination == "09" && report.serverName == nil
                } else {
                    false
                }
            }
        )
    }

    /// The start of a QUIC connection, of 1,200 bytes.
    private static let quicStart: [UInt8] = {
        let header: [UInt8] = [0xC0, 0, 0, 0, 1, 1, 9, 0, 0, 0x44, 0xA5]
        return header + [UInt8](repeating: 7, count: 1_200 - header.count)
    }()

    /// More than an IPv6 packet of the loopback interface holds, which carries 65,536 bytes.
    private static let tooLong = [UInt8](repeating: 7, count: 65_500)

    @Test func `a QUIC packet that is too long for the path is not fragmented`() throws {
        let rig = try FlowRig(isIPv6: true)
        let client = try rig.client()
        client.send(Self.quicStart)
        try rig.run("it is back") { client.received.count == 1 }
        for _ in 0..<2 { client.send(Self.tooLong) }
        client.send("after")
        try rig.run("it is back") { client.texts.last == "after" }
        #expect(rig.server.received.map(\.bytes.count) == [1_200, 5])
        rig.stop()
        #expect(
            rig.notes == ["some datagrams are too long for the path to the server, and are lost"]
        )
        let up = try #require(rig.flowEnds.first?.up)
        #expect(up.count == 4 && up.delivered == 2 && up.bytes == 1_205)
    }

    @Test func `nor is one that is too long for the path to the client`() throws {
        let rig = try FlowRig(isIPv6: true)
        rig.server.onReceive = { server, datagram in
            server.send(Self.tooLong, to: datagram.sender)
            server.send(datagram.bytes, to: datagram.sender)
        }
        let quic = try rig.client()
        let other = try rig.client()
        quic.send(Self.quicStart)
        try rig.run("what fits is there") { quic.received.count == 1 }
        other.send("x")
        try rig.run("in fragments") { other.received.map(\.bytes.count) == [65_500, 1] }
        quic.send("after")
        try rig.run("what fits is there") { quic.texts.last == "after" }
        #expect(quic.received.map(\.bytes.count) == [1_200, 5])
        rig.stop()
        #expect(
            rig.notes == ["some datagrams are too long for the path to the client, and are lost"]
        )
        let down = try #require(rig.flowEnds.first { $0.flow.ordinal == 1 }?.down)
        #expect(down.count == 4 && down.delivered == 2 && down.bytes == 1_205)
    }

    @Test func `connections and datagrams share a port`() throws {
        let rig = try FlowRig { configuration in
            var connections = configuration.routes[0]
            connections.carriesDatagrams = false
            configuration.routes[0].sharesPort = true
            configuration.routes.insert(connections, at: 0)
        }
        defer { rig.stop() }
        #expect(rig.proxy.listenAddresses.first == rig.address)
        let client = try rig.client()
        client.send("x")
        try rig.run("it is back") { client.received.count == 1 }
    }

    // MARK: By hand

    @Test func `a pause holds both directions, and loses nothing`() throws {
        let rig = try FlowRig()
        let client = try rig.client()
        client.send("1")
        try rig.run("it is back") { client.received.count == 1 }
        #expect(rig.proxy.manual.pause(.all).map(\.connection.name) == ["u1"])
        client.send("2")
        client.send("3")
        rig.patiently { rig.server.received.count > 1 }
        #expect(rig.server.texts == ["1"])
        let places = rig.proxy.manual.resume(.all)
        try rig.run("all are back") { client.texts == ["1", "2", "3"] }
        let faults = try #require(places.first).faults
        #expect(faults.count == 2)
        #expect(faults[0].hasPrefix("u1:down#2=stall(") && faults[1].hasPrefix("u1:up#2=stall("))
        rig.stop()
        #expect(rig.flowEnds.first?.up.delivered == 3)
    }

    @Test func `a flow that begins during a pause is held, too`() throws {
        let rig = try FlowRig()
        defer { rig.stop() }
        _ = rig.proxy.manual.pause(.all)
        let client = try rig.client()
        client.send("1")
        rig.patiently { !rig.server.received.isEmpty }
        #expect(rig.server.received.isEmpty)
        _ = rig.proxy.manual.resume(.all)
        try rig.run("it is back") { client.texts == ["1"] }
    }

    @Test(arguments: ManualCut.allCases)
    func `a cut by hand is the fault that it prints`(kind: ManualCut) throws {
        let rig = try FlowRig()
        let client = try rig.client()
        client.send("1")
        try rig.run("it is back") { client.received.count == 1 }
        let faults = rig.proxy.manual.cut(.all, kind).flatMap(\.faults)
        #expect(faults == [kind == .hole ? "u1:up#2=hole(both)" : "u1:up#1=forget"])
        client.send("2")
        rig.patiently { client.received.count == 2 }
        #expect(client.received.count == (kind == .hole ? 1 : 2))
        rig.stop()
        #expect(Set(rig.server.received.map(\.sender)).count == (kind == .hole ? 1 : 2))
        #expect(rig.fired == [kind == .hole ? "up#2" : "up#1"])
        #expect(rig.proxy.manual.schedule.faults.map(\.canonicalText) == faults)
    }

    @Test func `the byte budget takes datagrams, too, whole ones`() throws {
        let rig = try FlowRig { configuration in
            var budget = DataBudget()
            budget.hardLimitBytes = 2_500
            configuration.profile.budget = budget
        }
        let client = try rig.client()
        for _ in 0..<4 {
            client.send([UInt8](repeating: 1, count: 1_000))
            rig.patiently { rig.server.received.count == 4 }
        }
        // One up, one down; the next one does not fit.
        #expect(rig.server.received.count == 1 && client.received.count == 1)
        rig.stop()
        #expect(rig.flowEnds.first?.up.count == 4)
    }
}
