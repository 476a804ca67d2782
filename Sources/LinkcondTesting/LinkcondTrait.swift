internal import SystemIO

public import Testing

/// Runs a test behind a bad network, which is ``Linkcond/current``.
///
/// Each test, and each case of a parameterized one, has its own network. A test that proves nothing
/// is an issue: a fault that never fired, no traffic through the network, requests that bypass it.
/// Each issue of the test states how to repeat it.
public struct LinkcondTrait: TestTrait, SuiteTrait, TestScoping {
    let options: LinkcondOptions
    /// Tells this trait from another with the same options.
    private let identity = Identity()

    private final class Identity: Sendable {}

    init(options: LinkcondOptions) { self.options = options }

    /// A trait of a suite applies to each of its tests that has none itself.
    public var isRecursive: Bool { true }

    /// Whether a trait nearer to the test takes the place of this one.
    private func isReplaced(in test: Test) -> Bool {
        let nearest = test.traits.lazy.compactMap { $0 as? LinkcondTrait }.last
        return nearest.map { $0.identity !== identity } ?? false
    }

    /// Opens the network, runs the test behind it, and reports what was wrong with it.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        guard !isReplaced(in: test) else { return try await function() }
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
    /// A network with a profile and faults.
    ///
    /// - Parameters:
    ///   - profile: the name of a built-in profile, or a path of a file (with a slash, or ending in
    ///     `.yaml`).
    ///   - settings: changes of the profile, such as `"delay=80ms"`.
    ///   - faults: such as `"c1:down+1000=rst"`.
    ///   - seed: the seed of every random decision.
    ///   - upstream: `host:port` of the server; nil for a test server of this test, which
    ///     answers `/bytes/N` and accepts uploads at `/files/`.
    ///   - folder: the folder that the test server serves.
    ///   - misbehaviour: rules for the test server, such as `"object:503@1"`.
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

    /// A network with a schedule, as `linkcond run` and `linkcond explore` print it.
    ///
    /// - Parameters:
    ///   - profile: as in `linkcond(_:set:faults:...)`.
    ///   - settings: changes of the profile.
    ///   - schedule: `"lc1;seed=7;c1:down+1000=rst"`.
    ///   - upstream: `host:port` of the server; nil for a test server of this test.
    ///   - folder: the folder that the test server serves.
    ///   - misbehaviour: rules for the test server.
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
