import Testing
import Transfer

@Suite struct ByteRangeTests {
    @Test(
        arguments: [
            (nil, ByteRange.whole), ("bytes=0-0", .part(0..<1)), ("bytes=10-19", .part(10..<20)),
            ("bytes=90-", .part(90..<100)), ("bytes=-10", .part(90..<100)),
            ("bytes=-1000", .part(0..<100)), ("bytes=50-1000", .part(50..<100)),
            ("bytes=100-", .unsatisfiable), ("bytes=100-200", .unsatisfiable),
            ("bytes=-0", .unsatisfiable), ("bytes=20-10", .whole), ("bytes=0-1,5-6", .whole),
            ("pages=1-2", .whole), ("bytes=-", .whole), ("bytes=a-b", .whole),
            ("bytes=+1-2", .whole),
            ("Bytes=5-9", .part(5..<10)), ("bytes=0-99999999999999999999999", .part(0..<100)),
            ("bytes=99999999999999999999999-", .unsatisfiable),
        ] as [(String?, ByteRange)]
    )
    func `a range of 100 bytes`(field: String?, expected: ByteRange) {
        #expect(ByteRange(field, size: 100) == expected)
    }

    @Test func `an empty object has no part`() {
        #expect(ByteRange("bytes=0-", size: 0) == .unsatisfiable)
        #expect(ByteRange("bytes=-5", size: 0) == .unsatisfiable)
        #expect(ByteRange(nil, size: 0) == .whole)
    }
}
