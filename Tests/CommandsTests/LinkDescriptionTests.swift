import LinkEngine
import Basics
import LinkProfile
import Testing

@testable import Commands

@Suite struct LinkDescriptionTests {
    @Test func `a direction is described in one line`() throws {
        var path = PathSettings()
        #expect(LinkDescription.direction(path) == "no rate limit")
        path.capacity = .rate(try #require(BitRate(bitsPerSecond: 50_000_000)))
        path.delay = .milliseconds(65)
        path.loss = .bernoulli(try #require(Probability(1, outOf: 1_000)))
        path.queue = .packets(1)
        #expect(
            LinkDescription.direction(path)
                == "50Mbit/s, 65ms one way, 0.1% loss, queue of 1 packet"
        )
    }

    @Test func `the mean loss of a chain is its stationary loss`() throws {
        // p = 1/99 · 1/5 and r = 1/5 give π = 1 %.
        let chain = GilbertElliott(
            goodToBad: try #require(Probability(1, outOf: 495)),
            badToGood: try #require(Probability(1, outOf: 5))
        )
        #expect(LinkDescription.loss(.gilbertElliott(chain)) == "1% in bursts")
        #expect(LinkDescription.loss(.none) == nil)
    }

    @Test func `the round trip is the sum of both delays`() {
        var link = LinkSettings()
        #expect(LinkDescription.roundTrip(link) == "-")
        link.down.delay = .milliseconds(50)
        link.up.delay = .microseconds(65_500)
        #expect(LinkDescription.roundTrip(link) == "115.5 ms")
    }
}
