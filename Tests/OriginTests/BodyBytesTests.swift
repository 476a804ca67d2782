import SystemIO
import Testing

@testable import Origin

@Suite struct BodyBytesTests {
    private let pool = BufferPool(limit: 1 << 20)

    @Test func `nothing is added by an empty range`() {
        var bytes = BodyBytes()
        bytes.append(pool.take(size: 0), 7..<7)
        #expect(bytes.pieces.isEmpty && bytes.count == 0)
    }

    @Test func `the first bytes are those of the first pieces`() {
        let ranges = [3..<10, 0..<1, 5..<25]
        var bytes = BodyBytes()
        for range in ranges { bytes.append(pool.take(size: 0), range) }
        #expect(bytes.count == 28)
        let places = ranges.enumerated().flatMap { piece, range in range.map { [piece, $0] } }
        for most in 0...30 {
            let first = bytes.prefix(most)
            #expect(first.count == min(most, 28))
            let found = first.pieces.flatMap { piece in
                let number = bytes.pieces.firstIndex { $0.memory === piece.memory } ?? -1
                return piece.range.map { [number, $0] }
            }
            #expect(found == Array(places.prefix(most)))
        }
    }
}
