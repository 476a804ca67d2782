import SystemIO
import Testing

@testable import Origin

@Suite struct BufferPoolTests {
    @Test func `beyond the limit only small buffers are lent`() {
        let pool = BufferPool(limit: 3 << 18)
        let large = (0..<3).map { _ in pool.take(size: 2) }
        #expect(large.allSatisfy { $0.buffer.capacity == 1 << 18 })
        #expect(pool.lentBytes == 3 << 18 && !pool.hasRoom(size: 0))
        let small = pool.take(size: 2)
        #expect(small.buffer.capacity == BufferPool.sizes[0])
    }

    @Test func `a buffer comes back when nobody holds it`() {
        let pool = BufferPool(limit: 1 << 20)
        do {
            let first = pool.take(size: 2)
            let bytes = BodyBytes(memory: first, range: 0..<10)
            #expect(pool.lentBytes == 256 << 10 && bytes.count == 10)
        }
        #expect(pool.lentBytes == 0)
    }
}
