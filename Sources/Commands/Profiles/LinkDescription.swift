internal import Basics
internal import LinkEngine
internal import LinkProfile

/// A link in words.
enum LinkDescription {
    /// One direction: `50 Mbit/s, 50 ms one way, 1% loss`.
    static func direction(_ path: PathSettings) -> String {
        var parts = [capacity(path.capacity)]
        if path.delay > .zero { parts.append("\(Quantity.readable(path.delay)) one way") }
        if let jitter = jitter(path.jitter) { parts.append(jitter) }
        if let loss = loss(path.loss) { parts.append("\(loss) loss") }
        if let queue = queue(path.queue) { parts.append(queue) }
        if path.outages.schedule != .never { parts.append("outages") }
        return parts.joined(separator: ", ")
    }

    static func capacity(_ capacity: Capacity) -> String {
        switch capacity {
        case .unlimited: "no rate limit"
        case .rate(let rate): Quantity.readable(rate)
        case .trace(let trace):
            "trace of \(Figures.rate(bitsPerSecond: trace.meanBitsPerSecond)) mean"
        }
    }

    /// Short, for a table: `12.5M`, `~2.64M` for the mean of a trace, `-` for no limit.
    static func shortRate(_ capacity: Capacity) -> String {
        switch capacity {
        case .unlimited: "-"
        case .rate(let rate): short(rate.bitsPerSecond)
        case .trace(let trace): "~" + short(trace.meanBitsPerSecond / 10_000 * 10_000)
        }
    }

    private static func short(_ bitsPerSecond: UInt64) -> String {
        for (unit, scale) in [("G", UInt64(1_000_000_000)), ("M", 1_000_000), ("k", 1_000)]
        where bitsPerSecond >= scale {
            return Figures.trimmed(Figures.fixed(bitsPerSecond, scale: scale, decimals: 3)) + unit
        }
        return String(bitsPerSecond)
    }

    /// Round trip of an empty link in whole milliseconds, or finer below ten.
    static func roundTrip(_ link: LinkSettings) -> String {
        let sum = link.down.delay + link.up.delay
        if sum == .zero { return "-" }
        let microseconds = UInt64(max(0, sum.nanoseconds) / 1_000)
        let decimals = microseconds.isMultiple(of: 1_000) ? 0 : 1
        return Figures.fixed(microseconds, scale: 1_000, decimals: decimals) + " ms"
    }

    private static func jitter(_ jitter: Jitter) -> String? {
        switch jitter {
        case .none: nil
        case .uniform(let spread): "±\(Quantity.readable(spread)) jitter"
        case .normal(let spread): "\(Quantity.readable(spread)) normal jitter"
        case .pareto(let spread): "\(Quantity.readable(spread)) Pareto jitter"
        }
    }

    private static func queue(_ queue: QueueLimit) -> String? {
        switch queue {
        case .automatic: nil
        case .packets(let count): "queue of \(Figures.count(count, "packet"))"
        case .bytes(let count): "queue of \(Figures.bytes(UInt64(max(0, count))))"
        }
    }

    /// The share of packets lost, `nil` for none.
    static func loss(_ model: LossModel) -> String? {
        switch model {
        case .none: nil
        case .bernoulli(let chance): percent(chance)
        case .gilbertElliott(let chain): "\(mean(of: chain)) in bursts"
        case .fourState: "four-state"
        case .list(let indexes): "\(Figures.count(indexes.count, "packet")) by number"
        }
    }

    /// The stationary loss of a Gilbert-Elliott chain, π(1-h) + (1-π)(1-k) with π = p/(p+r).
    private static func mean(of chain: GilbertElliott) -> String {
        let p = share(chain.goodToBad)
        let r = share(chain.badToGood)
        guard p + r > 0 else { return percent(chain.lossInGood) }
        let bad = p / (p + r)
        return percent(bad * share(chain.lossInBad) + (1 - bad) * share(chain.lossInGood))
    }

    private static func share(_ chance: Probability) -> Double {
        Double(chance.threshold) / Double(Probability.one.threshold)
    }

    private static func percent(_ chance: Probability) -> String { percent(share(chance)) }

    /// At most three decimals, without zeros at the end.
    private static func percent(_ share: Double) -> String {
        Figures.trimmed(Figures.fixed(UInt64(share * 100_000 + 0.5), scale: 1_000, decimals: 3))
            + "%"
    }
}
