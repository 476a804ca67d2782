internal import CLibuv

/// How a loop waits: as libuv's loop does, which watches the sockets too.
@safe
struct LoopWait {
    let poller: Poller
    private let loop: UnsafeMutablePointer<uv_loop_t>

    init(_ loop: UnsafeMutablePointer<uv_loop_t>) throws(SystemError) {
        unsafe self.loop = loop
        poller = try unsafe Poller(loop)
    }

    /// Waits for something to happen, if it may, and handles it.
    func turn(waits: Bool) { unsafe uv_run(loop, waits ? UV_RUN_ONCE : UV_RUN_NOWAIT) }

    /// libuv knows what was done to its handles.
    func noteChange() {}

    /// Closes what is watched still, before the loop ends.
    func end() { poller.end() }

    /// The present millisecond of libuv's clock, which is the monotonic one rounded down.
    var milliseconds: UInt64 {
        unsafe uv_update_time(loop)
        return unsafe uv_now(loop)
    }
}
