import Dispatch
import SystemIO
import Testing

/// A value that is made before it is needed.
@Suite struct PreparedTests {
    private func isSignalled(_ semaphore: DispatchSemaphore) -> Bool {
        semaphore.wait(timeout: .now() + 20) == .success
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

    @Test func `another thread makes it before it is needed`() {
        let made = DispatchSemaphore(value: 0)
        // Its value is never asked for.
        Prepared { _ = made.signal() }.prepare()
        #expect(isSignalled(made))
    }

    @Test func `a thread that needs it meanwhile waits, and gets the same`() {
        let made = Locked(0)
        let (begun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let value = Prepared {
            let number = made.withLock {
                $0 += 1
                return $0
            }
            begun.signal()
            mayEnd.wait()
            return number
        }
        value.prepare()
        #expect(isSignalled(begun))
        let (got, asks, done) = (
            Locked(0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
        )
        DispatchQueue.global().async {
            asks.signal()
            let number = value.value
            got.withLock { $0 = number }
            done.signal()
        }
        #expect(isSignalled(asks))
        // Once for each thread that might make it.
        mayEnd.signal()
        mayEnd.signal()
        #expect(isSignalled(done))
        #expect(got.withLock { $0 } == 1)
        #expect(made.withLock { $0 } == 1)
    }
}
