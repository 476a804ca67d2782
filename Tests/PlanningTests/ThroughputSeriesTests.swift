import Basics
import Testing

@testable import Planning

@Suite struct ThroughputSeriesTests {
    @Test func `bins double when time goes on and lose no byte`() {
        var series = ThroughputSeries()
        for second in 0..<100 {
            series.add(1_000, at: .start + .milliseconds(Int64(second) * 1_000))
        }
        #expect(series.bytes.count <= ThroughputSeries.binLimit)
        #expect(series.bytes.reduce(0, +) == 100_000)
        #expect(series.binLength == .milliseconds(32))
    }

    @Test func `rates are means of equal spans`() {
        var series = ThroughputSeries()
        series.add(1_000, at: .start)
        series.add(3_000, at: .start + .milliseconds(1_500))
        let rates = series.rates(columns: 2, until: .start + .milliseconds(2_000))
        #expect(rates == [8_000, 24_000])
        #expect(series.rates(columns: 4, until: .start).isEmpty)
    }

    @Test func `a burst at the end of a long silence is a rate like others`() {
        var series = ThroughputSeries()
        let end = Instant.start + .seconds(80_000)
        series.add(100_000_000_000, at: end)
        #expect(series.rates(columns: 2, until: end + .seconds(20_000)) == [0, 16_000_000])
    }
}
