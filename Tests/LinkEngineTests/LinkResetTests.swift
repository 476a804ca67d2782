import Basics
import LinkEngine
import Testing

/// A reset is a packet, except that it does not queue.
@Suite struct LinkResetTests {
    private let up = Stream(connection: 0, direction: .up)
    private let down = Stream(connection: 0, direction: .down)

    /// A link with connection 0, open since a second.
    private func opened(
        _ settings: LinkSettings,
        seed: UInt64 = 1
    ) -> Link {
        var link = Link(settings: .symmetric(delay: .milliseconds(30)), seed: seed)
        link.open(0, at: .start)
        link.apply(settings, at: .start + .seconds(1))
        return link
    }

    private func events(_ link: inout Link, until seconds: Int64) -> [LinkEvent] {
        link.advance(to: .start + .seconds(seconds))
        var events: [LinkEvent] = []
        while let event = link.nextEvent() { events.append(event) }
        return events
    }

    private func milliseconds(_ count: Int64) -> Instant { .start + .milliseconds(count) }

    @Test func `a reset crosses the link once and ends both directions`() {
        var link = opened(.symmetric(delay: .milliseconds(30)))
        link.abort(down, at: milliseconds(1_100))
        link.send(1_000, on: down, at: milliseconds(1_110))
        link.send(1_000, on: up, at: milliseconds(1_110))
        #expect(
            events(&link, until: 300) == [LinkEvent(at: milliseconds(1_130), kind: .aborted(down))]
        )
        #expect(link.nextDeadline == nil)
    }

    @Test func `nothing gets through a link that loses all, resets included`() {
        var settings = LinkSettings.symmetric(delay: .milliseconds(30))
        settings.down.loss = .bernoulli(.one)
        var link = opened(settings)
        link.abort(down, at: milliseconds(1_100))
        #expect(events(&link, until: 3_000).isEmpty)
        #expect(link.nextDeadline == nil)
    }

    @Test func `an end that sends on after a lost reset gets another one`() {
        // The first reset is lost, the one in answer to the request is not.
        var settings = LinkSettings.symmetric(delay: .milliseconds(30))
        settings.down.loss = .list([5 << 60])
        var link = opened(settings)
        link.abort(down, at: milliseconds(1_100))
        link.send(10, on: up, at: milliseconds(5_000))
        #expect(
            events(&link, until: 300) == [LinkEvent(at: milliseconds(5_060), kind: .aborted(down))]
        )
    }

    @Test func `an end whose packets are answered by lost resets only gives up`() {
        var settings = LinkSettings.symmetric(delay: .milliseconds(30))
        settings.down.loss = .bernoulli(.one)
        var link = opened(settings)
        link.abort(down, at: milliseconds(1_100))
        link.send(10, on: up, at: milliseconds(5_000))
        let kinds = events(&link, until: 3_000).map(\.kind)
        #expect(kinds == [.timedOut(connection: 0)])
        #expect(link.nextDeadline == nil)
    }

    @Test(arguments: [Outages.Treatment.drop, .hold])
    func `a reset meets outages as data do`(treatment: Outages.Treatment) {
        var settings = LinkSettings.symmetric(delay: .milliseconds(30))
        settings.down.outages = Outages(
            schedule: .windows([.init(at: .zero, length: .milliseconds(500))], period: nil),
            treatment: treatment
        )
        var link = opened(settings)
        link.abort(down, at: milliseconds(1_100))
        let held = LinkEvent(at: milliseconds(1_530), kind: .aborted(down))
        #expect(events(&link, until: 300) == (treatment == .hold ? [held] : []))
    }

    @Test func `a reset does not wait in the queue, and what waits there is not delivered`() {
        let settings = LinkSettings.symmetric(
            delay: .milliseconds(30),
            rate: 64_000,
            queue: .packets(50)
        )
        var link = opened(settings)
        link.send(100_000, on: down, at: milliseconds(1_100))
        link.advance(to: milliseconds(2_000))
        #expect(link.queued(.down).packets >= 4)
        link.abort(down, at: milliseconds(2_000))
        let events = events(&link, until: 300)
        #expect(events.last == LinkEvent(at: milliseconds(2_030), kind: .aborted(down)))
        let delivered = events.dropLast().allSatisfy { event in
            if case .deliver(down, _) = event.kind { true } else { false }
        }
        #expect(delivered)
    }

    @Test func `what one connection leaves in the queue still takes its time of another`() {
        // The queue is the link's: a router does not look for packets of dead connections.
        let settings = LinkSettings.symmetric(
            delay: .zero,
            rate: 120_000,
            queue: .packets(50)
        )
        var link = opened(settings)
        link.open(1, at: milliseconds(100))
        link.send(14_480, on: down, at: milliseconds(1_100))
        link.abort(down, at: milliseconds(1_101))
        let other = Stream(connection: 1, direction: .down)
        link.send(1_448, on: other, at: milliseconds(1_102))
        let arrival = events(&link, until: 10).last { event in
            if case .deliver(other, _) = event.kind { true } else { false }
        }
        // Eleven packets of 100 ms each, from 1.1 s on.
        #expect(arrival?.at == milliseconds(2_200))
    }

    @Test func `a refusal answers the client's SYN, each time that it comes`() {
        var settings = LinkSettings.symmetric(delay: .milliseconds(30))
        settings.down.loss = .list([5 << 60])
        var link = Link(settings: settings, seed: 1)
        link.open(0, at: .start)
        link.abort(down, at: .start + .milliseconds(1))
        #expect(
            // The second SYN leaves after a second.
            events(&link, until: 300) == [LinkEvent(at: milliseconds(1_060), kind: .aborted(down))]
        )
    }

    @Test func `two ends that reset at once leave the link quiet`() {
        var link = opened(.symmetric(delay: .milliseconds(30)))
        link.abort(down, at: milliseconds(1_100))
        link.abort(up, at: milliseconds(1_110))
        #expect(events(&link, until: 300).isEmpty)
        #expect(link.nextDeadline == nil)
    }
}
