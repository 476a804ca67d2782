import Basics
import LinkEngine
import Testing

/// Long flows against the literature, where no measurement exists.
@Suite struct CongestionTests {
    /// Mean window in segments of a flow over a link of this round trip that loses one packet in
    /// `interval`, evenly: the deterministic loss of both formulas.
    private func meanWindow(
        _ congestion: TCPSettings.CongestionControl,
        _ behaviour: TCPSettings.Behaviour,
        roundTrip: Duration,
        interval: UInt64,
        seconds: Int64
    ) -> Double {
        var settings = LinkSettings()
        settings.tcp.behaviour = behaviour
        settings.tcp.congestionControl = congestion
        settings.indexing = .packet
        settings.down.delay = roundTrip / 2
        settings.up.delay = roundTrip / 2
        settings.down.loss = .list((1...50_000).map { $0 * interval })
        let download = Download(settings: settings, responseBytes: 20_000_000_000)
        let half = Instant.start + .seconds(seconds / 2)
        let bytes = download.run(limit: .seconds(seconds)).events.reduce(0) { sum, event in
            guard case .deliver(let stream, let count) = event.kind,
                stream.direction == .down, event.at > half
            else { return sum }
            return sum + count
        }
        let rounds = Double(seconds / 2) / (Double(roundTrip.nanoseconds) / 1e9)
        return Double(bytes) / 1_448 / rounds
    }

    /// RFC 9438 §5.1, table 1 (round trip 0.1 s): 12, 38 and 187 segments at 10⁻², 10⁻³, 10⁻⁴.
    @Test(arguments: [(100, 12.0), (1_000, 38.0), (10_000, 187.0)] as [(UInt64, Double)])
    func `a long CUBIC flow has the mean window of the RFC`(
        interval: UInt64,
        expected: Double
    ) {
        let mean = meanWindow(
            .cubic,
            .rfc,
            roundTrip: .milliseconds(100),
            interval: interval,
            seconds: 600
        )
        #expect(abs(mean / expected - 1) < 0.2, "mean window \(mean)")
    }

    /// Linux counts whole segments, so it leads the smooth formula where Reno does (10⁻³: by 20 %).
    @Test func `a long Linux flow is at most a quarter ahead of the RFC`() {
        let mean = meanWindow(
            .cubic,
            .linux,
            roundTrip: .milliseconds(100),
            interval: 1_000,
            seconds: 600
        )
        #expect(mean > 38 && mean < 38 * 1.25, "mean window \(mean)")
    }

    /// The law of Mathis (1997): √(3/2p) segments a round trip without timeouts.
    @Test func `a long Reno flow follows the square-root law`() {
        let mean = meanWindow(
            .reno,
            .linux,
            roundTrip: .milliseconds(50),
            interval: 2_000,
            seconds: 200
        )
        let expected = (1.5 * 2_000.0).squareRoot()
        #expect(abs(mean / expected - 1) < 0.2, "mean window \(mean), law \(expected)")
    }
}
