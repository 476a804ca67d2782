import Analysis
import Basics
import Exploration
import Faults
import Journal
import Testing

/// Several tests that share an exploration.
@Suite struct CampaignSuiteTests {
    private static func settings(_ effects: [Effect.Kind] = [.finish]) -> CampaignSettings {
        var settings = CampaignSettings()
        settings.effects = effects
        return settings
    }

    private static var patient: SimulatedClient { client("/object") }

    /// One that sends nothing.
    private static var idle: SimulatedClient {
        SimulatedClient(map: BoundaryMap(connections: [], exchanges: [])) { _ in
            SimulatedClient.outcome()
        }
    }

    private static var broken: SimulatedClient {
        SimulatedClient(map: SimulatedClient.download()) { _ in
            SimulatedClient.outcome(.exited(3))
        }
    }

    private static func client(_ paths: String...) -> SimulatedClient {
        var map = SimulatedClient.download()
        map.exchanges = paths.enumerated().map { index, path in
            var exchange = map.exchanges[0]
            exchange.path = path
            exchange.request = UInt32(index + 1)
            return exchange
        }
        return SimulatedClient(map: map) { _ in SimulatedClient.outcome() }
    }

    @discardableResult
    private static func run(
        _ suite: inout CampaignSuite,
        _ clients: [SimulatedClient],
        jobs: Int = 1
    ) -> [SearchRun] {
        var runs: [SearchRun] = []
        var open: [SearchRun] = []
        while runs.count < 20_000 {
            while open.count < jobs, let run = suite.next() ?? suite.next(idle: true) {
                runs.append(run)
                open.append(run)
            }
            guard !open.isEmpty else { break }
            let run = open.remove(at: runs.count * 7 % open.count)
            suite.finish(run, clients[run.test].outcome(of: run.point))
        }
        return runs
    }

    private static func report(_ suite: CampaignSuite) -> SuiteReport {
        SuiteReport(
            suite.members.enumerated().map { index, member in
                CampaignReport(
                    member.campaign,
                    settings: ReportSettings(
                        tool: "linkcond",
                        test: "t\(index)",
                        command: ["get", "t\(index)"],
                        seed: 1,
                        effects: [.finish],
                        depth: 1,
                        replay: "linkcond replay {} -- get t\(index)"
                    )
                )
            }
        )
    }

    private static func explore(_ clients: [SimulatedClient], jobs: Int = 1) -> SuiteReport {
        var suite = CampaignSuite(clients.map { _ in Campaign(settings()) })
        run(&suite, clients, jobs: jobs)
        let isFinished = suite.isFinished()
        #expect(isFinished)
        return report(suite)
    }

    @Test func `a finding of several tests is one, shown by the smallest of them`() {
        var long = SimulatedClient.splicer
        long.map.exchanges.append(long.map.exchanges[0])
        long.map.exchanges[1].request = 2
        let report = Self.explore([long, Self.patient, .splicer, .splicer])
        #expect(report.findings.count == 1)
        #expect(report.findings[0].tests == [0, 2, 3])
        #expect(report.findings[0].smallest == 2)
        #expect(report.verdict == .findings("1 finding: corrupt"))
        let lines = SuiteText(report).lines
        #expect(lines[0] == "4 tests: 4 explored")
        #expect(lines.contains("  tests     3, the smallest t2; also t0, t3"))
        #expect(lines.contains { $0.hasPrefix("  repeat") && $0.hasSuffix("-- get t2") })
    }

