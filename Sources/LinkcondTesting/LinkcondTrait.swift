internal import Exploration
internal import Libuv
public import Testing

/// Runs a test behind a bad network, which `Linkcond.current` tells of.
///
/// Each test, and each case of a parameterised one, has a network of its own. What makes a test prove
/// nothing is recorded as an issue: a fault that never fired, a test that sent nothing through the
/// network, requests around it. Each issue of the test says how to repeat it.
public struct LinkcondTrait: TestTrait, SuiteTrait, TestScoping {
    let options: LinkcondOptions

    /// A trait of a suite holds for each of its tests.
    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        let network = try await TestNetwork.open(options)
        let hint = Comment(rawValue: "repeat with \(options.reproduction(network.place))")
        let hasIssues = Locked(false)
        let hinting: IssueHandlingTrait = .compactMapIssues { issue in
            hasIssues.withLock { $0 = true }
            var issue = issue
            issue.comments.append(hint)
            return issue
        }
        var failure: (any Error)?
        do {
            try await hinting.provideScope(for: test, testCase: testCase) {
                try await Linkcond.$current.withValue(network.place) { try await function() }
            }
        } catch {
            failure = error
            Issue.record(hint, severity: .warning)
        }
        let isSuccess = failure == nil && !hasIssues.withLock { $0 }
        if let outcome = await network.close(isSuccess: isSuccess) {
            let report = TestReport(outcome, mustFire: options.mustFire)
            for reason in report.doubts {
                Issue.record("\(reason); \(hint.rawValue)", sourceLocation: test.sourceLocation)
            }
            for reason in report.warnings {
                Issue.record(
                    "\(reason)",
                    severity: .warning,
                    sourceLocation: test.sourceLocation
                )
            }
            if !isSuccess || !report.doubts.isEmpty {
                Attachment.record(report.journal, named: "journal.jsonl")
            }
        }
        if let failure { throw failure }
    }
}

extension Trait where Self == LinkcondTrait {
    /// A network by its profile, with faults.
    ///
    /// - Parameters:
    ///   - profile: the name of a built-in profile, or a path of a file (with a slash, or ending in
    ///     `.yaml`).
    ///   - settings: changes of the profile, as `"delay=80ms"`.
    ///   - faults: what goes wrong, as `"c1:down+1000=rst"`.
    ///   - seed: of all that is random.
    ///   - upstream: `host:port` of the server; nil for a test server of this test alone, which
    ///     answers `/bytes/N` and takes uploads at `/files/`.
    ///   - folder: what the test server serves.
    ///   - misbehaviour: what the test server does wrong, as `"object:503@1"`.
    ///   - mustFire: whether a fault that did not fire is an issue.
    /// - Returns: the trait.
    public static func linkcond(
        _ profile: String = "none",
        set settings: [String] = [],
        faults: [String] = [],
        seed: UInt64 = 1,
        upstream: String? = nil,
        serving folder: String? = nil,
        misbehaving misbehaviour: String = "",
        mustFire: Bool = true
    ) -> Self {
        LinkcondTrait(
            options: LinkcondOptions(
                profile: profile,
                settings: settings,
                faults: faults,
                seed: seed,
                upstream: upstream,
                folder: folder,
                misbehaviour: misbehaviour,
                mustFire: mustFire
            )
        )
    }

    /// A network by a schedule, such as `linkcond run` and `linkcond explore` print.
    ///
    /// - Parameters:
    ///   - profile: as in `linkcond(_:set:faults:...)`.
    ///   - settings: changes of the profile.
    ///   - schedule: `"lc1;seed=7;c1:down+1000=rst"`.
    ///   - upstream: `host:port` of the server; nil for a test server of this test alone.
    ///   - folder: what the test server serves.
    ///   - misbehaviour: what the test server does wrong.
    ///   - mustFire: whether a fault that did not fire is an issue.
    /// - Returns: the trait.
    public static func linkcond(
        _ profile: String = "none",
        set settings: [String] = [],
        schedule: String,
        upstream: String? = nil,
        serving folder: String? = nil,
        misbehaving misbehaviour: String = "",
        mustFire: Bool = true
    ) -> Self {
        LinkcondTrait(
            options: LinkcondOptions(
                profile: profile,
                settings: settings,
                schedule: schedule,
                upstream: upstream,
                folder: folder,
                misbehaviour: misbehaviour,
                mustFire: mustFire
            )
        )
    }
}
