internal import Basics

/// Extra delay for each packet of one stream; see `Jitter`.
struct JitterProcess {
    private let jitter: Jitter
    private let draw: AddressedRandom.Series

    init(jitter: Jitter, random: AddressedRandom, key: UInt64, direction: Direction) {
        self.jitter = jitter
        draw = random.series(key: key, direction: direction, stage: .jitter)
    }

    /// Added to the propagation delay; the sum is held at or above zero by the caller.
    @inline(__always)
    func extra(at index: UInt64) -> Duration {
        switch jitter {
        case .none:
            return .zero
        case .uniform(let spread):
            let width = UInt64(spread.nanoseconds) * 2 + 1
            let offset = Int64(draw.integer(below: width, at: index))
            return Duration(nanoseconds: offset) - spread
        case .normal(let deviation):
            return QuantileTable.normal.value(draw: draw.bits(at: index), scale: deviation)
        case .pareto(let deviation):
            return QuantileTable.pareto.value(draw: draw.bits(at: index), scale: deviation)
        }
    }
}