    @Test func `tests without traffic are skipped, and those that fail anyway prove nothing`() {
        let clients = [Self.idle, Self.patient]
        let report = Self.explore(clients)
        #expect(report.problem == nil)
        guard case .passed(let reason) = report.verdict else {
            Issue.record("\(report.verdict)")
            return
        }
        #expect(reason.hasPrefix("no failure at any of "))
        #expect(reason.hasSuffix(" points of 1 test"))
        let junit = ReportJUnit.document(report)
        #expect(junit.count { $0.contains("<testsuite name=\"linkcond explore t") } == 2)
        #expect(junit.count { $0.contains("<skipped") } == 1)
        let mixed = Self.explore(clients + [Self.broken])
        #expect(mixed.verdict == .inconclusive("t2: without any fault: it ends with exit 3"))
        #expect(
            SuiteText(mixed).lines[0]
                == "3 tests: 1 explored, 1 without traffic, 1 cannot be explored"
        )
        #expect(Self.explore([Self.idle, Self.idle]).problem == .noTraffic)
        #expect(
            Self.explore([Self.idle, Self.broken]).problem == .failed(reason: "it ends with exit 3")
        )
    }

    @Test(arguments: [1, 3, 8])
    func `what is found does not depend on how many run at once`(jobs: Int) {
        let clients = [SimulatedClient.splicer, Self.patient, Self.idle, .splicer]
        #expect(Self.explore(clients, jobs: jobs).findings == Self.explore(clients).findings)
    }

    @Test func `a budget is shared by what the traffic of each test deserves`() {
        // Two tests do the same, one does three other things.
        let clients = [Self.client("/a"), Self.client("/a"), Self.client("/b", "/c", "/d")]
        var suite = CampaignSuite(clients.map { _ in Campaign(Self.settings()) }, runLimit: 40)
        let runs = Self.run(&suite, clients).filter { $0.purpose?.isSearch == true }
        #expect(runs.count == 40)
        let counts = (0..<3).map { test in runs.count { $0.test == test } }
        #expect(abs(counts[0] - counts[1]) <= 1)
        #expect(counts[2] > 4 * counts[0] && counts[0] > 2)
        #expect(Set(runs.map(\.number)).count == runs.count)
    }

    @Test func `a test that is not reached in time is no pass`() {
        let clients = [Self.patient, SimulatedClient.splicer, Self.patient]
        var suite = CampaignSuite(clients.map { _ in Campaign(Self.settings()) })
        var open: [SearchRun] = []
        while let run = suite.next() { open.append(run) }
        #expect(open.map(\.test) == [0, 0, 1, 1, 2, 2])
        suite.endBaselines()
        #expect(suite.next() == nil)
        for run in open[..<4] { suite.finish(run, clients[run.test].outcome(of: run.point)) }
        suite.endBaselines()
        #expect(suite.next()?.purpose == .boundary)
        for run in open[4...] { suite.finish(run, clients[run.test].outcome(of: run.point)) }
        suite.endSearch()
        let report = Self.report(suite)
        #expect(SuiteText(report).lines[0] == "3 tests: 2 explored, 1 not reached in time")
        #expect(
            report.verdict
                == .inconclusive(
                    "no point was run before the search was cut short; give it more time"
                )
        )
    }

    @Test func `a test that sends nothing is run once`() {
        var settings = Self.settings()
        settings.looksFirst = true
        let clients = [Self.idle, Self.patient]
        var suite = CampaignSuite(clients.map { _ in Campaign(settings) })
        let runs = Self.run(&suite, clients).filter { $0.purpose == nil }
        #expect(runs.map(\.test).sorted() == [0, 1, 1])
        #expect(Self.report(suite).tests[0].problem == .noTraffic)
    }

    @Test func `failures of an earlier time come first, in whichever test`() throws {
        let clients = [Self.patient, SimulatedClient.splicer]
        let known = try Point(parsing: "lc1;c1/r1:resp.body+700=fin")
        var suite = CampaignSuite([
            Campaign(Self.settings()), Campaign(Self.settings(), remembered: [known]),
        ])
        let runs = Self.run(&suite, clients).filter { $0.purpose != nil }
        #expect(runs.first?.point == known)
        #expect(runs.first?.test == 1)
    }

    @Test func `a report of tests is read back from its lines`() throws {
        let report = Self.explore([.splicer, Self.idle, Self.broken, Self.patient])
        var reader = ReportReader()
        for line in ReportLines.all(report, exitCode: 1) {
            let bytes = Array(JSONValue.object(line).text.utf8)
            guard case .object(let parsed) = try JSONParser.parse(bytes[...]) else { return }
            try reader.take(parsed)
        }
        #expect(reader.report == report)
        #expect(throws: ReportReader.Problem.self) {
            try reader.take(["t": .string("end"), "test": .string("another")])
        }
    }
}
