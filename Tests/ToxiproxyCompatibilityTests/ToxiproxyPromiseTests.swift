import Basics
import Journal
import SystemIO
import TestSupport
import Testing

@testable import ControlAPI
@testable import ToxiproxyCompatibility

/// Where linkcond promises more than Toxiproxy does.
@Suite(.serialized) struct ToxiproxyPromiseTests {
    // MARK: The same every time

    /// Which of 200 connections a toxic of toxicity 0.5 closes.
    private static func pattern(seed: UInt64, others: Bool = false) throws -> [Bool] {
        let rig = try ToxiproxyRig(seed: seed)
        defer { rig.tearDown() }
        if others {
            try rig.makeProxy("other", toxics: #"{"type":"noop","toxicity":0.5}"#)
            for _ in 0..<5 { _ = try rig.connectThrough("other") }
        }
        try rig.makeProxy()
        if others { try rig.addToxic(#"{"type":"latency","attributes":{"latency":1}}"#) }
        try rig.addToxic(#"{"type":"limit_data","name":"x","toxicity":0.5}"#)
        return try (0..<200).map { _ in
            let client = try rig.connect()
            client.send("hello")
            try rig.run("an answer or an end") { client.isOver || client.count == 5 }
            client.close()
            return client.count == 0
        }
    }

    @Test func `what is random depends on the seed and names alone`() throws {
        let first = try Self.pattern(seed: 7)
        // ±4 standard deviations of 200 draws at ½.
        #expect((72...128).contains(first.count { $0 }))
        #expect(try Self.pattern(seed: 7) == first)
        #expect(try Self.pattern(seed: 7, others: true) == first)
        #expect(try Self.pattern(seed: 8) != first)
    }

    @Test func `toxicity is drawn once for a connection`() throws {
        let rig = try ToxiproxyRig(seed: 3)
        defer { rig.tearDown() }
        try rig.makeProxy()
        try rig.addToxic(#"{"type":"bandwidth","name":"x","toxicity":0}"#)
        let pairs = try (0..<20).map { _ in try rig.connectThrough() }
        var hit: Set<Int> = []
        for step in 1...10 {
            let toxicity = "{\"toxicity\":\(Double(step) / 10)}"
            #expect(try rig.ask("PATCH", "/proxies/p/toxics/x", toxicity).status == 200)
            // Neighbours that come and go change nothing.
            try rig.addToxic(#"{"type":"noop","name":"n"}"#)
            #expect(try rig.ask("DELETE", "/proxies/p/toxics/n").status == 204)
            for pair in pairs { pair.server.send([0]) }
            try rig.run(milliseconds: 15)
            // However late this thread is, whatever may pass has its turns.
            for _ in 0..<10 { try rig.turn() }
            let silent = pairs.indices.filter { pairs[$0].client.count == 0 }
            #expect(hit.isSubset(of: silent))
            hit = Set(silent)
            for pair in pairs { pair.client.clear() }
        }
        #expect(hit.count == 20)
    }

    // MARK: Nothing ends the process

    @Test func `no attribute ends the process or disturbs another proxy`() throws {
        let rig = try ToxiproxyRig(seed: 3)
        defer { rig.tearDown() }
        try rig.makeProxy("other")
        let other = try rig.connectThrough("other")
        try rig.makeProxy()
        var client = try rig.connectThrough().client
        var generator = SeededRandom.fresh()
        let edges: [Int64] = [.min, .max, 0, 1, -1, 1 << 40, -(1 << 40), 1 << 41, 2, 100]
        for round in 0..<90 * testScale {
            let type = ToxicType.allCases[round % ToxicType.allCases.count]
            let attributes = type.attributes.map { name in
                let value =
                    Bool.random(using: &generator)
                    ? edges[generator.below(edges.count)]
                    : Int64.random(in: .min ... .max, using: &generator)
                        >> Int64.random(in: 0..<63, using: &generator)
                return "\"\(name)\":\(value)"
            }.joined(separator: ",")
            let stream = round.isMultiple(of: 2) ? "upstream" : "downstream"
            let toxic =
                "{\"type\":\"\(type.rawValue)\",\"name\":\"t\",\"stream\":\"\(stream)\","
                + "\"attributes\":{\(attributes)}}"
            let reply = try rig.ask("POST", "/proxies/p/toxics", toxic)
            #expect([200, 400].contains(reply.status), "\(toxic): \(reply)")
            client.send(Array(repeating: 7, count: 50_000))
            try rig.run(milliseconds: 2)
            if reply.status == 200 {
                #expect(try rig.ask("DELETE", "/proxies/p/toxics/t").status == 204)
            }
            if client.isOver {
                client.close()
                client = try rig.connect()
            }
        }
        other.client.send("still there")
        try rig.run("the other proxy answers") { other.client.text == "still there" }
    }

    // MARK: All or nothing

    @Test func `an update with a bad attribute changes nothing`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        try rig.makeProxy()
        try rig.addToxic(#"{"type":"latency","name":"x","attributes":{"latency":5,"jitter":6}}"#)
        let before = try rig.ask("GET", "/proxies/p/toxics/x").body
        for bad in [
            #"{"attributes":{"latency":777,"jitter":"bad"}}"#,
            #"{"attributes":{"latency":777},"toxicity":"bad"}"#,
            #"{"toxicity":0.5,"attributes":{"jitter":9e9}}"#,
            #"{"toxicity":0.5,"attributes":{"jitter":9223372036854775808}}"#,
        ] {
            #expect(try rig.ask("PATCH", "/proxies/p/toxics/x", bad).status == 400)
            #expect(try rig.ask("GET", "/proxies/p/toxics/x").body == before)
        }
    }

    @Test func `a proxy and its toxics appear in one step`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        let free = try BoundPort()
        var refused = 0
        var reached: [ToxiproxyPeer] = []
        // A client that tries from before the proxy is there.
        for round in 0..<60 {
            if round == 20 {
                let body =
                    "{\"name\":\"p\",\"listen\":\"\(free.address)\",\"upstream\":\"\(rig.upstream)\","
                    + "\"toxics\":[{\"type\":\"limit_data\",\"attributes\":{\"bytes\":0}}]}"
                let peer = try ToxiproxyPeer.connect(to: rig.server.address, on: rig.loop)
                peer.send(ToxiproxyRig.request("POST", "/proxies", body))
                reached.append(peer)
            }
            if let peer = try? ToxiproxyPeer.connect(to: free.address, on: rig.loop) {
                peer.send("x")
                for _ in 0..<3 { try rig.turn() }
                if peer.failure == .connectionRefused { refused += 1 }
                reached.append(peer)
            } else {
                refused += 1
            }
        }
        try rig.run(milliseconds: 50)
        #expect(refused > 0 && refused < 60)
        for peer in reached where !peer.text.hasPrefix("HTTP/1.1") {
            #expect(peer.count == 0)
        }
        for peer in reached { peer.close() }
    }

    /// A port that nobody listens on.
    private struct BoundPort {
        let address: SocketAddress

        init() throws {
            var socket = try ListeningSocket(on: .loopback(port: 0))
            let found = socket.address
            socket.close()
            address = try #require(found)
        }
    }

    @Test func `populate is all or nothing, and applies enabled`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        try rig.makeProxy("a", toxics: #"{"type":"noop"}"#)
        let pair = try rig.connectThrough("a")
        let before = try rig.ask("GET", "/proxies").body
        let list =
            "[{\"name\":\"a\",\"listen\":\"127.0.0.1:0\",\"upstream\":\"u:1\"},"
            + "{\"name\":\"b\",\"listen\":\"\(rig.upstream)\",\"upstream\":\"u:1\"}]"
        let reply = try rig.ask("POST", "/populate", list)
        #expect(reply.status == 500 && reply.body.hasSuffix("\"status\":500,\"proxies\":null}"))
        #expect(reply.body.contains("listen tcp \(rig.upstream): bind: address already in use"))
        #expect(try rig.ask("GET", "/proxies").body == before)
        pair.client.send("still there")
        try rig.run("the connection lives") { pair.client.text == "still there" }
        // Equal listen and upstream: toxics and connections stay, enabled is applied.
        let listen = try rig.registry.proxy("a").listenText
        let same = "{\"name\":\"a\",\"listen\":\"\(listen)\",\"upstream\":\"\(rig.upstream)\""
        #expect(try rig.ask("POST", "/populate", "[\(same)}]").body.contains("\"noop\""))
        #expect(!pair.client.isOver)
        let disabled = try rig.ask("POST", "/populate", "[\(same),\"enabled\":false}]")
        #expect(disabled.body.contains("\"enabled\":false"))
        try rig.run("the connection ends") { pair.client.hasEnded }
        // Another upstream: replaced, without toxics, on the same port.
        let other = try rig.ask(
            "POST",
            "/populate",
            "[{\"name\":\"a\",\"listen\":\"\(listen)\",\"upstream\":\"u:9\"}]"
        )
        #expect(other.status == 201)
        #expect(
            other.body.contains("\"upstream\":\"u:9\",\"enabled\":true,\"Logger\":{},\"toxics\":[]")
        )
    }

    @Test func `reset goes on after a failure and names it`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        for name in ["a", "b", "c"] { try rig.makeProxy(name, toxics: #"{"type":"noop"}"#) }
        let address = try #require(try rig.registry.proxy("b").address)
        #expect(try rig.ask("PATCH", "/proxies/b", #"{"enabled":false}"#).status == 200)
        #expect(try rig.ask("PATCH", "/proxies/c", #"{"enabled":false}"#).status == 200)
        var squatter = try ListeningSocket(on: address)
        let reply = try rig.ask("POST", "/reset")
        squatter.close()
        #expect(reply.status == 500)
        #expect(reply.body.contains("b: listen tcp \(address): bind: address already in use"))
        #expect(rig.registry.all.allSatisfy { $0.toxics.isEmpty })
        #expect(rig.registry.all.map(\.isEnabled) == [true, false, true])
        #expect(try rig.ask("POST", "/reset").status == 204)
        #expect(rig.registry.all.map(\.isEnabled) == [true, true, true])
    }

    @Test func `a failed rebind leaves the old listener in service`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        let proxy = try rig.makeProxy()
        let shown = proxy.listenText
        let pair = try rig.connectThrough()
        let reply = try rig.ask("PATCH", "/proxies/p", "{\"listen\":\"\(rig.upstream)\"}")
        #expect(reply.status == 500 && reply.body.contains("address already in use"))
        #expect(proxy.listenText == shown && proxy.isEnabled)
        pair.client.send("a")
        _ = try rig.connectThrough()
        try rig.run("the old connection lives") { pair.client.text == "a" }
        // One that succeeds ends connections, and the port is another.
        #expect(try rig.ask("PATCH", "/proxies/p", #"{"listen":"127.0.0.1:0"}"#).status == 200)
        #expect(proxy.listenText != shown)
        try rig.run("the connection ends") { pair.client.hasEnded }
        _ = try rig.connectThrough()
    }

    @Test func `a listener may become wider on its own port`() throws {
        let rig = try ToxiproxyRig(allowsRemote: true)
        defer { rig.tearDown() }
        let proxy = try rig.makeProxy()
        let port = try #require(proxy.address?.port)
        let wider = "{\"listen\":\"0.0.0.0:\(port)\"}"
        #expect(try rig.ask("PATCH", "/proxies/p", wider).status == 200)
        #expect(proxy.listenText == "[::]:\(port)")
        _ = try rig.connectThrough()
        // An address that is not ours: the wide listener comes back.
        let strange = "{\"listen\":\"203.0.113.7:\(port)\"}"
        let reply = try rig.ask("PATCH", "/proxies/p", strange)
        #expect(reply.status == 500)
        #expect(reply.body.contains("listen tcp 203.0.113.7:\(port): bind: "))
        #expect(proxy.listenText == "[::]:\(port)")
        _ = try rig.connectThrough()
        let back = "{\"listen\":\"localhost:\(port)\"}"
        #expect(try rig.ask("PATCH", "/proxies/p", back).status == 200)
        _ = try rig.connectThrough()
    }

    @Test func `another upstream ends open connections, and the same one does not`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        try rig.makeProxy()
        let pair = try rig.connectThrough()
        let same = "{\"upstream\":\"\(rig.upstream)\"}"
        #expect(try rig.ask("POST", "/proxies/p", same).status == 200)
        pair.client.send("hello")
        try rig.run("it goes on") { pair.client.text == "hello" }
        let other = try BoundPort()
        let change = "{\"upstream\":\"\(other.address)\"}"
        #expect(try rig.ask("POST", "/proxies/p", change).status == 200)
        try rig.run("both sides end") { pair.client.isOver && pair.server.isOver }
    }

    @Test func `disabling refuses clients and enabling takes the same port`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        let proxy = try rig.makeProxy()
        let address = try #require(proxy.address)
        let pair = try rig.connectThrough()
        #expect(try rig.ask("POST", "/proxies/p", #"{"enabled":false}"#).status == 200)
        try rig.run("both sides end") { pair.client.isOver && pair.server.isOver }
        #expect(pair.client.hasEnded && pair.server.hasEnded)
        let refused = try? ToxiproxyPeer.connect(to: address, on: rig.loop)
        try rig.run("the client is refused") { refused?.failure != nil || refused == nil }
        refused?.close()
        #expect(try rig.ask("PATCH", "/proxies/p", #"{"enabled":true}"#).status == 200)
        #expect(proxy.address == address)
        _ = try rig.connectThrough()
        // Equal values leave connections alone.
        let count = rig.served.count
        let last = rig.clients[rig.clients.count - 1]
        let listen = "localhost:\(address.port ?? 0)"
        let same = "{\"listen\":\"\(listen)\",\"upstream\":\"\(rig.upstream)\",\"enabled\":true}"
        #expect(try rig.ask("PATCH", "/proxies/p", same).status == 200)
        last.send("x")
        try rig.run("the connection lives") { last.text == "x" }
        #expect(rig.served.count == count)
    }

    // MARK: Nothing waits

    @Test func `no answer waits for a dial that hangs`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        // A listener that never accepts; when its backlog is full, further dials hang.
        var deaf = try ListeningSocket(on: .loopback(port: 0), backlog: 1)
        defer { deaf.close() }
        let found = deaf.address
        let address = try #require(found)
        let fillers = try (0..<4).map { _ in
            try ToxiproxyPeer.connect(to: address, on: rig.loop)
        }
        defer { for filler in fillers { filler.close() } }
        let body = "{\"name\":\"deaf\",\"listen\":\"127.0.0.1:0\",\"upstream\":\"\(address)\"}"
        #expect(try rig.ask("POST", "/proxies", body).status == 201)
        try rig.makeProxy()
        let waiting = try (0..<100).map { _ in try rig.connect(to: "deaf") }
        try rig.run("all are accepted") { rig.registry.openConnections == 100 }
        for (method, path, body, dialling) in [
            ("GET", "/proxies", nil, 100),
            ("POST", "/proxies/deaf/toxics", #"{"type":"noop"}"#, 100),
            ("PATCH", "/proxies/deaf", "{\"upstream\":\"\(address)\"}", 100),
            ("PATCH", "/proxies/p", #"{"enabled":true}"#, 100),
            ("PATCH", "/proxies/deaf", #"{"enabled":false}"#, 0),
            ("DELETE", "/proxies/deaf", nil, 0), ("GET", "/proxies", nil, 0),
        ] as [(String, String, String?, Int)] {
            #expect(try rig.ask(method, path, body).status < 300)
            // It was answered while all of them still dialled, or it ended them.
            #expect(rig.registry.openConnections == dialling, "\(method) \(path)")
            #expect(waiting.filter(\.isOver).count == 100 - dialling)
        }
        _ = try rig.connectThrough()
    }

    @Test func `no answer waits for connections that come and go`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        try rig.makeProxy()
        let address = try #require(try rig.registry.proxy("p").address)
        let before = rig.loop.watchedDescriptors
        var churning = try (0..<24).map { _ in
            try ToxiproxyPeer.connect(to: address, on: rig.loop)
        }
        try rig.run("all are through") { rig.served.count == churning.count }
        let peer = try ToxiproxyPeer.connect(to: rig.server.address, on: rig.loop)
        for round in 0..<96 * testScale {
            let place = round % churning.count
            churning[place].reset()
            churning[place] = try ToxiproxyPeer.connect(to: address, on: rig.loop)
            churning[place].send("hello")
            for (method, path, body) in [
                (
                    "POST", "/proxies/p/toxics",
                    #"{"type":"latency","name":"l","attributes":{"latency":3}}"#
                ), ("DELETE", "/proxies/p/toxics/l", nil),
            ] as [(String, String, String?)] {
                peer.send(ToxiproxyRig.request(method, path, body))
                #expect(try rig.reply(to: method, over: peer).status < 300)
                // No connection had to end for it.
                #expect(churning.filter(\.isOver).count == 0)
                #expect(rig.registry.openConnections >= churning.count - 1)
            }
        }
        for churner in churning { churner.reset() }
        peer.close()
        for server in rig.served { server.close() }
        try rig.run("all connections end") { rig.registry.openConnections == 0 }
        try rig.run("descriptors are given back") { rig.loop.watchedDescriptors <= before }
    }

    @Test(arguments: [
        #"{"type":"timeout","attributes":{"timeout":60000}}"#,
        #"{"type":"reset_peer","attributes":{"timeout":60000}}"#,
        #"{"type":"latency","attributes":{"latency":60000}}"#,
        #"{"type":"slow_close","attributes":{"delay":60000}}"#,
        #"{"type":"bandwidth","attributes":{"rate":0}}"#,
        #"{"type":"slicer","attributes":{"average_size":1,"delay":60000000}}"#,
    ])
    func `every wait of a toxic ends with its proxy`(toxic: String) throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        try rig.makeProxy(toxics: toxic)
        let pair = try rig.connectThrough()
        pair.server.send("hello")
        try rig.run(milliseconds: 20)
        #expect(try rig.ask("DELETE", "/proxies/p").status == 204)
        // The toxics would wait for a minute, this waits for seconds.
        try rig.run("both sides end") { pair.client.isOver && pair.server.isOver }
    }

    // MARK: What clients and records see

    @Test func `a half-close is a half-close`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        rig.onServe = { peer in
            peer.onEnd = { peer in peer.send("answer ") }
        }
        for toxics in ["", #"{"type":"latency","attributes":{"latency":20}}"#] {
            try rig.makeProxy("p\(toxics.count)", toxics: toxics)
            let pair = try rig.connectThrough("p\(toxics.count)")
            pair.client.send("request")
            pair.client.end()
            try rig.run("the first part arrives") { pair.client.text == "answer " }
            try rig.run(milliseconds: 100)
            pair.server.send("in two parts")
            pair.server.end()
            try rig.run("the answer ends") { pair.client.isOver }
            #expect(pair.client.text == "answer in two parts" && pair.client.hasEnded)
            #expect(pair.server.text == "request")
        }
    }

    @Test func `an upstream that refuses, is unknown or dies is told apart from one that ends`()
        throws
    {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        let free = try BoundPort()
        for (name, upstream) in [
            ("refused", free.address.description), ("unknown", "x.invalid:80"),
        ] {
            let body = "{\"name\":\"\(name)\",\"upstream\":\"\(upstream)\"}"
            #expect(try rig.ask("POST", "/proxies", body).status == 201)
            let client = try rig.connect(to: name)
            try rig.run("the client is reset") { client.isOver }
            #expect(client.failure == .connectionReset)
        }
        let troubles = rig.records.compactMap { record -> UpstreamTrouble? in
            if case .upstream(_, let trouble, _) = record { trouble } else { nil }
        }
        #expect(troubles.first == .refused && troubles.count == 2)
        #expect([.nameNotFound, .nameServer].contains(troubles.last))
        try rig.makeProxy()
        let dying = try rig.connectThrough()
        dying.server.send("half")
        try rig.run("half arrives") { dying.client.count == 4 }
        dying.server.reset()
        try rig.run("the client is reset") { dying.client.isOver }
        #expect(dying.client.failure == .connectionReset)
        let ending = try rig.connectThrough()
        ending.server.end()
        try rig.run("the client sees the end") { ending.client.isOver }
        #expect(ending.client.hasEnded)
        #expect(!rig.records.contains { if case .fault = $0 { true } else { false } })
    }

    @Test func `times within records count from the journal's start, not from the proxy's`() throws
    {
        let rig = try ToxiproxyRig(startedAt: .start)
        defer { rig.tearDown() }
        try rig.makeProxy(toxics: #"{"type":"latency","attributes":{"latency":1}}"#)
        let pair = try rig.connectThrough()
        let before = rig.loop.now
        pair.client.end()
        var ends: [ConnectionEnd] {
            rig.records.compactMap { if case .connectionEnd(let end) = $0 { end } else { nil } }
        }
        try rig.run("the connection ends") { !ends.isEmpty }
        #expect(try #require(ends[0].clientEndedAt) >= before)
    }

    @Test func `a proxy that leads back to itself or to the API connects to nothing`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        let port = try BoundPort().address
        let other = try BoundPort().address
        for (name, listen, upstream) in [
            ("loop", port, other), ("back", other, port),
            ("api", .loopback(port: 0), rig.server.address),
        ] {
            let body =
                "{\"name\":\"\(name)\",\"listen\":\"\(listen)\",\"upstream\":\"\(upstream)\"}"
            #expect(try rig.ask("POST", "/proxies", body).status == 201)
        }
        for name in ["loop", "back", "api"] {
            let client = try rig.connect(to: name)
            try rig.run("the client is reset") { client.isOver }
            #expect(client.failure == .connectionReset)
        }
        #expect(rig.registry.openConnections == 0)
    }

    @Test func `one proxy may stand in front of another`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        let inner = try rig.makeProxy("inner")
        let body = "{\"name\":\"outer\",\"upstream\":\"\(inner.listenText)\"}"
        #expect(try rig.ask("POST", "/proxies", body).status == 201)
        let pair = try rig.connectThrough("outer")
        pair.client.send("through both")
        try rig.run("the answer arrives") { pair.client.text == "through both" }
    }

