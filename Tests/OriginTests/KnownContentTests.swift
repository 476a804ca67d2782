import Origin
import Testing

@Suite struct KnownContentTests {
    /// The first outputs of SplitMix64 for seed 0 are published with the generator's reference code.
    @Test func `content is the published sequence`() {
        let first: [UInt64] = [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4]
        let expected = first.flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) }
        }
        #expect(KnownContent(seed: 0).bytes(0..<16) == expected)
    }

    @Test func `a part equals the same part of the whole`() {
        let content = KnownContent(seed: 7)
        let whole = content.bytes(0..<100)
        for start in 0..<24 {
            for end in start..<40 {
                #expect(content.bytes(UInt64(start)..<UInt64(end)) == Array(whole[start..<end]))
            }
        }
    }

    @Test func `another seed is other content`() {
        #expect(KnownContent(seed: 1).bytes(0..<64) != KnownContent(seed: 2).bytes(0..<64))
    }
}
