import Basics
import Testing

@Suite struct AddressedRandomTests {
    @Test func `draws are the published hash of their address`() {
        func bits(
            _ seed: UInt64,
            _ key: UInt64,
            _ direction: Direction,
            _ stage: AddressedRandom.Stage,
            _ index: UInt64
        ) -> UInt64 {
            AddressedRandom(seed: seed).bits(
                key: key,
                direction: direction,
                stage: stage,
                index: index
            )
        }
        #expect(bits(0, 0, .down, .loss, 0) == 0x2CD1_CD33_7694_CDBC)
        #expect(bits(7, 0, .down, .loss, 812) == 0xF667_6C15_52FB_47EB)
        #expect(bits(9_003, 2, .up, .jitter, 1 << 60) == 0xF93D_4BB5_CFC6_6A1E)
    }

    @Test func `chances are exact at their ends and near their middle`() throws {
        let series = AddressedRandom(seed: 4).series(key: 1, direction: .up, stage: .loss)
        #expect((0..<1_000).allSatisfy { !series.happens(.zero, at: $0) })
        #expect((0..<1_000).allSatisfy { series.happens(.one, at: $0) })
        // 3 standard errors of 100,000 draws at ½: 0.0047.
        let chance = try #require(Probability(1, outOf: 2))
        let half = (0..<100_000).count { series.happens(chance, at: $0) }
        #expect(abs(Double(half) / 100_000 - 0.5) < 0.0047)
    }

    @Test func `integers stay below their bound and fill it`() {
        let series = AddressedRandom(seed: 4).series(key: 1, direction: .up, stage: .loss)
        var seen: Set<UInt64> = []
        for index in 0..<1_000 as Range<UInt64> {
            let value = series.integer(below: 17, at: index)
            #expect(value < 17)
            seen.insert(value)
        }
        #expect(seen.count == 17)
    }

    @Test func `probabilities round up to the next representable threshold`() throws {
        let half = try #require(Probability(1, outOf: 2))
        let third = try #require(Probability(1, outOf: 3))
        #expect(half.threshold == 1 << 52)
        #expect(third.threshold == (1 << 53) / 3 + 1)
        #expect(Probability(0, outOf: 5) == .zero)
        #expect(Probability(5, outOf: 5) == .one)
        #expect(Probability(6, outOf: 5) == nil)
        #expect(Probability(0, outOf: 0) == nil)
    }

    @Test func `names that differ have draws that differ`() {
        let random = AddressedRandom(seed: 4)
        let names = ["", "a", "b", "aa", "ab", "ba", "latency_downstream", "latency_upstream"]
        let seeds = Set(names.map { random.named($0).seed })
        #expect(seeds.count == names.count)
        #expect(random.named("a").named("b") != random.named("ab"))
        #expect(random.named("a") == AddressedRandom(seed: 4).named("a"))
        #expect(random.named("a") != AddressedRandom(seed: 5).named("a"))
    }
}
