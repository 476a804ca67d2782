/// A timer on the monotonic clock, late by a millisecond or two, never early.
///
/// A `uv_timer`, which counts whole milliseconds: the next one after the time is waited for.
package final class PreciseTimer {
    private let loop: EventLoop
    private var timer: Timer?
    /// When it is to fire; `.max` for never.
    private var due = UInt64.max
    private let onFire: () -> Void

    /// Makes a timer that has no order yet.
    ///
    /// - Parameters:
    ///   - loop: where it fires.
    ///   - onFire: runs once for each order that was not replaced or cancelled before.
    /// - Throws: what libuv says.
    package init(loop: EventLoop, onFire: @escaping () -> Void) throws(SystemError) {
        self.loop = loop
        self.onFire = onFire
        // The loop keeps this object until it is closed.
        timer = try Timer(loop: loop) { self.fired() }
    }

    /// Fires once when `EventLoop.nowNanoseconds` has reached `nanoseconds`.
    ///
    /// Replaces an earlier order.
    package func fire(atNanoseconds nanoseconds: UInt64) {
        due = max(nanoseconds, 1)
        let now = loop.wait.milliseconds
        let end = (loop.clock.real(at: due) &+ 999_999) / 1_000_000
        timer?.start(afterMilliseconds: end > now ? end - now : 0)
    }

    package func cancel() {
        due = .max
        timer?.stop()
    }

    /// Ends the timer; the loop keeps it until then.
    package func close() {
        timer?.close()
        timer = nil
    }

    private func fired() {
        guard due != .max else { return }
        // Of a clock that runs more slowly than it did.
        guard loop.nowNanoseconds >= due else { return fire(atNanoseconds: due) }
        due = .max
        onFire()
    }
}