    @Test func `counters are live, and count what ended in any way`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        let proxy = try rig.makeProxy()
        rig.onServe = { _ in }
        try rig.addToxic(#"{"type":"bandwidth","attributes":{"rate":100}}"#)
        let pair = try rig.connectThrough()
        pair.server.send(Array(repeating: 1, count: 50_000))
        var samples: [Int] = []
        for _ in 0..<5 {
            try rig.run(milliseconds: 80)
            samples.append(try Self.sample("sent", "downstream", proxy, rig))
        }
        #expect(zip(samples, samples.dropFirst()).allSatisfy { $0 < $1 })
        pair.client.send(Array(repeating: 1, count: 300))
        try rig.run("the upstream has it") { pair.server.count == 300 }
        pair.client.reset()
        try rig.run("the connection ends") { rig.registry.openConnections == 0 }
        #expect(try Self.sample("received", "upstream", proxy, rig) == 300)
        #expect(try Self.sample("sent", "upstream", proxy, rig) == 300)
        #expect(try Self.sample("received", "downstream", proxy, rig) == 50_000)
    }

    private static func sample(
        _ family: String,
        _ direction: String,
        _ proxy: NamedProxy,
        _ rig: ToxiproxyRig
    ) throws -> Int {
        let name =
            "toxiproxy_proxy_\(family)_bytes_total{direction=\"\(direction)\","
            + "listener=\"\(proxy.listenText)\",proxy=\"p\",upstream=\"\(proxy.upstreamText)\"} "
        let line = try rig.ask("GET", "/metrics").body.split(separator: "\n")
            .first { $0.hasPrefix(name) }
        return try #require(line.flatMap { Int($0.dropFirst(name.count)) })
    }

