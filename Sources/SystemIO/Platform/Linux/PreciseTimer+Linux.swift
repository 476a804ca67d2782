package import Basics
internal import CLibuv
internal import CLibrary

/// A timer of nanosecond grain on the monotonic clock, late by some 50 µs, never early.
///
/// A `timerfd`, since `uv_timer` counts whole milliseconds and drifts.
package final class PreciseTimer: ReadinessHandler {
    private let loop: EventLoop
    private let descriptor: TimerDescriptor
    private var token = WatchToken.none
    /// When it is to fire.
    private var due = Instant.never
    private let onFire: () -> Void

    /// Makes a timer that has no order yet.
    ///
    /// - Parameters:
    ///   - loop: where it fires.
    ///   - onFire: runs once for each order that was not replaced or cancelled before.
    /// - Throws: what the system says when it has no descriptor left.
    package init(loop: EventLoop, onFire: @escaping () -> Void) throws(SystemError) {
        self.loop = loop
        self.onFire = onFire
        descriptor = try TimerDescriptor()
        // Edge-triggered, so that an expiration need not be read away.
        token = try loop.wait.poller.add(
            descriptor.number,
            for: Readiness.readingEvents,
            edgeTriggered: true,
            handler: self,
            tag: 0
        )
    }

    /// Fires once when `EventLoop.now` has reached `time`.
    ///
    /// Replaces an earlier order.
    package func fire(at time: Instant) {
        due = time
        // Zero would disarm the timer.
        descriptor.set(UInt64(max(loop.clock.real(at: due).nanoseconds, 1)))
    }

    package func cancel() {
        due = .never
        descriptor.set(0)
    }

    /// Ends the timer; the loop keeps it until then.
    package func close() {
        loop.wait.poller.remove(descriptor.number, token)
        token = .none
    }

    package func ready(_ readiness: Readiness, tag: UInt32) {
        // A report that was under way when the order was replaced is none of ours.
        guard due != .never else { return }
        // Of a clock that runs more slowly than it did.
        guard loop.now >= due else { return fire(at: due) }
        due = .never
        onFire()
    }
}

/// A `timerfd`; close-on-exec, which libuv sees to for its own descriptors only.
struct TimerDescriptor: ~Copyable {
    let number: CInt

    init() throws(SystemError) {
        number = timerfd_create(CLOCK_MONOTONIC, CInt(TFD_NONBLOCK | TFD_CLOEXEC))
        guard number >= 0 else { throw .last }
    }

    deinit { close(number) }

    /// Sets the time at which it becomes readable; 0 for never.
    func set(_ nanoseconds: UInt64) {
        var order = itimerspec()
        order.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
        order.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
        _ = unsafe timerfd_settime(number, CInt(TFD_TIMER_ABSTIME), &order, nil)
    }

    /// Whether it has expired since the last call.
    func takeExpiration() -> Bool {
        var expirations: UInt64 = 0
        let size = MemoryLayout<UInt64>.size
        return unsafe read(number, &expirations, size) == size
    }
}
