import Basics
import Faults
import Journal
import LinkProfile
import Proxy
import Testing

@testable import Commands

@Suite struct RunSummaryTests {
    @Test(arguments: [
        ("my run.jsonl", true, true), ("my run.jsonl", false, false), ("-", true, false),
        ("/dev/fd/3", true, false),
    ])
    func `who reads the summary is told how to see the ladder of a journal that stays`(
        path: String,
        isForTerminal: Bool,
        isTold: Bool
    ) throws {
        var summary = try summary()
        summary.journal = (path, nil)
        summary.isForTerminal = isForTerminal
        let lines = summary.lines(style: TextStyle(isColoured: false))
        let hint = "               linkcond report 'my run.jsonl' shows the ladder"
        #expect(lines.contains(hint) == isTold, "\(lines)")
        #expect(isTold || !lines.contains { $0.contains("ladder") })
    }

    private func summary() throws -> RunSummary {
        let fault = try Fault(parsing: "c1:down+5=rst")
        let other = try Fault(parsing: "c9:down+5=fin")
        var profile = Profile(name: "lte")
        profile.path.interface = .cellular
        profile.path.isExpensive = true
        profile.budget = DataBudget()
        profile.budget?.hardLimitBytes = 10_000_000
        var ledger = FaultLedger(plan: FaultPlan(faults: [fault, other], seed: 7))
        ledger.fired(fault.canonicalText)
        var snapshot = ProxySnapshot()
        snapshot.down.bytes = 1_048_576
        snapshot.up.bytes = 92
        snapshot.totalConnections = 3
        snapshot.faults = ledger.rows
        var tally = RunTally()
        for how in [ConnectionEnd.Manner.fin, .fin] {
            tally.add(end(by: .client, how))
        }
        tally.add(end(by: .fault, .rst))
        tally.add(.trouble(.latePacing, words: "late"))
        tally.add(.trouble(.descriptorLimit, words: "no descriptor is left"))
        tally.add(.trouble(.descriptorLimit, words: "no descriptor is left"))
        for (number, isConstrained) in [(UInt32(1), false), (2, true)] {
            tally.add(
                .path(
                    nil,
                    PathReport(
                        interface: "cellular",
                        isExpensive: true,
                        isConstrained: isConstrained
                    )
                )
            )
            let exchange = ExchangeID(ConnectionID(ordinal: 9), ordinal: number)
            tally.add(
                .request(
                    RequestReport(
                        exchange,
                        method: "GET",
                        target: "/",
                        framing: .none,
                        headBytes: 9,
                        fields: .none
                    )
                )
            )
            tally.add(.body(BodyReport(exchange, .response, bytes: 2_050_000, isComplete: true)))
        }
        snapshot.lateness = .init(count: 7, worst: .milliseconds(26))
        return RunSummary(
            description: RunDescription(
                profile: profile,
                seed: 7,
                faults: [fault, other],
                routes: [.init(listen: .tcp(host: "::1", port: 8), upstream: nil)],
                reproduction: "linkcond --profile lte --seed 7"
            ),
            tally: tally,
            snapshot: snapshot,
            elapsed: .milliseconds(3_290),
            journal: ("run.jsonl", "abc")
        )
    }

    private func end(by party: ConnectionEnd.Party, _ how: ConnectionEnd.Manner) -> JournalRecord {
        .connectionEnd(
            ConnectionEnd(
                connection: ConnectionID(ordinal: 1),
                by: party,
                how: how,
                down: .init(bytes: 1, isExact: true),
                up: .init(bytes: 1, isExact: true)
            )
        )
    }

    @Test func `the summary says all that matters, a line each`() throws {
        let lines = try summary().lines(style: TextStyle(isColoured: false))
        #expect(
            lines == [
                "summary lte, seed 7, 3.29 s",
                "  down         1.05 MB (1,048,576 bytes)",
                "  up           92 bytes",
                "  connections  3: 2 closed normally, 1 reset by a fault",
                "  fault        c1:down+5=rst: fired once",
                "  fault        c9:down+5=fin: never reached (no connection)",
                "  trouble      no descriptor is left, 2 times",
                "  trouble      a busy machine: packets left late 7 times, 26.0 ms at worst",
                "  budget       1,048,668 bytes used, hard limit 10,000,000",
                "  metered      1 request, 2.05 MB requested while the path was constrained;"
                    + " 2 requests, 4.10 MB requested while the path was expensive",
                "  path         cellular, expensive at the start, cellular, expensive, constrained at"
                    + " the end",
                "  journal      run.jsonl, digest abc",
                "  repeat with  linkcond --profile lte --seed 7",
            ]
        )
    }

    @Test(arguments: [
        ([true], "fired once"), ([false], "not proven once"),
        ([false, true, false], "fired once, not proven 2 times"),
    ])
    func `a fault that acted without proof was reached`(deliveries: [Bool], words: String) throws {
        let fault = try Fault(parsing: "c*:down+5=rst")
        var ledger = FaultLedger(plan: FaultPlan(faults: [fault], seed: 7))
        for isDelivered in deliveries { ledger.fired(fault.canonicalText, delivered: isDelivered) }
        var summary = try summary()
        summary.snapshot.faults = ledger.rows
        let lines = summary.lines(style: TextStyle(isColoured: false))
        #expect(lines.contains("  fault        c*:down+5=rst: \(words)"), "\(lines)")
    }

    @Test func `the JSON says the same`() throws {
        let text = try summary().json.text
        #expect(text.contains(#""event":"summary""#))
        #expect(text.contains(#""bytesDown":1048576,"bytesUp":92"#))
        #expect(text.contains(#"{"how":"reset by a fault","count":1}"#))
        let metered = #"{"expensive":{"requests":2,"bytes":4100000},"constrained":{"requests":1,"#
        #expect(text.contains(metered))
        let path = #"{"interface":"cellular","expensive":true,"constrained":"#
        #expect(text.contains(#""path":\#(path)false,"satisfied":true},"pathAtEnd":\#(path)true,"#))
        #expect(text.contains(#""id":"c9:down+5=fin","fired":0"#))
    }

    @Test func `the first line names an IPv6 listener so that it can be used`() throws {
        let description = try summary().description
        #expect(
            description.listeningLines
                == ["listening [::1]:8 upstream embedded profile lte seed 7"]
        )
        #expect(description.json.text.contains(#""url":"http://[::1]:8","host":"::1","port":8"#))
        #expect(description.curl == "curl -o /dev/null http://[::1]:8/bytes/1000000")
    }
}
