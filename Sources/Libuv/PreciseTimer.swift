internal import CLibuv
internal import Glibc

/// A timer of nanosecond grain on the monotonic clock, late by some 50 µs, never early.
///
/// A `timerfd`, since `uv_timer` counts whole milliseconds and drifts. It is close-on-exec: libuv
/// sets that on its own descriptors only.
@safe
package final class PreciseTimer: ReadinessHandler {
    private let loop: EventLoop
    private let descriptor: CInt
    private var token = WatchToken.none
    private let onFire: () -> Void

    package init(loop: EventLoop, onFire: @escaping () -> Void) throws(SystemError) {
        self.loop = loop
        self.onFire = onFire
        descriptor = timerfd_create(
            CLOCK_MONOTONIC,
            CInt(TFD_NONBLOCK | TFD_CLOEXEC)
        )
        guard descriptor >= 0 else { throw .last }
    }

    deinit { Glibc.close(descriptor) }

    /// Fires once when `EventLoop.nowNanoseconds` has reached `nanoseconds`; replaces an earlier
    /// order.
    package func fire(atNanoseconds nanoseconds: UInt64) throws(SystemError) {
        if token == .none { token = try loop.watchReading(descriptor, handler: self) }
        // Zero would disarm.
        set(max(nanoseconds, 1))
    }

    package func cancel() { set(0) }

    /// Ends reports; the object may be dropped then.
    package func close() {
        loop.unwatchReading(descriptor, token)
        token = .none
    }

    package func ready(_ readiness: Readiness, tag: UInt32) {
        var expirations: UInt64 = 0
        let size = MemoryLayout<UInt64>.size
        guard unsafe read(descriptor, &expirations, size) == size else { return }
        onFire()
    }

    private func set(_ nanoseconds: UInt64) {
        var order = itimerspec()
        order.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
        order.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
        _ = unsafe timerfd_settime(descriptor, CInt(TFD_TIMER_ABSTIME), &order, nil)
    }
}
