package import Basics
package import LinkEngine

/// Makes delivery opportunities by chance, the same for the same settings everywhere.
///
/// A Markov-modulated Poisson process on a ladder of states. In each millisecond the number of
/// opportunities is Poisson with the rate of the state; then the state changes with chance
/// 1 ms / stay, to the next one above or below with even chances, at an end of the ladder to its
/// only neighbour. One state alone is a Poisson process. It starts in the middle of the ladder.
package struct TraceGenerator: Hashable, Sendable {
    package struct State: Hashable, Sendable {
        /// Mean rate; nil is a gap.
        package var rate: BitRate?
        /// Mean time before the state is left, in steps of 1 ms.
        package var stay: Duration
    }

    /// From the slowest to the fastest, by custom; at least one.
    package var states: [State]
    /// In whole milliseconds.
    package var length: Duration
    package var seed: UInt64

    /// The trace; nil if chance gave it no opportunity at all.
    package func trace() -> DeliveryTrace? {
        let random = AddressedRandom(seed: seed)
            .series(key: 0, direction: .down, stage: .traceGeneration)
        let counts = states.map { PoissonTable(rate: $0.rate) }
        let leaving = states.map { chanceToLeave($0) }
        var state = states.count / 2
        var opportunities: [UInt32] = []
        let end = UInt32(clamping: length.nanoseconds / 1_000_000)
        for millisecond in 0..<end {
            let index = UInt64(millisecond) * 2
            let count = counts[state].count(for: random.bits(at: index))
            for _ in 0..<count { opportunities.append(millisecond + 1) }
            let move = random.bits(at: index + 1)
            if move >> 11 < leaving[state].threshold {
                state = neighbour(of: state, upward: move & 1 == 1)
            }
        }
        return DeliveryTrace(opportunitiesMilliseconds: opportunities)
    }

    private func chanceToLeave(_ state: State) -> Probability {
        let millisecond: Int64 = 1_000_000
        return Probability(
            UInt64(millisecond),
            outOf: UInt64(max(millisecond, state.stay.nanoseconds))
        ) ?? .one
    }

    private func neighbour(of state: Int, upward: Bool) -> Int {
        guard states.count > 1 else { return state }
        if state == 0 { return 1 }
        if state == states.count - 1 { return state - 1 }
        return upward ? state + 1 : state - 1
    }
}

/// Turns 64 even random bits into a Poisson count, by integer cumulative chances.
///
/// e^(-λ) is (1 - λ/2³²)^(2³²) by 32 squarings of a 64-bit fraction; for λ ≤ 12.5 its relative
/// error is below 10⁻⁷ (λ²/2³³ from the limit, 2⁻³² from cutting off).
private struct PoissonTable {
    /// Chance, in 1/2⁶⁴, of at most 0, 1, 2 … opportunities; ascending.
    private let cumulative: [UInt64]

    /// 12,000 bits of rate are one opportunity.
    init(rate: BitRate?) {
        guard let rate else {
            cumulative = [.max]
            return
        }
        let mean = UInt128(rate.bitsPerSecond) << 32 / 12_000_000
        var chance = 0 &- UInt64(truncatingIfNeeded: mean)
        for _ in 0..<32 { chance = chance.multipliedFullWidth(by: chance).high }
        var sums: [UInt64] = []
        var sum: UInt64 = 0
        var count: UInt128 = 0
        while chance > 0 {
            let (total, overflow) = sum.addingReportingOverflow(chance)
            guard !overflow else { break }
            sum = total
            sums.append(sum)
            count += 1
            chance = UInt64(clamping: UInt128(chance) * mean / (count << 32))
        }
        cumulative = sums
    }

    func count(for bits: UInt64) -> Int {
        cumulative.firstIndex { bits < $0 } ?? cumulative.count - 1
    }
}
