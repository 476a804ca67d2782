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
    static let atOnceNanoseconds: UInt64 = 50_000_000
    /// Runs with the same faults and different seeds that are needed to compare means.
    package static let runsNeeded = 8

    /// Whether the gaps of one stretch grow.
    ///
    /// - Parameters:
    ///   - gaps: in order, in nanoseconds.
    ///   - cap: gaps that reach it say nothing and are left out.
    /// - Returns: `fail` for `hammer` and `flat`; `skipped` for fewer than four gaps.
    package static func growth(_ gaps: [UInt64], cap: UInt64? = nil) -> Judgement {
        let below = gaps.filter { gap in cap.map { gap < $0 - $0 / 20 } ?? true }
        guard gaps.count >= 4 else { return Judgement(.skipped, "fewer-than-4-gaps") }
        guard below.count >= 4 else { return Judgement(.inconclusive, "at-the-cap") }
        let (least, most) = (below.min() ?? 0, below.max() ?? 0)
        if most < atOnceNanoseconds { return Judgement(.fail, "hammer") }
        if below.count >= 5, Double(most) < 1.5 * Double(least) { return Judgement(.fail, "flat") }
        // By chance 4 draws from one range do so in fewer than 1 of 100 cases.
        let ratios = zip(below, below.dropFirst()).map { Double($1) / max(Double($0), 1) }
        if ratios.allSatisfy({ $0 >= 1.3 }) { return Judgement(.pass) }
        guard below.count >= 8 else { return Judgement(.inconclusive, "fewer-than-8-gaps") }
        let half = below.count / 2
        let first = below[..<half].max() ?? 0
        let second = below[half...].max() ?? 0
        if Double(second) >= 2 * Double(first) { return Judgement(.pass) }
        return Judgement(.inconclusive, "no-clear-growth")
    }

    /// Whether the gaps grow on average over runs with the same faults and different seeds.
    ///
    /// - Parameter runs: of each run the gaps of one stretch, in nanoseconds.
    /// - Returns: `skipped` for fewer than `runsNeeded` runs of two gaps.
    package static func growth(over runs: [[UInt64]]) -> Judgement {
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
    package static func jitter(over runs: [[UInt64]]) -> Judgement {
        guard runs.count >= runsNeeded, let count = runs.map(\.count).min() else {
            return Judgement(.skipped, "fewer-than-\(runsNeeded)-runs")
        }
        var verdicts: [Judgement] = []
        for index in 0..<count {
            let gaps = runs.map { $0[index] }
            let mean = mean(gaps)
            guard mean >= 1_000_000_000 else { continue }
            let spread = Double((gaps.max() ?? 0) - (gaps.min() ?? 0)) / mean
            let near = max(20_000_000, mean * 0.02)
            let alike = gaps.count { abs(Double($0) - median(gaps)) <= near }
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
    package static func jitter(_ gaps: [UInt64]) -> Judgement {
        guard gaps.count >= 4 else { return Judgement(.skipped, "fewer-than-4-gaps") }
        let ratios = zip(gaps, gaps.dropFirst()).map { Double($1) / max(Double($0), 1) }
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
    package static func layers(_ gaps: [UInt64]) -> Judgement {
        guard gaps.count >= 5 else { return Judgement(.skipped, "fewer-than-6-tries") }
        let larger = gaps.sorted().suffix((gaps.count + 1) / 2)
        let limit = median(Array(larger)) / 5
        var sizes = [1]
        for gap in gaps {
            if Double(gap) < limit { sizes[sizes.count - 1] += 1 } else { sizes.append(1) }
        }
        let isLayered =
            sizes[0] >= 2 && sizes.dropLast().allSatisfy { $0 == sizes[0] }
            && sizes.count { $0 == sizes[0] } >= 3
        return isLayered ? Judgement(.fail, "bursts") : Judgement(.pass)
    }

    private static func mean(_ values: [UInt64]) -> Double {
        values.reduce(0) { $0 + Double($1) } / Double(values.count)
    }

    private static func median(_ values: [UInt64]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        let half = sorted.count / 2
        if sorted.count % 2 == 1 { return Double(sorted[half]) }
        return (Double(sorted[half - 1]) + Double(sorted[half])) / 2
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
