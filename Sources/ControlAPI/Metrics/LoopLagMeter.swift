internal import Basics
package import Proxy
package import SystemIO

/// Measures how late the loop gets to what is due: the price of one thread, and of a busy machine.
package final class LoopLagMeter {
    package private(set) var lag = DurationHistogram(bounds: DurationHistogram.lagBounds)
    private let loop: EventLoop
    private var timer: PreciseTimer?
    private var due = Instant.start

    private static let interval = Duration.milliseconds(100)

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
        due = loop.now + Self.interval
        timer?.fire(at: due)
    }

    private func fired() {
        lag.observe(loop.now - due)
        arm()
    }
}
