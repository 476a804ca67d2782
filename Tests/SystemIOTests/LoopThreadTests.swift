import SystemIO
import Testing

/// A loop on a thread of its own.
@Suite struct LoopThreadTests {
    private final class Count {
        var value = 0
    }

    @Test func `work is done in order on one thread, and the end comes last`() async throws {
        let seen = Locked<[Int]>([])
        let thread = try LoopThread { _ throws(SystemError) in
            Count()
        } close: { count in
            #expect(count.value == 1_000)
        }
        let result = await withCheckedContinuation { continuation in
            for number in 0..<1_000 {
                thread.run { count in
                    count.value += 1
                    if number == 999 { continuation.resume(returning: count.value) }
                }
            }
        }
        #expect(result == 1_000)
        thread.stop()
        thread.stop()
        thread.run { _ in seen.withLock { $0.append(1) } }
        #expect(seen.withLock { $0.isEmpty })
    }

    @Test func `many threads may hand it work at once`() async throws {
        let thread = try LoopThread { _ throws(SystemError) in
            Count()
        } close: { _ in
        }
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<500 { thread.run { $0.value += 1 } } }
            }
        }
        let value = await withCheckedContinuation { continuation in
            thread.run { continuation.resume(returning: $0.value) }
        }
        #expect(value == 4_000)
        thread.stop()
    }

    @Test func `a locked value loses no change`() async {
        let sum = Locked(0)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { for _ in 0..<2_000 { sum.withLock { $0 += 1 } } }
            }
        }
        #expect(sum.withLock { $0 } == 16_000)
    }

    @Test func `state that cannot be made is an error and leaves nothing`() {
        #expect(throws: SystemError.invalidArgument) {
            _ = try LoopThread { _ throws(SystemError) -> Count in
                throw .invalidArgument
            } close: { _ in
            }
        }
    }
}
