import Basics
import Faults
import Journal
import LinkEngine
import LinkProfile
import SystemIO
import Testing

@testable import Proxy

@Suite struct ManualControlTests {
    private static let first = ConnectionID(ordinal: 1)

    /// A connection over which the server has sent so many bytes.
    private func flowing(
        _ rig: Rig,
        _ bytes: Int
    ) throws -> (client: TestPeer, server: TestPeer) {
        let pair = try rig.connectThrough()
        pair.server.send(bytes)
        try rig.run("the bytes arrive") { pair.client.receivedCount == bytes }
        return pair
    }

    @Test(arguments: [false, true])
    func `a cut resets both sides behind the byte that the client got last`(
        isShaped: Bool
    ) throws {
        let rig = try Rig(link: isShaped ? .fast(delayMilliseconds: 1) : LinkSettings())
        defer { rig.tearDown() }
        let (client, server) = try flowing(rig, 5_000)
        let places = rig.proxy.manual.cut(.connection(Self.first), .rst)
        let fault = "c1:down+5000=rst"
        #expect(
            places == [ManualPlace(connection: Self.first, up: 0, down: 5_000, faults: [fault])]
        )
        try rig.run("both are reset") { client.isOver && server.isOver }
        #expect(client.failure == .connectionReset)
        #expect(server.failure == .connectionReset)
        try rig.runUntilIdle(1)
        #expect(client.receivedCount == 5_000)
        #expect(rig.faultReports.map(\.id) == [fault])
        #expect(rig.ends.map(\.by) == [.fault])
        #expect(rig.ends.first?.down == .init(bytes: 5_000, isExact: true))
        #expect(rig.proxy.manual.cut(.all, .rst).isEmpty)
    }

    @Test(arguments: [false, true])
    func `a cut before the answer is at the byte that the server got last`(
        isShaped: Bool
    ) throws {
        let rig = try Rig(link: isShaped ? .fast(delayMilliseconds: 1) : LinkSettings())
        defer { rig.tearDown() }
        let (client, server) = try flowing(rig, 500)
        client.send(700)
        try rig.run("the request arrives") { server.receivedCount == 700 }
        #expect(rig.proxy.manual.cut(.all, .rst).flatMap(\.faults) == ["c1:up+700=rst"])
        try rig.run("both are reset") { client.isOver && server.isOver }
        try rig.runUntilIdle(1)
        #expect(client.receivedCount == 500 && server.receivedCount == 700)
        #expect(rig.ends.first?.up == .init(bytes: 700, isExact: true))
    }

    @Test func `a cut before anything was delivered is a difference`() throws {
        let rig = try Rig(link: .fast(delayMilliseconds: 300))
        defer { rig.tearDown() }
        let (client, _) = try rig.connectThrough()
        client.send(700)
        try rig.run("the request is on the link") {
            rig.proxy.snapshot().connections.first.map { $0.upBytes == 0 } == true
                && client.sentCount == 700
        }
        try rig.run(milliseconds: 30)
        #expect(rig.proxy.manual.cut(.all, .rst).flatMap(\.faults) == ["c1:down+0=rst"])
        #expect(rig.proxy.manual.recorder.differences.count == 1)
    }

    @Test func `what is done twice at one place has two names, and is in the schedule twice`()
        throws
    {
        let rig = try Rig()
        defer { rig.tearDown() }
        _ = try flowing(rig, 500)
        for count in [2, 4] {
            #expect(rig.proxy.manual.stall(.all, for: .milliseconds(2)).count == 1)
            try rig.run("the stall ends") { rig.faultReports.count == count }
        }
        let texts = ["c1:down+500=stall(2ms)", "c1:up+0=stall(2ms)"]
        #expect(rig.faultReports.map(\.id) == texts + texts.map { "\($0)#2" })
        #expect(rig.proxy.manual.schedule.faults.map(\.canonicalText) == texts + texts)
        #expect(rig.proxy.manual.recorder.differences.isEmpty)
    }

    @Test func `a cut in order ends both sides with a FIN`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let (client, server) = try flowing(rig, 100)
        #expect(rig.proxy.manual.cut(.all, .fin).count == 1)
        try rig.run("both end") { client.hasEnded && server.hasEnded }
        #expect(client.failure == nil && server.failure == nil)
    }

    @Test func `a hole leaves both sides without a word`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let (client, server) = try flowing(rig, 100)
        #expect(rig.proxy.manual.cut(.all, .hole).count == 1)
        server.send(1_000)
        client.send(1_000)
        try rig.run(milliseconds: 50)
        #expect(client.receivedCount == 100 && server.receivedCount == 0)
        #expect(!client.isOver && !server.isOver)
    }

    @Test(arguments: [false, true])
    func `a pause holds every byte and end, and loses none`(isShaped: Bool) throws {
        let rig = try Rig(link: isShaped ? .fast(delayMilliseconds: 1) : LinkSettings())
        defer { rig.tearDown() }
        let (client, server) = try flowing(rig, 5_000)
        #expect(rig.proxy.manual.pause(.connection(Self.first)).map(\.down) == [5_000])
        #expect(rig.proxy.manual.pause(.connection(Self.first)).isEmpty)
        #expect(rig.proxy.snapshot().connections.map(\.state) == [.paused])
        server.send(300_000, then: .finish)
        client.send(700)
        try rig.run(milliseconds: 60)
        #expect(client.receivedCount == 5_000 && server.receivedCount == 0)
        #expect(!client.hasEnded)
        let places = rig.proxy.manual.resume(.all)
        #expect(places.map(\.down) == [5_000])
        #expect(places.first?.held ?? .zero >= .milliseconds(50))
        try rig.run("everything arrives") { client.hasEnded && server.receivedCount == 700 }
        #expect(client.receivedCount == 305_000)
        #expect(client.digest.value == Content.of(2).digest(305_000))
        #expect(rig.proxy.manual.resume(.all).isEmpty)
    }

    @Test func `a pause of all holds connections that open meanwhile`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        rig.onServe = { $0.send(100) }
        _ = rig.proxy.manual.pause(.all)
        #expect(rig.proxy.manual.isPaused)
        let client = try rig.connect()
        try rig.run("the server is reached") { rig.served.count == 1 }
        try rig.run(milliseconds: 50)
        #expect(client.receivedCount == 0)
        #expect(rig.proxy.manual.resume(.all).map(\.down) == [0])
        try rig.run("the bytes arrive") { client.receivedCount == 100 }
        #expect(!rig.proxy.manual.isPaused)
    }

    @Test func `the other side of a paused connection hears of a reset`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let (client, server) = try flowing(rig, 100)
        _ = rig.proxy.manual.pause(.all)
        client.reset()
        try rig.run("the server is told", seconds: 1) { server.isOver }
        #expect(server.failure == .connectionReset)
    }

    @Test func `a paused connection can be cut`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let (client, server) = try flowing(rig, 100)
        _ = rig.proxy.manual.pause(.all)
        server.send(1_000)
        try rig.run(milliseconds: 20)
        #expect(rig.proxy.manual.cut(.all, .rst).map(\.down) == [100])
        try rig.run("the client is reset") { client.isOver }
        #expect(client.receivedCount == 100)
    }

    @Test func `a stall ends by itself, and not a pause that came after it`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let (client, server) = try flowing(rig, 100)
        let start = rig.loop.now
        #expect(rig.proxy.manual.stall(.all, for: .milliseconds(80)).count == 1)
        server.send(100)
        try rig.run("the bytes arrive") { client.receivedCount == 200 }
        #expect(rig.loop.now - start >= .milliseconds(80))
        _ = rig.proxy.manual.stall(.all, for: .milliseconds(40))
        _ = rig.proxy.manual.resume(.all)
        _ = rig.proxy.manual.pause(.connection(Self.first))
        server.send(100)
        try rig.run(milliseconds: 100)
        #expect(client.receivedCount == 200)
    }

    @Test func `the next connections are refused, as many as asked for`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let (first, _) = try flowing(rig, 10)
        #expect(rig.proxy.manual.refuseNext(2) == ["c2:connect=refuse(2)"])
        for _ in 0..<2 {
            let client = try rig.connect()
            try rig.run("it is refused") { client.isOver }
        }
        _ = try rig.connectThrough()
        #expect(!first.isOver)
        #expect(rig.ends.map(\.how) == [.refused, .refused])
        #expect(rig.ends.map(\.by) == [.fault, .fault])
    }

    @Test func `an outage lets nothing over the link for its time and loses no byte`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let (client, server) = try flowing(rig, 100)
        var changes = 0
        rig.proxy.link.onChange = { changes += 1 }
        let start = rig.loop.now
        try rig.proxy.manual.beginOutage(for: .milliseconds(120))
        #expect(rig.proxy.link.outage.isPresent)
        var first: Instant?
        client.onReceive = { client, _ in first = first ?? client.loop.now }
        server.send(50_000, then: .finish)
        try rig.run("everything arrives") { client.hasEnded }
        #expect(try #require(first) - start >= .milliseconds(120))
        #expect(client.digest.value == Content.of(2).digest(50_100))
        #expect(!rig.proxy.link.outage.isPresent)
        #expect(changes == 2)
        #expect(try !rig.proxy.manual.endOutage())
    }

    @Test func `the end of an outage that another one replaced ends nothing`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        try rig.proxy.manual.beginOutage(for: .milliseconds(1))
        try rig.proxy.manual.beginOutage()
        try rig.run(milliseconds: 20)
        #expect(rig.proxy.link.outage.isPresent)
        #expect(try rig.proxy.manual.endOutage())
    }

    @Test func `an outage lasts until it is ended`() throws {
        let rig = try Rig(link: .fast(delayMilliseconds: 1))
        defer { rig.tearDown() }
        let (client, server) = try flowing(rig, 100)
        try rig.proxy.manual.beginOutage()
        server.send(100)
        try rig.run(milliseconds: 50)
        #expect(client.receivedCount == 100)
        _ = try rig.proxy.manual.reset()
        try rig.run("the bytes arrive") { client.receivedCount == 200 }
    }

    // Faults and profiles.

    @Test func `a fault that comes late acts on open connections at its byte`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let (client, server) = try flowing(rig, 1_000)
        let (other, _) = try flowing(rig, 1_000)
        let (id, armed) = try rig.proxy.faults.add(try Fault(parsing: "c1:down+2500=rst"))
        #expect(id == "c1:down+2500=rst")
        #expect(armed == [Self.first])
        server.send(5_000)
        try rig.run("the client is reset") { client.isOver }
        #expect(client.receivedCount == 2_500)
        #expect(!other.isOver)
        #expect(rig.proxy.faults.ledger.rows.map(\.fired) == [1])
    }

    @Test func `a fault whose byte is passed waits for other connections`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let (client, server) = try flowing(rig, 1_000)
        let (_, armed) = try rig.proxy.faults.add(try Fault(parsing: "c*:down+500=rst"))
        #expect(armed.isEmpty)
        server.send(1_000)
        try rig.run("the bytes arrive") { client.receivedCount == 2_000 }
        rig.onServe = { $0.send(1_000) }
        let late = try rig.connect()
        try rig.run("the new one is reset") { late.isOver }
        #expect(late.receivedCount == 500)
        #expect(!client.isOver)
    }

    @Test func `a fault that is taken back acts nowhere`() throws {
        let rig = try Rig(faults: ["c*:down+2000=rst"])
        defer { rig.tearDown() }
        let (client, server) = try flowing(rig, 1_000)
        #expect(!rig.proxy.faults.remove("c1:down+1=rst"))
        #expect(rig.proxy.faults.remove("c*:down+2000=rst"))
        #expect(rig.proxy.faults.all.isEmpty)
        server.send(4_000)
        try rig.run("the bytes arrive") { client.receivedCount == 5_000 }
        let (other, _) = try flowing(rig, 3_000)
        #expect(!client.isOver && !other.isOver)
        #expect(rig.faultReports.isEmpty)
    }

    @Test func `a fault that drew and is taken back stays in the schedule`() throws {
        let rig = try Rig(faults: ["c*?50%:down+1000000=rst", "c9:down+0..9=rst"])
        defer { rig.tearDown() }
        #expect(rig.proxy.faults.remove("c9:down+0..9=rst"))
        #expect(rig.proxy.manual.recorder.differences.isEmpty, "there was no connection yet")
        _ = try flowing(rig, 10)
        #expect(rig.proxy.faults.remove("c*?50%:down+1000000=rst"))
        #expect(rig.proxy.manual.recorder.differences.count == 1)
    }

    @Test func `equal faults have names of their own, also after one was taken back`() throws {
        let rig = try Rig(faults: ["c9:down+1=rst"])
        defer { rig.tearDown() }
        let fault = try Fault(parsing: "c9:down+1=rst")
        #expect(try rig.proxy.faults.add(fault).id == "c9:down+1=rst#2")
        #expect(rig.proxy.faults.remove("c9:down+1=rst#2"))
        // A replay has never had what was taken back, so its name is free.
        #expect(try rig.proxy.faults.add(fault).id == "c9:down+1=rst#2")
        #expect(rig.proxy.faults.all.map(\.id) == ["c9:down+1=rst", "c9:down+1=rst#2"])
        #expect(rig.proxy.manual.recorder.differences.isEmpty)
        // The second one would have the name of the first.
        #expect(rig.proxy.faults.remove("c9:down+1=rst"))
        #expect(rig.proxy.manual.recorder.differences.count == 1)
    }

    @Test func `of many connections those with a fault are shown first, then the latest`() throws {
        let rig = try Rig(faults: ["c1:down+10=hole"])
        defer { rig.tearDown() }
        let server = try rig.connectThrough().server
        server.send(20)
        try rig.run("the fault acts") { !rig.faultReports.isEmpty }
        var slow = Profile(name: "slow names")
        slow.nameLookupDelay = .seconds(3_600)
        try rig.proxy.link.apply(slow)
        for _ in 0..<2 { try rig.connect() }
        try rig.run("they are accepted") { rig.proxy.openConnections == 3 }
        for (count, shown) in [(1, [1]), (2, [1, 3]), (3, [1, 2, 3])] as [(Int, [UInt32])] {
            #expect(rig.proxy.snapshot(rows: count).connections.map(\.id.ordinal) == shown)
        }
    }

    @Test func `a fault of the embedded origin needs one`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let fault = try Fault(parsing: "obj(/x)#1=expire")
        #expect(throws: ProxyError.self) { try rig.proxy.faults.add(fault) }
        #expect(rig.proxy.faults.all.isEmpty)
    }

    @Test func `another profile takes its faults along, and the old one's go`() throws {
        let rig = try Rig(faults: ["c8:down+1=rst"])
        defer { rig.tearDown() }
        var cutting = Profile(name: "cutting")
        cutting.faults = [try Fault(parsing: "c*:down+3000=rst")]
        let (client, server) = try flowing(rig, 1_000)
        try rig.proxy.switchProfile(cutting)
        #expect(rig.proxy.faults.all.map(\.id) == ["c8:down+1=rst", "c*:down+3000=rst"])
        try rig.proxy.switchProfile(.fast(delayMilliseconds: 1))
        #expect(rig.proxy.faults.all.map(\.id) == ["c8:down+1=rst"])
        server.send(9_000, then: .finish)
        try rig.run("everything arrives") { client.hasEnded }
        #expect(client.digest.value == Content.of(2).digest(10_000))
    }

    @Test func `connections are told page by page`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        for _ in 0..<3 { _ = try rig.connectThrough() }
        let first = rig.proxy.page(after: nil, limit: 2)
        #expect(first.rows.map(\.id.ordinal) == [1, 2])
        #expect(first.hasMore)
        let second = rig.proxy.page(after: first.rows.last?.id, limit: 2)
        #expect(second.rows.map(\.id.ordinal) == [3])
        #expect(!second.hasMore)
        #expect(rig.proxy.row(Self.first)?.id == Self.first)
        #expect(rig.proxy.row(ConnectionID(ordinal: 9)) == nil)
    }

    @Test func `a change is recorded with the places where it took effect`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        rig.proxy.manual.record(ChangeReport("cut", by: .control, detail: ["kind": "rst"]))
        _ = try rig.proxy.faults.add(try Fault(parsing: "c1:down+5=rst"))
        rig.proxy.manual.record(ChangeReport("mark", by: .key))
        #expect(rig.records.isEmpty)
        rig.proxy.flushRecords()
        let changes = rig.records.compactMap { record -> ChangeReport? in
            if case .change(let change) = record { change } else { nil }
        }
        #expect(changes.map(\.action) == ["cut", "mark"])
        // What was added since the record before is in the next one.
        #expect(changes.map(\.adds) == [[], ["c1:down+5=rst"]])
    }

    // What is written down.

    @Test func `a pause is written down as stalls when it ends, and a cut ends it`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let (client, _) = try flowing(rig, 100)
        _ = rig.proxy.manual.pause(.all)
        try rig.run(milliseconds: 20)
        #expect(rig.faultReports.isEmpty)
        // What holds it now is in the schedule already.
        let now = rig.proxy.manual.schedule.faults.map(\.canonicalText)
        #expect(now.count == 2 && now[0].hasPrefix("c1:down+100=stall("), "\(now)")
        #expect(rig.proxy.manual.cut(.all, .fin).map(\.faults) == [["c1:down+100=fin"]])
        try rig.run("the client is told") { client.hasEnded }
        try rig.runUntilIdle(1)
        let ids = rig.faultReports.map(\.id)
        #expect(ids.count == 3)
        #expect(ids[0].hasPrefix("c1:down+100=stall(") && ids[1].hasPrefix("c1:up+0=stall("))
        #expect(ids.last == "c1:down+100=fin")
        #expect(rig.faultReports.map(\.isByHand) == [true, true, true])
        #expect(rig.proxy.manual.schedule.faults.map(\.canonicalText) == ids)
    }

    @Test func `a stall is written down as long as it was`() throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        let (client, server) = try flowing(rig, 100)
        let asked = ["c1:down+100=stall(30ms)", "c1:up+0=stall(30ms)"]
        #expect(rig.proxy.manual.stall(.all, for: .milliseconds(30)).map(\.faults) == [asked])
        server.send(10)
        try rig.run("the bytes arrive") { client.receivedCount == 110 }
        #expect(rig.faultReports.map(\.id) == asked)
        _ = rig.proxy.manual.stall(.all, for: .seconds(50))
        try rig.run(milliseconds: 10)
        let places = rig.proxy.manual.resume(.all)
        rig.proxy.flushRecords()
        #expect(rig.faultReports.count == 4)
        #expect(places.first?.faults == rig.faultReports.suffix(2).map(\.id))
        #expect(!rig.faultReports[2].id.contains("50s"))
    }

    @Test func `refusals are written down one by one, those that came about`() throws {
        let rig = try Rig(faults: ["c2:down+9=rst"])
        defer { rig.tearDown() }
        _ = try flowing(rig, 5)
        _ = rig.proxy.manual.refuseNext(3)
        for _ in 0..<2 {
            let client = try rig.connect()
            try rig.run("it is refused") { client.isOver }
        }
        _ = try rig.proxy.manual.reset()
        _ = try rig.connectThrough()
        #expect(
            rig.proxy.manual.recorder.faults.map(\.canonicalText)
                == ["c2:connect=refuse", "c3:connect=refuse"]
        )
        // What was to act on a refused connection did not, and that is told.
        #expect(
            rig.faultReports.map(\.id)
                == ["c2:connect=refuse", "c2:down+9=rst", "c3:connect=refuse"]
        )
    }

    @Test(arguments: [
        ("c*:down+500=rst", true), ("c1:down+500=rst", true), ("c2:down+500=rst", false),
        ("c1:down+5000=rst", false), ("c1/r1:resp.head=rst", true),
        ("GET(/x)#1:resp.head=rst", true), ("c1:down+500=rst,times=all", true),
    ])
    func `a fault that comes too late for a replay is a difference`(
        text: String,
        isLate: Bool
    ) throws {
        let rig = try Rig()
        defer { rig.tearDown() }
        _ = try flowing(rig, 1_000)
        _ = try rig.proxy.faults.add(try Fault(parsing: text))
        #expect(rig.proxy.manual.recorder.differences.count == (isLate ? 1 : 0))
    }

    @Test func `a fault that was taken back is gone, unless the journal tells of it`() throws {
        let rig = try Rig(faults: ["c1:down+50=stall(1ms)", "c9:down+1=rst"])
        defer { rig.tearDown() }
        _ = try flowing(rig, 1_000)
        #expect(rig.proxy.faults.remove("c9:down+1=rst"))
        #expect(rig.proxy.manual.recorder.differences.isEmpty)
        #expect(rig.proxy.faults.remove("c1:down+50=stall(1ms)"))
        #expect(rig.proxy.manual.recorder.differences.count == 1)
        #expect(
            rig.proxy.manual.schedule.faults.map(\.canonicalText) == ["c1:down+50=stall(1ms)"]
        )
    }
}
