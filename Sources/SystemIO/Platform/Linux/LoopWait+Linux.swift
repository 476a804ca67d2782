internal import CLibrary
internal import CLibuv

/// How a loop waits: sockets are watched by our own epoll set; libuv's loop is a member of that set.
///
/// That is the embedding that libuv documents at `uv_backend_fd`. So a packet costs the system calls
/// that move it and one wait.
@safe
struct LoopWait {
    let poller: Poller
    private let loop: UnsafeMutablePointer<uv_loop_t>
    private let backend: Backend

    init(_ loop: UnsafeMutablePointer<uv_loop_t>) throws(SystemError) {
        unsafe self.loop = loop
        poller = try Poller()
        backend = try Backend(poller, unsafe uv_backend_fd(loop))
    }

    /// Waits for something to happen, if it may, and handles it.
    func turn(waits: Bool) {
        poller.poll(timeoutMilliseconds: waits && !backend.isDue ? -1 : 0)
        if backend.isDue { runLibuv() }
    }

    /// Says that a handle was started, stopped or closed.
    ///
    /// libuv passes changes on to its own epoll set only when it runs.
    func noteChange() { backend.isDue = true }

    /// There is work to do after the events of this turn, all of which come after the wait.
    @inline(__always) func noteWork() {}

    /// Nothing is to be undone: what is watched leaves the set with it.
    func end() {}

    private func runLibuv() {
        backend.isDue = false
        unsafe uv_run(loop, UV_RUN_NOWAIT)
        // A loop without any active handle answers 0, "do not wait", which is not meant here.
        let timeout = unsafe uv_loop_alive(loop) == 0 ? -1 : uv_backend_timeout(loop)
        switch timeout {
        case 0: backend.isDue = true
        case ..<0: backend.setAlarm(0)
        default: backend.setAlarm((unsafe uv_now(loop) + UInt64(timeout)) * 1_000_000)
        }
    }

    /// Notes that libuv has work: one of its descriptors is ready, or a timer is due.
    ///
    /// Its timers are kept by a `timerfd`. A time limit for each wait would be simpler, but sets
    /// and clears a kernel timer for every packet, which costs more than the packet's other work.
    final class Backend: ReadinessHandler {
        var isDue = true
        private let alarm: TimerDescriptor
        private var alarmTime: UInt64 = 0

        init(_ poller: Poller, _ libuv: CInt) throws(SystemError) {
            alarm = try TimerDescriptor()
            for descriptor in [libuv, alarm.number] {
                _ = try poller.add(
                    descriptor,
                    for: Readiness.readingEvents,
                    edgeTriggered: false,
                    handler: self,
                    tag: descriptor == libuv ? 0 : 1
                )
            }
        }

        /// Sets when libuv's next timer is due; 0 for none.
        func setAlarm(_ nanoseconds: UInt64) {
            guard nanoseconds != alarmTime else { return }
            alarmTime = nanoseconds
            alarm.set(nanoseconds)
        }

        func ready(_ readiness: Readiness, tag: UInt32) {
            isDue = true
            guard tag == 1 else { return }
            _ = alarm.takeExpiration()
            alarmTime = 0
        }
    }
}
