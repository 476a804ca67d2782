import Analysis
import Exploration
import Journal
import Proxy
import Testing
import Trials

/// Checks of runs in which the machine did not keep the link's times.
@Suite struct DisturbedChecksTests {
    /// A server says when to come again, and the client comes at once.
    private static let hasty = #"""
        {"v":1,"t":"start","tool":"linkcond 0.1.0","command":"run","at_ns":0}
        {"v":1,"t":"conn","c":1,"at_ns":1000000}
        {"v":1,"t":"req","c":1,"r":1,"method":"GET","target":"/a","framing":"none","head_bytes":80,"fields":{"host":"h"},"at_ns":2000000}
        {"v":1,"t":"resp","c":1,"r":1,"status":503,"framing":"none","head_bytes":80,"fields":{"retry-after":"5"},"at_ns":3000000}
        {"v":1,"t":"connend","c":1,"by_approx":"client","how":"fin","down_bytes":80,"up_bytes":80,"at_ns":4000000}
        {"v":1,"t":"conn","c":2,"at_ns":5000000}
        {"v":1,"t":"req","c":2,"r":1,"method":"GET","target":"/a","framing":"none","head_bytes":80,"fields":{"host":"h"},"at_ns":6000000}
        {"v":1,"t":"resp","c":2,"r":1,"status":200,"framing":"none","head_bytes":80,"fields":{},"at_ns":7000000}
        {"v":1,"t":"connend","c":2,"by_approx":"client","how":"fin","down_bytes":80,"up_bytes":80,"at_ns":8000000}

        """#

    private static let late = "packets left 92 ms late: a busy machine"

    private func outcome(
        isDisturbed: Bool,
        _ change: (inout CountedChecks) throws -> Void = { _ in }
    ) throws -> PointOutcome {
        let place = TrialPlace(
            listen: .tcp(host: "127.0.0.1", port: 1),
            folder: "/x",
            seed: 1,
            schedule: "lc1"
        )
        var trial = TrialOutcome(place: place, ending: .exited(0))
        trial.records = try Timed<JournalRecord>.reading(Array(Self.hasty.utf8))
            .map { TrialRecord($0.value, at: $0.at) }
        if isDisturbed {
            let at = trial.records[0].at
            trial.records.insert(.init(.trouble(.latePacing, words: Self.late), at: at), at: 0)
            trial.disturbances = [Self.late]
        }
        var checks = CountedChecks()
        try change(&checks)
        return PointOutcome(trial, counting: checks)
    }

    @Test func `a warning of times is told, unless the machine disturbed them`() throws {
        #expect(try outcome(isDisturbed: false).advice.map(\.check).contains(.b6))
        let disturbed = try outcome(isDisturbed: true)
        #expect(!disturbed.advice.contains { $0.check.isOfTimes })
        #expect(disturbed.disturbance == Self.late && disturbed.spoiltTimes == nil)
    }

    @Test func `a check of times fails a run, unless the machine disturbed them`() throws {
        let calm = try outcome(isDisturbed: false) { $0.isStrict = true }
        #expect(calm.failedChecks.map(\.name).contains("B6"))
        #expect(calm.spoiltTimes == nil && calm.troubles.isEmpty)
        let disturbed = try outcome(isDisturbed: true) { $0.isStrict = true }
        #expect(disturbed.failedChecks.isEmpty && disturbed.evidence.allSatisfy { $0 != "B6" })
        #expect(disturbed.spoiltTimes == Self.late)
    }

    @Test(arguments: [("B6", true), ("time<1h", true), ("attempts<9", false), ("R2", false)])
    func `what is demanded of times proves nothing on a machine that disturbed them`(
        demand: String,
        isOfTimes: Bool
    ) throws {
        let outcome = try outcome(isDisturbed: true) {
            $0.expectation = try Expectation(parsing: demand)
        }
        #expect(outcome.failedChecks.isEmpty)
        #expect(outcome.spoiltTimes == (isOfTimes ? Self.late : nil))
    }
}
