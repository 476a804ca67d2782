import Basics
import ControlAPI
import HTTPWire
import Journal
import Proxy
import SystemIO
import Testing
import TestSupport

@Suite struct ProxyFleetTests {
    /// Where a proxy listens, as the document about it says.
    private func address(_ answer: NativeRig.Answer) throws -> SocketAddress {
        guard case .string(let text)? = answer["listeners", "0", "listen"] else {
            throw ProxyError(.badEndpoint, answer.body)
        }
        return try #require(try Endpoint(parsing: text).numericAddress)
    }

    private func make(_ rig: NativeRig, _ members: String = "") throws -> NativeRig.Answer {
        let body = #"{"name":"api","upstream":"\#(rig.upstream)"\#(members)}"#
        let answer = try rig.post("/v1/proxies", body)
        #expect(answer.status == 201, "\(answer.body)")
        return answer
    }

    @Test func `a proxy is made, forwards, and its connections have names of their own`() throws {
        let rig = try NativeRig()
        let made = try make(rig)
        #expect(made.fields["Location"] == "/v1/proxies/api")
        #expect(made["listeners", "0", "listener"] == 2)
        #expect(made["profile"] == "none")
        let (client, server) = try rig.connect(to: try address(made))
        server.send("hello")
        rig.run { client.text == "hello" }
        let list = try rig.send("GET", "/v1/connections?proxy=api")
        #expect(list["connections", "0", "id"] == "l2c1")
        #expect(list["connections", "0", "proxy"] == "api")
        #expect(try rig.send("GET", "/v1/connections?proxy=default")["open"] == 0)
        #expect(try rig.send("GET", "/v1/connections")["open"] == 1)
        #expect(try rig.send("GET", "/v1/proxies")["proxies", "1", "name"] == "api")
        #expect(try rig.send("GET", "/v1/proxies/api")["bytesDown"] == 5)
        #expect(try rig.send("GET", "/v1/wait?for=bytesDown&count=5&proxy=api").status == 200)
        rig.server.flushRecords()
        let metrics = try rig.send("GET", "/metrics").body
        #expect(metrics.contains(#"linkcond_connections_open{proxy="api"} 1"#))
        #expect(metrics.contains(#"linkcond_connections_open{proxy="default"} 0"#))
        #expect(try rig.send("DELETE", "/v1/connections/l2c1")["faults", "0"] == "c1:down+5=rst")
        rig.run { client.isOver }
    }

