package import Basics
package import Journal

/// What the distances between retries say about a client's backoff.
///
/// The limits were chosen by simulation: a client with full jitter (a uniform draw from 0 to a
/// doubling bound) is not blamed, one with a constant range is not praised.
package enum BackoffStatistics {
    /// A judgement with the word for it.
    package struct Judgement: Hashable, Sendable {
        package var verdict: Verdict
        package var reason: String

        init(_ verdict: Verdict, _ reason: String = "") {
            self.verdict = verdict
            self.reason = reason
        }
    }

    /// Below this a retry comes at once.
    static let atOnce = Duration.milliseconds(50)
    /// Runs with the same faults and different seeds that are needed to compare means.
    package static let runsNeeded = 8

    /// Whether the gaps of one stretch grow.
    ///
    /// - Parameters:
    ///   - gaps: the waits before the retries, the earliest first.
    ///   - cap: gaps that reach it say nothing and are left out.
    /// - Returns: `fail` for `hammer` and `flat`; `skipped` for fewer than four gaps.
    package static func growth(_ gaps: [Duration], cap: Duration? = nil) -> Judgement {
        let below = gaps.filter { gap in cap.map { gap < $0 - $0 / 20 } ?? true }
        guard gaps.count >= 4 else { return Judgement(.skipped, "fewer-than-4-gaps") }
        guard below.count >= 4 else { return Judgement(.inconclusive, "at-the-cap") }
        let (least, most) = (below.min() ?? .zero, below.max() ?? .zero)
        if most < atOnce { return Judgement(.fail, "hammer") }
        if below.count >= 5, most.amount < 1.5 * least.amount { return Judgement(.fail, "flat") }
        // By chance 4 draws from one range do so in fewer than 1 of 100 cases.
        let ratios = zip(below, below.dropFirst()).map { $1.amount / max($0.amount, 1) }
        if ratios.allSatisfy({ $0 >= 1.3 }) { return Judgement(.pass) }
        guard below.count >= 8 else { return Judgement(.inconclusive, "fewer-than-8-gaps") }
        let half = below.count / 2
        let first = below[..<half].max() ?? .zero
        let second = below[half...].max() ?? .zero
        if second.amount >= 2 * first.amount { return Judgement(.pass) }
        return Judgement(.inconclusive, "no-clear-growth")
    }

    /// Whether the gaps grow on average over runs with the same faults and different seeds.
    ///
    /// - Parameter runs: of each run the gaps of one stretch.
    /// - Returns: `skipped` for fewer than `runsNeeded` runs of two gaps.
    package static func growth(over runs: [[Duration]]) -> Judgement {
        let runs = runs.filter { $0.count >= 2 }
        guard runs.count >= runsNeeded, let count = runs.map(\.count).min() else {
            return Judgement(.skipped, "fewer-than-\(runsNeeded)-runs")
        }
        let first = mean(runs.map { $0[0] })
        let last = mean(runs.map { $0[count - 1] })
        guard last > 0 else { return Judgement(.fail, "hammer") }
        let factor = root(last / max(first, 1), count - 1)
        if factor >= 1.3 { return Judgement(.pass) }
        return factor < 1.15
            ? Judgement(.fail, "flat") : Judgement(.inconclusive, "no-clear-growth")
    }

    /// Whether the gaps are scattered, over runs with the same faults and different seeds.
    ///
    /// Only places whose mean is at least a second are looked at. The spread is the distance from the
    /// shortest to the longest, in parts of the mean.
    package static func jitter(over runs: [[Duration]]) -> Judgement {
        guard runs.count >= runsNeeded, let count = runs.map(\.count).min() else {
            return Judgement(.skipped, "fewer-than-\(runsNeeded)-runs")
        }
        var verdicts: [Judgement] = []
        for index in 0..<count {
            let gaps = runs.map { $0[index] }
            let mean = mean(gaps)
            guard mean >= 1_000_000_000 else { continue }
            let spread = ((gaps.max() ?? .zero) - (gaps.min() ?? .zero)).amount / mean
            let near = max(20_000_000, mean * 0.02)
            let alike = gaps.count { abs($0.amount - median(gaps)) <= near }
            if spread < 0.05 {
                verdicts.append(Judgement(.fail, "no-jitter"))
            } else if runs.count >= 16, alike * 3 >= runs.count * 2 {
                verdicts.append(Judgement(.fail, "mostly-equal"))
            } else {
                verdicts.append(
                    spread >= 0.1 ? Judgement(.pass) : Judgement(.inconclusive, "little-jitter")
                )
            }
        }
        return verdicts.first { $0.verdict == .fail }
            ?? verdicts.first { $0.verdict == .inconclusive }
            ?? verdicts.first ?? Judgement(.skipped, "gaps-below-1-s")
    }

    /// Whether the gaps of one run are scattered, as far as one run can say.
    package static func jitter(_ gaps: [Duration]) -> Judgement {
        guard gaps.count >= 4 else { return Judgement(.skipped, "fewer-than-4-gaps") }
        let ratios = zip(gaps, gaps.dropFirst()).map { $1.amount / max($0.amount, 1) }
        let least = ratios.min() ?? 0
        let most = ratios.max() ?? 0
        return most <= least * 1.02
            ? Judgement(.fail, "equal-ratios") : Judgement(.inconclusive, "one-run")
    }

    /// Whether several layers retry: all tries come in bursts of equal size.
    ///
    /// A gap is within a burst if it is below a fifth of the median of the larger half. Only the last
    /// burst may be cut short. Less regular bursts say nothing: a third of all clients with full jitter
    /// below a cap show three of equal size in 20 tries.
    ///
    /// - Returns: `skipped` for fewer than six tries.
    package static func layers(_ gaps: [Duration]) -> Judgement {
        guard gaps.count >= 5 else { return Judgement(.skipped, "fewer-than-6-tries") }
        let larger = gaps.sorted().suffix((gaps.count + 1) / 2)
        let limit = median(Array(larger)) / 5
        var sizes = [1]
        for gap in gaps {
            if gap.amount < limit { sizes[sizes.count - 1] += 1 } else { sizes.append(1) }
        }
        let isLayered =
            sizes[0] >= 2 && sizes.dropLast().allSatisfy { $0 == sizes[0] }
            && sizes.count { $0 == sizes[0] } >= 3
        return isLayered ? Judgement(.fail, "bursts") : Judgement(.pass)
    }

    private static func mean(_ values: [Duration]) -> Double {
        values.reduce(0) { $0 + $1.amount } / Double(values.count)
    }

    private static func median(_ values: [Duration]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        let half = sorted.count / 2
        if sorted.count % 2 == 1 { return sorted[half].amount }
        return (sorted[half - 1].amount + sorted[half].amount) / 2
    }

    /// The positive root of a degree, by bisection: a pure module has no `pow`.
    private static func root(_ value: Double, _ degree: Int) -> Double {
        var (low, high) = (0.0, max(1, value))
        for _ in 0..<100 {
            let middle = (low + high) / 2
            let power = (0..<degree).reduce(1.0) { product, _ in product * middle }
            if power < value { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}

extension Duration {
    /// Nanoseconds, for ratios and means.
    fileprivate var amount: Double { Double(nanoseconds) }
}
