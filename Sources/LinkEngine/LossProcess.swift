/// Decides which packets of one stream are lost; see `LossModel`.
///
/// A chain moves once for each packet (`PacketIndexing.packet`) or once for each new slot of data
/// (`.offset`), where resends and other packets are judged in the state of the newest slot.
struct LossProcess {
    private enum ChainState: UInt8 { case good, bad, isolated, goodInBurst }

    private let model: LossModel
    private let movesWithSlots: Bool
    private let draw: AddressedRandom.Series
    private let move: AddressedRandom.Series
    private let inState: AddressedRandom.Series
    private var state: ChainState
    /// Steps of the chain so far.
    private var steps: UInt64 = 0

    init(
        model: LossModel, indexing: PacketIndexing, random: AddressedRandom, key: UInt64,
        direction: Direction
    ) {
        self.model = model
        movesWithSlots = indexing == .offset
        draw = random.series(key: key, direction: direction, stage: .loss)
        move = random.series(key: key, direction: direction, stage: .lossChainMove)
        inState = random.series(key: key, direction: direction, stage: .lossInState)
        state = .good
        if case .gilbertElliott(let chain) = model, Self.startsBad(
            chain, random.series(key: key, direction: direction, stage: .lossChainStart))
        {
            state = .bad
        }
    }

    /// In the stationary distribution the chain is bad with π = p/(p + r).
    private static func startsBad(
        _ chain: GilbertElliott, _ start: AddressedRandom.Series
    ) -> Bool {
        let p = chain.goodToBad.threshold
        let sum = p + chain.badToGood.threshold
        guard sum > 0 else { return false }
        return start.integer(below: sum, at: 0) < p
    }

    mutating func loses(_ packet: borrowing Packet, index: UInt64) -> Bool {
        switch model {
        case .none: false
        case .bernoulli(let chance): draw.happens(chance, at: index)
        case .gilbertElliott(let chain): losesInChain(chain, packet, index: index)
        case .fourState(let chain): losesInChain(chain, packet, index: index)
        case .list(let indexes): Self.contains(index, in: indexes)
        }
    }

    private static func contains(_ index: UInt64, in indexes: [UInt64]) -> Bool {
        var low = 0
        var high = indexes.count
        while low < high {
            let middle = (low + high) / 2
            if indexes[middle] < index { low = middle + 1 } else { high = middle }
        }
        return low < indexes.count && indexes[low] == index
    }

    /// How often the chain steps for this packet, which data counted `steps` so far.
    private func stepsDue(_ packet: borrowing Packet) -> UInt64 {
        guard movesWithSlots else { return 1 }
        guard packet.kind == .data else { return 0 }
        let slot = UInt64(packet.offset) / UInt64(WireSize.fullSegment)
        return slot + 1 > steps ? slot + 1 - steps : 0
    }

    /// The packet is judged in the state before its own step.
    private mutating func losesInChain(
        _ chain: GilbertElliott, _ packet: borrowing Packet, index: UInt64
    ) -> Bool {
        for _ in 1..<max(stepsDue(packet), 1) { step(chain) }
        let chance = state == .bad ? chain.lossInBad : chain.lossInGood
        let isLost = inState.happens(chance, at: index)
        if stepsDue(packet) > 0 { step(chain) }
        return isLost
    }

    private mutating func step(_ chain: GilbertElliott) {
        let chance = state == .bad ? chain.badToGood : chain.goodToBad
        if move.happens(chance, at: steps) { state = state == .bad ? .good : .bad }
        steps += 1
    }

    /// Netem moves first and then loses in the two loss states.
    private mutating func losesInChain(
        _ chain: FourState, _ packet: borrowing Packet, index: UInt64
    ) -> Bool {
        for _ in 0..<stepsDue(packet) { step(chain) }
        return state == .bad || state == .isolated
    }

    private mutating func step(_ chain: FourState) {
        let draw = move.bits(at: steps) >> 11
        steps += 1
        switch state {
        case .good:
            if draw < chain.p13.threshold {
                state = .bad
            } else if draw < chain.p13.threshold + chain.p14.threshold {
                state = .isolated
            }
        case .isolated: state = .good
        case .bad:
            if draw < chain.p31.threshold {
                state = .good
            } else if draw < chain.p31.threshold + chain.p32.threshold {
                state = .goodInBurst
            }
        case .goodInBurst:
            if draw < chain.p23.threshold { state = .bad }
        }
    }
}
