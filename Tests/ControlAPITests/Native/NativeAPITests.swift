import Basics
import ControlAPI
import HTTPWire
import Journal
import LinkEngine
import LinkProfile
import Proxy
import SystemIO
import Testing
import TestSupport

@Suite struct NativeAPITests {
    @Test func `the root tells what runs and what there is`() throws {
        let rig = try NativeRig()
        let answer = try rig.send("GET", "/v1")
        #expect(answer["version"] == "9.9")
        #expect(answer["seed"] == 7)
        #expect(answer["resources", "0", "path"] == "/v1")
        #expect(try rig.send("GET", "/healthz").body == "ok\n")
        #expect(try rig.send("GET", "/readyz").status == 200)
        rig.server.stop()
        #expect(try rig.send("GET", "/readyz").status == 503)
    }

    @Test func `when the proxies have ended, they can be looked at and not changed`() throws {
        let rig = try NativeRig()
        rig.api.stopProxies()
        rig.server.stop()
        #expect(try rig.send("GET", "/v1/transfers").status == 200)
        #expect(try rig.send("GET", "/v1/connections").status == 200)
        #expect(try rig.post("/v1/actions", #"{"action":"mark","text":"late"}"#).status == 503)
    }

    @Test func `a late visitor sees what was carried, what fired and what was changed`() throws {
        let rig = try NativeRig(faults: ["c1:down+10=stall(1ms)"])
        let (client, server) = try rig.connect()
        client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
        rig.run { server.text.hasSuffix("\r\n\r\n") }
        server.send("HTTP/1.1 204 No Content\r\n\r\n")
        rig.run { client.text.hasSuffix("\r\n\r\n") }
        _ = try rig.post("/v1/actions", #"{"action":"mark","text":"here"}"#)
        let answer = try rig.send("GET", "/v1/history")
        #expect(answer["points", "0", "0"] != nil)
        #expect(answer.body.contains(#"\"state\":\"fired\""#))
        #expect(answer.body.contains(#"\"action\":\"mark\""#))
        #expect(try rig.send("GET", "/v1/history?proxy=none").status == 404)
        #expect(try rig.send("GET", "/v1/history?proxies=x").status == 400)
    }

    @Test func `a late visitor sees which ceilings the rates had, and when`() throws {
        let rig = try NativeRig()
        let before = try rig.send("GET", "/v1/history")
        #expect(before["ceilings", "0", "0"] == 0)
        #expect(before["ceilings", "1"] == nil)
        _ = try rig.send(
            "PATCH",
            "/v1/proxies/default",
            #"{"settings":{"down.rate":"3Mbit/s","up.rate":"2Mbit/s"}}"#
        )
        let after = try rig.send("GET", "/v1/history")
        #expect(after["ceilings", "0"] == before["ceilings", "0"])
        #expect(after["ceilings", "1", "1"] == 3_000_000)
        #expect(after["ceilings", "1", "2"] == 2_000_000)
    }

    @Test func `profiles are listed by group with their figures for who asks`() throws {
        let rig = try NativeRig()
        #expect(try rig.send("GET", "/v1/profiles")["details"] == nil)
        let answer = try rig.send("GET", "/v1/profiles?details=true")
        #expect(answer["details", "0", "group"] == "Cellular")
        #expect(answer["details", "0", "figures"] == "50M/10M, 115 ms")
    }

    // Connections.

    @Test func `connections are listed with what was asked for on them`() throws {
        let rig = try NativeRig()
        let (client, server) = try rig.connect()
        client.send("GET /x?secret HTTP/1.1\r\nHost: a\r\n\r\n")
        rig.run { server.text.hasSuffix("\r\n\r\n") }
        server.send("HTTP/1.1 204 No Content\r\n\r\n")
        rig.run { client.text.hasSuffix("\r\n\r\n") }
        rig.server.flushRecords()
        let answer = try rig.send("GET", "/v1/connections?limit=10")
        #expect(answer["open"] == 1)
        #expect(answer["connections", "0", "id"] == "c1")
        #expect(answer["connections", "0", "state"] == "open")
        #expect(answer["connections", "0", "requests"] == 1)
        #expect(answer["connections", "0", "latestStatus"] == 204)
        #expect(answer["connections", "0", "bytesDown"] == 27)
        // The query string may hold a secret.
        #expect(!answer.body.contains("secret"))
        #expect(try rig.send("GET", "/v1/connections/c1")["id"] == "c1")
        #expect(try rig.send("GET", "/v1/connections/c2").status == 404)
        #expect(try rig.send("GET", "/v1/connections/x").status == 404)
    }

    @Test func `an action on a connection that is not open is refused by its field`() throws {
        let rig = try NativeRig()
        for action in ["stall", "cut", "pause", "resume"] {
            let body = #"{"action":"\#(action)","connection":"c3"}"#
            let answer = try rig.post("/v1/actions", body)
            #expect(answer.status == 404, "\(action)")
            #expect(answer["errors", "0", "pointer"] == "/connection")
            let all = try rig.post("/v1/actions", #"{"action":"\#(action)"}"#)
            #expect(all.status == 200 && all["affected"] == 0)
            _ = try rig.post("/v1/actions", #"{"action":"reset"}"#)
        }
        try rig.connect()
        let pause = #"{"action":"pause","connection":"c1"}"#
        #expect(try rig.post("/v1/actions", pause)["affected"] == 1)
        #expect(try rig.post("/v1/actions", pause)["affected"] == 0)
        rig.server.flushRecords()
        // The record of the one that did nothing says to whom.
        #expect(try rig.send("GET", "/v1/events").body.contains(#""connection":"c1""#))
    }

    @Test func `a long list comes in pages`() throws {
        let rig = try NativeRig()
        for _ in 0..<3 { try rig.connect() }
        let first = try rig.send("GET", "/v1/connections?limit=2")
        #expect(first["next"] == "c2")
        let second = try rig.send("GET", "/v1/connections?limit=2&after=c2")
        #expect(second["connections", "0", "id"] == "c3")
        #expect(second["next"] == nil)
        for query in ["limit=0", "limit=x", "limit=2000", "limt=1", "limit=1&limit=1", "after=x"] {
            let status = try rig.send("GET", "/v1/connections?\(query)").status
            #expect(status == 400 || status == 404, "\(query)")
        }
    }

    @Test func `a connection is cut by name, and that is kept as a fault`() throws {
        let rig = try NativeRig()
        let (client, server) = try rig.connect()
        server.send("0123456789")
        rig.run { client.text == "0123456789" }
        let answer = try rig.send("DELETE", "/v1/connections/c1?kind=rst")
        #expect(answer.status == 200)
        #expect(answer["faults", "0"] == "c1:down+10=rst")
        #expect(answer["connections", "0", "bytesDown"] == 10)
        rig.run { client.isOver }
        #expect(client.failure != nil)
        let schedule = try rig.send("GET", "/v1/schedule")
        #expect(schedule["schedule"] == "lc1;seed=7;c1:down+10=rst")
        #expect(try rig.send("DELETE", "/v1/connections/c1").status == 404)
        #expect(try rig.send("DELETE", "/v1/connections/c1?kind=x").status == 400)
        #expect(try rig.post("/v1/schedule", #"{"action":"clear"}"#)["schedule"] == "lc1;seed=7")
    }

    // Actions.

    @Test func `pause, resume and their place in the schedule`() throws {
        let rig = try NativeRig()
        let (client, server) = try rig.connect()
        #expect(try rig.post("/v1/actions", #"{"action":"pause"}"#)["affected"] == 1)
        #expect(try rig.send("GET", "/v1/proxies/default")["conditions", "paused"] == true)
        #expect(try rig.send("GET", "/v1/connections/c1")["state"] == "paused")
        server.send("held")
        let answer = try rig.post("/v1/actions", #"{"action":"resume","proxy":"default"}"#)
        #expect(answer["affected"] == 1)
        rig.run { client.text == "held" }
        let faults = try rig.send("GET", "/v1/schedule")["faults"]
        guard case .array(let list)? = faults, case .string(let first)? = list.first else {
            Issue.record("no faults: \(String(describing: faults))")
            return
        }
        #expect(list.count == 2)
        #expect(first.hasPrefix("c1:down+0=stall("))
    }

    @Test(arguments: [
        (#"{"action":"stall","for":"20ms","connection":"c1"}"#, "stall"),
        (#"{"action":"refuse","count":2}"#, "refuse"), (#"{"action":"mark","text":"x"}"#, "mark"),
        (#"{"action":"handover","for":"20ms","profile":"lte"}"#, "handover"),
        (#"{"action":"outage","for":"20ms"}"#, "outage"), (#"{"action":"restore"}"#, "restore"),
        (#"{"action":"cut","kind":"fin","listener":1}"#, "cut"), (#"{"action":"reset"}"#, "reset"),
    ])
    func `an action is done and recorded`(body: String, action: String) throws {
        let rig = try NativeRig()
        try rig.connect()
        let answer = try rig.post("/v1/actions", body)
        #expect(answer.status == 200, "\(answer.body)")
        guard case .integer(let number)? = answer["record"] else {
            Issue.record("\(answer.body)")
            return
        }
        let record = try rig.send("GET", "/v1/events?after=\(number - 1)").json
        guard case .object(let object) = record else {
            Issue.record("no record \(number)")
            return
        }
        #expect(object["t"] == "change")
        #expect(object["action"] == .string(action))
        #expect(object["n_approx"] == .integer(number))
    }

    @Test(arguments: [
        (#"{}"#, "/action"), (#"{"action":"cutt"}"#, "/action"), (#"{"action":1}"#, "/action"),
        (#"{"action":"cut","kind":"rts"}"#, "/kind"), (#"{"action":"stall","for":"5"}"#, "/for"),
        (#"{"action":"stall","for":"86401s"}"#, "/for"),
        (#"{"action":"stall","for":"0s"}"#, "/for"), (#"{"action":"pause","for":"5s"}"#, "/for"),
        (#"{"action":"refuse","count":0}"#, "/count"), (#"{"action":"cut","x":1}"#, "/x"),
        (#"{"action":"cut","connection":"1"}"#, "/connection"),
        (#"{"action":"cut","listener":2}"#, "/listener"),
        (#"{"action":"cut","connection":"c1","listener":1}"#, "/listener"),
        (#"{"action":"mark","connection":"c1"}"#, "/connection"),
        (#"{"action":"handover","profile":"lteq"}"#, "/profile"),
        (#"{"action":"outage","profile":"lte"}"#, "/profile"),
    ])
    func `a mistake is told with its place, and nothing is done`(
        body: String,
        pointer: String
    ) throws {
        let rig = try NativeRig()
        try rig.connect()
        let answer = try rig.post("/v1/actions", body)
        #expect(answer.status == 422)
        #expect(answer["errors", "0", "pointer"] == .string(pointer), "\(answer.body)")
        #expect(rig.server.openConnections == 1)
        #expect(!rig.server.manual.isPaused)
        #expect(!(try rig.send("GET", "/v1/events").body.contains(#""t":"change""#)))
    }

    // Faults.

    @Test func `faults are added, told and taken back by short names`() throws {
        let rig = try NativeRig(faults: ["c9:down+1=rst"])
        let (client, server) = try rig.connect()
        let added = try rig.post("/v1/faults", #"{"fault":"c1:down+5=rst"}"#)
        #expect(added.status == 201)
        #expect(added["id"] == "f2")
        #expect(added["armedOn", "0"] == "c1")
        #expect(added.fields["Location"] == "/v1/faults/f2")
        server.send("0123456789")
        rig.run { client.isOver }
        #expect(client.text == "01234")
        rig.server.flushRecords()
        let list = try rig.send("GET", "/v1/faults")
        #expect(list["faults", "0", "state"] == "armed")
        #expect(list["faults", "1", "state"] == "fired")
        #expect(try rig.send("DELETE", "/v1/faults/f1").status == 204)
        #expect(try rig.send("DELETE", "/v1/faults/f1").status == 404)
        #expect(try rig.send("GET", "/v1/faults/f2")["fired"] == 1)
        #expect(try rig.send("GET", "/v1/faults/f3").status == 404)
        #expect(try rig.send("GET", "/v1/faults/c1:down+5=rst")["id"] == "f2")
    }

    @Test(arguments: [
        (#"{"fault":"c1:down+5=rts"}"#, "column"), (#"{}"#, "missing"), (#"{"fault":5}"#, "text"),
        (#"{"fault":"obj(/x)#1=expire"}"#, "embedded origin"),
    ])
    func `a fault that cannot act is refused`(body: String, words: String) throws {
        let rig = try NativeRig()
        let answer = try rig.post("/v1/faults", body)
        #expect(answer.status == 422)
        #expect(answer["errors", "0", "pointer"] == "/fault")
        #expect(answer.body.contains(words), "\(answer.body)")
        #expect(rig.server.faults.all.isEmpty)
    }

    // Profiles.

    @Test func `a profile is switched as a whole, and its values one by one`() throws {
        let rig = try NativeRig()
        let tag = try rig.send("GET", "/v1/proxies/default").fields["ETag"]
        let whole = try rig.send(
            "PUT",
            "/v1/proxies/default",
            #"{"profile":"lte","settings":{"delay":"10ms"},"faults":["c5:down+1=fin"]}"#,
            fields: ["If-Match": tag ?? ""]
        )
        #expect(whole.status == 200, "\(whole.body)")
        #expect(whole["profile"] == "lte")
        #expect(whole["settings", "delay"] == "10ms")
        #expect(whole["faults", "0"] == "c5:down+1=fin")
        #expect(rig.applied.map(\.name) == ["lte"])
        let part = try rig.send("PATCH", "/v1/proxies/default", #"{"settings":{"loss":"1%"}}"#)
        #expect(part["settings", "delay"] == "10ms")
        #expect(part["settings", "loss"] == "1%")
        #expect(part["faults", "0"] == "c5:down+1=fin")
        #expect(rig.server.profile.link.down.delay == .milliseconds(10))
        // Another profile has its own values.
        let other = try rig.send("PATCH", "/v1/proxies/default", #"{"profile":"3g"}"#)
        #expect(other["profile"] == "3g" && other["settings", "delay"] == nil)
        #expect(rig.server.profile.link.down.delay != .milliseconds(10))
        let back = #"{"profile":"lte"}"#
        #expect(try rig.send("PATCH", "/v1/proxies/default", back)["profile"] == "lte")
        let stale = try rig.send(
            "PATCH",
            "/v1/proxies/default",
            #"{"profile":"wifi"}"#,
            fields: ["If-Match": tag ?? ""]
        )
        #expect(stale.status == 412)
        #expect(rig.server.profile.name == "lte")
        #expect(try rig.send("PUT", "/v1/proxies/default", "{}")["profile"] == "none")
        #expect(rig.server.faults.all.isEmpty)
    }

    @Test(arguments: [
        (#"{"profile":"ltee"}"#, "/profile"), (#"{"profile":"/etc/passwd"}"#, "/profile"),
        (#"{"settings":{"dealy":"1ms"}}"#, "/settings/dealy"),
        (#"{"settings":{"delay":"1"}}"#, "/settings/delay"),
        (#"{"settings":{"delay":1}}"#, "/settings/delay"), (#"{"settings":[]}"#, "/settings"),
        (#"{"faults":["x"]}"#, "/faults/0"), (#"{"faults":[1]}"#, "/faults/0"),
        // What only the server knows is found before anything is done, too.
        (#"{"profile":"lte","faults":["c5:down+1=fin","obj(/x)#1=expire"]}"#, "/faults/1"),
        (#"{"settings":{"delay":"5ms"},"faults":["obj(/x)#1=expire"]}"#, "/faults/0"),
        (#"{"profil":"lte"}"#, "/profil"),
    ])
    func `a change with a mistake changes nothing`(body: String, pointer: String) throws {
        let rig = try NativeRig()
        let answer = try rig.send("PATCH", "/v1/proxies/default", body)
        #expect(answer.status == 422)
        #expect(answer["errors", "0", "pointer"] == .string(pointer), "\(answer.body)")
        #expect(rig.applied.isEmpty)
        #expect(rig.server.faults.all.isEmpty)
        #expect(try rig.send("PATCH", "/v1/proxies/other", body).status == 404)
    }

    @Test func `a profile can be put for this run`() throws {
        let rig = try NativeRig()
        let text = "name: mine\nlink:\n  delay: 3ms\n"
        let put = try rig.send("PUT", "/v1/profiles/mine", text)
        #expect(put.status == 201, "\(put.body)")
        #expect(try rig.send("PUT", "/v1/profiles/mine", text).status == 200)
        #expect(try rig.send("GET", "/v1/profiles")["profiles", "0"] == "mine")
        #expect(try rig.send("GET", "/v1/profiles/mine")["name"] == "mine")
        #expect(try rig.send("PATCH", "/v1/proxies/default", #"{"profile":"mine"}"#).status == 200)
        #expect(rig.server.profile.link.up.delay == .milliseconds(3))
        #expect(try rig.send("GET", "/v1/profiles/current")["name"] == "mine")
        #expect(try rig.send("GET", "/v1/profiles/lte")["name"] == "lte")
        #expect(try rig.send("GET", "/v1/profiles/nothing").status == 422)
        let wrong = try rig.send("PUT", "/v1/profiles/mine", "name: mine\nlnk: {}\n")
        #expect(wrong.status == 422)
        #expect(wrong.body.contains("mine:2:1"), "\(wrong.body)")
        #expect(try rig.send("PUT", "/v1/profiles/a.b", text).status == 422)
    }

    // Events.

    @Test func `records are told from a number on`() throws {
        let rig = try NativeRig()
        for text in ["a", "b", "c", "d", "e", "f"] {
            _ = try rig.post("/v1/actions", #"{"action":"mark","text":"\#(text)"}"#)
        }
        let all = try rig.send("GET", "/v1/events").body.split(separator: "\n")
        #expect(all.count == 6)
        #expect(all[0].contains(#""detail":{"text":"a"},"n_approx":0"#))
        let rest = try rig.send("GET", "/v1/events?after=3").body.split(separator: "\n")
        #expect(rest == Array(all[4...]))
        #expect(try rig.send("GET", "/v1/events?after=99").body.isEmpty)
        for query in ["after=x", "after=-1", "follow=maybe", "later=1"] {
            #expect(try rig.send("GET", "/v1/events?\(query)").status == 400, "\(query)")
        }
    }

    @Test func `metrics are told in Prometheus' form`() throws {
        let rig = try NativeRig()
        let (client, server) = try rig.connect()
        server.send("0123456789")
        rig.run { client.text.count == 10 }
        _ = try rig.send("DELETE", "/v1/connections/c1")
        rig.run { rig.server.openConnections == 0 }
        rig.server.flushRecords()
        let answer = try rig.send("GET", "/metrics")
        #expect(answer.fields["Content-Type"] == MetricsText.type)
        for line in [
            #"linkcond_build_info{version="9.9",profile="none",seed="7"} 1"#,
            #"linkcond_bytes_total{proxy="default",direction="down"} 10"#,
            #"linkcond_connections_total{proxy="default",outcome="rst"} 1"#,
            #"linkcond_connections_open{proxy="default"} 0"#,
            "linkcond_changes_total 1",
        ] { #expect(answer.body.contains("\n\(line)\n"), "\(line)") }
        // What is done by hand is a change.
        #expect(!answer.body.contains("linkcond_faults_fired_total{"))
    }

    @Test func `datagrams are counted apart from connections`() throws {
        let rig = try NativeRig(faults: ["u1:up#2=drop"], carriesDatagrams: true)
        let listen = try #require(rig.server.listenAddresses.last)
        let client = try TestDatagramPeer.client(of: listen, on: rig.loop)
        defer { client.close() }
        for _ in 0..<3 { client.send("x") }
        rig.run { rig.server.snapshot(rows: 0).flows?.up.count == 3 }
        rig.server.flushRecords()
        let metrics = try rig.send("GET", "/metrics").body
        for line in [
            #"linkcond_faults_fired_total{proxy="default",effect="drop"} 1"#,
            #"linkcond_flows_open{proxy="default"} 1"#,
            #"linkcond_flows_total{proxy="default"} 1"#,
            #"linkcond_datagrams_received_total{proxy="default",direction="up"} 3"#,
            #"linkcond_datagrams_delivered_total{proxy="default",direction="up"} 2"#,
            #"linkcond_datagrams_delivered_total{proxy="default",direction="down"} 0"#,
            #"linkcond_connections_open{proxy="default"} 0"#,
        ] { #expect(metrics.contains("\n\(line)\n"), "\(line)") }
        let proxy = try rig.send("GET", "/v1/proxies/default").body
        #expect(proxy.contains(#""flows":{"open":1,"total":1,"datagramsUp":3"#))
    }

    @Test(arguments: [ChangeReport.Origin.key, .signal])
    func `what others than clients change changes the tag, too`(origin: ChangeReport.Origin) throws
    {
        let rig = try NativeRig()
        let tag = try #require(try rig.send("GET", "/v1/proxies").fields["ETag"])
        rig.server.manual.record(ChangeReport("pause", by: origin))
        rig.server.flushRecords()
        let answer = try rig.send(
            "PATCH",
            "/v1/proxies/default",
            #"{"profile":"lte"}"#,
            fields: ["If-Match": tag]
        )
        #expect(answer.status == 412)
        #expect(try rig.send("GET", "/v1/proxies").fields["ETag"] != tag)
    }

    @Test func `records are exported as a journal and as an archive`() throws {
        let rig = try NativeRig()
        rig.api.take(
            .start(
                RunStart(
                    tool: "linkcond 9.9",
                    command: "proxy",
                    seed: 7,
                    schedule: "lc1;seed=7",
                    profile: "none",
                    profileDigest: "",
                    environment: [:]
                )
            ),
            now: rig.loop.now
        )
        let (client, server) = try rig.connect()
        client.send("GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
        rig.run { server.text.hasSuffix("\r\n\r\n") }
        server.send("HTTP/1.1 204 No Content\r\n\r\n")
        rig.run { client.text.hasSuffix("\r\n\r\n") }
        let journal = try rig.send("GET", "/v1/exports/journal")
        #expect(journal.status == 200)
        #expect(journal.body.split(separator: "\n").count == 4)
        #expect(journal.body == (try rig.send("GET", "/v1/events").body))
        let archive = try rig.send("GET", "/v1/exports/har")
        #expect(archive["log", "creator", "version"] == "9.9")
        #expect(archive["log", "entries", "0", "request", "url"] == "http://a/x")
        #expect(archive["log", "entries", "0", "response", "status"] == 204)
        #expect(archive["log", "entries", "1"] == nil)
        let capture = try rig.send("GET", "/v1/exports/pcapng")
        #expect(capture.status == 200)
        #expect(capture.body.contains("c1/r1: GET /x"))
        let unknown = try rig.send("GET", "/v1/exports/pdf")
        #expect(unknown.status == 404 && unknown.body.contains("journal, har, pcapng"))
    }
}
