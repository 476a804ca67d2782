import Basics
import LinkEngine
import LinkProfile
import Testing

@Suite struct TraceGeneratorTests {
    /// What is said of recorded drives: rates in Mbit/s over seconds, and silence.
    private struct Statistics {
        var mean: Double
        var p5: Double
        var p50: Double
        var p95: Double
        var emptyShare: Double
        var longestGapSeconds: Double

        init(_ trace: DeliveryTrace) {
            let times = trace.opportunitiesMilliseconds
            let end = Int(times.last ?? 1)
            let seconds = Statistics.bits(times, bin: 1_000, count: end / 1_000).sorted()
            let tenths = Statistics.bits(times, bin: 100, count: end / 100)
            func percentile(_ share: Double) -> Double {
                seconds[Int(share * Double(seconds.count - 1) + 0.5)] / 1_000_000
            }
            mean = Double(trace.meanBitsPerSecond) / 1_000_000
            (p5, p50, p95) = (percentile(0.05), percentile(0.5), percentile(0.95))
            emptyShare = Double(tenths.count { $0 == 0 }) / Double(tenths.count)
            let gaps = zip(times, times.dropFirst()).map { $1 - $0 }
            longestGapSeconds = Double(gaps.max() ?? 0) / 1_000
        }

        private static func bits(_ times: [UInt32], bin: Int, count: Int) -> [Double] {
            var bins = [Double](repeating: 0, count: count)
            for time in times where (Int(time) - 1) / bin < count {
                bins[(Int(time) - 1) / bin] += 12_000
            }
            return bins
        }
    }

    private func statistics(_ profile: String) throws -> Statistics {
        guard case .trace(let trace) = try library().load(profile).link.down.capacity else {
            throw ProfileError.unknownProfile(profile, suggestions: [])
        }
        return Statistics(trace)
    }

    /// Within a tenth of the recorded figure, or `slack`.
    private func isNear(_ value: Double, _ target: Double, slack: Double = 0) -> Bool {
        abs(value - target) <= max(target * 0.1, slack)
    }

    @Test func `the LTE drive has the statistics of recorded drives`() throws {
        let drive = try statistics("lte-drive")
        #expect(isNear(drive.mean, 4.6), "\(drive)")
        #expect(isNear(drive.p5, 0.6, slack: 0.1), "\(drive)")
        #expect(isNear(drive.p50, 3.7), "\(drive)")
        #expect(isNear(drive.p95, 11), "\(drive)")
        #expect(isNear(drive.emptyShare, 0.07, slack: 0.01), "\(drive)")
        #expect(isNear(drive.longestGapSeconds, 1.1), "\(drive)")
    }

    @Test func `the 3G drive has the statistics of recorded drives`() throws {
        let drive = try statistics("umts-drive")
        #expect(isNear(drive.mean, 2, slack: 0.3), "\(drive)")
        #expect(isNear(drive.p5, 0.02, slack: 0.01), "\(drive)")
        #expect(isNear(drive.p50, 1.9), "\(drive)")
        #expect(isNear(drive.p95, 5.4), "\(drive)")
        #expect(isNear(drive.emptyShare, 0.12, slack: 0.01), "\(drive)")
        #expect(isNear(drive.longestGapSeconds, 5.8, slack: 1.2), "\(drive)")
    }

    private func poisson(_ rate: String, seed: Int) throws -> DeliveryTrace {
        let profile = try load(
            "link: {trace: {generate: poisson, rate: \(rate), length: 100s, seed: \(seed)}}"
        )
        guard case .trace(let trace) = profile.link.up.capacity else {
            throw ProfileError.unknownProfile("poisson", suggestions: [])
        }
        return trace
    }

    @Test(arguments: ["120kbit/s", "12Mbit/s", "150Mbit/s"])
    func `a Poisson trace has mean and variance of its rate`(rate: String) throws {
        // n = 100,000 draws of mean λ (0.01, 1 and 12.5): the sum lies within 5 standard
        // deviations √(nλ); the variance within 5 · √((2λ² + λ)/n).
        let times = try poisson(rate, seed: 7).opportunitiesMilliseconds
        let lambda = Double(try Quantity.bitRate(rate).bitsPerSecond) / 12_000_000
        let n = 100_000.0
        #expect(abs(Double(times.count) - n * lambda) < 5 * (n * lambda).squareRoot())
        var counts = [Double](repeating: 0, count: 100_000)
        for time in times { counts[Int(time) - 1] += 1 }
        let variance = counts.map { ($0 - lambda) * ($0 - lambda) }.reduce(0, +) / n
        let bound = 5 * ((2 * lambda * lambda + lambda) / n).squareRoot()
        #expect(abs(variance - lambda) < bound, "\(variance)")
    }

    @Test func `the same seed makes the same trace, another seed another`() throws {
        let trace = try poisson("1Mbit/s", seed: 1)
        #expect(try poisson("1Mbit/s", seed: 1) == trace)
        #expect(try poisson("1Mbit/s", seed: 2) != trace)
        #expect(trace.opportunitiesMilliseconds.prefix(5) == [34, 36, 38, 52, 53])
    }

    @Test func `a trace without any opportunity is a mistake`() {
        let silence = "link: {trace: {generate: poisson, rate: 100bit/s, length: 1ms, seed: 1}}"
        #expect(
            mistakes(silence) == ["p.yaml:1:15: error: the trace has no opportunity at all"]
        )
    }
}
