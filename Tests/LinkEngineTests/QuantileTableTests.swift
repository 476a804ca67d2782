import Basics
import Testing

@testable import LinkEngine

@Suite struct QuantileTableTests {
    /// Entries in units of the scale.
    private func values(_ table: QuantileTable) -> [Double] {
        (0..<UInt64(4_096)).map { place in
            let value = table.value(draw: place << 52, scale: .seconds(1))
            return Double(value.nanoseconds) / 1e9
        }
    }

    private func moments(_ list: [Double]) -> (mean: Double, deviation: Double) {
        let mean = list.reduce(0, +) / Double(list.count)
        let squares = list.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return (mean, (squares / Double(list.count)).squareRoot())
    }

    @Test func `the normal table is symmetric with deviation one`() {
        let list = values(.normal)
        #expect(zip(list, list.reversed()).allSatisfy { abs($0 + $1) < 1e-8 })
        #expect(zip(list, list.dropFirst()).allSatisfy { $0 <= $1 })
        // Quantiles at bin centres miss a little of the tails: 0.9995.
        #expect(abs(moments(list).deviation - 0.9995) < 0.001)
        // Φ⁻¹(0.75 + 1/8192) = 0.67487.
        #expect(abs(list[3_072] - 0.67487) < 1e-4)
        // Φ⁻¹(1 − 1/8192) = 3.66873.
        #expect(abs(list[4_095] - 3.66873) < 1e-3)
    }

    @Test func `the exponential table has mean one and its own quantiles`() {
        let list = values(.exponential)
        #expect(abs(moments(list).mean - 1) < 0.001)
        // −ln(½ − 1/8192) = 0.693391 at 2,048.
        #expect(abs(list[2_048] - 0.693391) < 5e-5)
        // ln 8192 = 9.010913.
        #expect(abs(list[4_095] - 9.010913) < 5e-4)
    }

    @Test func `the Pareto table only lengthens and has the quantiles of its formula`() {
        let list = values(.pareto)
        #expect(list.allSatisfy { $0 >= 0 })
        // 1.154701·(∛2.000488 − 1) = 0.300196 at 2,048; 1.154701·(∛8192 − 1) = 22.1225 at the end.
        #expect(abs(list[2_048] - 0.300243) < 2e-4)
        #expect(abs(list[4_095] - 22.1225) < 5e-3)
    }
}
