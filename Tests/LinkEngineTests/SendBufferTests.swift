import Basics
import LinkEngine
import Testing

/// How much a sender may have given that the receiver has not acknowledged.
@Suite struct SendBufferTests {
    private let stream = LinkEngine.Stream(connection: 0, direction: .up)

    private func link(keeping kept: Int = 0) -> Link {
        var settings = LinkSettings()
        settings.tcp.handshake = false
        for direction in Direction.allCases { settings[direction].delay = .milliseconds(50) }
        var link = Link(settings: settings, seed: 1)
        link.keptBySenders = kept
        link.open(0, at: .start)
        return link
    }

    /// Linux 6.18 over a bottleneck: 46 to 79 kB are gone after 250 ms.
    @Test func `at first there is room for what Linux reserves for ten segments`() {
        var link = self.link()
        #expect(link.room(on: stream) == 54_700)
        link.send(54_699, on: stream, at: .start)
        #expect(link.room(on: stream) == 1)
        link.send(1, on: stream, at: .start)
        #expect(link.room(on: stream) == 0)
    }

    @Test(arguments: Direction.allCases)
    func `what another buffer keeps leaves two windows of room`(direction: Direction) {
        var link = self.link(keeping: 60_000)
        let stream = Stream(connection: 0, direction: direction)
        #expect(link.room(on: stream) == 2 * 10 * 1_448)
    }

    @Test func `what another buffer keeps is left out of a large buffer`() {
        var link = self.link(keeping: 20_000)
        #expect(link.room(on: stream) == 54_700 - 20_000)
    }

    /// The rate is that of the window all the same.
    @Test func `what another buffer keeps costs no time`() {
        func end(keeping kept: Int) -> Instant {
            var link = self.link(keeping: kept)
            var unsent = 4_000_000
            var received = 0
            func fill(at time: Instant) {
                let count = min(unsent, link.room(on: stream))
                link.send(count, on: stream, at: time)
                unsent -= count
            }
            fill(at: .start)
            while received < 4_000_000, let next = link.nextDeadline {
                link.advance(to: next)
                while let event = link.nextEvent() {
                    if case .deliver(_, let count) = event.kind { received += count }
                    fill(at: event.at)
                }
            }
            return link.nextDeadline ?? .start
        }
        let whole = end(keeping: 0).nanoseconds
        let split = end(keeping: 60_000).nanoseconds
        #expect(abs(whole - split) <= 100_000_000)
    }
}
