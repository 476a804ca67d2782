import Proxy
import Testing

@Suite struct DurationHistogramTests {
    @Test func `a time is counted in the bucket whose bound it does not pass`() {
        var histogram = DurationHistogram(bounds: [10, 20, 30])
        for time: Int64 in [-5, 0, 10, 11, 20, 30, 31, 1_000] {
            histogram.observe(nanoseconds: time)
        }
        #expect(histogram.counts == [3, 2, 1, 2])
        #expect(histogram.count == 8 && histogram.sumNanoseconds == 1_102)
    }

    @Test(arguments: [DurationHistogram.networkBounds, DurationHistogram.lagBounds])
    func `bounds grow`(bounds: [Int64]) {
        #expect(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 })
    }
}
