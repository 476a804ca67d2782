internal import CLibuv

/// Work on libuv's threads, so that a call that waits does not stop the loop.
@safe
package enum BackgroundWork {
    /// Runs `work` on another thread, then `done` on the loop with what it answered.
    ///
    /// Works run at the same time (four at once unless UV_THREADPOOL_SIZE says otherwise), so their
    /// order is that of their `done`. The loop must run until then: see `EventLoop.pendingWork`.
    package static func run<Value: Sendable>(
        on loop: EventLoop,
        _ work: @escaping @Sendable () -> Value,
        done: @escaping (Value) -> Void
    ) {
        let box = Box<Value>()
        let job = Job(
            loop: loop,
            work: { unsafe box.value = work() },
            done: { if let value = unsafe box.value { done(value) } }
        )
        job.start()
    }

    /// Written on the worker's thread and read on the loop's, one after the other.
    private final class Box<Value: Sendable>: Sendable {
        nonisolated(unsafe) var value: Value?
    }

    /// One piece of work; libuv holds a reference from start to end.
    @safe
    private final class Job {
        private let loop: EventLoop
        private let memory: UnsafeMutablePointer<uv_work_t>
        private let work: @Sendable () -> Void
        private let done: () -> Void

        init(loop: EventLoop, work: @escaping @Sendable () -> Void, done: @escaping () -> Void) {
            self.loop = loop
            self.work = work
            self.done = done
            unsafe memory = .allocate(capacity: 1)
        }

        deinit { unsafe memory.deallocate() }

        func start() {
            unsafe memory.pointee.data = Unmanaged.passRetained(self).toOpaque()
            loop.pendingWork += 1
            do throws(SystemError) {
                try unsafe loop.startRequest { uv in
                    unsafe uv_queue_work(uv, memory, Job.run, Job.finish)
                }
            } catch {
                // libuv refuses only a missing callback.
                preconditionFailure("uv_queue_work: \(error)")
            }
        }

        private static let run: uv_work_cb = { request in
            guard let data = unsafe request?.pointee.data else { return }
            unsafe Unmanaged<Job>.fromOpaque(data).takeUnretainedValue().work()
        }

        private static let finish: uv_after_work_cb = { request, _ in
            guard let data = unsafe request?.pointee.data else { return }
            let job = unsafe Unmanaged<Job>.fromOpaque(data).takeRetainedValue()
            job.loop.pendingWork -= 1
            job.done()
        }
    }
}
