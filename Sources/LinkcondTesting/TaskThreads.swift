internal import Dispatch

/// Threads for tasks that must go on while the pool that all tasks of the process share is busy: each of
/// its few threads may be kept for long by code that does not suspend, as tests do.
package final class TaskThreads: TaskExecutor {
    package static let shared = TaskThreads()

    private let queue = DispatchQueue(label: "linkcond.tasks", attributes: .concurrent)

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let executor = unsafe asUnownedTaskExecutor()
        queue.async { unsafe job.runSynchronously(on: executor) }
    }
}
