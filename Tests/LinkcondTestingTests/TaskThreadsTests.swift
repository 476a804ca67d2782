import Dispatch
import LinkcondTesting
import Testing

@Suite struct TaskThreadsTests {
    @Test func `a task goes on while every thread of the common pool is kept`() {
        let release = DispatchSemaphore(value: 0)
        let isOver = DispatchSemaphore(value: 0)
        let keepers = 64
        for _ in 0..<keepers {
            Task { Self.keepThread(until: release) }
        }
        Task(executorPreference: TaskThreads.shared) {
            await Task.yield()
            isOver.signal()
        }
        #expect(isOver.wait(timeout: .now() + 60) == .success)
        for _ in 0..<keepers { release.signal() }
    }

    /// What one must not do in a task, and what tests do.
    private static func keepThread(until semaphore: DispatchSemaphore) { semaphore.wait() }
}
