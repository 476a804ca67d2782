import Testing

@testable import LinkEngine
@testable import Basics

@Suite struct LossProcessTests {
    private static let count = 200_000

    /// Fates of full segments sent in order.
    private func fates(_ model: LossModel, indexing: PacketIndexing = .offset) -> [Bool] {
        var process = LossProcess(
            model: model,
            indexing: indexing,
            random: AddressedRandom(seed: 5),
            key: 3,
            direction: .down
        )
        return (0..<Self.count).map { place in
            var packet = Packet(kind: .data)
            packet.offset = Int64(place * WireSize.fullSegment)
            return process.loses(Outgoing(packet: packet), index: UInt64(place))
        }
    }

    private func share(_ fates: [Bool]) -> Double {
        Double(fates.count { $0 }) / Double(fates.count)
    }

    private func meanBurst(_ fates: [Bool]) -> Double {
        let starts = zip([false] + fates, fates).count { !$0 && $1 }
        return Double(fates.count { $0 }) / Double(max(starts, 1))
    }

    @Test func `independent loss has its chance`() {
        // Standard error √(0.02·0.98/200,000) = 0.00031; the bound is four of them.
        #expect(abs(share(fates(.bernoulli(.perMille(20)))) - 0.02) < 0.00125)
    }

    @Test(arguments: [PacketIndexing.offset, .packet])
    func `a chain has the mean loss and mean burst of its formula`(indexing: PacketIndexing) {
        // Mean burst 4: r = 1/4; mean loss 2 %: p = 0.02/(4·0.98) = 0.0051.
        let chain = GilbertElliott(
            goodToBad: Probability(51, outOf: 10_000) ?? .zero,
            badToGood: .perMille(250)
        )
        let list = fates(.gilbertElliott(chain), indexing: indexing)
        // About 1,000 bursts of variance ~12: standard error of the mean 0.11, of the share 0.0009.
        #expect(abs(share(list) - 0.02) < 0.0036)
        #expect(abs(meanBurst(list) - 4) < 0.45)
        let mean = Double(LossModel.gilbertElliott(chain).meanLoss.threshold) / 9.007e15
        #expect(abs(mean - 0.02) < 0.0001)
    }

    @Test func `the four states lose as their stationary distribution says`() {
        let chain = FourState(
            p13: .perMille(10),
            p31: .perMille(300),
            p32: .perMille(200),
            p23: .perMille(500),
            p14: .perMille(5)
        )
        let model = LossModel.fourState(chain)
        let mean = Double(model.meanLoss.threshold) / 9.007e15
        // π₃ = 0.0333, π₂ = 0.0133, π₄ = 0.005 to 1: 0.0383/1.0517 = 0.03645.
        #expect(abs(mean - 0.03645) < 0.0001)
        #expect(abs(share(fates(model)) - mean) < 0.004)
    }

    @Test func `a chain that starts badly still lets packets without data through in time`() {
        let chain = GilbertElliott(goodToBad: .perMille(900), badToGood: .perMille(100))
        var process = LossProcess(
            model: .gilbertElliott(chain),
            indexing: .offset,
            random: AddressedRandom(seed: 1),
            key: 0,
            direction: .up
        )
        let passed = (0..<1_000).count { place in
            !process.loses(Outgoing(packet: Packet(kind: .syn)), index: UInt64(1 << 60 + place))
        }
        #expect(passed > 20)
    }

    /// Three quarters of the packets of this chain are lost, in bursts of a thousand on average.
    @Test func `a chain begins within a burst as often as it is in one`() {
        let chain = GilbertElliott(
            goodToBad: .perMille(3),
            badToGood: .perMille(1)
        )
        let lost = (0..<400 as Range<UInt64>).count { key in
            var process = LossProcess(
                model: .gilbertElliott(chain),
                indexing: .packet,
                random: AddressedRandom(seed: 5),
                key: key,
                direction: .down
            )
            return process.loses(Outgoing(packet: Packet(kind: .data)), index: 0)
        }
        // 300; a standard error is 8.7.
        #expect(abs(lost - 300) < 35)
    }

    @Test func `resends of one slot are judged anew each time`() {
        let chain = GilbertElliott(goodToBad: .perMille(500), badToGood: .perMille(1))
        var process = LossProcess(
            model: .gilbertElliott(chain),
            indexing: .offset,
            random: AddressedRandom(seed: 1),
            key: 0,
            direction: .down
        )
        var passed = 0
        for send in 0..<20_000 as Range<UInt32> {
            let packet = Outgoing(packet: Packet(kind: .data), earlierSends: send)
            if !process.loses(packet, index: UInt64(send) << 32) { passed += 1 }
        }
        #expect(passed > 10 && passed < 120)
    }

    @Test func `a list loses exactly what it names`() {
        let list = fates(.list([0, 7, 199_999]))
        #expect(list.indices.filter { list[$0] } == [0, 7, 199_999])
    }
}
