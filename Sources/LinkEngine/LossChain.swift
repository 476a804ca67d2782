package import Basics

/// A Markov chain of loss states that moves one step for each packet it judges.
struct LossChain {
    /// The series of draws that a chain uses.
    struct Draws {
        var start: AddressedRandom.Series
        var move: AddressedRandom.Series
        var inState: AddressedRandom.Series
    }

    private enum State: UInt8 { case good, bad, isolated, goodInBurst }

    private let model: LossModel
    private let draws: Draws
    private let firstStep: UInt64
    private var state = State.good
    /// How many packets were judged.
    private(set) var steps: UInt64 = 0

    /// Makes a chain in a state drawn at `firstStep`, from which its steps count on.
    init(model: LossModel, draws: Draws, firstStep: UInt64) {
        self.model = model
        self.draws = draws
        self.firstStep = firstStep
        if case .gilbertElliott(let chain) = model, startsBad(chain) { state = .bad }
    }

    /// In the stationary distribution the chain is bad with π = p/(p + r).
    private func startsBad(_ chain: GilbertElliott) -> Bool {
        let p = chain.goodToBad.threshold
        let sum = p + chain.badToGood.threshold
        return sum > 0 && draws.start.integer(below: sum, at: firstStep) < p
    }

    /// Moves on to packet number `step` without judging those before it.
    mutating func skip(to step: UInt64) {
        while steps < step { _ = losesNext(at: 0) }
    }

    /// Whether the next packet is lost; `index` is its own, for a draw within a state.
    mutating func losesNext(at index: UInt64) -> Bool {
        defer { steps += 1 }
        switch model {
        case .none, .bernoulli, .list:
            return false
        case .gilbertElliott(let chain):
            // Judged in the state before its own step.
            let chance = state == .bad ? chain.lossInBad : chain.lossInGood
            let isLost = draws.inState.happens(chance, at: index)
            let leave = state == .bad ? chain.badToGood : chain.goodToBad
            if moves(leave) { state = state == .bad ? .good : .bad }
            return isLost
        case .fourState(let chain):
            // Netem moves first and then loses in the two loss states.
            state = following(chain)
            return state == .bad || state == .isolated
        }
    }

    private func moves(_ chance: Probability) -> Bool {
        draws.move.happens(chance, at: firstStep + steps)
    }

    private func following(_ chain: FourState) -> State {
        let draw = draws.move.bits(at: firstStep + steps) >> 11
        switch state {
        case .good:
            if draw < chain.p13.threshold { return .bad }
            return draw < chain.p13.threshold + chain.p14.threshold ? .isolated : .good
        case .isolated:
            return .good
        case .bad:
            if draw < chain.p31.threshold { return .good }
            return draw < chain.p31.threshold + chain.p32.threshold ? .goodInBurst : .bad
        case .goodInBurst:
            return draw < chain.p23.threshold ? .bad : .goodInBurst
        }
    }
}

extension LossModel {
    /// The share of packets lost in the long run; zero for a list.
    package var meanLoss: Probability {
        switch self {
        case .none, .list: .zero
        case .bernoulli(let chance): chance
        case .gilbertElliott(let chain): chain.meanLoss
        case .fourState(let chain): chain.meanLoss
        }
    }
}

extension Probability {
    fileprivate static let unit = Int128(1) << 53

    fileprivate var fixed: Int128 { Int128(threshold) }

    fileprivate init(fixed: Int128) {
        self = Probability(UInt64(clamping: fixed), outOf: 1 << 53) ?? .one
    }
}

extension GilbertElliott {
    /// π(1 − h) + (1 − π)(1 − k) with π = p/(p + r).
    fileprivate var meanLoss: Probability {
        let sum = goodToBad.fixed + badToGood.fixed
        guard sum > 0 else { return lossInGood }
        return Probability(
            fixed: (goodToBad.fixed * lossInBad.fixed + badToGood.fixed * lossInGood.fixed) / sum
        )
    }
}

extension FourState {
    /// (π₃ + π₄) of the stationary distribution, with π₁ = 1: π₃ = p13/p31, π₂ = π₃·p32/p23,
    /// π₄ = p14.
    fileprivate var meanLoss: Probability {
        guard p31.threshold > 0 else { return p13.threshold > 0 ? .one : .zero }
        guard p32.threshold == 0 || p23.threshold > 0 else { return .zero }
        let burst = p13.fixed * Probability.unit / p31.fixed
        let goodInBurst = p32.threshold == 0 ? 0 : burst * p32.fixed / p23.fixed
        let lost = burst + p14.fixed
        return Probability(
            fixed: lost * Probability.unit / (Probability.unit + lost + goodInBurst)
        )
    }
}
