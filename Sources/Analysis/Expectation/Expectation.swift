internal import Basics
package import Journal

/// What somebody demands of a run, as in `exit=0,R2,B6,attempts<=5,wire<=1.25`.
///
/// ```
/// expectation = item *( "," item )
/// item        = "pass" / "fail" / CHECK / quantity comparison value / property "=" word
/// comparison  = "<=" / ">=" / "<" / ">" / "=" / "!="
/// ```
package struct Expectation: Hashable, Sendable {
    package struct Item: Hashable, Sendable {
        /// As it was written.
        package let text: String
        package let demand: Demand
    }

    package enum Demand: Hashable, Sendable {
        /// The run as a whole passes.
        case pass
        /// The command says that it failed, before its deadline.
        case failure
        case check(Check)
        case quantity(Quantity, Comparison, Double)
    }

    /// Something that can be counted.
    package enum Quantity: String, Hashable, Sendable, CaseIterable {
        /// The most tries of one transfer.
        case attempts
        case connections
        /// Exit code of the command.
        case exit
        /// Content of requests that began while the path was expensive or constrained.
        case metered
        case requests
        /// Bytes sent again needlessly.
        case resent
        /// Attempts that went on where one had failed.
        case resumes
        /// How long the command ran.
        case time
        /// Bytes on the wire for each byte of payload.
        case wire
    }

    package enum Comparison: String, Hashable, Sendable, CaseIterable {
        case atMost = "<="
        case atLeast = ">="
        case notEqual = "!="
        case less = "<"
        case more = ">"
        case equal = "="

        func holds(_ value: Double, _ limit: Double) -> Bool {
            switch self {
            case .atMost: value <= limit
            case .atLeast: value >= limit
            case .notEqual: value != limit
            case .less: value < limit
            case .more: value > limit
            case .equal: value == limit
            }
        }
    }

    /// Checks under names of their own.
    package static let properties: [(name: String, words: [String], check: Check)] = [
        ("backoff", ["exponential", "growing"], .b1),
        ("jitter", ["present"], .b4),
        ("result", ["same"], .r2),
        ("retry-after", ["honoured", "honored"], .b6),
    ]

    package let items: [Item]

    /// What became of one item.
    package struct Outcome: Hashable, Sendable {
        package let item: Item
        /// `pass`, `fail` or `inconclusive`.
        package let verdict: Verdict
        /// What was seen, such as `7 tries`.
        package let words: String
    }

    /// Whether a report meets all items; a run in which something went wrong that nobody asked for
    /// never passes.
    package func verdict(of report: RunReport) -> Verdict {
        let verdicts = outcomes(of: report).map(\.verdict)
        if verdicts.contains(.fail) { return .fail }
        return verdicts.contains(.inconclusive) || report.isVoid ? .inconclusive : .pass
    }

    /// What became of each item.
    package func outcomes(of report: RunReport) -> [Outcome] {
        items.map { item in
            let (verdict, words) = Self.evaluate(item.demand, report)
            guard !report.isDisturbed || !item.demand.isOfTimes else {
                return Outcome(item: item, verdict: .inconclusive, words: RunReport.disturbance)
            }
            return Outcome(item: item, verdict: verdict, words: words)
        }
    }

    private static func evaluate(_ demand: Demand, _ report: RunReport) -> (Verdict, String) {
        switch demand {
        case .pass: return (report.verdict, report.reason)
        case .failure:
            guard let exitCode = report.exitCode else { return (.inconclusive, "not known") }
            let isHonest = exitCode != 0 && !report.isTimedOut
            return (isHonest ? .pass : .fail, "exit code \(exitCode)")
        case .check(let check):
            let result = report.result(check)
            guard result.verdict == .skipped else { return (result.verdict, result.observed) }
            return (.inconclusive, "does not apply: \(result.reason)")
        case .quantity(let quantity, let comparison, let limit):
            guard let (value, words) = quantity.value(in: report) else {
                return (.inconclusive, "not known")
            }
            return (comparison.holds(value, limit) ? .pass : .fail, words)
        }
    }
}

extension Expectation.Quantity {
    /// Its value in a report, and the value in words; nil if the journal does not tell.
    fileprivate func value(in report: RunReport) -> (Double, String)? {
        let isKnown = !report.transcript.isPartlyOpaque && !report.transfers.isEmpty
        switch self {
        case .attempts:
            guard !report.transfers.isEmpty else { return nil }
            return (Double(report.tryCount), Words.count(report.tryCount, "try", "tries"))
        case .connections:
            let count = report.transcript.connections.count
            return (Double(count), Words.count(count, "connection"))
        case .exit: return report.exitCode.map { (Double($0), "exit code \($0)") }
        case .metered:
            guard !report.transcript.isPartlyOpaque else { return nil }
            return (Double(report.metered.either.bytes), report.metered.words)
        case .requests:
            guard isKnown else { return nil }
            let count = report.transcript.exchanges.count
            return (Double(count), Words.count(count, "request"))
        case .resent:
            guard isKnown else { return nil }
            let bytes = report.figures.resentAvoidable
            return (Double(bytes), Words.bytes(bytes))
        case .resumes:
            guard isKnown else { return nil }
            return (Double(report.resumeCount), Words.count(report.resumeCount, "resumption"))
        case .time:
            let time = report.duration
            return (Double(time.nanoseconds), Words.time(time))
        case .wire:
            guard isKnown, let ratio = report.wireRatio else { return nil }
            return (ratio, "\(Words.decimal(ratio)) × the payload")
        }
    }
}

extension RunReport {
    /// Whether something happened that lets the run prove nothing.
    package var isVoid: Bool {
        troubleCount > 0 || findings.contains { !$0.kind.isFailure }
    }
}

extension Expectation.Demand {
    /// Whether it depends on when something happened.
    package var isOfTimes: Bool {
        switch self {
        case .check(let check): check.isOfTimes
        case .quantity(let quantity, _, _): quantity == .time
        case .pass, .failure: false
        }
    }
}
