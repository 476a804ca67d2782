internal import CLibrary

/// Random numbers that repeat: SplitMix64 (Steele, Lea, Flood 2014).
package struct SeededRandom: RandomNumberGenerator {
    private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// A generator with another seed in each run, which is printed, or with `LINKCOND_TEST_SEED`.
    package static func fresh(for test: String = #function) -> SeededRandom {
        let seed = given ?? UInt64.random(in: 0...UInt64(UInt32.max))
        print("\(test): LINKCOND_TEST_SEED=\(seed)")
        return SeededRandom(seed: seed)
    }

    /// A generator with the same seed in each run, or with `LINKCOND_TEST_SEED`.
    package static func fixed(_ seed: UInt64) -> SeededRandom { SeededRandom(seed: given ?? seed) }

    private static var given: UInt64? {
        unsafe getenv("LINKCOND_TEST_SEED").flatMap { unsafe UInt64(String(cString: $0)) }
    }

    /// The number at a place of the sequence with seed 0, from place 0.
    package static func number(at place: UInt64) -> UInt64 {
        var generator = SeededRandom(seed: place &* increment)
        return generator.next()
    }

    package mutating func next() -> UInt64 {
        state &+= Self.increment
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// From 0 to below `bound`, which is above 0.
    package mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    /// Whether an event of `percent` in a hundred happens.
    package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// From 0 to below 1.
    package mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }
}
