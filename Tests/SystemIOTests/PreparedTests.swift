import SystemIO
import Testing

/// A value that is made before it is needed.
@Suite struct PreparedTests {
    private func waitUntil(_ isTrue: () -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(20)
        while !isTrue(), ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(1)) }
    }

    @Test func `it is made once, when it is first needed`() {
        let made = Locked(0)
        let value = Prepared {
            made.withLock {
                $0 += 1
                return $0
            }
        }
        #expect(made.withLock { $0 } == 0)
        #expect(value.value == 1 && value.value == 1)
        value.prepare()
        #expect(value.value == 1)
    }

    @Test func `another thread makes it before it is needed`() async throws {
        let made = Locked(0)
        // Nobody asks for the value.
        Prepared { made.withLock { $0 += 1 } }.prepare()
        try await waitUntil { made.withLock { $0 } > 0 }
        #expect(made.withLock { $0 } == 1)
    }

    @Test func `whoever needs it meanwhile waits, and gets the same`() async throws {
        let begun = Locked(0)
        let value = Prepared {
            let number = begun.withLock {
                $0 += 1
                return $0
            }
            let end = ContinuousClock.now + .milliseconds(50)
            while ContinuousClock.now < end {}
            return number
        }
        value.prepare()
        try await waitUntil { begun.withLock { $0 } > 0 }
        #expect(value.value == 1)
        #expect(begun.withLock { $0 } == 1)
    }
}
