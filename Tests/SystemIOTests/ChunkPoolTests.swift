import TestSupport
import Testing

@testable import SystemIO

/// Memory of queues: it follows what waits, and goes back to the system.
@Suite struct ChunkPoolTests {
    /// What an idle pool keeps at most: 16 slabs.
    private let kept = 16 * 262_144

    private func fill(_ queue: inout ByteQueue, _ count: Int) {
        let buffer = TransferBuffer(capacity: 65_536)
        var left = count
        while left > 0 {
            let length = min(left, buffer.capacity)
            queue.append(buffer, from: 0, count: length)
            left -= length
        }
    }

    @Test func `memory goes back to the system once nothing waits`() {
        let pool = ChunkPool()
        for _ in 0..<3 {
            var one = ByteQueue(pool: pool)
            var two = ByteQueue(pool: pool)
            fill(&one, 20_000_000)
            fill(&two, 20_000_000)
            #expect(pool.usedBytes >= 40_000_000)
            #expect(pool.mappedBytes < 42_000_000)
            one.drop(20_000_000)
            #expect(pool.mappedBytes < 21_000_000 + kept)
            two.drop(20_000_000)
            #expect(pool.usedBytes == 0)
            #expect(pool.mappedBytes <= kept)
        }
    }

    /// Against a plain array: what was appended comes out, however chunks were used before.
    @Test func `queues that share a pool never share a byte`() {
        let pool = ChunkPool()
        let buffer = TransferBuffer(capacity: 20_000)
        var random = SeededRandom.fresh()
        var one = ByteQueue(pool: pool)
        var two = ByteQueue(pool: pool)
        var expected: [[UInt8]] = [[], []]
        for _ in 0..<3_000 {
            let isFirst = Bool.random(using: &random)
            let place = isFirst ? 0 : 1
            let count = Int.random(in: 0...20_000, using: &random)
            if Bool.random(using: &random), expected[place].count < 600_000 {
                let start = UInt8.random(in: 0...255, using: &random)
                let bytes = (0..<count).map { start &+ UInt8(truncatingIfNeeded: $0) }
                buffer.fill(bytes)
                expected[place] += bytes
                if isFirst {
                    one.append(buffer, from: 0, count: count)
                } else {
                    two.append(buffer, from: 0, count: count)
                }
            } else {
                let read =
                    isFirst
                    ? one.read(into: buffer, limit: count) : two.read(into: buffer, limit: count)
                #expect(buffer.bytes(0..<read) == Array(expected[place].prefix(count)))
                expected[place].removeFirst(read)
            }
            #expect(one.count == expected[0].count && two.count == expected[1].count)
        }
        #expect(pool.usedBytes <= one.count + two.count + 4 * 4_096 + (one.count + two.count) / 500)
    }

    @Test func `shares shrink from three quarters of the limit on`() {
        let pool = ChunkPool()
        pool.limit = 8_000_000
        var queue = ByteQueue(pool: pool)
        fill(&queue, 5_900_000)
        #expect(pool.share == .max)
        fill(&queue, 200_000)
        let first = pool.share
        #expect(first > 3_000_000 && first < 4_194_304)
        fill(&queue, 900_000)
        #expect(pool.share < first && pool.share > ChunkPool.leastShare)
        fill(&queue, 2_000_000)
        #expect(pool.share == ChunkPool.leastShare)
        queue.drop(4_000_000)
        #expect(pool.share == .max)
    }
}
