internal import Analysis
internal import Arguments
internal import Basics
internal import Trials

extension CommandTable {
    /// Demands on one run.
    static let runDemands = demands.bearingOnResult

    private static let demands: [OptionSpecification] = [
        .expect(" Default: exit=0 if the result is checked, else none."),
        OptionSpecification(
            long: "require-resume",
            help: "Require CMD to resume at least once: short for --expect 'resumes>=1'.",
            group: .result
        ),
        OptionSpecification(
            long: "max-wire",
            value: ValueSpecification(name: "RATIO"),
            help:
                """
                Maximum number of bytes on the wire per byte of content, such as 1.25: short for \
                --expect 'wire<=RATIO'.
                """,
            group: .result
        ),
        OptionSpecification(
            long: "max-resent",
            value: ValueSpecification(name: "SIZE"),
            help: """
                Maximum number of bytes that a download may fetch again after each cut. Default: \
                64KiB.
                """,
            group: .result
        ),
        OptionSpecification(
            long: "max-stalled-attempts",
            value: ValueSpecification(name: "N"),
            help: """
                Maximum number of attempts in a row without progress (1 to 1000000). Default: 20.
                """,
            group: .result,
            former: ["max-attempts"]
        ),
        OptionSpecification(
            long: "max-metered",
            value: ValueSpecification(name: "SIZE"),
            help: """
                Maximum total content of requests started on an expensive or constrained path, for \
                example 2MB: short for --expect 'metered<=SIZE'.
                """,
            group: .result
        ),
        OptionSpecification(
            long: "cap",
            value: ValueSpecification(name: "TIME"),
            help: "Longest wait between attempts that CMD documents. Default: 10min.",
            group: .result
        ),
    ]
}

/// What is demanded of a run: `--expect`, and the options that say the same in other words.
struct RunDemands: Hashable, Sendable {
    let expectation: Expectation

    /// The limits that somebody chose.
    var evidence = Evidence()

    /// Limits of checks, which mean nothing unless checks count.
    private static let limits = ["max-resent", "max-stalled-attempts", "cap"]

    /// Nil if nothing is demanded: neither an expectation nor a check.
    init?(_ invocation: Invocation, hasOracles: Bool) throws(Failure) {
        if let bytes = try invocation.byteCount("max-resent") {
            evidence.maximumResentBytes = bytes
        }
        if let tries = try invocation.count("max-stalled-attempts", in: 1...1_000_000) {
            evidence.maximumTries = tries
        }
        evidence.cap = try invocation.milliseconds("cap").map { .milliseconds(clamping: $0) }
        var items: [String] = []
        if invocation.has("require-resume") { items.append("resumes>=1") }
        if let bytes = try invocation.byteCount("max-metered") {
            evidence.maximumMeteredBytes = bytes
            items.append("metered<=\(bytes)B")
        }
        if let limit = try invocation.ratio("max-wire") { items.append("wire<=\(limit)") }
        if let text = invocation.value("expect") {
            items.insert(text, at: 0)
        } else if let limit = Self.limits.first(where: invocation.has) {
            throw invocation.failure(limit, "a limit of a check; add --expect pass")
        } else if items.isEmpty, !hasOracles {
            return nil
        } else {
            // Whoever looks at the result wants success, whatever else a client does wrong.
            items.insert("exit=0", at: 0)
        }
        expectation = try Self.expectation(items.joined(separator: ","), invocation)
        evidence.mustSucceed = expectation.items.contains {
            ["pass", "exit=0"].contains($0.text)
        }
    }

    /// What the journal of a trial does not say.
    func evidence(of outcome: TrialOutcome) -> Evidence {
        var complete = Evidence(outcome)
        complete.mustSucceed = evidence.mustSucceed
        complete.maximumResentBytes = evidence.maximumResentBytes
        complete.maximumTries = evidence.maximumTries
        complete.maximumMeteredBytes = evidence.maximumMeteredBytes
        complete.cap = evidence.cap
        complete.deadline = evidence.deadline
        return complete
    }

    private static func expectation(
        _ text: String,
        _ invocation: Invocation
    ) throws(Failure) -> Expectation {
        do throws(ExpectationError) {
            return try Expectation(parsing: text) { NearestName.of($0, among: $1) }
        } catch {
            throw invocation.failure(
                "expect",
                "'\(text)', column \(error.column): \(error.description)"
            )
        }
    }
}
