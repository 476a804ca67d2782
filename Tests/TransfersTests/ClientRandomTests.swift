import ResumableClient
import Basics
import Testing

@testable import Transfers

/// Delays are random, and the same ones again for the same seed.
@Suite struct ClientRandomTests {
    private static func delays(seed: UInt64, transfer: UInt64) -> [Duration] {
        let draws = ClientRandom.draws(seed: seed, transfer: transfer)
        return (0..<50).map { draws.duration(below: .seconds(1), for: .backoff, at: $0) }
    }

    @Test func `a seed and a transfer fix the delays`() {
        #expect(Self.delays(seed: 7, transfer: 0) == Self.delays(seed: 7, transfer: 0))
        #expect(Self.delays(seed: 7, transfer: 0) != Self.delays(seed: 8, transfer: 0))
        #expect(Self.delays(seed: 7, transfer: 0) != Self.delays(seed: 7, transfer: 1))
    }

    @Test func `each purpose has its own stream`() {
        let draws = ClientRandom.draws(seed: 7, transfer: 0)
        let one = draws.duration(below: .seconds(1), for: .backoff, at: 0)
        #expect(one != draws.duration(below: .seconds(1), for: .pathChange, at: 0))
        #expect(Self.delays(seed: 7, transfer: 0).allSatisfy { $0 >= .zero && $0 < .seconds(1) })
    }

    @Test func `a body beyond its limit is counted and not stored`() {
        var body = DownloadBody(from: 10, limit: 5)
        #expect(body.take(3) == 3 && body.offset == 13)
        #expect(body.take(4) == 2 && body.count == 7)
        #expect(body.take(1) == 0)
        var open = DownloadBody(from: 0, limit: nil)
        #expect(open.take(100) == 100)
    }
}
