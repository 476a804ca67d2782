import Basics
import LinkEngine
internal import YAML

private enum LossKey: String, SchemaKey {
    case bernoulli, burst, list
    case gilbertElliott = "gilbert-elliott"
    case fourState = "four-state"
}

private enum BurstKey: String, SchemaKey { case loss, mean }
private enum GilbertElliottKey: String, SchemaKey { case p, r, h, k }
private enum FourStateKey: String, SchemaKey { case p13, p31, p32, p23, p14 }

extension Diagnostics {
    /// `none`, a percentage (each packet by itself), or one of the named forms.
    mutating func loss(_ node: Node) -> LossModel? {
        if case .scalar(let text) = node.value {
            return text == "none" ? LossModel.none : bernoulli(node)
        }
        guard
            let setting = onlySetting(
                of: node,
                LossKey.self,
                like: "loss like 1% or {bernoulli: 1%}"
            )
        else { return nil }
        switch setting.key {
        case .bernoulli: return bernoulli(setting.value)
        case .burst: return burst(setting.value)
        case .gilbertElliott: return gilbertElliott(setting.value)
        case .fourState: return fourState(setting.value)
        case .list: return lossList(setting.value)
        }
    }

    /// Exactly the packets with these indexes, to repeat a recorded run.
    private mutating func lossList(_ node: Node) -> LossModel? {
        let limit = ProfileLimits.listedLosses
        guard let items = items(node, expected: "packet indexes", limit: limit) else { return nil }
        var indexes: [UInt64] = []
        for item in items {
            guard let index = wholeNumber(item) else { return nil }
            if let last = indexes.last, index <= last {
                report("packet indexes ascend; \(index) follows \(last)", at: item.place)
                return nil
            }
            indexes.append(index)
        }
        return indexes.isEmpty ? LossModel.none : .list(indexes)
    }

    private mutating func bernoulli(_ node: Node) -> LossModel? {
        probability(node).map { $0 == .zero ? .none : .bernoulli($0) }
    }

    /// Mean loss L and mean burst B in packets: r = 1/B, p = L/(B(1 - L)).
    ///
    /// B ≥ 1, and p ≤ 1 means L ≤ B/(1 + B).
    private mutating func burst(_ node: Node) -> LossModel? {
        var mean: (numerator: UInt64, denominator: UInt64)?
        var loss: Probability?
        for setting in settings(of: node, BurstKey.self, in: "burst loss") {
            switch setting.key {
            case .loss: loss = probability(setting.value)
            case .mean: mean = meanBurst(setting.value)
            }
        }
        guard let loss = required(loss, "loss", in: node),
            let mean = required(mean, "mean", in: node)
        else { return nil }
        if loss == .zero { return LossModel.none }
        guard let toBad = goodToBad(loss, mean),
            let toGood = Probability(mean.denominator, outOf: mean.numerator)
        else {
            report(
                "\(Quantity.text(loss)) loss is too much for such short bursts; "
                    + "expected at most mean/(1 + mean)",
                at: node.place
            )
            return nil
        }
        return .gilbertElliott(GilbertElliott(goodToBad: toBad, badToGood: toGood))
    }

    private mutating func meanBurst(_ node: Node) -> (numerator: UInt64, denominator: UInt64)? {
        guard let text = scalar(node, expected: "a number of packets, like 4packets") else {
            return nil
        }
        let limit = ProfileLimits.burstPackets
        guard let mean = PacketCount.fraction(text), mean.numerator >= mean.denominator,
            mean.numerator <= limit * mean.denominator
        else {
            report(
                "'\(text)' is not a mean burst; expected 1packet to \(limit)packets",
                at: node.place
            )
            return nil
        }
        return mean
    }

    private func goodToBad(
        _ loss: Probability,
        _ mean: (numerator: UInt64, denominator: UInt64)
    ) -> Probability? {
        let one = UInt128(Probability.one.threshold)
        // What was written lies above `lost - 1` and not above `lost`; it may be the very limit.
        let lost = UInt128(loss.threshold)
        guard
            (lost - 1) * UInt128(mean.denominator) < UInt128(mean.numerator) * (one - lost + 1)
        else { return nil }
        let denominator = UInt128(mean.numerator) * (one - lost)
        guard denominator > 0 else { return nil }
        // At most 2⁵³ · 10⁶ · 2⁵³ < 2¹²⁷.
        let numerator = lost * UInt128(mean.denominator) * one
        let threshold = min(one, (numerator + denominator - 1) / denominator)
        return Probability(UInt64(threshold), outOf: Probability.one.threshold)
    }

    private mutating func gilbertElliott(_ node: Node) -> LossModel? {
        var chances: [GilbertElliottKey: Probability] = [:]
        for setting in settings(of: node, GilbertElliottKey.self, in: "a Gilbert-Elliott chain") {
            chances[setting.key] = probability(setting.value)
        }
        guard let p = required(chances[.p], "p", in: node),
            let r = required(chances[.r], "r", in: node)
        else { return nil }
        guard p > .zero || r > .zero else {
            report("p and r are both 0%: the chain would never move", at: node.place)
            return nil
        }
        return .gilbertElliott(
            GilbertElliott(
                goodToBad: p,
                badToGood: r,
                lossInGood: (chances[.k] ?? .one).complement,
                lossInBad: (chances[.h] ?? .zero).complement
            )
        )
    }

    private mutating func fourState(_ node: Node) -> LossModel? {
        var chances: [FourStateKey: Probability] = [:]
        for setting in settings(of: node, FourStateKey.self, in: "a four-state chain") {
            chances[setting.key] = probability(setting.value)
        }
        let values = FourStateKey.allCases.map { required(chances[$0], $0.rawValue, in: node) }
        guard let p13 = values[0], let p31 = values[1], let p32 = values[2], let p23 = values[3],
            let p14 = values[4]
        else { return nil }
        for (a, b, state) in [(p13, p14, "1"), (p31, p32, "3")]
        where a.threshold + b.threshold > Probability.one.threshold {
            report("the chances to leave state \(state) add up to over 100%", at: node.place)
            return nil
        }
        return .fourState(FourState(p13: p13, p31: p31, p32: p32, p23: p23, p14: p14))
    }
}

extension Probability {
    /// The chance that it does not happen; exact.
    var complement: Probability {
        let one = Probability.one.threshold
        guard let rest = Probability(one - threshold, outOf: one) else {
            preconditionFailure("a threshold is at most one")
        }
        return rest
    }
}
