import Faults
import Testing

@testable import Exploration

/// What only the client's own conduct makes worth a run.
@Suite struct FollowUpsTests {
    private func points(
        after schedule: String,
        _ map: BoundaryMap,
        _ effects: [Effect.Kind] = Effect.Kind.standard,
        _ change: (inout PointOutcome) -> Void
    ) throws -> [String] {
        let followUps = FollowUps(effects, ProtocolPositions(map), usualMilliseconds: 10)
        var outcome = PointOutcome(ending: .exited(0), content: .right)
        change(&outcome)
        let point = try Point(parsing: schedule)
        return
            (followUps.points(after: point, outcome) + followUps.refusals(after: point, outcome)
            + followUps.lateContent(after: point, outcome))
            .map { String($0.schedule.dropFirst("lc1;".count)) }
    }

    @Test func `whoever waits for as long as it is told is told to wait longer`() throws {
        let fault = "lc1;c1/r1:req.head=status(503,retry-after=1)"
        let patient = try points(after: fault, SimulatedClient.download()) {
            $0.milliseconds = 1_020
        }
        #expect(
            patient == [
                "c1/r1:req.head=status(503,retry-after=5)",
                "c1/r1:req.head=status(503,retry-after=99999999999999)",
            ]
        )
        let hasty = try points(after: fault, SimulatedClient.download()) { $0.milliseconds = 500 }
        #expect(hasty == [])
    }

    @Test(arguments: [
        (103, 500, PointOutcome.Ending.exited(0), true), (103, 0, .exited(0), false),
        (103, 500, .exited(1), false), (102, 500, .exited(0), false),
    ])
    func `an upload that an interim answer precedes is refused after it`(
        status: Int,
        body: UInt64,
        ending: PointOutcome.Ending,
        isTried: Bool
    ) throws {
        var map = SimulatedClient.download()
        map.exchanges[0].method = "POST"
        map.exchanges[0].sent = .init(head: 80, body: body)
        let interim = "c1/r1:req.head=inject(\(status))"
        let pairs = try points(after: "lc1;\(interim)", map) { $0.ending = ending }
        #expect(pairs == (isTried ? ["\(interim);c1/r1:req.end=status(503)"] : []))
    }

    @Test(arguments: [
        ("restarted", false, []), ("resumed", false, ["416", "503"]),
        ("overlap", false, ["416", "503"]), ("resumed", true, ["416", "503", "412"]),
    ])
    func `a request for the rest is refused, with a page that is no part of it`(
        kind: String,
        isConditional: Bool,
        statuses: [String]
    ) throws {
        let cut = "lc1;c1/r1:resp.body+750=fin"
        let pairs = try points(after: cut, SimulatedClient.download()) {
            var request = RequestShape(method: "GET", kind: kind, status: 206)
            request.isConditional = isConditional
            $0.requests = [request]
        }
        #expect(
            pairs
                == statuses.map {
                    "c1/r1:resp.body+750=fin;GET(/object)#2:req.head=status(\($0),page)"
                }
        )
    }

    @Test(arguments: [
        (5_200, "body+750", true), (700, "body+750", false), (21_000, "body+750", false),
        (5_200, "body+749", false),
    ])
    func `content comes late for a client that asks again after a silence`(
        milliseconds: UInt64,
        place: String,
        isTried: Bool
    ) throws {
        let pairs = try points(after: "lc1;c1/r1:resp.\(place)=hole", SimulatedClient.download()) {
            $0.milliseconds = milliseconds
            var map = SimulatedClient.download()
            var again = map.exchanges[0]
            again.connection = 2
            again.match = 2
            map.exchanges.append(again)
            $0.map = map
        }
        let pair = "c1/r1:resp.body+750=stall(7s);GET(/object)#2:resp.body~500=stall(3s)"
        #expect(pairs == (isTried ? [pair] : []))
    }

    @Test(arguments: [
        // A client that asks with GET, one that keeps the method, and one that asks with GET at any rate.
        (302, "GET", 0, true), (302, "POST", 0, false), (302, "GET", 1, false),
        (307, "GET", 0, false),
    ])
    func `who is led from an upload to a GET gets a page`(
        status: Int,
        method: String,
        usual: Int,
        isTried: Bool
    ) throws {
        var map = Self.upload(path: "/files/17")
        map.exchanges.removeLast(2)
        var next = map.exchanges[0]
        next.request = 2
        next.method = method
        next.sent.body = 0
        for _ in 0..<usual { map.exchanges.append(next) }
        var run = map
        if usual == 0 { run.exchanges.append(next) }
        let redirection = "c1/r1:req.end=status(\(status),location=/files)"
        let pairs = try points(after: "lc1;\(redirection)", map) {
            $0.map = run
            $0.ending = .exited(22)
        }
        let pair = "\(redirection);GET(/files)#1:req.head=status(200,page)"
        #expect(pairs == (isTried ? [pair] : []))
    }

    private static func upload(path: String) -> BoundaryMap {
        let sent = BoundaryMap.Message(head: 100, body: 1_000, framing: .length)
        return BoundaryMap(
            connections: [],
            exchanges: [
                .init(
                    connection: 1,
                    request: 1,
                    method: "POST",
                    path: "/files",
                    sent: sent,
                    status: 0,
                    received: nil
                ),
                .init(
                    connection: 2,
                    request: 1,
                    method: "HEAD",
                    path: path,
                    sent: .init(head: 80),
                    status: 204,
                    received: .init(head: 90)
                ),
                .init(
                    connection: 2,
                    request: 2,
                    method: "PATCH",
                    path: path,
                    sent: sent,
                    status: 201,
                    received: .init(head: 90)
                ),
            ]
        )
    }

    @Test func `what was sent before a cut comes late, whatever the client then asks for`() throws {
        let map = Self.upload(path: "/files/17")
        let late = try points(after: "lc1;c1/r1:req.body+500=rst", map) { $0.map = map }
        #expect(
            late == [
                "c1/r1:req.body~500=late(1000,until=HEAD(*)#1:req.end)",
                "c1/r1:req.body~500=late(1000,until=PATCH(*)#1:req.head)",
                "c1/r1:req.body~500=late(1000,until=PATCH(*)#1:resp.end)",
            ]
        )
        for other in ["req.body+499", "resp.head+0"] {
            let none = try points(after: "lc1;c1/r1:\(other)=rst", map) { $0.map = map }
            #expect(none == [])
        }
        let unasked = try points(after: "lc1;c1/r1:req.body+500=rst", map, [.reset]) {
            $0.map = map
        }
        #expect(unasked == [])
    }
}
