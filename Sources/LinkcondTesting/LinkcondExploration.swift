internal import Analysis
internal import Exploration
internal import SystemIO

/// The result of interrupting a client at every point that matters.
public struct LinkcondExploration: Hashable, Sendable, CustomStringConvertible {
    /// One kind of failure at one place of the protocol.
    public struct Finding: Hashable, Sendable, CustomStringConvertible {
        /// `corrupt`, `lost`, `duplicate`, `dishonest`, `hang`, `giveup`, `waste`, `protocol`,
        /// `escaped`, `flaky` or `unreached`, the worst first.
        public let kind: String
        /// The place of the faults, such as `GET /a resp.body`.
        public let position: String
        /// Why this is a failure, in words.
        public let reason: String
        /// The simplest schedule that shows it, for `.linkcond(schedule:)`.
        public let schedule: String
        /// How many repetitions failed in the same way, such as `3/3`.
        public let confirmations: String

        /// The finding on one line.
        public var description: String {
            "\(kind) at \(position): \(reason); .linkcond(schedule: \"\(schedule)\") \(confirmations)"
        }
    }

    /// The number of schedules that were run.
    public let points: Int
    /// The number of runs that passed, honest failures under permanent faults included.
    public let passed: Int
    /// The number of runs that prove nothing, such as those whose fault did not act.
    public let inconclusive: Int
    /// The confirmed failures, the worst first.
    public let findings: [Finding]
    /// Whether every point was run.
    public let isComplete: Bool
    /// The result on one line.
    public let summary: String

    /// The summary and each finding, a line each.
    public var description: String {
        ([summary] + findings.map(\.description)).joined(separator: "\n")
    }

    init(_ report: CampaignReport) {
        let counts = report.counts
        points = counts.total
        passed = counts.passed + counts.honest
        inconclusive = counts.inconclusive + counts.unreached
        isComplete = report.isComplete
        summary = report.verdict.reason
        findings = report.findings.map { finding in
            Finding(
                kind: finding.kind.rawValue,
                position: finding.position,
                reason: finding.reason,
                schedule: finding.minimal.schedule,
                confirmations: finding.confirmations.text
            )
        }
    }
}

extension Linkcond {
    /// Runs a client again and again, each time interrupted at another point that matters, and judges
    /// it from both sides: what is cut once it must finish with the right result, what is cut for
    /// good must fail honestly.
    ///
    /// The client must do the same each time, and keep what it needs to go on in the network's
    /// folder.
    ///
    /// - Parameters:
    ///   - upstream: `host:port` of the server; nil for a test server of each run alone.
    ///   - folder: what the test server serves.
    ///   - misbehaviour: what the test server does wrong.
    ///   - effects: what happens at each place, as `linkcond explore --effects` has it: `fin,rst`,
    ///     `standard`, `all`.
    ///   - seed: of all that is random.
    ///   - runs: the most runs of the search; nil for as many as there are points.
    ///   - time: the longest search; nil for as long as it takes.
    ///   - deadline: how long one run of the client may take; longer than the client's own
    ///     timeouts, or a client that would notice a silent connection counts as hanging. The default
    ///     leaves room for an idle timeout of 30 seconds, which is LinkTransfer's.
    ///   - client: does its work over `network.url`; what it throws means failure.
    ///   - check: whether the result is right; runs on a thread of its own after each run.
    /// - Returns: what was found.
    /// - Throws: why there is nothing to explore: the client fails without any fault, or does not use
    ///   the network.
    public static func explore(
        upstream: String? = nil,
        serving folder: String? = nil,
        misbehaving misbehaviour: String = "",
        effects: String = "standard",
        seed: UInt64 = 1,
        runs: Int? = nil,
        time: Duration? = nil,
        deadline: Duration = .seconds(60),
        client: @escaping @Sendable (_ network: Linkcond) async throws -> Void,
        check: @escaping @Sendable (_ network: Linkcond) throws -> Bool
    ) async throws(LinkcondError) -> LinkcondExploration {
        var options = LinkcondOptions()
        options.seed = seed
        options.upstream = upstream
        options.folder = folder
        options.misbehaviour = misbehaviour
        let order = ExplorationOrder(
            options: options,
            effects: effects,
            runs: runs,
            searchMilliseconds: time.map(milliseconds),
            deadlineMilliseconds: milliseconds(deadline),
            client: client,
            check: check
        )
        let (thread, number) = try SharedThread.take()
        defer { SharedThread.giveBack() }
        let result: Result<LinkcondExploration, LinkcondError> =
            await withCheckedContinuation { waiting in
                thread.run { sandbox in
                    sandbox.explore(number, order, on: thread) { waiting.resume(returning: $0) }
                }
            }
        return try result.get()
    }

    private static func milliseconds(_ duration: Duration) -> UInt64 {
        let (seconds, attoseconds) = duration.components
        // Callers may express "no limit" as any number of seconds.
        let century: Int64 = 3_153_600_000
        guard seconds < century else { return UInt64(century) * 1_000 }
        return UInt64(clamping: max(1, seconds * 1_000 + attoseconds / 1_000_000_000_000_000))
    }
}