    @Test func `the test server has its name, and its address beside it`() throws {
        let rig = try NativeRig(hasTestServer: true)
        let own = try rig.send("GET", "/v1/proxies/default")
        #expect(own["listeners", "0", "upstream"] == "embedded")
        #expect(own["listeners", "0", "testServer"] == JSONValue.string(rig.upstream))
        // Another proxy that leads there, and one that leads elsewhere.
        let made = try make(rig)
        #expect(made["listeners", "0", "upstream"] == "embedded")
        let moved = try rig.send("PATCH", "/v1/proxies/api", #"{"upstream":"127.0.0.1:9"}"#)
        #expect(moved["listeners", "0", "upstream"] == "127.0.0.1:9")
        #expect(moved["listeners", "0", "testServer"] == JSONValue.null)
        let other = try NativeRig().send("GET", "/v1/proxies/default")
        #expect(other["listeners", "0", "testServer"] == JSONValue.null)
        #expect(other["listeners", "0", "upstream"] != "embedded")
    }

    @Test func `a page that ends among the first proxy's connections says that there are more`()
        throws
    {
        let rig = try NativeRig()
        _ = try make(rig)
        for _ in 0..<3 { try rig.connect() }
        #expect(try rig.send("GET", "/v1/connections?limit=2")["next"] == "c2")
        #expect(try rig.send("GET", "/v1/connections?limit=3")["next"] == nil)
    }

    @Test func `what is asked for holds before the first connection`() throws {
        let rig = try NativeRig()
        let made = try make(
            rig,
            #","profile":"wifi","settings":{"delay":"1ms"},"seed":11,"faults":["c1:connect=refuse"]"#
        )
        #expect(made["profile"] == "wifi")
        #expect(made["settings", "delay"] == "1ms")
        #expect(made["seed"] == 11)
        #expect(made["faults", "0"] == "c1:connect=refuse")
        let place = try address(made)
        let refused = try rig.knock(at: place)
        rig.run { refused.isOver }
        _ = try rig.connect(to: place)
        let faults = try rig.send("GET", "/v1/faults?proxy=api")
        #expect(faults["faults", "0", "state"] == "fired")
        #expect(try rig.send("GET", "/v1/faults?proxy=default")["faults", "0"] == nil)
        // The run's own proxy is as it was.
        #expect(try rig.send("GET", "/v1/proxies/default")["profile"] == "none")
        let schedule = try rig.send("GET", "/v1/schedule?proxy=api")
        #expect(schedule["schedule"] == "lc1;seed=11;c1:connect=refuse")
        guard case .string(let command)? = schedule["command"] else {
            Issue.record("no command")
            return
        }
        #expect(command.hasPrefix("linkcond --profile wifi --set delay=1ms --fault c1:connect"))
        #expect(command.hasSuffix("--seed 11"))
        // A replay of the own proxy has no such connections, and that is said.
        let own = try rig.send("GET", "/v1/schedule")
        #expect(own["differences", "0"]?.text.contains("proxy 'api' had connections") == true)
    }

    @Test func `actions and faults are for the proxy that is named, or whose connection it is`()
        throws
    {
        let rig = try NativeRig()
        let place = try address(try make(rig))
        let (mine, _) = try rig.connect(to: place)
        let (other, _) = try rig.connect()
        let cut = try rig.post("/v1/actions", #"{"action":"cut","connection":"l2c1"}"#)
        #expect(cut["proxy"] == "api" && cut["affected"] == 1)
        rig.run { mine.isOver }
        #expect(!other.isOver)
        let paused = try rig.post("/v1/actions", #"{"action":"pause","proxy":"api"}"#)
        #expect(paused.status == 200)
        #expect(try rig.send("GET", "/v1/proxies/api")["conditions", "paused"] == true)
        #expect(try rig.send("GET", "/v1/proxies/default")["conditions", "paused"] == false)
        let wrong = try rig.post(
            "/v1/actions",
            #"{"action":"cut","proxy":"default","connection":"l2c2"}"#
        )
        #expect(wrong.status == 422 && wrong["errors", "0", "pointer"] == "/proxy")
        #expect(try rig.post("/v1/actions", #"{"action":"cut","listener":3}"#).status == 422)
        let fault = #"{"fault":"c3:down+9=rst","proxy":"api"}"#
        #expect(try rig.post("/v1/faults", fault)["proxy"] == "api")
        #expect(try rig.send("GET", "/v1/proxies/api")["faults", "0"] == "c3:down+9=rst")
        #expect(try rig.send("GET", "/v1/proxies/default")["faults", "0"] == nil)
        #expect(try rig.send("DELETE", "/v1/faults/f1").status == 204)
        #expect(try rig.post("/v1/faults", #"{"fault":"c1:rst","proxy":"x"}"#).status == 422)
        #expect(try rig.post("/v1/faults", #"{"fault":"c1:up+1=rst","proxy":"x"}"#).status == 404)
        let events = try rig.send("GET", "/v1/events").body
        #expect(events.contains("create-proxy") && events.contains(#""proxy":"api""#))
    }

    @Test func `a proxy is renamed, moved, switched off and on, and ended`() throws {
        let rig = try NativeRig()
        let place = try address(try make(rig))
        let (client, _) = try rig.connect(to: place)
        let renamed = try rig.send("PATCH", "/v1/proxies/api", #"{"name":"b","profile":"lte"}"#)
        #expect(renamed["name"] == "b" && renamed["profile"] == "lte")
        #expect(try rig.send("GET", "/v1/proxies/api").status == 404)
        let off = try rig.send("PATCH", "/v1/proxies/b", #"{"enabled":false}"#)
        #expect(off["enabled"] == false && off["connections", "open"] == 1)
        let refused = try rig.knock(at: place)
        rig.run { refused.isOver }
        #expect(!client.isOver)
        #expect(try rig.send("PUT", "/v1/proxies/b", "{}")["enabled"] == true)
        _ = try rig.connect(to: place)
        let moved = try rig.send("PATCH", "/v1/proxies/b", #"{"listen":"127.0.0.2:0"}"#)
        #expect(try address(moved) != place)
        _ = try rig.connect(to: try address(moved))
        #expect(try rig.send("DELETE", "/v1/proxies/b").status == 204)
        rig.run { client.isOver }
        // An end in order would say that nothing is missing.
        #expect(client.failure == .connectionReset)
        #expect(try rig.send("GET", "/v1/proxies/b").status == 404)
        #expect(try rig.send("DELETE", "/v1/proxies/b").status == 404)
        #expect(try rig.send("DELETE", "/v1/proxies/default").status == 409)
        // No number of a listener stands for two proxies.
        #expect(try make(rig)["listeners", "0", "listener"] == 3)
        #expect(rig.api.fleet.snapshot().totalConnections == 3)
    }

    @Test func `a whole proxy is put, unless somebody was faster`() throws {
        let rig = try NativeRig()
        let body = #"{"upstream":"\#(rig.upstream)","enabled":false}"#
        let fresh: HeaderFields = ["If-None-Match": "*"]
        let made = try rig.send("PUT", "/v1/proxies/api", body, fields: fresh)
        #expect(made.status == 201 && made["enabled"] == false)
        #expect(try rig.send("PUT", "/v1/proxies/api", body, fields: fresh).status == 412)
        let tag = try #require(made.fields["ETag"])
        let changed = try rig.send(
            "PUT",
            "/v1/proxies/api",
            #"{"profile":"lte"}"#,
            fields: ["If-Match": tag]
        )
        #expect(changed["profile"] == "lte" && changed["enabled"] == true)
        let late = try rig.send("DELETE", "/v1/proxies/api", fields: ["If-Match": tag])
        #expect(late.status == 412)
        let gone = try rig.send("PUT", "/v1/proxies/b", body, fields: ["If-Match": tag])
        #expect(gone.status == 412)
    }

    @Test func `what cannot be is refused with its place, and nothing changes`() throws {
        let rig = try NativeRig()
        let own = rig.address.description
        let port = rig.address.port ?? 0
        try #require(rig.api.fleet.own.name == "default")
        rig.api.fleet.controlAddresses = [.loopback(port: 4)]
        let up = #""upstream":"\#(rig.upstream)""#
        let cases: [(body: String, status: Int, pointer: String)] = [
            (#"{\#(up)}"#, 422, "/name"), (#"{"name":"a"}"#, 422, "/upstream"),
            (#"{"name":"a b",\#(up)}"#, 422, "/name"), (#"{"name":"",\#(up)}"#, 422, "/name"),
            (#"{"name":"default",\#(up)}"#, 409, "/name"),
            (#"{"name":"a",\#(up),"listen":"\#(own)"}"#, 409, "/listen"),
            (#"{"name":"a",\#(up),"listen":"localhost:0"}"#, 422, "/listen"),
            (#"{"name":"a",\#(up),"listen":"0.0.0.0:0"}"#, 422, "/listen"),
            (#"{"name":"a","upstream":"x:0"}"#, 422, "/upstream"),
            (#"{"name":"a","upstream":"\#(own)"}"#, 422, "/upstream"),
            (#"{"name":"a","upstream":"localhost:\#(port)"}"#, 422, "/upstream"),
            (#"{"name":"a","upstream":"127.0.0.1:4"}"#, 422, "/upstream"),
            (#"{"name":"a","upstream":"127.0.0.1:9","listen":"127.0.0.1:9"}"#, 422, "/upstream"),
            (#"{"name":"a",\#(up),"profile":"lt"}"#, 422, "/profile"),
            (#"{"name":"a",\#(up),"settings":{"dealy":"1ms"}}"#, 422, "/settings/dealy"),
            (#"{"name":"a",\#(up),"faults":["c1:down+1=rst","x"]}"#, 422, "/faults/1"),
            (#"{"name":"a",\#(up),"faults":["o/f.bin@5=rst"]}"#, 422, "/faults/0"),
            (#"{"name":"a",\#(up),"seed":-1}"#, 422, "/seed"),
            (#"{"name":"a",\#(up),"enabld":true}"#, 422, "/enabld"),
        ]
        for (body, status, pointer) in cases {
            let answer = try rig.post("/v1/proxies", body)
            #expect(answer.status == status, "\(body): \(answer.body)")
            #expect(answer["errors", "0", "pointer"]?.text == "\"\(pointer)\"", "\(answer.body)")
        }
        let changes: [(body: String, pointer: String)] = [
            (#"{"name":"other"}"#, "/name"), (#"{"upstream":"127.0.0.1:9"}"#, "/upstream"),
            (#"{"listen":"127.0.0.2:0"}"#, "/listen"), (#"{"seed":8}"#, "/seed"),
        ]
        for (body, pointer) in changes {
            let answer = try rig.send("PATCH", "/v1/proxies/default", body)
            #expect(answer["errors", "0", "pointer"]?.text == "\"\(pointer)\"", "\(answer.body)")
        }
        #expect(rig.api.fleet.all.count == 1)
        #expect(try rig.send("GET", "/v1/proxies/x").body.contains("Known: default."))
        #expect(try rig.send("GET", "/v1/proxies/defalt").body.contains("'default'"))
    }

    @Test func `profiles and records are told of one proxy`() throws {
        let rig = try NativeRig()
        let place = try address(try make(rig, #","profile":"wifi""#))
        #expect(try rig.send("GET", "/v1/profiles/current?proxy=api")["name"] == "wifi")
        #expect(try rig.send("GET", "/v1/profiles/current?proxy=default")["name"] == "none")
        #expect(try rig.send("GET", "/v1/profiles/current")["name"] == "none")
        #expect(try rig.send("GET", "/v1/profiles?proxy=api")["current"] == "wifi")
        #expect(try rig.send("GET", "/v1/profiles")["current"] == "none")
        #expect(try rig.send("GET", "/v1/profiles/lte?proxy=api").status == 400)
        _ = try rig.connect(to: place)
        _ = try rig.connect()
        _ = try rig.post("/v1/actions", #"{"action":"mark","text":"hers","proxy":"api"}"#)
        _ = try rig.post("/v1/actions", #"{"action":"mark","text":"own"}"#)
        let hers = try rig.send("GET", "/v1/events?proxy=api").body
        let own = try rig.send("GET", "/v1/events?proxy=default").body
        let all = try rig.send("GET", "/v1/events").body
        #expect(hers.contains(#""text":"hers""#) && !hers.contains(#""text":"own""#))
        #expect(own.contains(#""text":"own""#) && !own.contains(#""text":"hers""#))
        #expect(hers.contains(#""t":"conn","l":2,"c":1"#) && !own.contains(#""l":2"#))
        #expect(own.contains(#""t":"conn","c":1"#) && !hers.contains(#""t":"conn","c":1"#))
        // Which proxies there are concerns all.
        for body in [hers, own, all] { #expect(body.contains("create-proxy"), "\(body)") }
        let both = Set(hers.split(separator: "\n")).union(own.split(separator: "\n"))
        #expect(both == Set(all.split(separator: "\n")))
        // It keeps its records under another name; who has its old name has none of them.
        #expect(try rig.send("PATCH", "/v1/proxies/api", #"{"name":"b"}"#).status == 200)
        let renamed = try rig.send("GET", "/v1/events?proxy=b").body
        #expect(renamed.contains(#""text":"hers""#))
        _ = try make(rig)
        #expect(try !rig.send("GET", "/v1/events?proxy=api").body.contains(#""text":"hers""#))
    }

    @Test func `an unknown proxy is told with its place and with those that there are`() throws {
        let rig = try NativeRig()
        _ = try make(rig)
        for path in [
            "/v1/events?", "/v1/events?follow=true&", "/v1/profiles?", "/v1/profiles/current?",
            "/v1/connections?", "/v1/faults?", "/v1/schedule?", "/v1/wait?for=idle&",
        ] {
            let answer = try rig.send("GET", path + "proxy=apy")
            #expect(answer.status == 404, "\(path): \(answer.body)")
            #expect(answer["errors", "0", "pointer"] == "?proxy", "\(answer.body)")
            #expect(answer["errors", "0", "message"] == "unknown proxy (known: default, api)")
            #expect(answer["errors", "0", "suggestion"] == "api", "\(answer.body)")
        }
        for (path, body) in [
            ("/v1/actions", #"{"action":"cut","proxy":"apy"}"#),
            ("/v1/faults", #"{"fault":"c1:up+1=rst","proxy":"apy"}"#),
            ("/v1/schedule", #"{"action":"clear","proxy":"apy"}"#),
        ] {
            let answer = try rig.post(path, body)
            #expect(answer.status == 404, "\(path): \(answer.body)")
            #expect(answer["errors", "0", "pointer"] == "/proxy", "\(answer.body)")
        }
        for number in 0..<10 {
            let body = #"{"name":"p\#(number)","upstream":"127.0.0.1:9"}"#
            #expect(try rig.post("/v1/proxies", body).status == 201)
        }
        let many = try rig.send("GET", "/v1/events?proxy=zzzzzz").body
        #expect(many.contains("p5 and 4 more; GET /v1/proxies lists them"), "\(many)")
    }

    @Test func `a sample of one proxy is of it alone`() throws {
        let rig = try NativeRig()
        let made = try make(rig, #","profile":"wifi""#)
        let (client, server) = try rig.connect(to: try address(made))
        server.send("hello")
        rig.run { client.text == "hello" }
        _ = try rig.connect()
        _ = try rig.connect()
        _ = try rig.post("/v1/actions", #"{"action":"pause","proxy":"api"}"#)
        func sample(_ proxy: String) -> String {
            rig.api.sample(of: rig.api.fleet[proxy]?.number).text
        }
        let hers = sample("api")
        for part in [
            #"{"proxy":"api","#, #""profile":"wifi""#, #""bytesDown":5,"#,
            #""openConnections":1,"#, #""paused":true"#,
        ] { #expect(hers.contains(part), "\(hers)") }
        let own = sample("default")
        for part in [
            #"{"proxy":"default","#, #""profile":"none""#, #""bytesDown":0,"#,
            #""openConnections":2,"#, #""paused":false"#,
        ] { #expect(own.contains(part), "\(own)") }
        // The run has the conditions of its own proxy.
        let run = sample("")
        for part in [
            #"{"elapsedMilliseconds":"#, #""profile":"none""#, #""bytesDown":5,"#,
            #""openConnections":3,"#, #""paused":false"#,
        ] { #expect(run.contains(part), "\(run)") }
    }

    @Test func `a proxy that comes to lead to another one refuses its connections`() throws {
        let rig = try NativeRig()
        let first = try make(rig)
        let place = try address(first)
        // A port that is free now, and is another proxy's later.
        var later = try ListeningSocket(on: .loopback(port: 0))
        let found = later.address
        later.close()
        let free = try #require(found)
        let leading = try rig.post(
            "/v1/proxies",
            #"{"name":"leading","upstream":"\#(free)"}"#
        )
        let moved = try rig.send("PATCH", "/v1/proxies/api", #"{"listen":"\#(free)"}"#)
        #expect(moved.status == 200, "\(moved.body)")
        let client = try rig.knock(at: try address(leading))
        rig.run { client.isOver }
        #expect(rig.served.isEmpty)
        #expect(try rig.send("GET", "/v1/proxies/api")["connections", "total"] == 0)
        #expect(place != free)
    }

    @Test func `there are not more proxies than fit`() throws {
        let rig = try NativeRig()
        for number in 1..<ProxyFleet<SteeredProxy>.limit {
            let body = #"{"name":"p\#(number)","upstream":"127.0.0.1:9"}"#
            #expect(try rig.post("/v1/proxies", body).status == 201)
        }
        let body = #"{"name":"last","upstream":"127.0.0.1:9"}"#
        #expect(try rig.post("/v1/proxies", body).status == 409)
        #expect(try rig.send("DELETE", "/v1/proxies/p1").status == 204)
        #expect(try rig.post("/v1/proxies", body).status == 201)
    }
}
