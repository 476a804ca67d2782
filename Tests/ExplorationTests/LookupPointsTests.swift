import Analysis
import Basics
import Faults
import Journal
import Testing

@testable import Exploration

/// Points at name lookups.
@Suite struct LookupPointsTests {
    private static func record(
        _ type: String,
        _ answer: String,
        _ number: UInt32?,
        transport: String = "udp"
    ) -> JournalRecord {
        .dns(
            DNSReport(
                transport: transport,
                name: "a.test",
                type: type,
                number: number,
                source: "name",
                answer: answer,
                faults: []
            ),
            environment: [:]
        )
    }

    private static let map = BoundaryMap([
        record("AAAA", "NODATA", 1), record("A", "NOERROR 127.0.0.1", 1),
        record("A", "NOERROR 127.0.0.1", 1, transport: "tcp"),
        record("HTTPS", "NOERROR 1 other", 1),
        record("A", "NOERROR 127.0.0.1", 2), record("", "FORMERR", nil),
    ])

    private static func points(_ map: BoundaryMap, _ effects: [Effect.Kind]) -> [String] {
        Enumeration(of: map, effects: effects, isStable: true).singles.map {
            String($0.schedule.dropFirst("lc1;".count))
        }
    }

    @Test func `a map has each lookup once, in an order of its own`() {
        let lookups = Self.map.lookups.map { "\($0.type) \($0.ordinal) \($0.answer)" }
        #expect(lookups == ["A 1 addresses", "A 2 addresses", "AAAA 1 nothing", "HTTPS 1 other"])
        #expect(!Self.map.isEmpty)
        #expect(Self.map.text == "lookup a.test")
    }

    @Test func `at each lookup is tried what changes its answer, and what lasts at its name`() {
        let failures = [
            "servfail", "refused", "timeout", "truncate", "truncate(hole)", "delay(1s)", "nxdomain",
        ]
        func at(_ place: String, _ effects: [String]) -> [String] {
            effects.map { "\(place)=\($0)" }
        }
        let dead = ["nodata", "dead-first(127.0.0.251)", "wrong(127.0.0.251)"]
        #expect(
            Self.points(Self.map, [.query])
                == at("A(a.test)#1", failures + dead) + at("A(a.test)#2", failures + dead)
                + at("AAAA(a.test)#1", failures) + at("HTTPS(a.test)#1", failures + ["nodata"])
                + at("*(a.test)#*", ["nxdomain", "servfail", "timeout"])
        )
        #expect(Self.points(Self.map, [.finish]).isEmpty)
    }

    @Test(arguments: [
        ("A(a.test)#1=servfail", "giveup"), ("A(a.test)#1=timeout", "giveup"),
        ("A(a.test)#1=truncate(hole)", "giveup"), ("A(a.test)#1=delay(1s)", "giveup"),
        ("A(a.test)#1=dead-first(127.0.0.9)", "giveup"),
        // What looks final, or may be kept, may be taken for final.
        ("A(a.test)#1=nxdomain", "honest"), ("A(a.test)#1=nodata", "honest"),
        ("A(a.test)#1=refused", "honest"), ("A(a.test)#1=wrong(127.0.0.9)", "honest"),
        ("*(a.test)#*=servfail", "honest"), ("*(a.test)#*=timeout", "honest"),
    ])
    func `a failure after it is judged by what another lookup would bring`(
        fault: String,
        verdict: String
    ) throws {
        let point = try Point(parsing: "lc1;\(fault)")
        var outcome = PointOutcome(ending: .exited(6), content: .missing)
        outcome.faults = [.fired]
        let judgement = Judge().judge(point, outcome)
        if case .failure(let kind, _) = judgement {
            #expect(kind.rawValue == verdict)
        } else {
            #expect("\(judgement)" == verdict)
        }
    }

    @Test func `what waits for an answer has its own lane`() throws {
        func lane(_ fault: String) throws -> PointQueue.Lane {
            try Point(parsing: "lc1;\(fault)").lane
        }
        #expect(try lane("A(a.test)#1=timeout") == .waiting)
        #expect(try lane("A(a.test)#1=truncate(hole)") == .waiting)
        #expect(try lane("A(a.test)#1=truncate") == .working)
        #expect(try lane("A(a.test)#1=servfail") == .working)
    }

    @Test func `a client that looks the name up again tries again`() throws {
        let positions = ProtocolPositions(Self.map)
        let point = try Point(parsing: "lc1;A(a.test)#1=servfail")
        #expect(positions.names(of: point) == ["lookup A(a.test)"])
        #expect(!positions.triesAgain(point, Self.map))
        var more = Self.map
        more.lookups.append(.init(name: "a.test", type: "A", ordinal: 3, answer: .addresses))
        #expect(positions.triesAgain(point, more))
        more.lookups[more.lookups.count - 1].name = "b.test"
        #expect(!positions.triesAgain(point, more))
    }

    @Test func `a lookup that not every run without faults makes is not tried`() throws {
        func outcome(_ map: BoundaryMap) -> PointOutcome {
            var outcome = PointOutcome(ending: .exited(0), content: .right)
            outcome.map = map
            return outcome
        }
        var other = Self.map
        other.lookups.removeLast()
        let reading = BaselineReading([outcome(Self.map), outcome(other)], CampaignSettings())
        #expect(reading.map?.lookups == other.lookups)
        #expect(reading.summary?.isStable == true)
        #expect(reading.summary?.exchanges.first == "lookup A(a.test)#1")
    }

    @Test func `a fault of all runs that does not act without others is a problem`() {
        var outcome = PointOutcome(ending: .exited(0), content: .right)
        outcome.map = Self.map
        outcome.missed = ["A(x.test)#1=servfail never fired (no query)"]
        let reading = BaselineReading([outcome, outcome], CampaignSettings())
        #expect(reading.problem == .failed(reason: "A(x.test)#1=servfail never fired (no query)"))
    }
}
