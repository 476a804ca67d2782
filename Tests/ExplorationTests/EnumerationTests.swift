import Exploration
import Faults
import HTTPWire
import Testing

@Suite struct EnumerationTests {
    private static let upload = BoundaryMap(
        connections: [.init(ordinal: 1, upBytes: 1_100, downBytes: 300, isOpaque: false)],
        exchanges: [
            .init(
                connection: 1,
                request: 1,
                method: "POST",
                path: "/files",
                sent: .init(head: 100, body: 1_000, framing: .length),
                interims: [.init(status: 104, ordinal: 1, head: 60)],
                status: 201,
                received: .init(head: 240)
            )
        ]
    )

    private func lines(
        _ map: BoundaryMap,
        _ effects: [Effect.Kind],
        isStable: Bool = true,
        server: CampaignSettings.Server = .embedded
    ) -> [String] {
        let enumeration = Enumeration(
            of: map,
            effects: effects,
            isStable: isStable,
            server: server
        )
        let series = enumeration.series.flatMap { plan in
            plan.positions.map { plan.series.point(at: $0) }
        }
        return (series + enumeration.singles).map { String($0.schedule.dropFirst("lc1;".count)) }
    }

    @Test func `a download is cut at every boundary once, twice and always`() {
        let lines = lines(SimulatedClient.download(body: 4), [.finish])
        #expect(
            lines == [
                "c1/r1:req.head+0=fin", "c1/r1:req.head+79=fin", "c1/r1:req.end=fin",
                "c1/r1:resp.head+0=fin", "c1/r1:resp.head+1=fin", "c1/r1:resp.head+120=fin",
                "c1/r1:resp.head=fin", "c1/r1:resp.body+1=fin", "c1/r1:resp.body+2=fin",
                "c1/r1:resp.body+3=fin", "c1/r1:resp.end=fin",
                "GET(/object)#1:req.head+0=fin,times=2",
                "GET(/object)#*:req.head+0=fin",
                "GET(/object)#1:resp.head+0=fin,times=2",
                "GET(/object)#*:resp.head+0=fin",
                "GET(/object)#1:resp.body+1=fin,times=2",
                "GET(/object)#*:resp.body+1=fin",
                "GET(/object)#1:resp.body~500=fin,times=2",
                "GET(/object)#*:resp.body~500=fin",
            ]
        )
    }

    @Test func `the framing of chunks is cut in its lines and before its end`() {
        var map = SimulatedClient.download(body: 40)
        map.exchanges[0].received?.framing = .chunked
        map.exchanges[0].received?.chunkEdges = [10, 20]
        let cuts = lines(map, [.finish]).filter { $0.contains("size") || $0.contains("last") }
        #expect(
            cuts == [
                "c1/r1:resp.size[1]+1=fin", "c1/r1:resp.size[1]-2=fin",
                "c1/r1:resp.size[2]+1=fin", "c1/r1:resp.size[2]-2=fin",
                "c1/r1:resp.last+1=fin", "c1/r1:resp.last+3=fin", "c1/r1:resp.last-2=fin",
            ]
        )
        #expect(!lines(map, [.hole]).contains { $0.contains("size") })
        map.exchanges[0].isStream = true
        #expect(!lines(map, [.finish]).contains { $0.contains("size") })
    }

    @Test func `messages inside a stream are cut before them and within them`() {
        var map = SimulatedClient.download(body: 40)
        map.exchanges[0].messages = .init(.event, down: 5)
        func inside(_ effects: [Effect.Kind]) -> [String] {
            lines(map, effects).filter { $0.contains("sse[") || $0.contains("ws.") }
        }
        #expect(
            inside([.finish]) == [
                "c1/r1:sse[1]+0=fin", "c1/r1:sse[1]-1=fin", "c1/r1:sse[2]+0=fin",
                "c1/r1:sse[2]-1=fin", "c1/r1:sse[5]+0=fin", "c1/r1:sse[5]-1=fin",
            ]
        )
        #expect(inside([.hole]) == ["c1/r1:sse[1]+0=hole"])
        #expect(inside([.drop, .duplicate, .closeFrame]).isEmpty)
        map.exchanges[0].messages = .init(.webSocket, up: 3, down: 1)
        #expect(
            inside([.reset, .closeFrame]) == [
                "c1/r1:ws.down[1]+0=rst", "c1/r1:ws.down[1]-1=rst", "c1/r1:ws.up[1]+0=rst",
                "c1/r1:ws.up[1]-1=rst", "c1/r1:ws.down[1]+0=close(1001)",
                "c1/r1:ws.down[1]+0=close(1011)",
            ]
        )
    }

    @Test func `what TLS can do is tried once where it begins, and in the first and last record`() {
        var first = BoundaryMap.Connection(
            ordinal: 1,
            upBytes: 80,
            downBytes: 16_385,
            isOpaque: false
        )
        first.isSealed = true
        var second = first
        second.ordinal = 2
        second.downBytes = 100
        var plain = first
        plain.ordinal = 3
        plain.isSealed = false
        let map = BoundaryMap(connections: [first, second, plain], exchanges: [])
        #expect(
            lines(map, [.finish, .hole, .corrupt, .refuseTicket, .alpn]) == [
                "c1:tls.hello=fin", "c1:tls.handshake=fin", "c1:tls.record[1]=fin",
                "c1:tls.record[2]=fin", "c1:tls.hello=hole", "c1:tls.handshake=hole",
                "c1:tls.record[2]=hole", "c1:tls.record[1]=corrupt", "c1:tls.record[2]=corrupt",
                "c1:tls.hello=alpn(none)", "c1:tls.hello=alpn(http/1.1)", "c1:tls.hello=alpn(h2)",
                "c2:tls.hello=fin", "c2:tls.handshake=fin", "c2:tls.record[1]=fin",
                "c2:tls.hello=hole", "c2:tls.handshake=hole", "c2:tls.record[1]=hole",
                "c2:tls.record[1]=corrupt", "c2:tls.hello=no-ticket",
            ]
        )
    }

    @Test func `an upload that is told of its progress is cut before and after that`() {
        let lines = lines(Self.upload, [.reset])
        #expect(lines.contains("c1/r1:req.body+500=rst"))
        #expect(lines.contains("c1/r1:req.body+500=rst,see=104"))
        #expect(
            self.lines(Self.upload, [.hole]).contains("c1/r1:req.body~500=hole,far=rst")
        )
        #expect(lines.contains("c1/r1:interim(104)+0=rst"))
        #expect(lines.contains("c1/r1:interim(104)=rst"))
        #expect(lines.contains("POST(/files)#*:req.body~500=rst"))
    }

    @Test func `runs that differ are addressed by what they ask for`() {
        let lines = lines(Self.upload, [.reset], isStable: false)
        #expect(lines.contains("POST(/files)#1:req.body+500=rst"))
        #expect(!lines.contains { $0.hasPrefix("c1/") })
    }

    @Test func `effects that cost time are tried at a few places`() {
        let map = SimulatedClient.download(body: 1_000_000)
        let hole = lines(map, [.hole])
        #expect(hole.count <= 10)
        #expect(lines(map, [.reset]).count > 30)
        #expect(lines(map, [.stall]).contains("c1/r1:resp.body+500000=stall(1s)"))
    }

    @Test func `whole connections and lost answers have points of their own`() {
        #expect(
            lines(SimulatedClient.download(), [.refuse, .swallow]) == [
                "c1:connect=refuse", "c1:connect=refuse(2)", "c*:connect=refuse",
                "c1/r1:req.end=swallow", "c1/r1:req.end=swallow(end=fin)",
                "c1/r1:req.end=swallow(keep=head)", "c1/r1:req.end=swallow(keep=head,end=fin)",
                "c1/r1:req.end=swallow(keep=half)", "c1/r1:req.end=swallow(keep=half,end=fin)",
                "GET(/object)#1:req.end=swallow,times=2",
                "GET(/object)#*:req.end=swallow",
            ]
        )
    }

    @Test(arguments: [
        (CampaignSettings.Server.embedded, 12, 1), (.started(losesState: true), 12, 0),
        (.started(losesState: false), 4, 0), (.other, 0, 0),
    ])
    func `what a server cannot do is left out`(
        server: CampaignSettings.Server,
        crashes: Int,
        others: Int
    ) {
        var twice = Self.upload
        twice.exchanges.append(twice.exchanges[0])
        twice.exchanges[1].request = 2
        twice.exchanges[1].match = 2
        let lines = lines(twice, [.crash, .mutate, .range, .expire], server: server)
        // Without a second request none would be met.
        #expect(self.lines(Self.upload, [.expire], server: server).isEmpty)
        let crashLines = lines.filter { $0.contains("=crash") }
        #expect(crashLines.count == crashes && lines.count - crashes == others, "\(lines)")
        #expect(
            crashLines.contains("c1/r1:req.body~500=crash,see=104") == (crashes > 0),
            "\(crashLines)"
        )
    }

    @Test
    func `an object that is asked for twice changes by itself, another one between two tries`() {
        var twice = SimulatedClient.download()
        twice.exchanges.append(twice.exchanges[0])
        twice.exchanges[1].request = 2
        twice.exchanges[1].match = 2
        for (map, count) in [(SimulatedClient.download(), 0), (twice, 16)] {
            #expect(lines(map, [.mutate, .range]).count == count)
            #expect(!lines(map, [.range]).contains { $0.contains("200-partial") })
        }
    }

    @Test func `answers and interim responses are made up for each request`() {
        let lines = lines(SimulatedClient.download(), [.status, .inject])
        for text in [
            "status(404)", "status(429)", "status(503,retry-after=date-60)", "inject(103)",
        ] {
            #expect(lines.contains("c1/r1:req.head=\(text)"), "\(text)")
        }
    }

    @Test func `a redirection leads to where the request went, and comes after an upload, too`() {
        let redirection = "status(307,location=/object)"
        var map = SimulatedClient.download()
        #expect(lines(map, [.status]).contains("c1/r1:req.head=\(redirection)"))
        #expect(!lines(map, [.status]).contains { $0.contains("req.end") })
        map.exchanges[0].sent.body = 9
        let late = lines(map, [.status]).filter { $0.hasPrefix("c1/r1:req.end") }
        #expect(late == ["c1/r1:req.end=status(503)", "c1/r1:req.end=\(redirection)"])
        // What the query says is not known here.
        map.exchanges[0].hasQuery = true
        #expect(!lines(map, [.status]).contains { $0.contains("307") })
    }

    @Test(arguments: [
        ("POST", 201, true), ("PUT", 204, true), ("PATCH", 204, true), ("DELETE", 204, false),
        // Who is answered so anyway may take it for success.
        ("POST", 303, false), ("POST", 302, false),
    ])
    func `an upload is also led to where many clients ask with GET`(
        method: String,
        status: UInt16,
        isLed: Bool
    ) {
        var map = SimulatedClient.download()
        map.exchanges[0].method = method
        map.exchanges[0].status = status
        func detours() -> [String] { lines(map, [.status]).filter { $0.contains("(30") } }
        #expect(!detours().contains { $0.contains("(302") || $0.contains("(301") })
        map.exchanges[0].sent.body = 9
        let expected = [302, 301].map { "c1/r1:req.end=status(\($0),location=/object)" }
        #expect(detours().filter { !$0.contains("(307") } == (isLed ? expected : []))
        map.exchanges[0].path = "/files/*"
        #expect(!detours().contains { $0.contains("(302") || $0.contains("(301") })
    }

    @Test func `a fetch is also answered with errors that have content`() {
        var map = SimulatedClient.download()
        let pages = ["c1/r1:req.head=status(503,page)", "c1/r1:req.head=status(404,page)"]
        #expect(lines(map, [.status]).filter { $0.contains("page") } == pages)
        map.exchanges[0].isStream = true
        #expect(!lines(map, [.status]).contains { $0.contains("page") })
        map.exchanges[0].isStream = false
        map.exchanges[0].method = "HEAD"
        #expect(!lines(map, [.status]).contains { $0.contains("page") })
    }

    @Test func `bytes that are not understood are cut by number`() {
        let map = BoundaryMap(
            connections: [.init(ordinal: 1, upBytes: 5, downBytes: 3, isOpaque: true)],
            exchanges: []
        )
        #expect(
            lines(map, [.finish]) == [
                "c1:up+0=fin", "c1:up+1=fin", "c1:up+2=fin", "c1:up+4=fin", "c1:up+5=fin",
                "c1:down+0=fin", "c1:down+1=fin", "c1:down+2=fin", "c1:down+3=fin", "c*:up+1=fin",
                "c*:up+2=fin", "c*:down+1=fin",
            ]
        )
    }

    @Test func `every line of every effect can be read again, and none comes twice`() throws {
        for map in [Self.upload, SimulatedClient.download()] {
            let lines = lines(map, Effect.Kind.searched)
            #expect(Set(lines).count == lines.count)
            for line in lines {
                #expect(try Point(parsing: "lc1;\(line)").schedule == "lc1;\(line)")
            }
        }
    }

    @Test func `every line is one that faults can be made of, in its canonical form`() throws {
        for map in [Self.upload, SimulatedClient.download()] {
            for line in lines(map, Effect.Kind.searched) + lines(map, [.reset], isStable: false) {
                let schedule = try FaultSchedule(parsing: "lc1;\(line)")
                #expect(schedule.canonicalText == "lc1;\(line)")
            }
            let random = RandomSchedules(of: map, effects: Effect.Kind.searched, seed: 7)
            for number in 0..<200 as Range<UInt64> {
                let line = random.schedule(number).schedule
                #expect(try FaultSchedule(parsing: line).canonicalText == line)
                #expect(random.schedule(number).schedule == line)
            }
        }
    }

    /// A run in which each effect can act: an upload with interim responses, streams, messages,
    /// chunks, TLS and an object that is asked for twice.
    private static var rich: BoundaryMap {
        var map = upload
        map.connections.append(.init(ordinal: 2, upBytes: 9, downBytes: 20_000, isOpaque: false))
        map.connections.append(.init(ordinal: 3, upBytes: 9, downBytes: 20_000, isOpaque: false))
        for index in 1...2 { map.connections[index].isSealed = true }
        var chunked = SimulatedClient.download(body: 40).exchanges[0]
        chunked.received?.framing = .chunked
        chunked.received?.chunkEdges = [10, 20]
        chunked.messages = .init(.webSocket, up: 3, down: 1)
        var again = chunked
        (again.request, again.match) = (2, 2)
        var stream = upload.exchanges[0]
        (stream.connection, stream.request, stream.isStream) = (4, 1, true)
        map.exchanges += [chunked, again, stream]
        return map
    }

    @Test func `every effect of the search is tried somewhere`() throws {
        let tried = try lines(Self.rich, Effect.Kind.searched).flatMap { line in
            try Point(parsing: "lc1;\(line)").faults.map(\.effect.kind)
        }
        // These act on flows and lookups, or follow a failure, where other tests see them.
        let others: Set<Effect.Kind> = [.drop, .reorder, .rebind, .forget, .query, .late]
        let missing = Set(Effect.Kind.searched).subtracting(tried).subtracting(others)
        #expect(missing.isEmpty, "\(missing)")
    }

    @Test func `messages with content are held back whole`() {
        #expect(lines(Self.upload, [.buffer]) == ["c1/r1=buffer(req)"])
        #expect(lines(SimulatedClient.download(), [.buffer]) == ["c1/r1=buffer(resp)"])
    }

    @Test func `effects are chosen by name`() throws {
        #expect(try Effect.Kind.list(parsing: "rst,fin,rst") == [.finish, .reset])
        let chosen = try Effect.Kind.list(parsing: "standard,silent")
        #expect(Set(chosen) == Set(Effect.Kind.standard + [.silent]))
        #expect(try Effect.Kind.list(parsing: "all") == Effect.Kind.searched)
        #expect(throws: UnknownEffect(word: "fun")) {
            try Effect.Kind.list(parsing: "fin,fun")
        }
    }

    @Test func `the recovery of a run whose names are generated is interrupted, too`() throws {
        func upload(_ name: String) -> BoundaryMap {
            var map = Self.upload
            let creation = map.exchanges[0]
            var append = creation
            append.method = "PATCH"
            append.path = "/files/\(name)"
            append.connection = 2
            map.exchanges = [creation, append]
            return map
        }
        let general = upload("*")
        let faults = RecoveryFaults(effects: [.finish], patterns: general.exchanges.map(\.pattern))
        let first = try Point(parsing: "lc1;POST(\(general.exchanges[0].path))#1:req.end=fin")
        let pairs = faults.pairs(after: first, upload("17")).map(\.schedule)
        #expect(!pairs.isEmpty)
        #expect(pairs.allSatisfy { $0.contains("PATCH(/files/*)#1:") })
    }
}
