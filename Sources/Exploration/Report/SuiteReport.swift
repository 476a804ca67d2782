internal import Analysis

/// What the explorations of all tests came to.
///
/// That of a single command is one of one test without a name.
package struct SuiteReport: Hashable, Sendable {
    /// In the order of their list; at least one.
    package private(set) var tests: [CampaignReport]
    /// What differs from an earlier report, if there is one to compare with.
    package private(set) var comparison: ReportComparison?
    /// The findings of all tests, one for each failure and cause, as `FindingOrder` has them.
    package let findings: [SharedFinding]

    package init(_ tests: [CampaignReport]) {
        precondition(!tests.isEmpty, "a report")
        self.tests = tests
        findings = Self.shared(tests)
    }

    /// Compares with an earlier report, whose findings are no reason to fail from then on.
    ///
    /// - Parameters:
    ///   - old: the earlier report.
    ///   - name: what to call it.
    package mutating func compare(with old: SuiteReport, named name: String) {
        comparison = ReportComparison(of: self, with: old, named: name)
    }

    /// Whether it is of a list of tests and not of one command.
    package var isOfTests: Bool { tests[0].settings.test != nil }

    package func isKnown(_ finding: SharedFinding) -> Bool {
        comparison?.known.contains(finding.finding.id) ?? false
    }

    private static func shared(_ tests: [CampaignReport]) -> [SharedFinding] {
        var places: [String: Int] = [:]
        var shared: [SharedFinding] = []
        for (index, test) in tests.enumerated() {
            for finding in test.findings {
                guard let place = places[finding.id] else {
                    places[finding.id] = shared.count
                    shared.append(SharedFinding(finding, in: index))
                    continue
                }
                shared[place].add(finding, in: index, tests)
            }
        }
        return shared.sorted { FindingOrder($0.finding) < FindingOrder($1.finding) }
    }
}

/// One failure of one cause, in whichever tests show it.
package struct SharedFinding: Hashable, Sendable {
    /// As the smallest of the tests shows it.
    package private(set) var finding: Finding
    /// Index of the smallest test: of those that always fail, the one with the fewest exchanges.
    package private(set) var smallest: Int
    /// Indices of all tests that show it, ascending.
    package private(set) var tests: [Int]

    fileprivate init(_ finding: Finding, in test: Int) {
        self.finding = finding
        smallest = test
        tests = [test]
    }

    fileprivate mutating func add(_ other: Finding, in test: Int, _ reports: [CampaignReport]) {
        tests.append(test)
        guard Self.size(other, reports[test]) < Self.size(finding, reports[smallest]) else {
            return
        }
        finding = other
        smallest = test
    }

    private static func size(_ finding: Finding, _ report: CampaignReport) -> (Int, Int) {
        (finding.kind == finding.failure ? 0 : 1, report.baseline?.exchanges.count ?? 0)
    }
}

// What it comes to.
extension SuiteReport {
    package var verdict: CampaignVerdict {
        let known = comparison?.known
        guard isOfTests else { return tests[0].verdict(without: known) }
        let new = findings.filter { !isKnown($0) }.map(\.finding)
        if new.contains(where: \.kind.isFailure) {
            return .findings(CampaignReport.census(new, isNew: comparison != nil))
        }
        let explored = tests.filter(\.isExplored)
        guard !explored.isEmpty || tests.contains(where: \.isUnreached) else {
            return .inconclusive(nothingExplored)
        }
        // A test without a point is none of the others' concern.
        for test in tests where !test.isWithoutTraffic && !test.isIdle {
            guard case .inconclusive(let reason) = test.verdict(without: known) else { continue }
            return .inconclusive("\(test.settings.test ?? ""): \(reason)")
        }
        let counts = explored.reduce(into: CampaignReport.Counts()) { $0.add($1.counts) }
        guard counts.total > 0 else {
            return (tests.first { !$0.isComplete } ?? tests[0]).nothingRun
        }
        let old = findings.isEmpty ? "" : "; \(findings.count) known, none new"
        let late = tests.count(where: \.isUnreached)
        let rest = late == 0 ? "" : ", and \(late) test\(late == 1 ? " was" : "s were") not reached"
        let remaining = tests.reduce(0) { $0 + $1.remainingPoints }
        let end =
            tests.allSatisfy(\.isComplete)
            ? "" : "; \(CampaignReport.cutShort(remaining))\(rest)"
        return .passed(
            "no failure at \(CampaignReport.places(counts.judged)) of \(explored.count)"
                + " test\(explored.count == 1 ? "" : "s")\(counts.surrenders)\(counts.remainder)"
                + "\(old)\(end)"
        )
    }

    private var nothingExplored: String {
        let broken = tests.filter { !$0.isWithoutTraffic }
        guard let first = broken.first, let problem = first.problem else {
            return "none of \(tests.count) tests sent anything through linkcond;"
                + " do they use LINKCOND_URL, or a proxy (--forward)?"
        }
        let all = tests.count == broken.count
        let what =
            all
            ? "none of the \(tests.count) tests can be explored"
            : "\(broken.count) of \(tests.count) tests cannot be explored and the others send nothing"
        return "\(what): \(first.settings.test ?? ""): \(problem.words)"
    }

    /// Why nothing at all was explored; nil if something was.
    package var problem: BaselineProblem? {
        guard tests.allSatisfy({ $0.problem != nil }) else { return nil }
        return tests.first { !$0.isWithoutTraffic }?.problem ?? .noTraffic
    }

    /// The shards that are missing from any test.
    package var missingShards: [UInt64] {
        Set(tests.flatMap(\.missingShards)).sorted()
    }
}

extension CampaignReport {
    /// Whether there is nothing to explore since no message passes.
    package var isWithoutTraffic: Bool { problem == .noTraffic }

    /// Whether its runs without faults are through, and leave something to explore.
    var isExplored: Bool { problem == nil && baseline != nil }

    /// Whether nothing of it was run, though it could be explored.
    var isIdle: Bool { problem == nil && counts.total == 0 }

    /// Whether the search ended before it was known what there is to explore.
    var isUnreached: Bool { problem == nil && baseline == nil }
}
