import Basics
import LinkEngine
import Testing

@Suite struct HandoverTests {
    private static let stream = Stream(connection: 0, direction: .down)

    private static func at(_ milliseconds: Int64) -> Instant {
        .start + .milliseconds(milliseconds)
    }

    /// A link of 10 ms each way that hands over to one of 50 ms at 1 s, silent for half a second.
    private static var settings: LinkSettings {
        var settings = LinkSettings.symmetric(delay: .milliseconds(10))
        settings.tcp.handshake = false
        let path = LinkSettings.symmetric(delay: .milliseconds(50))
        settings.handovers = [
            Handover(
                at: .milliseconds(1_000),
                silence: .milliseconds(500),
                down: path.down,
                up: path.up
            )
        ]
        return settings
    }

    /// When a datagram that is sent at a time arrives; nil if it is lost.
    private static func arrival(_ link: inout Link, sentAt time: Int64) -> Int64? {
        let flow = link.openFlow(UInt32(time), at: at(time))
        link.sendDatagram(
            1,
            payload: 100,
            on: Stream(connection: flow, direction: .down),
            at: at(time)
        )
        link.advance(to: at(time + 100))
        while let event = link.nextEvent() {
            if case .arrived = event.kind { return (event.at - .start).nanoseconds / 1_000_000 }
        }
        return nil
    }

    @Test func `nothing passes for a time, then the path is another one`() {
        var link = Link(settings: Self.settings, seed: 1)
        #expect(link.nextDeadline == Self.at(1_000))
        #expect(Self.arrival(&link, sentAt: 500) == 510)
        #expect(Self.arrival(&link, sentAt: 995) == 1_005, "what is under way arrives")
        #expect(link.handoverCount == 1 && link.settings.down.delay == .milliseconds(50))
        #expect(Self.arrival(&link, sentAt: 1_100) == nil)
        #expect(Self.arrival(&link, sentAt: 1_399) == nil)
        #expect(Self.arrival(&link, sentAt: 1_500) == 1_550)
        #expect(link.nextDeadline == nil)
    }

    @Test func `how time is cut changes nothing`() {
        func moments(_ step: Int) -> [Instant] {
            var link = Link(settings: Self.settings, seed: 1)
            link.open(0, at: .start)
            var moments: [Instant] = []
            for time in stride(from: 0, through: 4_000, by: step) {
                if time.isMultiple(of: 200), time < 2_000 {
                    link.send(1_000, on: Self.stream, at: Self.at(Int64(time)))
                }
                link.advance(to: Self.at(Int64(time)))
                while let event = link.nextEvent() { moments.append(event.at) }
            }
            return moments
        }
        #expect(moments(10) == moments(200) && moments(10).count > 5)
    }

    @Test func `outages are told, also ahead of the time`() {
        let link = Link(settings: Self.settings, seed: 1)
        #expect(!link.outage(at: Self.at(999)).isPresent)
        #expect(link.outage(at: Self.at(999)).changesAt == Self.at(1_000))
        #expect(link.outage(at: Self.at(1_000)).isPresent)
        #expect(link.outage(at: Self.at(1_200)).changesAt == Self.at(1_500))
        #expect(!link.outage(at: Self.at(1_500)).isPresent)
    }

    @Test func `a budget that slows down does not take a handover back, another profile does`()
        throws
    {
        var link = Link(settings: Self.settings, seed: 1)
        link.advance(to: Self.at(2_000))
        var slow = Self.settings
        slow.limit(to: try #require(BitRate(bitsPerSecond: 8_000)))
        link.apply(slow, at: Self.at(2_100))
        #expect(link.settings.down.delay == .milliseconds(50))
        #expect(link.settings.down.capacity == slow.down.capacity)
        var other = Self.settings
        other.handovers[0].at = .milliseconds(300)
        link.apply(other, at: Self.at(2_200))
        #expect(link.settings.down.delay == .milliseconds(10))
        #expect(link.nextDeadline == Self.at(2_500))
    }

    @Test func `handovers go on if they stay as they are, and begin anew if one is longer`() {
        var link = Link(settings: Self.settings, seed: 1)
        var settings = Self.settings
        settings.down.delay = .milliseconds(20)
        link.apply(settings, at: Self.at(400))
        #expect(link.nextDeadline == Self.at(1_000))
        settings.handovers[0].silence = .milliseconds(700)
        link.apply(settings, at: Self.at(600))
        #expect(link.nextDeadline == Self.at(1_600))
    }

    @Test func `a link that hands over is none that changes nothing`() {
        var settings = LinkSettings()
        settings.handovers = Self.settings.handovers
        #expect(!settings.isTransparent && LinkSettings().isTransparent)
    }
}
