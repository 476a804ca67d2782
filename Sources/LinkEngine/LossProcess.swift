internal import Basics

/// Decides which packets of one stream are lost; see `LossModel`.
///
/// With `PacketIndexing.packet` one chain moves once for each packet. With `.offset` one chain
/// moves once for each new slot of data and another once for each packet without data, so that
/// neither depends on timing. A resend is then judged by the mean loss alone: it follows a round
/// trip later, when a burst counted in packets is over, and a chain that stands still until new
/// data is sent must not hold a resend for ever.
/// For datagrams it moves once for each number of the flow, whether that one entered the link or not.
struct LossProcess {
    private let model: LossModel
    private let indexing: PacketIndexing
    private let meanLoss: Probability
    private let draw: AddressedRandom.Series
    private var dataChain: LossChain
    private var controlChain: LossChain

    init(
        model: LossModel,
        indexing: PacketIndexing,
        random: AddressedRandom,
        key: UInt64,
        direction: Direction
    ) {
        self.model = model
        self.indexing = indexing
        meanLoss = model.meanLoss
        draw = random.series(key: key, direction: direction, stage: .loss)
        let series = LossChain.Draws(
            start: random.series(key: key, direction: direction, stage: .lossChainStart),
            move: random.series(key: key, direction: direction, stage: .lossChainMove),
            inState: random.series(key: key, direction: direction, stage: .lossInState)
        )
        dataChain = LossChain(model: model, draws: series, firstStep: 0)
        controlChain = LossChain(model: model, draws: series, firstStep: 1 << 62)
    }

    mutating func loses(_ outgoing: borrowing Outgoing, index: UInt64) -> Bool {
        switch model {
        case .none: return false
        case .bernoulli(let chance): return draw.happens(chance, at: index)
        case .list(let indexes): return Self.contains(index, in: indexes)
        case .gilbertElliott, .fourState: break
        }
        if outgoing.packet.kind == .datagram {
            dataChain.skip(to: index)
            return dataChain.losesNext(at: index)
        }
        if indexing == .packet { return dataChain.losesNext(at: index) }
        guard outgoing.packet.kind == .data else { return controlChain.losesNext(at: index) }
        let slot = UInt64(outgoing.packet.offset) / UInt64(WireSize.fullSegment)
        guard outgoing.earlierSends == 0, slot >= dataChain.steps else {
            return draw.happens(meanLoss, at: index)
        }
        dataChain.skip(to: slot)
        return dataChain.losesNext(at: index)
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
}
