package import Proxy
package import SystemIO

/// Measures how late the loop gets to what is due: the price of one thread, and of a busy machine.
package final class LoopLagMeter {
    package private(set) var lag = DurationHistogram(bounds: DurationHistogram.lagBounds)
    private let loop: EventLoop
    private var timer: PreciseTimer?
    private var dueNanoseconds: UInt64 = 0

    private static let intervalNanoseconds: UInt64 = 100_000_000

    /// Begins to measure.
    package init(_ loop: EventLoop) {
        self.loop = loop
        timer = try? PreciseTimer(loop: loop) { [weak self] in self?.fired() }
        arm()
    }

    package func close() {
        timer?.close()
        timer = nil
    }

    private func arm() {
        dueNanoseconds = loop.nowNanoseconds + Self.intervalNanoseconds
        timer?.fire(atNanoseconds: dueNanoseconds)
    }

    private func fired() {
        let now = loop.nowNanoseconds
        lag.observe(nanoseconds: Int64(now) - Int64(dueNanoseconds))
        arm()
    }
}
