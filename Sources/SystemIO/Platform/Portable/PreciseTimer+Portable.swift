package import Basics

/// A timer on the monotonic clock, late by a millisecond or two, never early.
///
/// A `uv_timer`, which counts whole milliseconds: the next one after the time is waited for.
package final class PreciseTimer {
    private let loop: EventLoop
    private var timer: Timer?
    /// When it is to fire.
    private var due = Instant.never
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

    /// Fires once when `EventLoop.now` has reached `time`.
    ///
    /// Replaces an earlier order.
    package func fire(at time: Instant) {
        due = time
        let now = loop.wait.milliseconds
        let end = (UInt64(max(0, loop.clock.real(at: due).nanoseconds)) + 999_999) / 1_000_000
        timer?.start(afterMilliseconds: end > now ? end - now : 0)
    }

    package func cancel() {
        due = .never
        timer?.stop()
    }

    /// Ends the timer; the loop keeps it until then.
    package func close() {
        timer?.close()
        timer = nil
    }

    private func fired() {
        guard due != .never else { return }
        // Of a clock that runs more slowly than it did.
        guard loop.now >= due else { return fire(at: due) }
        due = .never
        onFire()
    }
}