    @Test func `attributes may be set one at a time, in any order`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        try rig.makeProxy()
        try rig.addToxic(
            #"{"type":"slicer","name":"s","attributes":{"average_size":10,"size_variation":5}}"#
        )
        for attribute in ["\"average_size\":1", "\"delay\":-1", "\"size_variation\":0"] {
            let change = "{\"attributes\":{\(attribute)}}"
            let reply = try rig.ask("POST", "/proxies/p/toxics/s", change)
            #expect(reply.status == 200 && reply.body.contains(attribute), "\(reply)")
        }
        let pair = try rig.connectThrough()
        pair.client.send("hello")
        try rig.run("the bytes come back") { pair.client.text == "hello" }
    }

    @Test func `a list changes only what it gives of a proxy that stays the same`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        try rig.makeProxy("a", toxics: #"{"type":"noop"}"#)
        #expect(try rig.ask("PATCH", "/proxies/a", #"{"enabled":false}"#).status == 200)
        let before = try rig.ask("GET", "/proxies").body
        let listen = try rig.registry.proxy("a").listenText
        for given in ["", "\"listen\":\"\(listen)\",", "\"enabled\":null,\"toxics\":null,"] {
            let list = "[{\(given)\"name\":\"a\",\"upstream\":\"\(rig.upstream)\"}]"
            #expect(try rig.ask("POST", "/populate", list).status == 201)
            #expect(try rig.ask("GET", "/proxies").body == before, "\(list)")
        }
        let other = #"[{"name":"a","upstream":"u:9"}]"#
        let replaced = try rig.ask("POST", "/populate", other).body
        #expect(replaced.contains("\"enabled\":true") && replaced.contains("\"toxics\":[]"))
    }

    @Test func `ports pass from one proxy of a list to another`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        for name in ["a", "b", "c"] { try rig.makeProxy(name) }
        let before = try ["a", "b", "c"].map { try rig.registry.proxy($0).listenText }
        func entry(_ name: String, _ listen: String, _ more: String = "") -> String {
            "{\"name\":\"\(name)\",\"listen\":\"\(listen)\",\"upstream\":\"\(rig.upstream)\"\(more)}"
        }
        let impossible = [
            entry("a", before[1]), entry("b", before[0]), entry("c", "\(rig.upstream)"),
        ]
        let refused = try rig.ask("POST", "/populate", "[\(impossible.joined(separator: ","))]")
        #expect(refused.status == 500)
        let after = try ["a", "b", "c"].map { try rig.registry.proxy($0).listenText }
        #expect(after == before)
        for name in ["a", "b", "c"] { _ = try rig.connectThrough(name) }
        let list = [
            entry("a", before[1]), entry("b", before[0]),
            entry("c", before[2], ",\"enabled\":false"),
            entry("d", before[2]),
        ]
        let reply = try rig.ask("POST", "/populate", "[\(list.joined(separator: ","))]")
        #expect(reply.status == 201, "\(reply)")
        let moved = try ["a", "b", "d"].map { try rig.registry.proxy($0).listenText }
        #expect(moved == [before[1], before[0], before[2]])
        for name in ["a", "b", "d"] { _ = try rig.connectThrough(name) }
    }

    @Test(arguments: [false, true])
    func `a connection that ends while it is made ends normally on both sides`(deletes: Bool) throws
    {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        rig.onServe = { peer in
            peer.send("welcome")
            peer.onEnd = { $0.end() }
        }
        for round in 0..<40 {
            try rig.makeProxy("p\(round)")
            let asking = try ToxiproxyPeer.connect(to: rig.server.address, on: rig.loop)
            defer { asking.close() }
            let client = try rig.connect(to: "p\(round)")
            let method = deletes ? "DELETE" : "PATCH"
            asking.send(
                ToxiproxyRig.request(
                    method,
                    "/proxies/p\(round)",
                    deletes ? nil : #"{"enabled":false}"#
                )
            )
            #expect(try rig.reply(to: method, over: asking).status < 300)
            try rig.run("the client's connection ends") { client.isOver }
            #expect(client.hasEnded, "\(round): \(String(describing: client.failure))")
            try rig.run("connections end") { rig.registry.openConnections == 0 }
            let served = rig.served
            try rig.run("the upstream's connections end") { served.allSatisfy(\.isOver) }
            let ends = served.map(\.hasEnded)
            #expect(!ends.contains(false), "\(round)")
        }
    }

    @Test(arguments: ["upstream", "downstream"])
    func `a timeout toxic passes on ends and resets at once`(stream: String) throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        rig.onServe = { peer in
            peer.onReceive = { $0.send("dropped or not") }
            peer.onEnd = { $0.end() }
        }
        try rig.makeProxy(toxics: "{\"type\":\"timeout\",\"stream\":\"\(stream)\"}")
        let ended = try rig.connectThrough()
        ended.client.send("hello")
        ended.client.end()
        try rig.run("both sides end") { ended.client.isOver && ended.server.isOver }
        #expect(ended.client.hasEnded && ended.server.hasEnded)
        let closed = try rig.connectThrough()
        closed.server.end()
        try rig.run("the client sees the end") { closed.client.isOver }
        #expect(closed.client.hasEnded)
        let reset = try rig.connectThrough()
        reset.client.reset()
        try rig.run("the server sees the reset") { reset.server.isOver }
        #expect(reset.server.failure == .connectionReset)
        let dropped = try rig.connectThrough()
        dropped.server.reset()
        try rig.run("the client sees the reset") { dropped.client.isOver }
        #expect(dropped.client.failure == .connectionReset)
        closed.client.end()
        try rig.run("all connections end") { rig.registry.openConnections == 0 }
    }

    @Test func `a server is not kept by a client that has gone without hearing it`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        rig.onServe = { _ in }
        try rig.makeProxy(toxics: #"{"type":"timeout"}"#)
        let pair = try rig.connectThrough()
        pair.server.send("dropped")
        pair.client.end()
        try rig.run("the server sees the end") { pair.server.isOver }
        try rig.run("the connection ends") { rig.registry.openConnections == 0 }
        #expect(pair.client.count == 0)
    }

    @Test func `an upstream that cannot be reached is logged once a second`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        var events: [ToxiproxyEvent] = []
        rig.registry.onEvent = { events.append($0) }
        let free = try BoundPort()
        let body = "{\"name\":\"p\",\"upstream\":\"\(free.address)\"}"
        #expect(try rig.ask("POST", "/proxies", body).status == 201)
        for _ in 0..<5 {
            let client = try rig.connect()
            try rig.run("the client is reset") { client.isOver }
        }
        let failures = events.filter { $0.level == .error }
        #expect(failures.count == 1 && failures.first?.proxy == "p")
        let message = "cannot connect to upstream \(free.address): connection refused"
        #expect(failures.first?.message == message)
    }

    // MARK: Who may come

    @Test func `pages of browsers are refused, however they come`() throws {
        let rig = try ToxiproxyRig(access: ToxiproxyAccess(allowedHosts: ["toxics.test"]))
        defer { rig.tearDown() }
        for field in [
            "Origin: http://localhost:8474", "Origin: null", "Sec-Fetch-Site: same-origin",
            "sec-fetch-site: none", "User-Agent: Mozilla/5.0",
        ] {
            let reply = try rig.ask("POST", "/reset", fields: [field])
            #expect(reply.status == 403, "\(field)")
        }
        for (host, status) in [
            ("evil.example", 403), ("evil.example:8474", 403), ("127.0.0.1.evil.example", 403),
            ("toxics.test", 200), ("TOXICS.test:1234", 200), ("localhost", 200),
            ("10.1.2.3:80", 200), ("[::1]:8474", 200),
        ] {
            #expect(try Self.status(host, rig) == status, "\(host)")
        }
    }

    @Test func `what Node.js sends with fetch is no page`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        let fields = ["Sec-Fetch-Mode: cors", "User-Agent: node", "Accept-Language: *"]
        #expect(try rig.ask("POST", "/reset", fields: fields).status == 204)
    }

    @Test func `names that only a private network has are allowed`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        for host in [
            "toxiproxy:8474", "docker:32768", "host.docker.internal", "toxiproxy.local:80",
            "toxiproxy.default.svc", "toxiproxy.default.svc.cluster.local", "a.localhost", "Host.",
        ] {
            #expect(try Self.status(host, rig) == 200, "\(host)")
        }
        for host in ["local.example", "svc.example", "internal.com.", "a.svc.example:8474"] {
            #expect(try Self.status(host, rig) == 403, "\(host)")
        }
    }

    @Test func `any name is allowed where other machines are, but no page`() throws {
        let rig = try ToxiproxyRig(access: ToxiproxyAccess(allowsAnyHost: true))
        defer { rig.tearDown() }
        #expect(try Self.status("toxics.example", rig) == 200)
        for field in ["Origin: http://toxics.example", "Sec-Fetch-Site: cross-site"] {
            #expect(try rig.ask("POST", "/reset", fields: [field]).status == 403, "\(field)")
        }
    }

    private static func status(_ host: String, _ rig: ToxiproxyRig) throws -> Int {
        let peer = try ToxiproxyPeer.connect(to: rig.server.address, on: rig.loop)
        defer { peer.close() }
        peer.send("GET /version HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        return try rig.reply(to: "GET", over: peer).status
    }

    @Test func `a wildcard serves both families, and this machine only unless others are allowed`()
        throws
    {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        let open = try ToxiproxyRig(allowsRemote: true)
        defer { open.tearDown() }
        for (number, listen) in ["", ":0", "0.0.0.0:0", "[::]:0"].enumerated() {
            let name = "p\(number)"
            for (rig, shown) in [(rig, "127.0.0.1:"), (open, "[::]:")] {
                let body =
                    "{\"name\":\"\(name)\",\"listen\":\"\(listen)\",\"upstream\":\"\(rig.upstream)\"}"
                let reply = try rig.ask("POST", "/proxies", body)
                #expect(reply.body.contains("\"listen\":\"\(shown)"), "\(reply)")
                let warning = reply.fields["X-Linkcond-Warning"]
                #expect((warning != nil) == (shown != "[::]:" && number > 1), "\(reply.fields)")
                try Self.expectBothFamilies(name, rig)
                for state in ["false", "true"] {
                    let change = "{\"enabled\":\(state)}"
                    #expect(try rig.ask("PATCH", "/proxies/\(name)", change).status == 200)
                }
                try Self.expectBothFamilies(name, rig)
            }
        }
    }

    private static func expectBothFamilies(_ name: String, _ rig: ToxiproxyRig) throws {
        let port = try #require(try rig.registry.proxy(name).address?.port)
        for address in [SocketAddress.loopback(port: port), .ipv6Loopback(port: port)] {
            let peer = try ToxiproxyPeer.connect(to: address, on: rig.loop)
            defer { peer.close() }
            peer.send("hello")
            try rig.run("\(address) answers") { peer.text == "hello" || peer.isOver }
            #expect(peer.text == "hello", "\(address)")
        }
    }

    @Test func `what means nothing is told in a field of its own`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        try rig.makeProxy()
        for (body, warning) in [
            (
                #"{"type":"latency","name":"a","attributes":{"latncy":5}}"#,
                "unknown key 'attributes.latncy'; did you mean 'latency'?"
            ),
            (
                #"{"type":"noop","name":"b","toxicty":5}"#,
                "unknown key 'toxicty'; did you mean 'toxicity'?"
            ),
            (#"{"type":"noop","name":"c","toxicity":-1}"#, "a toxicity below 0 acts as 0"),
            (#"{"type":"slicer","name":"d"}"#, "slicer with average_size 0 cuts nothing"),
        ] {
            let reply = try rig.ask("POST", "/proxies/p/toxics", body)
            #expect(reply.status == 200)
            #expect(reply.fields["X-Linkcond-Warning"] == warning)
        }
        #expect(try rig.ask("GET", "/proxies").fields["X-Linkcond-Warning"] == nil)
    }

    @Test func `a name with a slash has an address`() throws {
        let rig = try ToxiproxyRig()
        defer { rig.tearDown() }
        try rig.makeProxy("a/b c")
        #expect(try rig.ask("GET", "/proxies/a%2Fb%20c").status == 200)
        #expect(try rig.ask("DELETE", "/proxies/a%2fb%20c").status == 204)
    }
}
