internal import CLibuv

/// How a loop waits: as libuv's loop does, which watches the sockets too.
@safe
final class LoopWait {
    let poller: Poller
    private let loop: UnsafeMutablePointer<uv_loop_t>
    /// Is always active, and never woken: without an active handle, libuv would not wait at all.
    private let anchor: Handle
    /// Whether libuv runs, so that what happens is one of its events.
    private var isRunning = false

    init(_ loop: UnsafeMutablePointer<uv_loop_t>) throws(SystemError) {
        unsafe self.loop = loop
        anchor = try unsafe Handle(UV_ASYNC) { memory in
            unsafe uv_async_init(loop, memory.assumingMemoryBound(to: uv_async_t.self), nil)
        }
        poller = try unsafe Poller(loop)
    }

    /// Waits for something to happen, if it may, and handles it.
    func turn(waits: Bool) {
        isRunning = true
        unsafe uv_run(loop, waits ? UV_RUN_ONCE : UV_RUN_NOWAIT)
        isRunning = false
    }

    /// Says that there is work to do after the events of this turn.
    ///
    /// A timer that is due when libuv begins to run is handled before libuv waits: it must not wait
    /// then. Outside of `uv_run`, this call would make the next one do nothing.
    func noteWork() { if isRunning { unsafe uv_stop(loop) } }

    /// libuv knows what was done to its handles.
    func noteChange() {}

    /// Closes what is watched still, before the loop ends.
    func end() {
        poller.end()
        anchor.close()
    }

    /// The present millisecond of libuv's clock, which is the monotonic one rounded down.
    var milliseconds: UInt64 {
        unsafe uv_update_time(loop)
        return unsafe uv_now(loop)
    }
}
