import Testing

@testable import LinkEngine

@Suite struct IntegerMathTests {
    @Test func `cube roots are exact around every cube`() {
        for root in [1, 2, 3, 99, 1_000, 65_535, 1_000_003, 2_642_244] as [UInt64] {
            let cube = root * root * root
            #expect(IntegerMath.cubeRoot(cube) == root)
            #expect(IntegerMath.cubeRoot(cube - 1) == root - 1)
            #expect(IntegerMath.cubeRoot(cube + 1) == root)
        }
        #expect(IntegerMath.cubeRoot(0) == 0)
        #expect(IntegerMath.cubeRoot(.max) == 2_642_245)
    }
}
