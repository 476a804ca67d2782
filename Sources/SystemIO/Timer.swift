internal import CLibuv

/// A coarse timer, good to a few milliseconds: time limits, redraws.
///
/// For pacing use `PreciseTimer`.
@safe
package final class Timer {
    private let loop: EventLoop
    private let handle: Handle

    package init(loop: EventLoop, onFire: @escaping () -> Void) throws(SystemError) {
        self.loop = loop
        handle = try unsafe loop.makeHandle(UV_TIMER) { uv, memory in
            unsafe uv_timer_init(uv, memory.assumingMemoryBound(to: uv_timer_t.self))
        }
        handle.setEvent { [unowned loop] in
            // This turn has handled an event, so it must not wait for another.
            loop.wait.noteWork()
            onFire()
        }
    }

    deinit { close() }

    private var timer: UnsafeMutablePointer<uv_timer_t> {
        unsafe handle.memory.assumingMemoryBound(to: uv_timer_t.self)
    }

    /// Fires after `milliseconds`, then each `repeatMilliseconds` unless that is 0.
    package func start(afterMilliseconds milliseconds: UInt64, repeatMilliseconds: UInt64 = 0) {
        guard !handle.isClosing else { return }
        loop.updateTime()
        unsafe uv_timer_start(timer, { unsafe Handle.event($0) }, milliseconds, repeatMilliseconds)
        loop.noteChange()
    }

    package func stop() {
        guard !handle.isClosing else { return }
        unsafe uv_timer_stop(timer)
    }

    package func close() {
        handle.close()
        loop.noteChange()
    }
}
