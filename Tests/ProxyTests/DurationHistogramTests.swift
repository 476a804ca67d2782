import Basics
import LinkEngine
import Testing

@testable import Proxy

@Suite struct DurationHistogramTests {
    @Test func `a time is counted in the bucket whose bound it does not pass`() {
        var histogram = DurationHistogram(bounds: [10, 20, 30].map { .nanoseconds($0) })
        for time: Int64 in [-5, 0, 10, 11, 20, 30, 31, 1_000] {
            histogram.observe(.nanoseconds(time))
        }
        #expect(histogram.counts == [3, 2, 1, 2])
        #expect(histogram.count == 8 && histogram.sum == .nanoseconds(1_102))
    }

    @Test(arguments: [DurationHistogram.networkBounds, DurationHistogram.lagBounds])
    func `bounds grow`(bounds: [Duration]) {
        #expect(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func `the delay of a piece is known with its last byte, and not before`() {
        let meter = LinkMeter()
        meter.open(1)
        let stream = LinkEngine.Stream(connection: 1, direction: .down)
        meter.sent(100, on: stream, at: .start)
        let later = Instant.start + .milliseconds(5)
        meter.delivered(99, on: stream, at: later, later)
        #expect(meter.addedDelay.count == 0)
        meter.delivered(1, on: stream, at: later, later)
        #expect(meter.addedDelay.count == 1 && meter.addedDelay.sum == .milliseconds(5))
    }
}
